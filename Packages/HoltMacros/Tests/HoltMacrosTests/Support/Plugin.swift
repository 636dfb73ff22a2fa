import Foundation
import Testing

/// The macro's executable, called with the compiler's plugin protocol.
///
/// A test target that links the plugin would be built for the host, and with it a second copy of
/// everything that is tested in the same build.
enum Plugin {
  /// The result of expanding a declaration.
  struct Expansion {
    var members = ""
    var conformance = ""
    var diagnostics: [Diagnostic] = []
  }

  struct Diagnostic: Decodable {
    struct Position: Decodable { let offset: Int }
    struct Note: Decodable {
      let message: String
      let position: Position
    }

    let message: String
    let severity: String
    let position: Position
    let notes: [Note]
    let fixIts: [FixIt]
    struct FixIt: Decodable {}
  }

  /// - Parameters:
  ///   - source: The declaration, including the attribute.
  ///   - lexicalContext: The enclosing declarations, innermost first, without their members.
  ///   - conforms: Whether the declaration already declares the conformance.
  ///   - macro: The name of the macro.
  static func expand(
    _ source: String, in lexicalContext: [String] = [], conforms: Bool = false,
    macro: String = "CasePathable"
  ) throws -> Expansion {
    let answers = try ask(
      ["extension", "member"].map {
        request($0, source, in: lexicalContext, conforms: conforms, macro: macro)
      })
    return Expansion(
      members: answers[1].expandedSource ?? "", conformance: answers[0].expandedSource ?? "",
      diagnostics: answers.flatMap(\.diagnostics))
  }

  private struct Message: Decodable { let expandMacroResult: Answer }

  private struct Answer: Decodable {
    let expandedSource: String?
    let diagnostics: [Diagnostic]
  }

  private static func request(
    _ role: String, _ source: String, in lexicalContext: [String], conforms: Bool, macro: String
  ) -> [String: Any] {
    func syntax(_ kind: String, _ source: String) -> [String: Any] {
      let location: [String: Any] = [
        "fileID": "App/App.swift", "fileName": "App.swift", "offset": 0, "line": 1, "column": 1,
      ]
      return ["kind": kind, "source": source, "location": location]
    }
    var arguments: [String: Any] = [
      "macro": [
        "moduleName": "HoltMacrosPlugin", "typeName": "\(macro)Macro", "name": macro,
      ],
      "macroRole": role, "discriminator": "d",
      "attributeSyntax": syntax("attribute", "@\(macro)"),
      "declSyntax": syntax("declaration", source),
      "lexicalContext": lexicalContext.map { syntax("declaration", $0) },
    ]
    if role == "extension" {
      arguments["extendedTypeSyntax"] = syntax("type", "App.Route")
      // The compiler passes the conformances that the type lacks.
      if !conforms {
        arguments["conformanceListSyntax"] = syntax(
          "declaration",
          "struct Placeholder: \(macro == "Table" ? "Table, Model" : macro) {}")
      }
    }
    return ["expandAttachedMacro": arguments]
  }

  /// Sends messages: each is JSON after its length in eight little-endian bytes.
  private static func ask(_ requests: [[String: Any]]) throws -> [Answer] {
    let process = Process()
    let input = Pipe()
    let output = Pipe()
    process.executableURL = try executable()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let greeting = ["getCapability": ["capability": ["protocolVersion": 7]]]
    for request in [greeting] + requests {
      let json = try JSONSerialization.data(withJSONObject: request)
      let length = (0..<8).map { UInt8(truncatingIfNeeded: json.count >> ($0 * 8)) }
      try input.fileHandleForWriting.write(contentsOf: Data(length) + json)
    }
    try input.fileHandleForWriting.close()
    var rest = try #require(try output.fileHandleForReading.readToEnd())
    process.waitUntilExit()
    _ = nextMessage(of: &rest)
    return try requests.map { _ in
      try JSONDecoder().decode(Message.self, from: nextMessage(of: &rest)).expandMacroResult
    }
  }

  private static func nextMessage(of bytes: inout Data) -> Data {
    let length = bytes.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
    defer { bytes = Data(bytes.dropFirst(8 + length)) }
    return Data(bytes.dropFirst(8).prefix(length))
  }

  private final class Anchor {}

  private static func executable() throws -> URL {
    let tests = Bundle(for: Anchor.self).bundleURL
    let folders = [
      Bundle.main.bundleURL, tests.deletingLastPathComponent(),
      URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
    ]
    let candidates: [URL] = folders.flatMap { folder in
      ["HoltMacrosPlugin-tool", "HoltMacrosPlugin"].map(folder.appendingPathComponent)
    }
    let found = candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }
    return try #require(found, "no HoltMacrosPlugin next to the tests")
  }
}

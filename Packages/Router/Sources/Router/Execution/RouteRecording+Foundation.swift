#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Recordings in files.
extension RouteRecording {
  /// Returns the recording as readable JSON: a line for each route and for each row, in a stable order.
  ///
  /// - Throws: Errors of the encoder.
  public func json() throws -> String {
    let calls = try calls.map { "    {\n\(try Self.lines(of: $0))\n    }" }
    return """
      {
        "version": \(Self.version),
        "calls": [\(calls.isEmpty ? "" : "\n\(calls.joined(separator: ",\n"))\n  ")]
      }

      """
  }

  /// Creates a recording from JSON in any layout.
  ///
  /// - Throws: `DecodingError` if the JSON is not a recording, or was written by a later release.
  public init(json: String) throws {
    self = try JSONDecoder().decode(RouteRecording.self, from: Data(json.utf8))
  }

  /// Writes the recording to a file atomically.
  ///
  /// - Throws: Errors of the encoder and the file system.
  public func write(to file: URL) throws {
    try Data(try json().utf8).write(to: file, options: .atomic)
  }

  /// Creates a recording from a file.
  ///
  /// - Throws: Errors of the file system; `DecodingError` as ``init(json:)``.
  public init(contentsOf file: URL) throws {
    self = try JSONDecoder().decode(RouteRecording.self, from: try Data(contentsOf: file))
  }

  private static func lines(of call: Call) throws -> String {
    let indent = "      "
    let routes = try call.routes.map { try line($0) }
    var text =
      call.isBatch
      ? "\(indent)\"routes\": \(list(routes, indent))" : "\(indent)\"route\": \(routes.joined())"
    switch call.outcome {
    case .failure(let failure): text += ",\n\(indent)\"failure\": \(try line(failure))"
    case .responses(let responses):
      let responses = try responses.map { response in
        try Self.text(of: response, indent + (call.isBatch ? "  " : ""))
      }
      text +=
        call.isBatch
        ? ",\n\(indent)\"responses\": \(list(responses, indent))"
        : ",\n\(indent)\"response\": \(responses.joined())"
    }
    return text
  }

  private static func text(of response: DatabaseRoute.Response, _ indent: String) throws -> String {
    var parts: [String] = []
    if response.affected != 0 { parts.append("\"affected\": \(response.affected)") }
    if !response.columns.isEmpty { parts.append("\"columns\": \(try line(response.columns))") }
    if !response.rows.isEmpty {
      let rows = try response.rows.map { try line($0) }
      parts.append("\"rows\": \(list(rows, indent + "  "))")
    }
    guard !parts.isEmpty else { return "{}" }
    return "{\n" + parts.map { "\(indent)  \($0)" }.joined(separator: ",\n") + "\n\(indent)}"
  }

  /// Returns an array with a line for each element.
  private static func list(_ elements: [String], _ indent: String) -> String {
    elements.isEmpty
      ? "[]"
      : "[\n" + elements.map { "\(indent)  \($0)" }.joined(separator: ",\n") + "\n\(indent)]"
  }

  private static func line(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}

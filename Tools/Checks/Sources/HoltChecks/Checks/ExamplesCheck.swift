internal import Foundation

/// Rejects an example in a documentation comment that is not valid Swift syntax.
///
/// An example may use names that don't exist. ``SamplesCheck`` compares the samples of documents with compiled code.
public struct ExamplesCheck: Check {
  public let name = "examples"
  public let summary = "each example in a documentation comment is valid Swift syntax"

  public init() {}

  public func findings(in repository: Repository) throws(CheckError) -> [Finding] {
    var examples: [Example] = []
    var findings: [Finding] = []
    for path in repository.files() where path.hasSuffix(".swift") {
      guard case .target = CallSite(path: path) else { continue }
      let page = Self.page(of: try repository.text(of: path))
      for block in CodeBlock.blocks(of: page) where block.language == "swift" {
        if block.isClosed {
          examples.append(Example(path: path, sample: block.sample))
        } else {
          findings.append(
            Finding(path: path, line: block.line, message: "the example has no closing fence"))
        }
      }
    }
    return findings + (try Self.findings(in: examples))
  }

  private struct Example {
    let path: String
    let sample: Sample
  }

  /// Returns the text of the documentation comments, with the lines at their original positions.
  private static func page(of source: String) -> String {
    source.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let text = line.drop { $0 == " " }
      guard text.hasPrefix("///") else { return "" }
      let said = text.dropFirst(3)
      return said.hasPrefix(" ") ? String(said.dropFirst()) : String(said)
    }.joined(separator: "\n")
  }

  /// Parses all examples in one run of `swift format`, each as a file.
  private static func findings(in examples: [Example]) throws(CheckError) -> [Finding] {
    if examples.isEmpty { return [] }
    return try ScratchFolder.with(for: "examples", or: "cannot write the examples") { folder in
      for (number, example) in examples.enumerated() {
        try Data(example.sample.text.utf8).write(to: folder.appending(path: "\(number).swift"))
      }
      return try self.findings(in: examples, writtenTo: folder)
    }
  }

  /// Returns the syntax errors of the examples. The name of each file is the example's index.
  private static func findings(
    in examples: [Example], writtenTo folder: URL
  ) throws(CheckError) -> [Finding] {
    let files = examples.indices.map { "\($0).swift" }
    let command = try Command.run(["swift", "format", "--parallel"] + files, in: folder)
    let tree = Repository(root: folder)
    let findings = command.errors.split(separator: "\n").compactMap { line -> Finding? in
      guard let found = FormatCheck.finding(from: line, in: tree),
        let number = Int(found.path.prefix { $0 != "." }), examples.indices.contains(number)
      else { return nil }
      let example = examples[number]
      return Finding(
        path: example.path, line: example.sample.firstLine + found.line - 1,
        message: "the example is not valid Swift: \(found.message)")
    }
    guard command.status == 0 || !findings.isEmpty else {
      throw CheckError("swift format failed:\n\(command.errors)")
    }
    return findings.sorted { ($0.path, $0.line) < ($1.path, $1.line) }
  }
}

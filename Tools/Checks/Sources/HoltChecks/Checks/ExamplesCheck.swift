internal import Foundation

/// Refuses an example in a documentation comment that is no Swift.
///
/// What an example names need not be there; ``SamplesCheck`` holds the samples of pages against what is compiled.
public struct ExamplesCheck: Check {
  public let name = "examples"
  public let summary = "each example in a documentation comment is Swift"

  public init() {}

  public func findings(in repository: Repository) throws(CheckError) -> [Finding] {
    var examples: [Example] = []
    var findings: [Finding] = []
    for path in repository.files() where path.hasSuffix(".swift") {
      guard case .target = SourcePlace(path: path) else { continue }
      let page = Self.page(of: try repository.text(of: path))
      for block in CodeBlock.blocks(of: page) where block.language == "swift" {
        if block.isClosed {
          examples.append(Example(path: path, sample: block.sample))
        } else {
          findings.append(Finding(path: path, line: block.line, message: "the example has no end"))
        }
      }
    }
    return findings + (try Self.findings(in: examples))
  }

  private struct Example {
    let path: String
    let sample: Sample
  }

  /// What documentation comments say, each line where it stands.
  private static func page(of source: String) -> String {
    source.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let text = line.drop { $0 == " " }
      guard text.hasPrefix("///") else { return "" }
      let said = text.dropFirst(3)
      return said.hasPrefix(" ") ? String(said.dropFirst()) : String(said)
    }.joined(separator: "\n")
  }

  /// Has all examples read at once, each as a file.
  private static func findings(in examples: [Example]) throws(CheckError) -> [Finding] {
    if examples.isEmpty { return [] }
    return try ScratchFolder.with(for: "examples", or: "cannot write the examples") { folder in
      for (number, example) in examples.enumerated() {
        try Data(example.sample.text.utf8).write(to: folder.appending(path: "\(number).swift"))
      }
      return try self.findings(in: examples, writtenTo: folder)
    }
  }

  /// What is wrong with examples, each of which is in the file of its number.
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
        message: "the example is no Swift: \(found.message)")
    }
    guard command.status == 0 || !findings.isEmpty else {
      throw CheckError("swift format failed:\n\(command.errors)")
    }
    return findings.sorted { ($0.path, $0.line) < ($1.path, $1.line) }
  }
}

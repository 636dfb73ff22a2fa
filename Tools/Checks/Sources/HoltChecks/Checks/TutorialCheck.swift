internal import Foundation

/// Rejects a tutorial whose commands fail, or print output that differs from the page.
///
/// The check follows the page from top to bottom, in an empty folder outside of the repository. It writes each block
/// that names a file, and runs each command after a `$`, whose output must equal the lines below.
public struct TutorialCheck: Check {
  public let name = "tutorial"
  public let summary = "the tutorial builds and prints the output that it shows"

  static let page = "Docs/Tutorial.md"
  /// The requirement on the page, replaced by one of the working copy.
  static let requirement = #".package(url: "https://example.com/holt.git", from: "0.1.0")"#

  public init() {}

  public func findings(in repository: Repository) throws(CheckError) -> [Finding] {
    let steps = Self.steps(of: try repository.text(of: Self.page))
    return try ReleasedCopy.with(repository, for: "tutorial", or: "cannot follow the tutorial") {
      folder, library in
      let requirement = ".package(url: \(library.absoluteString.quoted), from: \"1.0.0\")"
      let app = folder.appending(path: "app", directoryHint: .isDirectory)
      return try Self.follow(steps, in: app, requiring: requirement)
    }
  }

  /// An action of a reader.
  struct Step: Equatable {
    enum Deed: Equatable {
      case write(path: String, text: String)
      case run(command: String, output: String)
    }

    let deed: Deed
    /// The line of the page that contains it.
    let line: Int
  }

  static func steps(of text: String) -> [Step] {
    CodeBlock.blocks(of: text).flatMap { block -> [Step] in
      let sample = block.sample
      if block.language == "console" { return commands(of: block) }
      if let path = sample.file {
        return [Step(deed: .write(path: path, text: sample.withoutFile.text), line: block.line)]
      }
      guard ManifestSamples.isManifest(sample) else { return [] }
      return [Step(deed: .write(path: "Package.swift", text: sample.text), line: block.line)]
    }
  }

  /// Returns the commands after `$`, with the lines below each.
  private static func commands(of block: CodeBlock) -> [Step] {
    var found: [(command: String, output: String, line: Int)] = []
    for (offset, line) in block.lines.enumerated() {
      if line.hasPrefix("$ ") {
        found.append((String(line.dropFirst(2)), "", block.line + 1 + offset))
      } else if !found.isEmpty {
        found[found.count - 1].output += line + "\n"
      }
    }
    return found.map { Step(deed: .run(command: $0.command, output: $0.output), line: $0.line) }
  }

  /// Performs the steps up to the first one whose result differs from the page.
  static func follow(
    _ steps: [Step], in app: URL, requiring requirement: String
  ) throws -> [Finding] {
    try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
    for step in steps {
      switch step.deed {
      case .write(let path, let text):
        let file = app.appending(path: path)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.replacing(Self.requirement, with: requirement).utf8).write(to: file)
      case .run(let command, let output):
        let run = try Command.run(["bash", "-c", command], in: app)
        guard run.status == 0, run.output == output else {
          let printed = (run.output + run.errors).suffix(2_000)
          return [
            Finding(
              path: page, line: step.line, message: "\(command): the output differs: \(printed)")
          ]
        }
      }
    }
    return []
  }
}

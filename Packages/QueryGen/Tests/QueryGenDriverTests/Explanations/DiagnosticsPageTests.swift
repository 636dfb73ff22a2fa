import Foundation
import QueryGenDriver
import QueryGenTestSupport
import Testing

/// `HOLT_REWRITE_GOLDENS=1` writes `Docs/Diagnostics.md` before the comparison.
@Suite struct `The page of diagnostics` {
  private static let page = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../../Docs/Diagnostics.md").standardized

  @Test func `has the explanations`() throws {
    if ProcessInfo.processInfo.environment["HOLT_REWRITE_GOLDENS"] == "1" {
      try Data(Self.text.utf8).write(to: Self.page)
    }
    #expect(
      try String(contentsOf: Self.page, encoding: .utf8) == Self.text, "run `make goldens`")
  }

  private static let introduction = """
    # Diagnostics

    These are the errors and warnings of `querygen`. Each has an identity that does not change between releases.
    `querygen check --json` and editors show it, and `querygen explain unknown-column` prints a section of this page.

    A diagnostic is an error unless its section begins with "Warning". Errors prevent the generation of Swift;
    warnings do not. A comment with a file's path precedes the contents of each file in an example. The files of a
    correction replace the example's files in the same folders.

    The page is generated from the command's explanations: `make goldens` writes it, and tests check that each
    example has only this diagnostic, and that its correction has none.

    """

  private static var text: String {
    let families = DiagnosticExplanation.Family.allCases
    let index = families.map { family in
      let links = family.explanations.map { "[\($0.identity)](#\($0.identity))" }
      return "- **\(family.title)**: \(links.joined(separator: ", "))\n"
    }
    let sections = families.map { family in
      "\n## \(family.title)\n" + family.explanations.map(section).joined()
    }
    return introduction + "\n" + index.joined() + sections.joined()
  }

  private static func section(_ explanation: DiagnosticExplanation) -> String {
    let severity = explanation.severity == .warning ? "**Warning.** " : ""
    var text = "\n### \(explanation.identity)\n\n"
    text += "\(severity)\(explanation.summary) \(explanation.details)\n"
    if let example = explanation.example { text += "\n" + blocks(example) }
    if let correction = explanation.correction { text += "\nCorrection:\n\n" + blocks(correction) }
    return text
  }

  /// Returns a fenced block for each group of adjacent files in the same language.
  private static func blocks(_ sample: String) -> String {
    var blocks: [(language: String, text: String)] = []
    for file in SampleFiles(sample).files {
      let text = file.header + "\n" + file.text
      let language = language(of: file.path)
      if blocks.last?.language == language {
        blocks[blocks.count - 1].text += text
      } else {
        blocks.append((language, text))
      }
    }
    return blocks.map { "```\($0.language)\n\($0.text)```\n" }.joined(separator: "\n")
  }

  private static func language(of path: String) -> String {
    path.hasSuffix(".sql") ? "sql" : path.hasSuffix(".yaml") ? "yaml" : "text"
  }
}

import Foundation
import QueryGenDriver
import QueryGenTestSupport
import Testing

/// The table of rules in the package's README.
@Suite struct `The documented rules for plans` {
  private static let section: String? = {
    let readme = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../README.md")
    guard let text = try? String(contentsOf: readme, encoding: .utf8),
      let start = text.range(of: "\n## Plans\n")
    else { return nil }
    let rest = text[start.upperBound...]
    return String(rest[..<(rest.range(of: "\n## ")?.lowerBound ?? rest.endIndex)])
  }()

  private static var schema: String {
    let parts = (section ?? "").components(separatedBy: "```")
    return parts.count > 2
      ? parts[1].dropFirst(3).trimmingCharacters(in: .whitespacesAndNewlines) : ""
  }

  private static let examples: [[String]] = (section ?? "").split(separator: "\n").compactMap {
    line in
    guard line.hasPrefix("| `") else { return nil }
    let parts = line.components(separatedBy: "`")
    return parts.count > 4 ? [parts[1], parts[3]] : nil
  }

  @Test func `are all rules`() {
    #expect(Self.examples.map { $0[0] }.sorted() == PlanRule.allCases.map(\.rawValue).sorted())
    #expect(Self.schema == Workspace.books)
  }

  @Test(arguments: examples)
  func `have examples that yield exactly the rule`(_ example: [String]) throws {
    let isSchema = example[1].hasPrefix("CREATE")
    let workspace = try Workspace.planned(
      isSchema ? "q: SELECT * FROM author WHERE id = :id;" : "q: \(example[1]);",
      schema: Self.schema + (isSchema ? example[1] + ";" : ""))
    #expect(workspace.planIdentities() == [example[0]])
  }
}

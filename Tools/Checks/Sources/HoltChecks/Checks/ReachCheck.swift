/// Refuses a row of the reach table that no test stands behind.
public struct ReachCheck: Check {
  public let name = "reach"
  public let summary = "each row of Docs/SQLiteCore.md names a test that is there"

  /// The page whose tables are checked.
  static let page = "Docs/SQLiteCore.md"
  /// The head of the column that names the tests. Tables without it are another matter.
  static let column = "shown by"
  /// The columns whose cells answer with one of these words first.
  static let peers = ["GRDB", "SQLite.swift", "Lighter", "Blackbird"]
  static let answers = ["yes", "no", "part"]

  public init() {}

  public func findings(in repository: Repository) throws(CheckError) -> [Finding] {
    let page = MarkdownPage(try repository.text(of: Self.page))
    let tables = page.tables.filter { $0.head.contains(Self.column) }
    guard tables.contains(where: { !$0.rows.isEmpty }) else {
      return [
        Finding(path: Self.page, line: 1, message: "no table has the column \"\(Self.column)\"")
      ]
    }
    var findings: [Finding] = []
    var sources: [String: TestSource] = [:]
    for table in tables {
      for row in table.rows {
        for fault in Self.faults(of: row, under: table.head) { findings.append(fault) }
        for reference in Self.references(of: row, under: table.head) {
          guard let target = page.links[reference.label] else {
            findings.append(Self.finding(row, "no link is called [\(reference.label)]"))
            continue
          }
          let path = Self.path(target)
          if sources[path] == nil, repository.exists(path) {
            sources[path] = TestSource(try repository.text(of: path))
          }
          if let fault = sources[path].map({ Self.fault(of: reference, in: $0, at: path) })
            ?? "there is no file \(path)"
          {
            findings.append(Self.finding(row, fault))
          }
        }
      }
    }
    return findings
  }

  private static func finding(_ row: MarkdownPage.Row, _ message: String) -> Finding {
    Finding(path: page, line: row.line, message: message)
  }

  /// What is wrong with the row itself, whatever it refers to.
  private static func faults(of row: MarkdownPage.Row, under head: [String]) -> [Finding] {
    guard row.cells.count == head.count else {
      return [finding(row, "the row has \(row.cells.count) cells, and its head \(head.count)")]
    }
    var findings: [Finding] = []
    for (name, cell) in zip(head, row.cells) where peers.contains(name) {
      let word = cell.prefix { $0.isLetter }
      if !answers.contains(String(word)) {
        findings.append(finding(row, "\(name): \"\(cell)\" begins with none of yes, no and part"))
      }
    }
    if references(of: row, under: head).isEmpty {
      findings.append(finding(row, "no test stands behind \(row.cells.first ?? "the row")"))
    }
    return findings
  }

  private static func references(
    of row: MarkdownPage.Row, under head: [String]
  ) -> [MarkdownPage.Reference] {
    guard let index = head.firstIndex(of: column), row.cells.indices.contains(index) else {
      return []
    }
    return MarkdownPage.references(in: row.cells[index])
  }

  private static func fault(
    of reference: MarkdownPage.Reference, in source: TestSource, at path: String
  ) -> String? {
    guard let slash = reference.text.firstIndex(of: "/") else {
      return "`\(reference.text)` is not of the form `Suite/test`"
    }
    let suite = String(reference.text[..<slash])
    let test = String(reference.text[reference.text.index(after: slash)...])
    guard let tests = source.suites[suite] else { return "\(path) has no suite `\(suite)`" }
    return tests.contains(test) ? nil : "`\(suite)` in \(path) has no test `\(test)`"
  }

  /// A link's target, which is relative to the page, as a path from the root.
  static func path(_ target: String) -> String {
    var parts = page.split(separator: "/").dropLast().map(String.init)
    for part in target.split(separator: "/") {
      if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(String(part)) }
    }
    return parts.joined(separator: "/")
  }
}

/// Rejects rows of a comparison table that no test supports.
public struct ReachCheck: Check {
  public let name = "reach"
  public let summary =
    "each row of Docs/SQLiteCore.md, Docs/Observe.md, Docs/Router.md and Docs/Relations.md names "
    + "an existing test"

  /// The pages whose tables are checked.
  static let pages = [
    ReachPage(
      path: "Docs/SQLiteCore.md", peers: ["GRDB", "SQLite.swift", "Lighter", "Blackbird"]),
    ReachPage(path: "Docs/Observe.md", peers: ["GRDB", "SQLiteData", "Blackbird", "PureSQL"]),
    ReachPage(path: "Docs/Router.md", peers: ["supabase-client-dependency", "supabase-swift"]),
    ReachPage(
      path: "Docs/Relations.md",
      peers: [
        "AutoDB", "GRDB", "SQLiteData", "Lighter", "Blackbird", "WCDB", "skip-sql", "SQLite.swift",
      ]),
  ]
  /// The heading of the column with the tests. Tables without this column are not checked.
  static let column = "shown by"
  /// The first words that a cell of another package may have.
  static let answers = ["yes", "no", "part"]

  private let pages: [ReachPage]

  public init() { self.init(pages: Self.pages) }

  init(pages: [ReachPage]) { self.pages = pages }

  public func findings(in repository: Repository) throws(CheckError) -> [Finding] {
    var findings: [Finding] = []
    var sources: [String: TestSource] = [:]
    for page in pages {
      findings += try Self.findings(on: page, in: repository, sources: &sources)
    }
    return findings
  }

  private static func findings(
    on page: ReachPage, in repository: Repository, sources: inout [String: TestSource]
  ) throws(CheckError) -> [Finding] {
    let text = MarkdownPage(try repository.text(of: page.path))
    let tables = text.tables.filter { $0.head.contains(column) }
    guard tables.contains(where: { !$0.rows.isEmpty }) else {
      return [Finding(path: page.path, line: 1, message: "no table has the column \"\(column)\"")]
    }
    var findings: [Finding] = []
    for table in tables {
      for row in table.rows {
        var faults = faults(of: row, under: table.head, peers: page.peers)
        for reference in references(of: row, under: table.head) {
          guard let target = text.links[reference.label] else {
            faults.append("the link [\(reference.label)] has no definition")
            continue
          }
          let path = page.path(of: target)
          if sources[path] == nil, repository.exists(path) {
            sources[path] = TestSource(try repository.text(of: path))
          }
          if let fault = sources[path].map({ fault(of: reference, in: $0, at: path) })
            ?? "there is no file \(path)"
          {
            faults.append(fault)
          }
        }
        findings += faults.map { Finding(path: page.path, line: row.line, message: $0) }
      }
    }
    return findings
  }

  /// Returns the faults of the row itself, without its references.
  private static func faults(
    of row: MarkdownPage.Row, under head: [String], peers: [String]
  ) -> [String] {
    guard row.cells.count == head.count else {
      return ["the row has \(row.cells.count) cells, but the head has \(head.count)"]
    }
    var faults: [String] = []
    for (name, cell) in zip(head, row.cells) where peers.contains(name) {
      let word = cell.prefix { $0.isLetter }
      if !answers.contains(String(word)) {
        faults.append("\(name): \"\(cell)\" begins with none of yes, no and part")
      }
    }
    if references(of: row, under: head).isEmpty {
      faults.append("no test is linked for \(row.cells.first ?? "the row")")
    }
    return faults
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
}

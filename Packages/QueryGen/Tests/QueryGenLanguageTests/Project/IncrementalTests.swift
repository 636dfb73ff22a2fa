import Foundation
import QueryGenDriver
import QueryGenLanguage
import QueryGenTestSupport
import SQLSyntax
import Testing

@Suite struct `A host after random edits` {
  /// The number of edits: a few hundred, or all with `HOLT_CORPORA=all`.
  static let editCount = OpenCorpora.isWhole ? 10_000 : 60
  static let seeds: [UInt64] = OpenCorpora.isWhole ? Array(1...20) : [1, 2, 3, 4]

  @Test(arguments: seeds)
  func `reports what a new host reports`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let workspace = try Shop.workspace()
    try workspace.write("types: { DATETIME: Date }\n", to: "querygen.yaml")
    var host = LanguageHost(workspace)
    var texts = Shop.files
    for number in 1...Self.editCount {
      try edit(&host, &texts, workspace, &random)
      // Many edits arrive before an analysis is complete.
      for _ in 0..<Int.random(in: 0..<16, using: &random) { _ = host.step() }
      guard number.isMultiple(of: 3) else { continue }
      host.finish()
      var fresh = LanguageHost(folders: [workspace.path], encoding: .utf16)
      for (path, document) in host.documents {
        fresh.open(path, text: String(decoding: document.bytes, as: UTF8.self), version: 1)
      }
      fresh.finish()
      let (found, expected) = (host.report(workspace), fresh.report(workspace))
      try #require(found == expected, "seed \(seed), edit \(number)")
      for path in host.paths {
        let symbols = host.withProject(of: path) { $0.symbols(of: path) }
        let fresh = fresh.withProject(of: path) { $0.symbols(of: path) }
        try #require(symbols == fresh, "seed \(seed), edit \(number), symbols of \(path)")
      }
    }
  }

  @Test func `reports what the driver reports`() throws {
    let workspace = try Shop.workspace()
    try workspace.write(
      "broken: SELECT nmae FROM customer;\ncustomers: SELECT 1;", to: "Queries/X.sql")
    let host = LanguageHost(workspace)
    let outcome = Driver(DriverOptions(path: workspace.path)).check()
    let expected = outcome.diagnostics.map { "\($0.file) \($0.identity) \($0.message)" }
    let found = host.paths.flatMap { path in
      host.diagnostics(of: path).map { "\(path) \($0.identity.rawValue) \($0.message)" }
    }
    #expect(found.sorted() == expected.sorted())
    #expect(!found.isEmpty)
  }

  private static let snippets = [
    " ", "\n", "\r\n", ";", "(", ")", ",", "'", "\"", "--", "/*", "*/", "SELECT ", " FROM ",
    "customer",
    "orders", "open_orders", "name", "id", "city", " AS x", ":id", "🙂", "é", "NULL",
    "DROP TABLE orders;", "\n-- function: f(x TEXT) -> TEXT\n", "f(name)",
    "ALTER TABLE customer RENAME COLUMN name TO title;",
    "CREATE TABLE extra (id INTEGER, city TEXT);",
    "more: SELECT * FROM extra;", "customers: SELECT 1;",
  ]

  private func edit(
    _ host: inout LanguageHost, _ texts: inout [String: String], _ workspace: Workspace,
    _ random: inout SeededGenerator
  ) throws {
    let names = texts.keys.sorted()
    let name = random.pick(names)
    let path = "\(workspace.path)/\(name)"
    switch Int.random(in: 0..<20, using: &random) {
    case 0:
      let new = random.pick(["Migrations/003_new.sql", "Queries/New.sql"])
      let text = random.pick(Self.snippets)
      texts[new] = text
      try workspace.write(text, to: new)
      host.filesChanged()
    case 1 where names.count > 3 && !Shop.files.keys.contains(name):
      texts[name] = nil
      host.close(path)
      try workspace.remove(name)
      host.filesChanged()
    case 2:
      host.close(path)
      texts[name] = try workspace.read(name)
    case 3:
      // Undo everything.
      texts[name] = Shop.files[name] ?? ""
      open(&host, path, texts[name] ?? "")
      host.change(path, [DocumentChange(range: nil, text: texts[name] ?? "")], version: 2)
    case 4:
      let yaml = random.pick([
        "types: { DATETIME: Date }\n", "tables: { custmer: { name: X } }\n", "database: [\n",
        "sqlite: 3.45\n", "",
      ])
      try workspace.write(yaml, to: "querygen.yaml")
      host.filesChanged()
    default:
      guard let text = texts[name] else { return }
      open(&host, path, text)
      guard let positions = host.documents[path]?.positions else { return }
      let count = text.utf8.count
      let offset = ByteOffset(Int.random(in: 0...count, using: &random))
      let end = ByteOffset(
        min(count, offset.value + Int.random(in: 0..<12, using: &random) * random.pick([0, 1])))
      let start = positions.position(of: offset)
      let range = start..<max(start, positions.position(of: end))
      host.change(
        path, [DocumentChange(range: range, text: random.pick(Self.snippets))], version: 3)
      texts[name] = String(decoding: host.documents[path]?.bytes ?? [], as: UTF8.self)
    }
  }

  private func open(_ host: inout LanguageHost, _ path: String, _ text: String) {
    if host.documents[path] == nil { host.open(path, text: text, version: 1) }
  }
}

@Suite struct `An edit` {
  @Test func `of one query analyzes only that query`() throws {
    let workspace = try Shop.workspace()
    var host = LanguageHost(workspace)
    let path = "\(workspace.path)/Queries/Customer.sql"
    let text = try workspace.read("Queries/Customer.sql")
    host.open(path, text: text, version: 1)
    host.finish()
    let before = host.projects[workspace.path]?.analyzedQueryCount ?? 0
    host.change(
      path,
      [DocumentChange(range: nil, text: text.replacing("ORDER BY name", with: "ORDER BY id"))],
      version: 2)
    host.finish()
    #expect(host.projects[workspace.path]?.analyzedQueryCount == before + 1)
  }

  @Test func `of a table analyzes only the queries that depend on it`() throws {
    let workspace = try Shop.workspace()
    var host = LanguageHost(workspace)
    let path = "\(workspace.path)/Migrations/002_views.sql"
    let text = try workspace.read("Migrations/002_views.sql")
    host.open(path, text: text, version: 1)
    host.finish()
    let before = host.projects[workspace.path]?.analyzedQueryCount ?? 0
    // Three queries read the table `customer`.
    host.change(
      path, [DocumentChange(range: nil, text: text.replacing("city TEXT", with: "town TEXT"))],
      version: 2)
    host.finish()
    #expect(host.projects[workspace.path]?.analyzedQueryCount == before + 3)
  }

  @Test func `that adds a missing table removes the errors about it`() throws {
    let workspace = try Shop.workspace()
    try workspace.write("extras: SELECT * FROM extra;", to: "Queries/Extra.sql")
    var host = LanguageHost(workspace)
    let path = "\(workspace.path)/Queries/Extra.sql"
    #expect(host.diagnostics(of: path).map(\.identity.rawValue) == ["unknown-table"])
    try workspace.write("CREATE TABLE extra (id INTEGER);", to: "Migrations/003_extra.sql")
    host.filesChanged()
    host.finish()
    #expect(host.diagnostics(of: path).isEmpty)
  }

  @Test func `of a view analyzes a query again that alters any table`() throws {
    let workspace = try Shop.workspace()
    try workspace.write(
      "alter: ALTER TABLE customer RENAME COLUMN email TO mail;", to: "Queries/Alter.sql")
    var host = LanguageHost(workspace)
    let path = "\(workspace.path)/Queries/Alter.sql"
    #expect(host.diagnostics(of: path).isEmpty)
    // SQLite checks all views, although the statement does not name this one.
    try workspace.write(
      "CREATE VIEW broken AS SELECT x FROM orders;", to: "Migrations/003_view.sql")
    host.filesChanged()
    host.finish()
    #expect(host.diagnostics(of: path).map(\.identity.rawValue) == ["broken-object"])
  }

  @Test func `waits for one file at most, and not for the check of the whole project`() throws {
    var files = Shop.files
    for number in 1...30 {
      files["Queries/More\(number).sql"] = "more\(number): SELECT id FROM customer;"
    }
    let workspace = try Workspace(files)
    var host = LanguageHost(workspace)
    let path = "\(workspace.path)/Queries/Customer.sql"
    host.open(path, text: try workspace.read("Queries/Customer.sql"), version: 1)
    host.finish()
    host.change(path, [DocumentChange(range: nil, text: "customers: SELECT 1;")], version: 2)
    var steps = host.step() ? 1 : 0
    #expect(host.areDocumentsAnalyzed)
    while host.step() { steps += 1 }
    // The names of each file are found, and then its signatures checked.
    #expect(steps > 2 * 32)
  }

  @Test func `drops the syntax tree of the text before it`() throws {
    let workspace = try Shop.workspace()
    var host = LanguageHost(workspace)
    let path = "\(workspace.path)/Queries/Customer.sql"
    host.open(path, text: "customers: SELECT 0;", version: 1)
    host.finish()
    let before = host.projects[workspace.path]?.syntaxTreeCount ?? 0
    for version in 2...20 {
      host.change(
        path, [DocumentChange(range: nil, text: "customers: SELECT \(version);")], version: version)
      host.finish()
    }
    #expect(host.projects[workspace.path]?.syntaxTreeCount == before)
  }

  @Test func `does not affect a copy of the project`() throws {
    let workspace = try Shop.workspace()
    var host = LanguageHost(workspace)
    let path = "\(workspace.path)/Queries/Order.sql"
    let snapshot = try #require(host.projects[workspace.path])
    host.open(path, text: "broken: SELECT x;", version: 1)
    host.finish()
    #expect(snapshot.diagnostics(of: path).isEmpty)
    #expect(host.diagnostics(of: path).count == 1)
  }

  @Test func `of a closed document counts no longer`() throws {
    let workspace = try Shop.workspace()
    var host = LanguageHost(workspace)
    let path = "\(workspace.path)/Queries/Order.sql"
    host.open(path, text: "broken: SELECT x;", version: 1)
    host.finish()
    #expect(!host.diagnostics(of: path).isEmpty)
    host.close(path)
    host.finish()
    #expect(host.diagnostics(of: path).isEmpty)
  }
}

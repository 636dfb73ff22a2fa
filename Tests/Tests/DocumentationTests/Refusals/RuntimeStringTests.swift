import Foundation
import Testing

/// Tests that code that passes a runtime string as SQL does not compile.
@Suite struct `A runtime string` {
  /// The uses, by package. `text` is a `String`, and each use must cause a compiler error.
  static let uses: [(module: String, lines: [String])] = [
    (
      "SQLiteCore",
      [
        "let _: SQL = text", "_ = SQL(text, values: [1])", "_ = SQL(text, named: [:])",
        "let _: SQL = \"SELECT \\(sql: text)\"", "let _: SQL = \"SELECT 1 \" + text",
        "_ = [text].joined(separator: \", \") as SQL", "try db.run(text)", "try db.run(text, 1)",
        "try db.run(\"DELETE FROM t WHERE a = \" + text)", "try db.run(String(\"x\"))",
        "try db.run(text, values: [1])", "try db.run(text, of: row)",
        "try db.run(text, ofEach: [row])",
        "try db.execute(text)", "try db.execute(text, values: [1])",
        "try db.forEachStatement(in: text) { _ in }", "_ = try db.prepare(text)",
        "try db.withStatement(text) { _ in }", "try db.withStatement(text, values: []) { _ in }",
        "_ = try db.fetchAll(Item.self, text)", "_ = try db.fetchAll(Item.self, text, values: [])",
        "_ = try db.fetchOne(Item.self, text)", "_ = try db.fetchOne(Item.self, text, values: [])",
        "_ = try db.fetchAll(decoding: Int.self, text, values: [])",
        "try db.forEach(text) { _ in }", "try db.forEach(text, values: []) { _ in }",
        "try db.forEachRow(Item.self, text, values: []) { _, _ in }",
        "try db.forEachRow(decoding: Int.self, text, values: []) { _, _ in }",
        "_ = try db.value(Int.self, text)", "_ = try db.value(Int.self, text, values: [])",
        "_ = try db.values(Int.self, text)", "_ = try db.values(Int.self, text, values: [])",
        "_ = try db.rows(text)", "_ = try db.queryPlan(for: text)",
        "_ = try db.queryPlan(for: text, values: [])", "_ = try db.bytecode(for: text)",
        "_ = try db.text(of: text, as: .csv)", "try db.write(text, as: .csv, to: &output)",
        "_ = database.rows(of: Item.self, text)", "_ = database.rows(text) { _ in 1 }",
        "_ = Migration(name: \"1\", sql: text)", "_ = try DatabaseSchema(sql: text)",
        "try db.rebuild(\"t\", to: text)",
        "try db.rebuild(\"t\", to: \"\", mapping: [\"a\": text])",
        "_ = try db.duplicateKeys([text], in: \"t\")",
        "_ = try db.duplicateKeys([\"a\"], in: \"t\", where: text)",
      ]
    ),
    (
      "QueryGen",
      [
        "_ = Queries.BoundStatement(text)", "_ = Queries.BoundStatement(text, values: [])",
        "_ = try db.fetchOnly(Item.self, text)",
        "_ = try db.fetchOnly(Item.self, text, values: [])",
        "_ = try db.onlyValue(Int.self, text)", "_ = try db.onlyValue(Int.self, text, values: [])",
        "_ = try db.fetchNested(Nested.self, text)",
        "_ = try db.fetchNested(Nested.self, text, values: [])",
      ]
    ),
    (
      "Router",
      [
        "_ = try DatabaseRoute.CustomStatement(text, access: .read)",
        "_ = try DatabaseRoute.custom(on: \"t\") { _ in text }",
      ]
    ),
    (
      "Providers",
      [
        "try provider.execute(text)", "_ = try provider.query(text)",
        "try provider.forEachRecord(text) { _ in }", "_ = try provider.records(text)",
        "_ = try provider.countRows(inTable: \"t\", filteredBy: text)",
        "_ = try provider.rowCount(forType: Thing.self, filteredBy: text)",
        "_ = try provider.getRows(ofType: Thing.self, filteredBy: text)",
        "_ = try provider.getRows(ofType: Thing.self, orderedBy: text)",
        "_ = try provider.getRows(ofType: Thing.self, matchingSQL: text)",
        "_ = try provider.getRow(ofType: Thing.self, atIndex: 0, filteredBy: text)",
      ]
    ),
    (
      "Providers",
      [
        "_ = try await provider.query(text)", "try await provider.execute(text)",
        "_ = try await provider.countRows(inTable: \"t\", filteredBy: text)",
      ]
    ),
    (
      "Relations",
      [
        "_ = RelationQuery<Entry>(text)", "_ = RelationExpression<Entry, Int>(text)",
        "_ = try await Entry.fetchQuery(text)",
        "_ = try await Entry.fetchQuery(where: condition, orderedBy: text)",
        "_ = try await session.fetchAll(Entry.self, text)",
        "_ = try await session.fetchOne(Entry.self, text)",
        "_ = try Entry.related(\\.entries, where: text)",
        "_ = try Entry.related(\\.parent, where: text)",
      ]
    ),
  ]

  private static let parameters = [
    "SQLiteCore":
      "_ db: Connection, _ database: Database, _ row: Item, _ output: inout String",
    "QueryGen": "_ db: Connection", "Router": "_ unused: Int",
    "Providers": "_ provider: any DataProvider",
    "Relations": "_ session: ModelSession, _ condition: RelationCondition<Entry>",
  ]

  private static let declarations = """
    import Foundation
    import SQLiteCore

    struct Item: RowDecodable, RowEncodable {
      init(row: borrowing Row) throws(SQLiteError) {}
      func bind(to statement: Statement) throws(SQLiteError) {}
    }
    """

  private static let declarationsByModule = [
    "QueryGen": """
    struct Nested: Queries.NestingRow {
      init(row: borrowing Row) throws(SQLiteError) {}
      static func key(of row: borrowing Row) throws(SQLiteError) -> Int { 1 }
      struct Lists: Queries.NestedLists {
        mutating func append(row: borrowing Row, to value: inout Nested, at place: Int) throws {}
      }
    }
    """,
    "Providers": """
    struct Thing: DataTable {
      static let tableName = "Thing"
      static let primaryKey = "id"
      static let primaryKeyType = DataTableKeyType.autoIncrementingInt
      var id = 0
    }
    """,
    "Relations": """
    struct Entry: Table {
      static let tableName = "Entry"
      var id: AutoId = 0
      var parent = OneRelation<Entry>()
      var entries = ManyRelation<Entry>(\\.parent)
    }
    """,
  ]

  /// The folder of the modules that were built for the tests.
  private static var modules: URL? {
    let build = Bundle.main.executableURL?.deletingLastPathComponent()
    return build?.appending(path: "Modules")
  }

  @Test(arguments: uses.indices) func `is not accepted as SQL`(_ index: Int) throws {
    let (module, lines) = Self.uses[index]
    let (start, first) = try Self.beginning(of: "String", module, lines)
    let messages = try compile(start + lines.joined(separator: "\n") + "\n}\n")
    for (number, line) in lines.enumerated() {
      let isRefused = messages.contains { $0.contains("refused.swift:\(first + number):") }
      #expect(isRefused, "compiles: \(line)")
    }
    // Any other error could hide the expected one.
    let others = messages.filter { message in
      !lines.indices.contains { message.contains("refused.swift:\(first + $0):") }
    }
    #expect(others == [])
  }

  /// The same uses compile with `SQL(unsafe:)`, so the `String` is the only reason for the errors above.
  @Test(arguments: uses.indices) func `is accepted if it is marked`(_ index: Int) throws {
    let (module, lines) = Self.uses[index]
    let (start, _) = try Self.beginning(of: "SQL", module, lines)
    let kept = lines.filter { !$0.contains("[text].joined") && !$0.contains("String(") }
    #expect(try compile(start + kept.joined(separator: "\n") + "\n}\n") == [])
  }

  /// Returns the source before the first use, and the line number of the first use.
  private static func beginning(
    of type: String, _ module: String, _ lines: [String]
  ) throws -> (source: String, line: Int) {
    var source = declarations + "\n"
    if module != "SQLiteCore" { source += "import \(module)\n" }
    source += (declarationsByModule[module] ?? "") + "\n"
    let effects = lines.contains { $0.contains("await") } ? "async throws" : "throws"
    source += "func use(_ text: \(type), \(try #require(parameters[module]))) \(effects) {\n"
    return (source, source.count { $0 == "\n" } + 1)
  }

  /// The errors that the compiler reports.
  private func compile(_ source: String) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "holt-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "refused.swift")
    try source.write(to: file, atomically: true, encoding: .utf8)
    let root = repository
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["swiftc", "-typecheck", "-swift-version", "6", "-suppress-warnings"]
    let modules = try #require(Self.modules)
    for path in [
      modules.path, root.appending(path: "Packages/SQLiteCore/Sources/CSystemSQLite").path,
      root.appending(path: "Packages/Primitives/Sources/CAtomics").path,
      root.appending(path: "Packages/Providers/Sources/CLibXML2").path,
      root.appending(path: "Packages/Providers/Sources/CFiles").path,
      // The folder of headers that libxml2's headers include in Debian.
      "/usr/include/libxml2",
    ] {
      process.arguments?.append(contentsOf: ["-I", path])
    }
    process.arguments?.append(file.path)
    let output = Pipe()
    process.standardError = output
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.split(separator: "\n").map(String.init).filter { line in
      line.contains(": error: ")
    }
  }
}

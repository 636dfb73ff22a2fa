import Router
import SQLSyntax
import SQLiteCore
import Testing

/// Tests that names and values of any content do not change the structure of a route's statement.
@Suite struct `Statements of routes` {
  static let seed: UInt64 = 0x5EED_0006

  static let pieces = [
    "'", "\"", "`", "[", "]", ";", "--", "/*", "*/", "\\", "%", "_", "*", "?", "é", "e\u{301}",
    "👩‍👩‍👧", "\n", ")", "(", "?1", ":a", "$x", "DROP TABLE t", "' OR 1=1", "\" OR \"1\"=\"1", "NULL",
    " UNION SELECT ", "1", "x", ".", ",",
  ]

  /// The names and values of a table, with the given number of each.
  struct Words {
    var table: String
    var columns: [String]
    var values: [SQLiteValue]

    static let plain = Words(
      table: "plain", columns: ["first", "second"], values: ["a", 2, .blob([3]), 4.5])

    static func hostile(_ random: inout RandomSource) -> Words {
      func text() -> String {
        (0..<Int.random(in: 1...5, using: &random)).map { _ in
          random.pick(pieces)
        }.joined()
      }
      return Words(
        table: "t" + text(), columns: ["a" + text(), "b" + text()],
        values: (0..<4).map { _ in .text(text()) })
    }
  }

  /// Returns routes of each kind that use the words.
  static func routes(_ words: Words) throws -> [DatabaseRoute] {
    let table = DatabaseRoute.Table(words.table)
    let (a, b) = (DatabaseRoute.Column(words.columns[0]), DatabaseRoute.Column(words.columns[1]))
    let record = DatabaseRoute.Record(fields: [
      .init(column: "id", value: 1), .init(column: a, value: words.values[0]),
      .init(column: b, value: words.values[1]),
    ])
    func filter(_ column: DatabaseRoute.Column) -> DatabaseRoute.Filter {
      DatabaseRoute.Filter(column: column, operator: .equals, value: words.values[2])
        || !column.in(words.values) && column.isNull()
        || DatabaseRoute.Filter(column: column, operator: .lessThan, value: words.values[3])
    }
    return [
      .fetch(from: table, filteredBy: filter(a), order: .descending(b)),
      DatabaseRoute.fetch(from: table).selecting(b).ordered(by: .ascending(a)).limited(to: 3),
      DatabaseRoute.fetch(from: table).selecting(a).aggregating(.count(as: words.columns[1])),
      .count(from: table, filteredBy: [filter(b)]),
      try .insert(record, into: table), try .upsert(record, in: table),
      try .update(record, in: table, filteredBy: filter(a)),
      .delete(from: table, filteredBy: filter(b)),
    ]
  }

  /// Returns the statements of the routes that SQLite receives, for a table with these names.
  static func statements(_ words: Words) async throws -> [String] {
    let database = try Database.inMemory()
    let columns = words.columns.map { SQLName.quoted($0) }.joined(separator: ", ")
    try await database.write {
      try $0.execute(
        "CREATE TABLE \(identifier: words.table) (id INTEGER PRIMARY KEY, \(unsafe: columns))")
    }
    let routes = try routes(words)
    let executor = SQLiteRouteExecutor(database)
    // In the second run, the schema is already cached.
    for route in routes { _ = try await executor.dryRun(route) }
    return try await executor.transaction { transaction in
      var statements: [String] = []
      let subscription = try transaction.connection.hooks.profile { profile in
        guard !profile.sql.hasPrefix("PRAGMA") else { return }
        // A savepoint's name contains a part that depends on the connection.
        statements.append(profile.sql.replacing(/holt_[0-9a-z]+_/, with: "holt_"))
      }
      defer { transaction.connection.hooks.remove(subscription) }
      for route in routes { try transaction.run(route) }
      return statements
    }
  }

  /// Returns the kinds of a statement's tokens, without names and values.
  static func structure(_ sql: String) -> [TokenKind] {
    Lexer.tokenize(SourceText(sql)).tokens.map(\.kind)
  }

  @Test func `have the same structure for any names and values`() async throws {
    print("statements of routes: seed \(Self.seed)")
    var random = RandomSource(seed: Self.seed)
    let plain = try await Self.statements(.plain)
    let count = try Self.routes(.plain).count
    #expect(plain.count >= count, "\(plain)")
    for number in 1...40 {
      let words = Words.hostile(&random)
      let hostile = try await Self.statements(words)
      let note: Comment = "\(number): \(words)"
      #expect(hostile.map(Self.structure) == plain.map(Self.structure), note)
      for sql in hostile {
        var diagnostics = DiagnosticList()
        let statement = Parser.parseStatement(SourceText(sql), diagnostics: &diagnostics)
        #expect(statement != nil && !diagnostics.hasErrors, note)
      }
    }
  }

  @Test func `are identical for any values`() async throws {
    var random = RandomSource(seed: Self.seed)
    let plain = try await Self.statements(.plain)
    for number in 1...40 {
      var words = Words.plain
      words.values = Words.hostile(&random).values
      let hostile = try await Self.statements(words)
      #expect(hostile == plain, "\(number): \(words.values)")
    }
  }
}

import Router
import SQLSyntax
import SQLiteCore
import Testing

/// What is written of a route, whatever its names and values are made of: the same statement, but for the names.
@Suite struct `Statements of routes` {
  static let seed: UInt64 = 0x5EED_0006

  static let pieces = [
    "'", "\"", "`", "[", "]", ";", "--", "/*", "*/", "\\", "%", "_", "*", "?", "é", "e\u{301}",
    "👩‍👩‍👧", "\n", ")", "(", "?1", ":a", "$x", "DROP TABLE t", "' OR 1=1", "\" OR \"1\"=\"1", "NULL",
    " UNION SELECT ", "1", "x", ".", ",",
  ]

  /// The names and the values of a table that has this many of each.
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

  /// Routes of each kind, of these words.
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

  /// The statements of the routes, of a table of these words, as SQLite got them.
  static func statements(_ words: Words) async throws -> [String] {
    let database = try Database.inMemory()
    let columns = words.columns.map { SQLName.quoted($0) }.joined(separator: ", ")
    try await database.write {
      try $0.execute(
        "CREATE TABLE \(identifier: words.table) (id INTEGER PRIMARY KEY, \(unsafe: columns))")
    }
    let routes = try routes(words)
    let executor = SQLiteRouteExecutor(database)
    // The second time nothing has to be looked up any more.
    for route in routes { _ = try await executor.dryRun(route) }
    return try await executor.transaction { transaction in
      var statements: [String] = []
      let subscription = try transaction.connection.hooks.profile { profile in
        guard !profile.sql.hasPrefix("PRAGMA") else { return }
        // A savepoint's name has a part of its connection's own.
        statements.append(profile.sql.replacing(/holt_[0-9a-z]+_/, with: "holt_"))
      }
      defer { transaction.connection.hooks.remove(subscription) }
      for route in routes { try transaction.run(route) }
      return statements
    }
  }

  /// The kinds of a statement's tokens, of which no name and no value is told.
  static func structure(_ sql: String) -> [TokenKind] {
    Lexer.tokenize(SourceText(sql)).tokens.map(\.kind)
  }

  @Test func `are the same but for the names, whatever names and values are made of`() async throws
  {
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

  @Test func `are the very same whatever their values are`() async throws {
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

import QueryGen
import Testing

@Suite struct `A list of values` {
  private func call(_ values: [Int]) -> Queries.BoundStatement {
    let sql = Queries.SQLTemplate(
      .text("a = ?2 AND b IN "), .list(1), .text(" OR c IN "), .list(1), parameterCount: 2)
    var call = Queries.TemplateExpansion(sql)
    call.list(values, at: 1)
    call.bind("x", at: 2)
    return call.statement
  }

  @Test func `has a placeholder for each value, numbered after the other parameters`() {
    #expect(call([7, 8]).sql.text == "a = ?2 AND b IN (?1, ?3) OR c IN (?1, ?3)")
    #expect(call([7, 8]).values.count == 3)
  }

  @Test func `that is empty has no placeholders`() {
    #expect(call([]).sql.text == "a = ?2 AND b IN () OR c IN ()")
    #expect(call([]).values.count == 2)
    var alone = Queries.TemplateExpansion(
      Queries.SQLTemplate(.text("a IN "), .list(1), parameterCount: 1))
    alone.list([Int](), at: 1)
    #expect(alone.statement.values.isEmpty)
  }

  @Test(arguments: [(1, 1), (2, 2), (3, 4), (5, 8), (1_000, 1_024), (1_025, 1_025), (5_000, 5_000)])
  func `is padded with its last value, so that few statements are compiled`(
    _ count: Int, _ placeholders: Int
  ) {
    #expect(call(Array(0..<count)).values.count == 1 + placeholders)
  }

  @Test func `keeps the number of columns that the rows are read from`() throws {
    var call = Queries.TemplateExpansion(
      Queries.SQLTemplate(
        .text("SELECT 1, 2 WHERE 1 IN "), .list(1), parameterCount: 1, columnCount: 3))
    call.list([1], at: 1)
    let connection = try Connection.inMemory()
    let error = #expect(throws: SQLiteError.self) {
      try connection.rows(call.statement.sql, values: call.statement.values)
    }
    #expect(error?.code == .columnCount)
  }

  @Test(arguments: [[], [1], [2, 3], [1, 2, 3], [3, 3, 3], [9]])
  func `matches the rows whose values it contains`(_ ids: [Int]) async throws {
    let library = try Library()
    for title in ["a", "b", "c"] { try await library.addBook.execute(title: title) }
    #expect(
      try await library.booksByID.execute(ids).map(\.id) == Set(ids).intersection(1...3).sorted())
  }

  @Test func `may be long`() async throws {
    let library = try Library()
    try await library.addBook.execute(title: "a")
    #expect(try await library.booksByID.execute(Array(1...10_000)).count == 1)
  }

  /// A template of `(a, b) IN ?1`, with rows of `count` values.
  private func rows(
    _ rows: [[any SQLiteBindable]], condition: String = "(a, b) IN "
  ) -> Queries.BoundStatement {
    let sql = Queries.SQLTemplate(
      .text("SELECT id FROM t WHERE \(condition)"), .list(1), .text(" AND id < ?2 ORDER BY id"),
      parameterCount: 2)
    var call = Queries.TemplateExpansion(sql)
    call.bind(1_000_000, at: 2)
    call.rows(rows, at: 1)
    return call.statement
  }

  @Test func `of rows has a placeholder for each value of each row`() {
    let call = rows([[1, "a"], [2, "b"], [3, "c"]])
    #expect(
      call.sql.text
        == "SELECT id FROM t WHERE (a, b) IN (VALUES (?1, ?3), (?4, ?5), (?6, ?7), (?8, ?9)) "
        + "AND id < ?2 ORDER BY id")
    #expect(call.values.count == 9)
    #expect(rows([]).sql.text == "SELECT id FROM t WHERE (a, b) IN () AND id < ?2 ORDER BY id")
  }

  /// Values of every storage class that a conversion to text or to a double would change.
  private static let exact: [[SQLiteValue]] = [
    [.integer(.max), .blob([0, 255])], [.integer(.max - 1), .blob([])],
    [.real(0.1), .text("a\0b")], [.real(1e300), .text("é\u{1F600}")], [.real(-0.0), .text("1")],
    [.integer(1 << 53 + 1), .integer(1)], [.text("x"), .null],
  ]

  @Test(arguments: 0..<1 << 7)
  func `of rows compares values of every storage class exactly`(_ chosen: Int) throws {
    let connection = try Connection.inMemory()
    try connection.run("CREATE TABLE t (id INTEGER PRIMARY KEY, a, b)")
    for row in Self.exact {
      try connection.run("INSERT INTO t (a, b) VALUES (?, ?)", row[0], row[1])
    }
    let places = Self.exact.indices.filter { chosen & 1 << $0 != 0 }
    for (condition, expected) in [
      // A row with NULL does not equal itself, but is not different either.
      ("(a, b) IN ", places.filter { Self.exact[$0][1] != .null }),
      ("(a, b) NOT IN ", Self.exact.indices.filter { !places.contains($0) }),
    ] {
      let call = rows(places.map { Self.exact[$0] }, condition: condition)
      let ids = try connection.values(Int.self, call.sql, values: call.values).map { $0 - 1 }
      #expect(ids == expected, "\(condition)")
    }
  }

  @Test func `of rows applies the affinity of the columns`() throws {
    let connection = try Connection.inMemory()
    try connection.run("CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b TEXT)")
    try connection.run("INSERT INTO t (a, b) VALUES (1, '2'), (3, '4')")
    let call = rows([["1", 2], [3.0, "4"], [5, "6"]])
    #expect(try connection.values(Int.self, call.sql, values: call.values) == [1, 2])
  }

  @Test func `of rows may be long`() throws {
    let connection = try Connection.inMemory()
    try connection.run("CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b TEXT)")
    try connection.run("INSERT INTO t (a, b) VALUES (9999, '9999'), (3, 'x')")
    let call = rows((0..<10_000).map { [$0, "\($0)"] })
    #expect(try connection.values(Int.self, call.sql, values: call.values) == [1])
  }

  @Test(arguments: [[], [1], [2, 3], [1, 2, 3], [3, 3, 3, 3, 3], [9]])
  func `excludes the rows whose values it contains`(_ excluded: [Int]) throws {
    let sql = Queries.SQLTemplate(
      .text("SELECT column1 FROM (VALUES (1), (2), (3), (4)) WHERE column1 NOT IN "), .list(1),
      parameterCount: 1)
    var call = Queries.TemplateExpansion(sql)
    call.list(excluded, at: 1)
    let statement = call.statement
    let connection = try Connection.inMemory()
    #expect(
      try connection.values(Int.self, statement.sql, values: statement.values)
        == (1...4).filter { !excluded.contains($0) })
  }
}

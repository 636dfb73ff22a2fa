import Foundation
import Testing

@testable import SQLiteCore

@Suite struct `Arrays as parameters` {
  static let values: [SQLiteValue] = [
    .null, .integer(.min), .integer(.max), .real(0.1), .real(.infinity), .real(-.infinity),
    .text(""), .text("a\0b"), .text("👩‍👩‍👧"), .blob([]), .blob([0, 255]), .integer(1), .real(1),
  ]

  @Test func `return every value unchanged, in order`() throws {
    let db = try memory()
    let sql = "SELECT rowid, value, typeof(value) FROM array_each(?)"
    let expected = Self.values.enumerated().map { index, value -> [SQLiteValue] in
      [.integer(Int64(index + 1)), value, .text(value.storageClass.rawValue.lowercased())]
    }
    #expect(try db.rows(SQL(unsafe: sql), values: [SQLiteArray(Self.values)]) == expected)
    #expect(
      try db.rows(SQL(unsafe: sql + " ORDER BY rowid"), values: [SQLiteArray(Self.values)])
        == expected)
    #expect(
      try db.rows(SQL(unsafe: sql + " ORDER BY rowid DESC"), values: [SQLiteArray(Self.values)])
        == expected.reversed())
  }

  private func roundTrip<Element: SQLiteConvertible & Equatable>(_ elements: [Element]) throws {
    let db = try memory()
    #expect(
      try db.values(Element.self, "SELECT value FROM array_each(?)", SQLiteArray(elements))
        == elements)
    #expect(
      try db.values(
        Element?.self, "SELECT value FROM array_each(?)", SQLiteArray(elements.map { $0 } + [nil]))
        == elements.map { $0 } + [nil])
  }

  enum Status: String, SQLiteConvertible { case open, closed }

  @Test func `can contain every bindable type`() throws {
    try roundTrip([1, Int.min, Int.max])
    try roundTrip([Int64.min, .max])
    try roundTrip([Int8.min, .max])
    try roundTrip([UInt64.min, UInt64(Int64.max)])
    try roundTrip([0.1, -.infinity])
    try roundTrip([Float(0.5)])
    try roundTrip([true, false])
    try roundTrip(["", "a\0b", "é"])
    try roundTrip([[UInt8](), [1, 2]])
    try roundTrip([Data([1]), Data()])
    try roundTrip([UUID(), UUID()])
    try roundTrip([Date(timeIntervalSince1970: 0), Date(timeIntervalSinceReferenceDate: 0.5)])
    try roundTrip([Status.open, .closed])
    try roundTrip([Decimal(1) / 3])
    try roundTrip([BitPattern(wrappedValue: UInt64.max)])
    let db = try memory()
    #expect(
      try db.values(
        SQLiteValue.self, "SELECT value FROM array_each(?)", SQLiteArray([1.5, Double.nan]))
        == [1.5, .null])
    #expect(
      try db.value(Int.self, "SELECT sum(value) FROM array_each(?)", [1, 2] as SQLiteArray) == 3)
  }

  @Test func `can be empty`() throws {
    let db = try memory("CREATE TABLE t (id INTEGER); INSERT INTO t VALUES (1), (2)")
    let none = SQLiteArray<Int>([])
    #expect(try db.values(Int.self, "SELECT id FROM t WHERE id IN array_each(?)", none) == [])
    #expect(
      try db.values(Int.self, "SELECT id FROM t WHERE id NOT IN array_each(?)", none) == [1, 2])
    #expect(
      try db.value(Int.self, "SELECT count(*) FROM array_each(?)", SQLiteArray<Status>([])) == 0)
  }

  @Test func `can have hundreds of thousands of values`() throws {
    let db = try memory("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)")
    let count = 300_000
    let ids = SQLiteArray(0..<count)
    let changes = try db.run("INSERT INTO t SELECT value, 'n' || value FROM array_each(?)", ids)
    #expect(changes.count == count)
    let odd = SQLiteArray(stride(from: 1, to: 2 * count, by: 2))
    #expect(
      try db.value(Int.self, "SELECT count(*) FROM t WHERE id IN array_each(?)", odd) == count / 2)
    let names = SQLiteArray((0..<count).lazy.map { "n\($0)" })
    #expect(
      try db.value(Int.self, "SELECT sum(length(value)) FROM array_each(?)", names) == 1_988_890)
  }

  @Test func `can be joined, nested, and used twice in a statement`() throws {
    let db = try memory(
      """
      CREATE TABLE player (id INTEGER PRIMARY KEY, team INTEGER);
      INSERT INTO player VALUES (1, 10), (2, 10), (3, 20), (4, 30);
      """)
    let teams = SQLiteArray([30, 10])
    #expect(
      try db.values(
        Int.self,
        """
        SELECT player.id FROM array_each(?) AS team JOIN player ON player.team = team.value
        ORDER BY team.rowid, player.id
        """, teams) == [4, 1, 2])
    #expect(
      try db.values(
        Int.self,
        """
        SELECT id FROM player
        WHERE team IN array_each(?1) AND id NOT IN (SELECT value FROM array_each(?2) WHERE value > 1)
        """, teams, SQLiteArray([1, 2])) == [1, 4])
    #expect(
      try db.rows(
        "SELECT a.value, b.value FROM array_each(?1) AS a, array_each(?1) AS b WHERE a.value < b.value",
        values: [SQLiteArray([1, 2, 3])]) == [[1, 2], [1, 3], [2, 3]])
    #expect(
      try db.value(
        Int.self,
        """
        SELECT count(*) FROM player WHERE EXISTS
        (SELECT 1 FROM array_each(?) AS a WHERE a.value = player.team)
        """, teams) == 3)
    #expect(
      try db.rows(
        """
        SELECT p.id, a.value FROM player AS p LEFT JOIN array_each(?) AS a ON a.value = p.team
        ORDER BY p.id
        """, values: [teams]) == [[1, 10], [2, 10], [3, .null], [4, 30]])
  }

  @Test func `can select the rows to update and delete`() throws {
    let directory = try TemporaryDirectory()
    do {
      let db = try directory.connect()
      try db.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)")
      try db.run(
        "INSERT INTO t SELECT rowid, value FROM array_each(?)", ["a", "b", "c"] as SQLiteArray)
      #expect(
        try db.run("UPDATE t SET v = 'x' WHERE v IN array_each(?)", ["a", "c"] as SQLiteArray).count
          == 2)
      #expect(
        try db.run("DELETE FROM t WHERE id IN array_each(?)", [1, 9] as SQLiteArray).count == 1)
    }
    #expect(try directory.connect().rows("SELECT * FROM t") == [[2, "b"], [3, "x"]])
  }

  @Test func `are compared with the column's affinity`() throws {
    let db = try memory("CREATE TABLE t (n INTEGER, s TEXT); INSERT INTO t VALUES (1, '1')")
    let both: SQLiteArray<SQLiteValue> = ["1"]
    #expect(try db.value(Int.self, "SELECT count(*) FROM t WHERE n IN array_each(?)", both) == 1)
    let number: SQLiteArray<SQLiteValue> = [1]
    #expect(try db.value(Int.self, "SELECT count(*) FROM t WHERE n IN array_each(?)", number) == 1)
    #expect(
      try db.values(Int.self, "SELECT value = 1 FROM array_each(?)", both) == [0])
  }

  @Test func `are compiled once for all lengths`() throws {
    let db = try memory()
    let before = db.statementCacheStatistics
    for count in [0, 1, 10, 1_000] {
      #expect(
        try db.value(Int.self, "SELECT count(*) FROM array_each(?)", SQLiteArray(0..<count))
          == count)
    }
    #expect(db.statementCacheStatistics.misses == before.misses + 1)
    #expect(db.statementCacheStatistics.hits == before.hits + 3)
  }

  @Test(arguments: ["NULL", "1", "'[1]'", "x'00'"])
  func `can't be replaced by other values`(_ literal: String) throws {
    let db = try memory()
    let error = #expect(throws: SQLiteError.self) {
      try db.rows("SELECT value FROM array_each(\(unsafe: literal))")
    }
    #expect(error?.message == "the argument of array_each is not a list")
  }

  @Test func `must be bound`() throws {
    let db = try memory()
    let statement = try db.prepare("SELECT value FROM array_each(?)")
    #expect(throws: SQLiteError.self) { try statement.step() }
    let error = #expect(throws: SQLiteError.self) { try db.prepare("SELECT * FROM array_each") }
    #expect(error?.message == "array_each needs a list as its argument: array_each(?)")
    #expect(throws: SQLiteError.self) { try db.run("INSERT INTO array_each VALUES (1)") }
    #expect(throws: SQLiteError.self) { try db.run("CREATE VIRTUAL TABLE t USING array_each") }
    try statement.bind(SQLiteArray([7]), at: 1)
    #expect(try statement.step())
    let range = #expect(throws: SQLiteError.self) { try statement.bind(SQLiteArray([7]), at: 2) }
    #expect(range?.code == .range)
  }

  @Test func `are NULL except for their table-valued function`() throws {
    let db = try memory()
    #expect(
      try db.rows("SELECT ?1, list FROM array_each(?1)", values: [SQLiteArray([1])])
        == [[.null, .null]])
  }

  @Test(arguments: [true, false])
  func `can't be used by the schema`(_ trustsSchema: Bool) throws {
    let db = try memory { $0.trustsSchema = trustsSchema }
    try db.execute("CREATE VIEW v AS SELECT value FROM array_each(1)")
    let error = #expect(throws: SQLiteError.self) { try db.rows("SELECT * FROM v") }
    #expect(error?.message == "unsafe use of virtual table \"array_each\"")
    try db.execute(
      """
      CREATE TABLE t (a);
      CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO t SELECT value FROM array_each(1); END;
      """)
    #expect(throws: SQLiteError.self) { try db.run("INSERT INTO t VALUES (1)") }
  }

  @Test func `with an element that can't be bound fail with the statement's text`() throws {
    let db = try memory()
    let sql = "SELECT value FROM array_each(?)"
    for run in [
      { try db.rows(SQL(unsafe: sql), values: [SQLiteArray([UInt64.max])]) },
      {
        try db.rows(
          SQL(unsafe: sql),
          values: [SQLiteArray([Date.distantFuture, Date(timeIntervalSince1970: .nan)])])
      },
      { try db.rows(SQL(unsafe: sql), values: [SQLiteArray([UInt64?.some(.max), nil])]) },
    ] {
      let error = #expect(throws: SQLiteError.self) { try run() }
      #expect(error?.code == .valueOutOfRange)
      #expect(error?.sql == sql)
    }
    #expect(try db.values(Int.self, SQL(unsafe: sql), SQLiteArray([1])) == [1])
  }

  @Test func `are released when their statement's bindings are cleared`() throws {
    let db = try memory()
    var statement: Statement? = try db.prepare("SELECT value FROM array_each(?)")
    func bound() throws -> WeakList {
      let list = ValueList(.integers([1, 2]))
      try statement?.bindList(list, at: 1)
      return WeakList(list: list)
    }
    let first = try bound()
    #expect(try statement?.step() == true)
    #expect(first.list != nil)
    statement?.clearBindings()
    #expect(first.list == nil)

    let replaced = try bound()
    let second = try bound()
    #expect(replaced.list == nil)
    try statement?.bindNull(at: 1)
    #expect(second.list == nil)

    var refused: ValueList? = ValueList(.integers([]))
    let probe = WeakList(list: refused)
    if let refused {
      #expect(throws: SQLiteError.self) { try statement?.bindList(refused, at: 9) }
    }
    refused = nil
    #expect(probe.list == nil)

    let last = try bound()
    #expect(try statement?.step() == true)
    statement = nil
    #expect(last.list == nil)
    try db.close()
  }

  @Test func `are released when their statement returns to the cache`() throws {
    let db = try memory()
    var probe: WeakList?
    try db.withStatement("SELECT value FROM array_each(?)") { statement in
      let list = ValueList(.texts(["a", "b"]))
      probe = WeakList(list: list)
      try statement.bindList(list, at: 1)
      #expect(try statement.step())
    }
    #expect(probe?.list == nil)
  }

  @Test func `stay readable because their connection can't close`() throws {
    let db = try memory()
    let statement = try db.prepare("SELECT value FROM array_each(?)")
    try statement.bind(SQLiteArray([1]), at: 1)
    #expect(try statement.step())
    let busy = #expect(throws: SQLiteError.self) { try db.close() }
    #expect(busy?.code == .busy)
    #expect(try statement.row.read(Int.self, at: 0) == 1)
  }

  @Test func `can be read and written through a pool`() async throws {
    let directory = try TemporaryDirectory()
    let database = try directory.open()
    try await database.write { db in
      try db.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)")
      try db.run("INSERT INTO t SELECT value FROM array_each(?)", SQLiteArray(1...100))
    }
    let found = try await database.read { db in
      try db.values(Int.self, "SELECT id FROM t WHERE id IN array_each(?)", SQLiteArray([3, 300]))
    }
    #expect(found == [3])
  }

  @Test func `do not hide the access to the tables that they are used with`() throws {
    let db = try memory("CREATE TABLE t (id INTEGER PRIMARY KEY)")
    // At the first use on a connection, SQLite declares the table.
    for _ in 0..<2 {
      let statement = try db.prepare("SELECT id FROM t WHERE id IN array_each(?)")
      #expect(statement.access.reads["t"] == ["id"])
      #expect(statement.access.writes.isEmpty)
      #expect(!statement.access.changesSchema)
      #expect(statement.isReadOnly)
    }
  }

  @Test func `can be used if an authorizer denies all writes`() throws {
    let db = try memory()
    let subscription = try db.hooks.authorize { request in
      request.action == 20 || request.action == 21 ? .allow : .deny
    }
    #expect(try db.values(Int.self, "SELECT value FROM array_each(?)", SQLiteArray([1])) == [1])
    db.hooks.remove(subscription)
  }
}

/// Holds a weak reference to a list, to check that it is released.
private struct WeakList {
  weak var list: ValueList?
}

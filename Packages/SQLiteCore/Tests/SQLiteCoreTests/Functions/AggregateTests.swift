import SQLiteCore
import Primitives
import Testing

/// Joins its arguments, and counts its live instances. Throws at a NULL.
private final class Joined: AggregateFunction {
  static let living = Atomic<Int>(0)
  private var parts: [String] = []

  init() { Self.living.add(1, ordering: .relaxed) }

  deinit { Self.living.subtract(1, ordering: .relaxed) }

  func step(_ arguments: borrowing FunctionArguments) throws {
    guard arguments[0] != .null else { throw Failure(name: "NULL can't be joined") }
    parts.append("\(arguments[0])")
  }

  func result() throws -> SQLiteValue {
    if parts.contains("13") { throw SQLiteError(code: .tooBig, message: "13 is too big") }
    return .text(parts.joined(separator: "+"))
  }
}

@Suite(.serialized) struct `Aggregates in Swift` {
  private func database() throws -> Connection {
    let db = try memory("CREATE TABLE t (g, v)")
    try db.run("INSERT INTO t VALUES (1, 1), (1, 2), (2, 3), (3, NULL), (4, 13)")
    try db.register(Joined.self, as: "joined", argumentCount: 1)
    return db
  }

  private var living: Int { Joined.living.load(ordering: .relaxed) }

  @Test func `compute one value for each group`() throws {
    let db = try database()
    let sql = "SELECT g, joined(v) FROM t WHERE g < 3 GROUP BY g ORDER BY g"
    #expect(try db.rows(SQL(unsafe: sql)) == [[1, "1+2"], [2, "3"]])
    #expect(try db.value(String.self, "SELECT joined(DISTINCT g) FROM t") == "1+2+3+4")
    #expect(living == 0)
  }

  @Test func `compute a value for a group without rows`() throws {
    let db = try database()
    #expect(try db.value(String.self, "SELECT joined(v) FROM t WHERE 0") == "")
    #expect(try db.rows("SELECT joined(v) FROM t WHERE 0 GROUP BY g") == [])
    #expect(living == 0)
  }

  @Test func `fail the statement with the error of a step`() throws {
    let db = try database()
    let error = #expect(throws: SQLiteError.self) { try db.rows("SELECT joined(v) FROM t") }
    #expect(error?.message == "NULL can't be joined")
    #expect(living == 0)
  }

  @Test func `fail the statement with the error of the result`() throws {
    let db = try database()
    let error = #expect(throws: SQLiteError.self) {
      try db.rows("SELECT joined(v) FROM t WHERE v IS NOT NULL")
    }
    #expect(error?.code == .tooBig)
    #expect(error?.message == "13 is too big")
    #expect(living == 0)
  }

  @Test func `do not leak if the statement is interrupted`() throws {
    let db = try database()
    var calls = 0
    try db.hooks.progress {
      calls += 1
      return calls < 20
    }
    let error = #expect(throws: SQLiteError.self) {
      try db.run(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT joined(i) FROM n GROUP BY i / 1000000000
        """)
    }
    #expect(error?.code == .interrupt)
    #expect(living == 0)
  }

  @Test func `do not leak if the statement is reset early`() throws {
    let db = try database()
    for _ in 0..<3 {
      _ = try db.value(Int.self, "SELECT g, joined(v) FROM t WHERE g < 3 GROUP BY g ORDER BY g")
    }
    do {
      let statement = try db.prepare("SELECT joined(v) FROM t WHERE g < 3 GROUP BY g")
      #expect(try statement.step())
      #expect(try statement.step())
    }
    #expect(living == 0)
  }

  @Test func `can be used by several groups at the same time`() throws {
    let db = try database()
    let row = try db.rows("SELECT joined(v), joined(g) FROM t WHERE g < 3")
    #expect(row == [["1+2+3", "1+1+2"]])
    #expect(living == 0)
  }

  @Test func `implemented by a structure keep each group's state separate`() throws {
    let db = try database()
    try db.register(Longest.self, as: "longest", argumentCount: 1)
    try db.execute("CREATE TABLE w (g, s); INSERT INTO w VALUES (1, 'a'), (1, 'bb'), (2, 'c')")
    #expect(
      try db.rows("SELECT g, longest(s) FROM w GROUP BY g ORDER BY g") == [[1, "bb"], [2, "c"]])
    #expect(try db.value(SQLiteValue.self, "SELECT longest(s) FROM w WHERE 0") == .null)
  }

  struct Longest: AggregateFunction {
    private var longest: String?

    mutating func step(_ arguments: borrowing FunctionArguments) {
      guard case .text(let text) = arguments[0] else { return }
      if text.count > longest?.count ?? -1 { longest = text }
    }

    func result() -> SQLiteValue { longest.map(SQLiteValue.text) ?? .null }
  }
}

import SQLiteCore
import Primitives
import Testing

/// Joins the rows of the window, and counts its live instances. Throws in the callback that a row
/// names.
private final class Listed: WindowFunction {
  static let living = Atomic<Int>(0)
  private var parts: [SQLiteValue] = []

  init() { Self.living.add(1, ordering: .relaxed) }

  deinit { Self.living.subtract(1, ordering: .relaxed) }

  func step(_ arguments: borrowing FunctionArguments) throws {
    guard arguments[0] != "step" else { throw Failure(name: "no step") }
    parts.append(arguments[0])
  }

  func inverse(_ arguments: borrowing FunctionArguments) throws {
    guard arguments[0] != "inverse" else { throw Failure(name: "no way back") }
    let argument = arguments[0]
    #expect(parts.removeFirst() == argument)
  }

  func value() throws -> SQLiteValue {
    if parts.last == "value" { throw SQLiteError(code: .tooBig, message: "no value") }
    return .text(parts.map(\.description).joined(separator: " "))
  }

  func result() throws -> SQLiteValue {
    if parts.last == "result" { throw Failure(name: "no result") }
    return .text(parts.map(\.description).joined(separator: " "))
  }
}

@Suite(.serialized) struct `Window functions in Swift` {
  private func database(_ values: String = "(1), (2), (3), (4)") throws -> Connection {
    let db = try memory("CREATE TABLE t (v); INSERT INTO t VALUES \(unsafe: values)")
    try db.register(Listed.self, as: "listed", argumentCount: 1)
    return db
  }

  private var living: Int { Listed.living.load(ordering: .relaxed) }

  struct Frame: CustomTestStringConvertible, Sendable {
    let frame: String, values: [String]
    var testDescription: String { frame }
  }

  @Test(arguments: [
    Frame(frame: "ROWS 1 PRECEDING", values: ["1", "1 2", "2 2", "2 4"]),
    Frame(
      frame: "ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING", values: ["1 2", "1 2 2", "2 2 4", "2 4"]),
    Frame(
      frame: "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
      values: ["1 2 2 4", "1 2 2 4", "1 2 2 4", "1 2 2 4"]),
    Frame(frame: "ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING", values: ["2 2", "2 4", "4", ""]),
    Frame(
      frame: "ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
      values: ["1 2 2 4", "2 2 4", "2 4", "4"]),
    Frame(frame: "RANGE 1 PRECEDING", values: ["1", "1 2 2", "1 2 2", "4"]),
    Frame(frame: "RANGE BETWEEN 1 FOLLOWING AND 2 FOLLOWING", values: ["2 2", "4", "4", ""]),
    Frame(frame: "GROUPS 1 PRECEDING", values: ["1", "1 2 2", "1 2 2", "2 2 4"]),
    Frame(frame: "ROWS 2 PRECEDING EXCLUDE CURRENT ROW", values: ["", "1", "1 2", "2 2"]),
    Frame(frame: "GROUPS 1 PRECEDING EXCLUDE GROUP", values: ["", "1", "1", "2 2"]),
    Frame(frame: "GROUPS 1 PRECEDING EXCLUDE TIES", values: ["1", "1 2", "1 2", "2 2 4"]),
  ])
  func `receive the rows of each frame`(_ frame: Frame) throws {
    let db = try database("(1), (2), (2), (4)")
    let values = try db.values(
      String.self, "SELECT listed(v) OVER (ORDER BY v \(unsafe: frame.frame)) FROM t ORDER BY v")
    #expect(values == frame.values)
    #expect(living == 0)
  }

  @Test func `keep each partition separate, and support FILTER`() throws {
    let db = try database()
    let sql = """
      SELECT listed(v) FILTER (WHERE v <> 3) OVER (PARTITION BY v % 2 ORDER BY v) FROM t ORDER BY v
      """
    #expect(try db.values(String.self, SQL(unsafe: sql)) == ["1", "2", "1", "2 4"])
    #expect(living == 0)
  }

  @Test func `are aggregates without a window`() throws {
    let db = try database()
    #expect(try db.value(String.self, "SELECT listed(v) FROM t") == "1 2 3 4")
    #expect(try db.value(String.self, "SELECT listed(v) FROM t WHERE 0") == "")
    #expect(living == 0)
  }

  @Test(arguments: [("step", "no step"), ("inverse", "no way back"), ("value", "no value")])
  func `fail the statement with the error of a callback`(
    _ fault: String, _ message: String
  ) throws {
    let db = try database("(1), ('\(fault)'), (3), (4), (5)")
    let error = #expect(throws: SQLiteError.self) {
      try db.rows("SELECT listed(v) OVER (ORDER BY rowid ROWS 1 PRECEDING) FROM t")
    }
    #expect(error?.message == message)
    #expect(error?.code == (fault == "value" ? .tooBig : .error))
    #expect(living == 0)
    #expect(try db.value(String.self, "SELECT listed(v) FROM t WHERE v = 3") == "3")
  }

  @Test func `fail the statement with the error of the result`() throws {
    let db = try database("(1), ('result')")
    let error = #expect(throws: SQLiteError.self) { try db.rows("SELECT listed(v) FROM t") }
    #expect(error?.message == "no result")
    #expect(living == 0)
  }

  @Test func `do not leak if the statement is reset early`() throws {
    let db = try database()
    do {
      let statement = try db.prepare("SELECT listed(v) OVER (ORDER BY v ROWS 1 PRECEDING) FROM t")
      #expect(try statement.step())
      #expect(try statement.step())
      #expect(living > 0)
    }
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
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000)
        SELECT listed(i) OVER (ROWS 2 PRECEDING) FROM n
        """)
    }
    #expect(error?.code == .interrupt)
    #expect(living == 0)
  }

  @Test func `can be structures with their value as the result`() throws {
    let db = try memory("CREATE TABLE t (n); INSERT INTO t VALUES (2), (3), (5)")
    try db.register(Product.self, as: "product", argumentCount: 1)
    #expect(
      try db.values(Int.self, "SELECT product(n) OVER (ORDER BY n ROWS 1 PRECEDING) FROM t")
        == [2, 6, 15])
    #expect(try db.value(Int.self, "SELECT product(n) FROM t") == 30)
    try db.unregister("product", argumentCount: 1)
    #expect(throws: SQLiteError.self) { try db.rows("SELECT product(n) FROM t") }
  }

  @Test func `are rejected if SQLite can't register them`() throws {
    let db = try memory()
    for count in [-1, 128] {
      let error = #expect(throws: SQLiteError.self) {
        try db.register(Product.self, as: "product", argumentCount: count)
      }
      #expect(error?.code == .misuse)
    }
    #expect(throws: SQLiteError.self) {
      try db.register(
        Product.self, as: String(repeating: "x", count: 300), argumentCount: 1)
    }
    try db.close()
    let error = #expect(throws: SQLiteError.self) {
      try db.register(Product.self, as: "product", argumentCount: 1)
    }
    #expect(error?.code == .closed)
  }

  struct Product: WindowFunction {
    private var factors: [Int64] = []

    mutating func step(_ arguments: borrowing FunctionArguments) {
      if case .integer(let factor) = arguments[0] { factors.append(factor) }
    }

    mutating func inverse(_ arguments: borrowing FunctionArguments) {
      if case .integer = arguments[0] { factors.removeFirst() }
    }

    func value() -> SQLiteValue { .integer(factors.reduce(1, &*)) }
  }
}

@Suite struct `Predefined collations` {
  @Test func `compare by Unicode's canonical forms`() throws {
    let db = try memory()
    try db.register(.unicode)
    #expect(try db.value(Bool.self, "SELECT ?1 = ?2 COLLATE unicode", "\u{e9}", "e\u{301}") == true)
    #expect(try db.value(Bool.self, "SELECT 'a' = 'A' COLLATE unicode") == false)
    #expect(try db.value(Bool.self, "SELECT ?1 = ?2", "\u{e9}", "e\u{301}") == false)
  }

  @Test func `can ignore case beyond ASCII`() throws {
    let db = try memory(
      "CREATE TABLE t (a); INSERT INTO t VALUES ('Élan'), ('zebra'), ('élan'), ('Ämter')")
    try db.register(.unicodeCaseInsensitive)
    #expect(try db.value(Bool.self, "SELECT 'ÉTÉ' = 'été' COLLATE unicode_nocase") == true)
    #expect(try db.value(Bool.self, "SELECT 'STRASSE' = 'straße' COLLATE unicode_nocase") == true)
    #expect(try db.value(Bool.self, "SELECT 'ÉTÉ' = 'été' COLLATE NOCASE") == false)
    #expect(
      try db.values(String.self, "SELECT a FROM t ORDER BY a COLLATE unicode_nocase, rowid")
        == ["zebra", "Ämter", "Élan", "élan"])
  }
}

import SQLiteCore
import Testing

@Suite struct `Functions in Swift` {
  @Test func `receive and return values of every storage class`() throws {
    let db = try memory()
    try db.register("same", argumentCount: 1) { $0[0] }
    for value in `Values`.values {
      #expect(try db.value(SQLiteValue.self, "SELECT same(?)", value) == value)
    }
    try db.register("nan", argumentCount: 0) { _ in .real(.nan) }
    #expect(try db.value(SQLiteValue.self, "SELECT nan()") == .null)
  }

  @Test func `read an argument as a number if it is one`() throws {
    let db = try memory()
    try db.register("integer_of", argumentCount: 1) { arguments in
      arguments.integer(at: 0).map { .integer($0) } ?? .null
    }
    try db.register("real_of", argumentCount: 1) { arguments in
      arguments.real(at: 0).map { .real($0) } ?? .null
    }
    for value in `Values`.values {
      var expected: (integer: SQLiteValue, real: SQLiteValue) = (.null, .null)
      if case .integer = value { expected.integer = value }
      if case .real = value { expected.real = value }
      #expect(try db.value(SQLiteValue.self, "SELECT integer_of(?)", value) == expected.integer)
      #expect(try db.value(SQLiteValue.self, "SELECT real_of(?)", value) == expected.real)
    }
    try db.register("outside", argumentCount: 1) { arguments in
      arguments.integer(at: 1) == nil && arguments.real(at: -1) == nil ? 1 : 0
    }
    #expect(try db.value(Int.self, "SELECT outside(5)") == 1)
  }

  @Test func `have any number of arguments, or a fixed number`() throws {
    let db = try memory()
    try db.register("how_many", argumentCount: nil) { .integer(Int64($0.count)) }
    #expect(try db.rows("SELECT how_many(), how_many(1), how_many(1, 2, 3)") == [[0, 1, 3]])
    try db.register("second", argumentCount: 2) { $0[1] }
    #expect(try db.value(Int.self, "SELECT second(1, 2)") == 2)
    #expect(throws: SQLiteError.self) { try db.run("SELECT second(1)") }
    try db.register("outside", argumentCount: 1) { arguments in
      arguments[1] == .null && arguments[-1] == .null ? 1 : 0
    }
    #expect(try db.value(Int.self, "SELECT outside(5)") == 1)
  }

  @Test(arguments: [-1, 128, Int.max]) func `have at most 127 arguments`(_ count: Int) throws {
    let db = try memory()
    let error = #expect(throws: SQLiteError.self) {
      try db.register("f", argumentCount: count) { _ in .null }
    }
    #expect(error?.code == .misuse)
  }

  @Test func `fail the statement with the error that they throw`() throws {
    let db = try memory("CREATE TABLE t (a)")
    try db.register("plain", argumentCount: 0) { _ in throw Failure(name: "my reason") }
    try db.register("typed", argumentCount: 0) { _ in
      throw SQLiteError(code: .constraintCheck, message: "typed reason")
    }
    try db.register("own", argumentCount: 0) { _ in
      throw SQLiteError(code: .valueOutOfRange, message: "too large")
    }
    for (name, code, message) in [
      ("plain", SQLiteError.Code.error, "my reason"), ("typed", .constraintCheck, "typed reason"),
      ("own", .valueOutOfRange, "too large"),
    ] {
      let error = #expect(throws: SQLiteError.self) {
        try db.run("INSERT INTO t VALUES (1), (\(unsafe: name)())")
      }
      #expect(error?.code == code)
      #expect(error?.message == message)
    }
    #expect(try db.count("t") == 0)
  }

  @Test(arguments: [0, 100, 101])
  func `fail the statement even if they throw a success code`(_ raw: Int32) throws {
    let db = try memory()
    try db.register("odd", argumentCount: 0) { _ in
      throw SQLiteError(code: .init(rawValue: raw), message: "odd")
    }
    let error = #expect(throws: SQLiteError.self) { try db.value(Int.self, "SELECT odd()") }
    #expect(error?.code == .error)
    #expect(error?.message == "odd")
  }

  @Test func `fail the statement without a retry if they throw a schema change`() throws {
    let db = try memory("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
    var calls = 0
    try db.register("f", argumentCount: 1) { arguments in
      calls += 1
      if arguments[0] == 2 { throw SQLiteError(code: .schema, message: "of another database") }
      // SQLite would restart the statement each time.
      return calls > 10 ? 0 : arguments[0]
    }
    let statement = try db.prepare("SELECT f(a) FROM t")
    #expect(try statement.step())
    let error = #expect(throws: SQLiteError.self) { try statement.step() }
    #expect(error?.message == "of another database")
    #expect(calls == 2)
  }

  @Test func `can't step the statement that calls them`() throws {
    let db = try memory("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
    var statement: Statement?
    var codes: [SQLiteError.Code] = []
    try db.register("f", argumentCount: 0) { _ in
      do throws(SQLiteError) { _ = try statement?.step() } catch { codes.append(error.code) }
      return 1
    }
    statement = try db.prepare("SELECT f() FROM t")
    while try statement?.step() == true {}
    #expect(codes == [.misuse, .misuse])
    statement = nil
  }

  @Test func `can't restart the statement that calls them`() async {
    await #expect(processExitsWith: .failure) {
      let db = try Connection.inMemory()
      var statement: Statement?
      try db.register("f", argumentCount: 1) { _ in
        statement?.reset()
        return 1
      }
      statement = try db.prepare("SELECT f(value) FROM json_each('[1, 2]')")
      while try statement?.step() == true {}
    }
  }

  @Test func `are released when they are replaced or removed`() throws {
    let db = try memory()
    weak var first: Held?
    do {
      let held = Held()
      first = held
      try db.register("f", argumentCount: 0) { _ in .integer(held.value) }
    }
    #expect(try db.value(Int.self, "SELECT f()") == 1)
    try db.register("f", argumentCount: 0) { _ in 2 }
    #expect(first == nil)
    #expect(try db.value(Int.self, "SELECT f()") == 2)
    try db.unregister("f", argumentCount: 0)
    try db.unregister("never_was", argumentCount: 3)
    #expect(throws: SQLiteError.self) { try db.run("SELECT f()") }
    weak var last: Held?
    do {
      let held = Held()
      last = held
      try db.register("g", argumentCount: 0) { _ in .integer(held.value) }
      try db.registerCollation("c") { a, b in held.value == 1 ? 0 : 1 }
    }
    try db.close()
    #expect(last == nil)
  }

  @Test func `can't be replaced while a statement runs`() throws {
    let db = try memory()
    try db.register("f", argumentCount: 0) { _ in 1 }
    try db.forEach("SELECT f() UNION ALL SELECT f()") { _ in
      let error = #expect(throws: SQLiteError.self) {
        try db.register("f", argumentCount: 0) { _ in 2 }
      }
      #expect(error?.code == .busy)
    }
    #expect(try db.value(Int.self, "SELECT f()") == 1)
  }

  @Test func `can be used in indexes and generated columns if they are deterministic`() throws {
    let db = try memory()
    try db.register("vague", argumentCount: 1) { $0[0] }
    try db.register("half", argumentCount: 1, options: [.deterministic, .innocuous]) { arguments in
      guard case .integer(let value) = arguments[0] else { return .null }
      return .integer(value / 2)
    }
    try db.execute("CREATE TABLE t (a, h AS (half(a)) STORED); CREATE INDEX i ON t (half(a))")
    try db.run("INSERT INTO t (a) VALUES (10), (20)")
    #expect(try db.values(Int.self, "SELECT h FROM t") == [5, 10])
    let plan = try db.rows("EXPLAIN QUERY PLAN SELECT a FROM t WHERE half(a) = 5")
    #expect(plan.description.contains("USING INDEX i"))
    #expect(try db.values(Int.self, "SELECT a FROM t WHERE half(a) = 5") == [10])
    #expect(throws: SQLiteError.self) { try db.execute("CREATE INDEX j ON t (vague(a))") }
  }

  @Test func `with an invalid name are rejected`() throws {
    let db = try memory()
    #expect(throws: SQLiteError.self) {
      try db.register(String(repeating: "f", count: 300), argumentCount: 0) { _ in 1 }
    }
  }

  @Test func `can't have a name that contains NUL`() throws {
    let db = try memory()
    let name = "abs\0olute"
    let refused = [
      #expect(throws: SQLiteError.self) { try db.register(name, argumentCount: 1) { _ in 7 } },
      #expect(throws: SQLiteError.self) {
        try db.register(EmptyAggregate.self, as: name, argumentCount: 1)
      },
      #expect(throws: SQLiteError.self) { try db.unregister(name, argumentCount: 1) },
      #expect(throws: SQLiteError.self) { try db.registerCollation("nocase\0") { _, _ in 0 } },
    ]
    #expect(refused.allSatisfy { $0?.code == .misuse })
    #expect(try db.value(Int.self, "SELECT abs(-1)") == 1)
    #expect(try db.value(Bool.self, "SELECT 'a' = 'b' COLLATE nocase") == false)
  }

  struct EmptyAggregate: AggregateFunction {
    mutating func step(_ arguments: borrowing FunctionArguments) {}

    func result() -> SQLiteValue { .null }
  }

  final class Held {
    let value: Int64 = 1
  }
}

@Suite struct `Collations in Swift` {
  @Test func `sort and compare text`() throws {
    let db = try memory("CREATE TABLE t (s)")
    try db.registerCollation("backwards") { a, b in a < b ? 1 : a > b ? -1 : 0 }
    try db.run("INSERT INTO t VALUES ('a'), ('ü'), ('b'), (''), ('a' || char(0) || 'b')")
    #expect(
      try db.values(String.self, "SELECT s FROM t ORDER BY s COLLATE backwards")
        == ["ü", "b", "a\0b", "a", ""])
    try db.registerCollation("length") { a, b in a.count - b.count }
    #expect(try db.value(Bool.self, "SELECT 'ab' = 'xy' COLLATE length") == true)
  }

  @Test func `can return any integer`() throws {
    let db = try memory()
    try db.registerCollation("huge") { a, b in a < b ? Int.min : a > b ? Int.max : 0 }
    #expect(try db.value(Bool.self, "SELECT 'a' < 'b' COLLATE huge") == true)
  }

  @Test func `keep an index sorted`() throws {
    let db = try memory()
    try db.registerCollation("number") { a, b in (Int(a) ?? 0) - (Int(b) ?? 0) }
    try db.execute("CREATE TABLE t (s COLLATE number UNIQUE)")
    for value in ["10", "9", "100", "1"] { try db.run("INSERT INTO t VALUES (?)", value) }
    #expect(try db.values(String.self, "SELECT s FROM t ORDER BY s") == ["1", "9", "10", "100"])
    let error = #expect(throws: SQLiteError.self) { try db.run("INSERT INTO t VALUES ('010')") }
    #expect(error?.code == .constraintUnique)
    #expect(try db.value(String.self, "PRAGMA integrity_check") == "ok")
  }

  @Test func `that are unknown are an error`() throws {
    let db = try memory()
    let error = #expect(throws: SQLiteError.self) { try db.run("SELECT 'a' = 'b' COLLATE nope") }
    #expect(error?.message.contains("nope") == true)
  }
}

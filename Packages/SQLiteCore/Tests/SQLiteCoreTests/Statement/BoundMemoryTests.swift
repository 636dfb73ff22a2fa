import SQLiteCore
import Testing

/// Strings and blobs are copied into memory that the next run reuses.
@Suite struct `Bound strings and blobs` {
  private static let seed: UInt64 = 20_261_121

  @Test func `of every length are stored unchanged over many runs of one statement`() throws {
    let db = try memory("CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c)")
    var random = SeededGenerator(seed: Self.seed)
    var expected: [[SQLiteValue]] = []
    for id in 1...400 {
      let values = (0..<3).map { _ in Self.value(using: &random) }
      expected.append([.integer(Int64(id))] + values)
      if id % 3 == 0 {
        try db.run("INSERT INTO t VALUES (?, ?, ?, ?)", values: [id] + values)
      } else {
        try db.run("INSERT INTO t VALUES (?, ?, ?, ?)", id, values[0], values[1], values[2])
      }
    }
    #expect(try db.rows("SELECT * FROM t ORDER BY id") == expected, "seed \(Self.seed)")
  }

  @Test func `can be mixed with values that are bound one by one`() throws {
    let db = try memory("CREATE TABLE t (a, b)")
    let statement = try db.prepare("INSERT INTO t VALUES (?1, ?2)")
    try statement.bindAll("first", "second")
    try statement.run()
    try statement.bind("other", at: 2)
    try statement.run()
    try statement.bind(String(repeating: "x", count: 30_000), at: 1)
    try statement.run()
    statement.clearBindings()
    try statement.run()
    try statement.bindAll(String(repeating: "y", count: 20_000), [UInt8](repeating: 7, count: 9))
    try statement.run()
    #expect(
      try db.rows("SELECT * FROM t") == [
        ["first", "second"], ["first", "other"],
        [.text(String(repeating: "x", count: 30_000)), "other"], [nil, nil],
        [.text(String(repeating: "y", count: 20_000)), .blob([UInt8](repeating: 7, count: 9))],
      ])
  }

  @Test func `can be read back as columns of the same statement`() throws {
    let db = try memory()
    let statement = try db.prepare("SELECT ?1, ?2 UNION ALL SELECT ?2, ?1")
    for length in [0, 1, 100, 5_000, 16_384, 16_385, 50, 3] {
      let a = String(repeating: "é", count: length)
      let b = String(repeating: "b", count: length + 1)
      try statement.bindAll(a, b)
      #expect(try statement.step())
      #expect(try statement.row.values == [.text(a), .text(b)])
      #expect(try statement.step())
      #expect(try statement.row.values == [.text(b), .text(a)])
      #expect(try !statement.step())
    }
  }

  @Test func `are shown completely in errors if the configuration requests it`() throws {
    let db = try memory("CREATE TABLE t (a UNIQUE)") { $0.showsValuesInErrors = true }
    for _ in 0..<2 { _ = try? db.run("INSERT INTO t VALUES (?)", "one") }
    let error = #expect(throws: SQLiteError.self) { try db.run("INSERT INTO t VALUES (?)", "one") }
    #expect(error?.expandedSQL == "INSERT INTO t VALUES ('one')")
  }

  @Test func `are kept if binding another value fails`() throws {
    let db = try memory()
    let statement = try db.prepare("SELECT ?1, ?2")
    #expect(throws: SQLiteError.self) { try statement.bindAll("kept", UInt64.max) }
    #expect(throws: SQLiteError.self) { try statement.bindAll("too", "many", "values") }
    try statement.bindAll("a", "b")
    #expect(try statement.step())
    #expect(try statement.row.values == ["a", "b"])
  }

  @Test func `are kept until they are bound again, as the error of another value shows`() throws {
    struct Misplaced: SQLiteBindable {
      var sqliteValue: SQLiteValue { 1 }

      func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
        try statement.bindInteger(1, at: 9)
      }
    }
    let db = try memory { $0.showsValuesInErrors = true }
    let statement = try db.prepare("SELECT ?1, ?2")
    try statement.bindAll("first", "second")
    let error = #expect(throws: SQLiteError.self) {
      try statement.bindAll("longer than the first", Misplaced())
    }
    #expect(error?.code == .range)
    #expect(error?.expandedSQL == "SELECT 'longer than the first', 'second'")
  }

  @Test func `are cleared when all are bound again, even if a value binds nothing`() throws {
    struct Nothing: SQLiteBindable {
      var sqliteValue: SQLiteValue { .null }

      func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {}
    }
    let db = try memory()
    let statement = try db.prepare("SELECT ?1, ?2")
    for length in [3, 5_000, 10_000] {
      try statement.bindAll(String(repeating: "a", count: length), "b")
      try statement.bindAll(Nothing(), String(repeating: "c", count: length))
      #expect(try statement.step())
      #expect(try statement.row.values == [nil, .text(String(repeating: "c", count: length))])
    }
  }

  @Test func `are rejected if one parameter has two values and another has none`() throws {
    struct Pair: RowEncodable {
      let text: String
      let second: ParameterIndex

      func bind(to statement: Statement) throws(SQLiteError) {
        try statement.bind(text, at: 1)
        try statement.bind(text, at: second)
      }
    }
    let db = try memory("CREATE TABLE t (a, b)")
    let pairs = [Pair(text: "aaaa", second: 2), Pair(text: "bbbb", second: 1)]
    let error = #expect(throws: SQLiteError.self) {
      try db.run("INSERT INTO t VALUES (?, ?)", ofEach: pairs)
    }
    #expect(error?.code == .parameterCount)
    #expect(error?.message.contains("has 2 parameters, but 1") == true)
    #expect(try db.rows("SELECT * FROM t") == [["aaaa", "aaaa"]])
  }

  @Test(arguments: [1, 63, 64, 65, 200])
  func `of many parameters are independent, and NULL if not bound`(_ count: Int) throws {
    struct Texts: RowEncodable {
      let count: Int
      let left: Int?
      let mark: String

      func bind(to statement: Statement) throws(SQLiteError) {
        for number in 1...count where number != left {
          try statement.bind("\(mark) of \(number), long enough", at: ParameterIndex(number))
        }
      }
    }
    let db = try memory()
    let sql = "SELECT " + (1...count).map { "?\($0)" }.joined(separator: ", ")
    let statement = try db.prepare(SQL(unsafe: sql))
    for mark in ["first", "second", "third"] {
      try statement.bindAll(of: Texts(count: count, left: nil, mark: mark))
      #expect(try statement.step())
      #expect(
        try statement.row.values == (1...count).map { .text("\(mark) of \($0), long enough") })
      let error = #expect(throws: SQLiteError.self) {
        try statement.bindAll(of: Texts(count: count, left: count / 2 + 1, mark: mark))
      }
      #expect(error?.code == .parameterCount)
      #expect(try statement.step())
      #expect(try statement.row.values == Array(repeating: .null, count: count))
    }
  }

  private static func value(using random: inout SeededGenerator) -> SQLiteValue {
    let length = [0, 1, 40, 700, 5_000, 17_000].randomElement(using: &random) ?? 0
    let byte = UInt8.random(in: 97...122, using: &random)
    let bytes = [UInt8](repeating: byte, count: Int.random(in: 0...length, using: &random))
    return switch Int.random(in: 0..<4, using: &random) {
    case 0: .null
    case 1: .integer(Int64(length))
    case 2: .blob(bytes)
    default: .text(String(decoding: bytes, as: UTF8.self))
    }
  }
}

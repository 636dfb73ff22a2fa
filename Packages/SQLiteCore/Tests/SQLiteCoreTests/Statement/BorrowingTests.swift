import Primitives
import SQLiteCore
import Testing

@Suite struct `A borrowed column` {
  private let blob: [UInt8] = (0..<100_000).map { UInt8($0 % 251) }

  private func code(_ body: () throws -> Void) -> SQLiteError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? SQLiteError)?.code
    }
  }

  @Test func `has the bytes of the blob or text`() throws {
    let db = try memory("CREATE TABLE t (a, b, c, d)")
    try db.run("INSERT INTO t VALUES (?, ?, x'', '')", blob, "a\0é")
    try db.forEach("SELECT * FROM t") { row throws in
      #expect(try row.withBlob(at: 0) { Array(copying: $0) } == blob)
      #expect(try row.withText(at: 1) { Array(copying: $0) } == Array("a\0é".utf8))
      #expect(try row.withBlob(at: 2) { $0.isEmpty })
      #expect(try row.withText(at: 3) { $0.isEmpty })
      #expect(try row.withOptionalBlob(at: 0) { $0.count } == blob.count)
      #expect(try row.withOptionalText(at: 1) { $0.count } == 4)
    }
  }

  @Test func `of a UTF-16 database is converted to UTF-8`() throws {
    let db = try memory(
      "PRAGMA encoding = 'UTF-16'; CREATE TABLE t (a); INSERT INTO t VALUES ('é€')")
    try db.forEach("SELECT a FROM t") { row throws in
      try row.withText(at: 0) { (utf8) throws in
        #expect(try row.text(at: 0) == "é€")
        #expect(try row.withText(at: 0) { Array(copying: $0) } == Array("é€".utf8))
        #expect(Array(copying: utf8) == Array("é€".utf8))
      }
    }
  }

  @Test func `is not borrowed if it is NULL`() throws {
    let db = try memory()
    try db.forEach("SELECT NULL") { row throws in
      #expect(try row.withOptionalBlob(at: 0) { $0.count } == nil)
      #expect(try row.withOptionalText(at: 0) { $0.count } == nil)
      #expect(code { try row.withBlob(at: 0) { _ in } } == .unexpectedNull)
      #expect(code { try row.withText(at: 0) { _ in } } == .unexpectedNull)
    }
  }

  @Test func `fails with the errors of reading it`() throws {
    let db = try memory()
    let statement = try db.prepare(
      "SELECT 'text' AS t, x'00' AS b, 1 AS i, CAST(x'ff' AS TEXT) AS u")
    #expect(code { try statement.row.withBlob(at: 0) { _ in } } == .noRow)
    #expect(code { try statement.row.withOptionalText(at: 0) { _ in } } == .noRow)
    #expect(try statement.step())
    for index: ColumnIndex in [0, 2, 3] {
      #expect(code { try statement.row.withBlob(at: index) { _ in } } == .columnTypeMismatch)
      #expect(
        code { try statement.row.withOptionalBlob(at: index) { _ in } } == .columnTypeMismatch)
    }
    for index: ColumnIndex in [1, 2] {
      #expect(code { try statement.row.withText(at: index) { _ in } } == .columnTypeMismatch)
      #expect(
        code { try statement.row.withOptionalText(at: index) { _ in } } == .columnTypeMismatch)
    }
    #expect(code { try statement.row.withText(at: 3) { _ in } } == .invalidText)
    for index: ColumnIndex in [-1, 4] {
      #expect(code { try statement.row.withBlob(at: index) { _ in } } == .unknownColumn)
      #expect(code { try statement.row.withText(at: index) { _ in } } == .unknownColumn)
    }
    let error = #expect(throws: SQLiteError.self) { try statement.row.withBlob(at: 2) { _ in } }
    #expect(error?.column?.name == "i")
  }

  @Test func `is returned even if the body throws, and the error is thrown`() throws {
    let db = try memory()
    let statement = try db.prepare("SELECT x'01' UNION ALL SELECT x'02'")
    #expect(try statement.step())
    #expect(throws: Failure()) { try statement.row.withBlob(at: 0) { _ in throw Failure() } }
    let error = SQLiteError(code: .abort, message: "enough")
    #expect(throws: error) {
      try statement.row.withBlob(at: 0) { (_) throws(SQLiteError) in throw error }
    }
    #expect(try statement.step())
    #expect(try statement.row.withBlob(at: 0) { $0[0] } == 2)
  }

  /// The bytes of a column with a bound value are in the memory that the next run's values would
  /// overwrite.
  @Test(arguments: [
    "SELECT ?1", "SELECT ?1 UNION ALL SELECT x'00'", "SELECT a FROM t WHERE a = ?1",
  ])
  func `stays valid regardless of operations on its statement`(_ sql: String) throws {
    let db = try memory("CREATE TABLE t (a)")
    let blob = [UInt8](repeating: 7, count: 5_000)
    try db.run("INSERT INTO t VALUES (?)", blob)
    let other = [UInt8](repeating: 9, count: 5_000)
    let statement = try db.prepare(SQL(unsafe: sql))
    try statement.bindAll(blob)
    #expect(try statement.step())
    try statement.row.withBlob(at: 0) { bytes throws in
      #expect(code { _ = try statement.step() } == .columnBorrowed)
      #expect(code { try statement.run() } == .columnBorrowed)
      for _ in 0..<3 {
        #expect(code { try statement.bindAll(other) } == .columnBorrowed)
        #expect(code { try statement.bindAll([other]) } == .columnBorrowed)
        #expect(code { try statement.bind(other, at: 1) } == .columnBorrowed)
        #expect(
          code { try statement.withBoundBlob(other.elementSpan, at: 1) {} } == .columnBorrowed)
      }
      statement.reset()
      statement.clearBindings()
      try db.releaseMemory()
      #expect(code { _ = try statement.step() } == .columnBorrowed)
      #expect(code { try db.close() } == .busy)
      #expect(try db.value(Int.self, "SELECT 1") == 1)
      #expect(try statement.row.blob(at: 0) == blob)
      #expect(Array(copying: bytes) == blob)
    }
    // The deferred operations have been performed.
    #expect(code { _ = try statement.row.blob(at: 0) } == .noRow)
    _ = try statement.step()
    #expect(statement.row[0] != .blob(blob))
    try statement.bindAll(blob)
    #expect(try statement.step())
    #expect(try statement.row.blob(at: 0) == blob)
  }

  @Test func `keeps the bindings unless they are cleared`() throws {
    let db = try memory()
    let statement = try db.prepare("SELECT ?1")
    try statement.bindAll([UInt8]([1, 2, 3]))
    #expect(try statement.step())
    try statement.row.withBlob(at: 0) { _ in statement.reset() }
    #expect(try statement.step())
    #expect(try statement.row.blob(at: 0) == [1, 2, 3])
  }

  @Test func `can be one of several`() throws {
    let db = try memory()
    let statement = try db.prepare("SELECT x'0102', 'text'")
    #expect(try statement.step())
    let count = try statement.row.withBlob(at: 0) { blob throws in
      let inner = try statement.row.withText(at: 1) { blob.count + $0.count }
      #expect(code { _ = try statement.step() } == .columnBorrowed)
      return inner
    }
    #expect(count == 6)
    #expect(try !statement.step())
  }

  @Test func `prevents transactions from beginning, and lets other statements run`() throws {
    let db = try memory("CREATE TABLE t (a); CREATE TABLE u (a)")
    try db.run("INSERT INTO t VALUES (?)", blob)
    try db.forEach("SELECT a FROM t") { row throws in
      try row.withBlob(at: 0) { bytes throws in
        #expect(code { try db.transaction {} } == .columnBorrowed)
        #expect(code { try db.savepoint {} } == .columnBorrowed)
        try db.run("INSERT INTO u VALUES (?)", bytes.count)
        try db.run("DELETE FROM t")
        #expect(Array(copying: bytes) == blob)
      }
      try db.transaction { try db.run("INSERT INTO u VALUES (2)") }
    }
    #expect(try db.values(Int.self, "SELECT a FROM u") == [blob.count, 2])
    try db.transaction {
      try db.forEach("SELECT x'01'") { row throws in
        try row.withBlob(at: 0) { _ in #expect(code { try db.savepoint {} } == .columnBorrowed) }
      }
    }
  }

  @Test func `is returned before an interrupted transaction is rolled back`() throws {
    let db = try memory("CREATE TABLE t (a)")
    let statement = try db.prepare("SELECT x'01' UNION ALL SELECT x'02'")
    let error = #expect(throws: SQLiteError.self) {
      try db.transaction {
        try db.run("INSERT INTO t VALUES (1)")
        _ = try statement.step()
        try statement.row.withBlob(at: 0) { bytes in
          db.interrupt()
          #expect(bytes[0] == 1)
          try db.run("INSERT INTO t VALUES (2)")
        }
      }
    }
    #expect(error?.code == .interrupt)
    #expect(!db.isInTransaction)
    #expect(try db.count("t") == 0)
    try db.transaction { try db.run("INSERT INTO t VALUES (3)") }
  }

  @Test func `can be read by a custom type`() throws {
    struct Sum: SQLiteReadable {
      let value: Int
      init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
        value = try row.withBlob(at: index) { bytes in
          var sum = 0
          for index in bytes.indices { sum += Int(bytes[index]) }
          return sum
        }
      }
    }
    let db = try memory()
    #expect(try db.value(Sum.self, "SELECT x'010203'")?.value == 6)
    #expect(code { _ = try db.value(Sum.self, "SELECT 1") } == .columnTypeMismatch)
  }
}

@Suite struct `A value bound without a copy` {
  private let blob: [UInt8] = (0..<300_000).map { UInt8($0 % 253) }

  @Test func `is stored unchanged`() throws {
    let db = try memory("CREATE TABLE t (id INTEGER PRIMARY KEY, a, b)")
    let insert = try db.prepare("INSERT INTO t (a, b) VALUES (?1, ?2)")
    let text = String(repeating: "é\0", count: 50_000)
    try insert.bind("first", at: 1)
    try insert.withBoundBlob(blob.elementSpan, at: 2) { try insert.run() }
    try insert.withBoundText(Array(text.utf8).elementSpan, at: 2) { try insert.run() }
    try insert.withBoundBlob([UInt8]().elementSpan, at: 2) { try insert.run() }
    try insert.withBoundText([UInt8]().elementSpan, at: 2) { try insert.run() }
    #expect(
      try db.rows("SELECT a, b FROM t ORDER BY id") == [
        ["first", .blob(blob)], ["first", .text(text)], ["first", .blob([])], ["first", ""],
      ])
  }

  @Test func `is NULL afterwards even if the body throws`() throws {
    let db = try memory()
    let statement = try db.prepare("SELECT ?1, typeof(?1)")
    #expect(throws: Failure()) {
      try statement.withBoundBlob(blob.elementSpan, at: 1) {
        #expect(try statement.step())
        #expect(try statement.row.blob(at: 0) == blob)
        throw Failure()
      }
    }
    #expect(throws: SQLiteError.self) { try statement.row.text(at: 1) }
    #expect(try statement.step())
    #expect(try statement.row.values == [nil, "null"])
    let length = try statement.withBoundText(Array("abc".utf8).elementSpan, at: 1) {
      () throws(SQLiteError) in
      _ = try statement.step()
      return try statement.row.withText(at: 0) { $0.count }
    }
    #expect(length == 3)
    #expect(try statement.step())
    #expect(try statement.row.values == [nil, "null"])
  }

  @Test func `is replaced by a value that is bound in the body`() throws {
    let db = try memory()
    let statement = try db.prepare("SELECT ?1")
    try statement.withBoundBlob(blob.elementSpan, at: 1) {
      try statement.bind(5, at: 1)
      #expect(try statement.step())
      #expect(try statement.row.integer(at: 0) == 5)
      statement.clearBindings()
    }
    #expect(try statement.step())
    #expect(try statement.row.isNull(at: 0))
  }

  @Test func `is rejected if it is invalid, without running the body`() throws {
    let db = try memory()
    let statement = try db.prepare("SELECT ?1")
    var ran = 0
    for (index, bytes, code) in [
      (2, [0x61], .range), (0, [], .range), (-1, [0x61], .range), (.max, [], .range),
      (1, [0x61, 0xff], .invalidText),
    ] as [(Int, [UInt8], SQLiteError.Code)] {
      let error = #expect(throws: SQLiteError.self) {
        try statement.withBoundText(bytes.elementSpan, at: ParameterIndex(index)) { ran += 1 }
      }
      #expect(error?.code == code)
    }
    try db.setLimit(.length, to: 1_000)
    let error = #expect(throws: SQLiteError.self) {
      try statement.withBoundBlob(blob.elementSpan, at: 1) { ran += 1 }
    }
    #expect(error?.code == .tooBig)
    #expect(ran == 0)
  }
}

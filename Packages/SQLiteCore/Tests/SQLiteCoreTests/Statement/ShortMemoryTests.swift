import SQLiteCore
import Testing

@Suite struct `Reading with too little memory` {
  @Test func `throws an error and never returns an empty value`() async {
    // The limit applies to the whole process, and must not affect other tests.
    await #expect(processExitsWith: .success) {
      let db = try Connection.inMemory()
      try db.execute(
        """
        PRAGMA encoding = 'UTF-16';
        CREATE TABLE t (a); INSERT INTO t VALUES (hex(zeroblob(500000)))
        """)
      let text = "SELECT a FROM t"
      func expectShortage(_ sql: String, _ read: (borrowing Row) throws -> Int) throws {
        let statement = try db.prepare(SQL(unsafe: sql))
        #expect(try statement.step())
        SQLiteLibrary.setHardHeapLimit(SQLiteLibrary.memoryUsed + 20_000)
        let error = #expect(throws: SQLiteError.self) { _ = try read(statement.row) }
        #expect(error?.code == .outOfMemory)
        SQLiteLibrary.setHardHeapLimit(0)
        // The value is lost, but the connection is usable.
        #expect(try db.value(Int.self, "SELECT 1") == 1)
        statement.reset()
        #expect(try statement.step())
        #expect(try read(statement.row) == 1_000_000)
      }
      try expectShortage(text) { try $0.text(at: 0).utf8.count }
      try expectShortage(text) { try $0.optionalText(at: 0)?.utf8.count ?? 0 }
      try expectShortage(text) { try $0.withText(at: 0) { $0.count } }
      try expectShortage(text) { try $0.withOptionalText(at: 0) { $0.count } ?? 0 }
      try expectShortage(text) { row in
        guard case .text(let text) = try row.value(at: 0) else { return 0 }
        return text.utf8.count
      }
    }
  }

  @Test func `does not affect empty values`() throws {
    let db = try memory()
    let row = try db.rows("SELECT '', x'', zeroblob(0), substr('a', 2)")
    #expect(row == [[.text(""), .blob([]), .blob([]), .text("")]])
    let statement = try db.prepare("SELECT '', zeroblob(0)")
    #expect(try statement.step())
    #expect(try statement.row.withText(at: 0) { $0.count } == 0)
    #expect(try statement.row.withBlob(at: 1) { $0.count } == 0)
  }
}

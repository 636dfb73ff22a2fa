import Foundation
import SQLiteCore
import Testing

@Suite struct `A damaged file` {
  /// A closed database of many pages, damaged by `change`.
  private func damaged(_ change: (inout Data) -> Void) throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let db = try directory.connect()
    try db.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v)")
    try db.transaction {
      for id in 1...2_000 { try db.run("INSERT INTO t VALUES (?, ?)", id, "value \(id)") }
    }
    try db.close()
    let url = URL(fileURLWithPath: directory.file())
    var data = try Data(contentsOf: url)
    change(&data)
    try data.write(to: url)
    return directory
  }

  @Test func `is a typed error when the damage is read, and not before`() throws {
    let directory = try damaged { data in
      data.replaceSubrange(
        8_192..<data.count, with: Data(repeating: 0x5a, count: data.count - 8_192))
    }
    let db = try directory.connect()
    let sql = "SELECT sum(length(v)) FROM t"
    let error = #expect(throws: SQLiteError.self) { try db.value(Int.self, SQL(unsafe: sql)) }
    #expect(error?.code.primary == .corrupt)
    #expect(error?.sql == sql)
    #expect(try db.tables().map(\.name) == ["t"])
  }

  @Test func `that was truncated is a typed error`() throws {
    let directory = try damaged { $0 = $0.prefix(8_192) }
    let error = #expect(throws: SQLiteError.self) {
      try directory.connect().value(Int.self, "SELECT count(*) FROM t")
    }
    #expect(error?.code.primary == .corrupt)
  }

  @Test func `without a header is not a database`() throws {
    let directory = try damaged { $0.replaceSubrange(0..<16, with: Data(repeating: 0, count: 16)) }
    for attempt in [{ _ = try directory.connect() }, { _ = try directory.open() }] {
      let error = #expect(throws: SQLiteError.self) { try attempt() }
      #expect(error?.code == .notADatabase)
    }
  }

  @Test func `rolls back a write that finds the damage`() async throws {
    let directory = try damaged { data in
      data.replaceSubrange(12_288..<16_384, with: Data(repeating: 0x5a, count: 4_096))
    }
    let database = try directory.open()
    let error = await #expect(throws: SQLiteError.self) {
      try await database.write { db in
        try db.execute("CREATE TABLE u (a)")
        try db.run("UPDATE t SET v = 'x'")
      }
    }
    #expect(error?.code.primary == .corrupt)
    #expect(try await database.read { try $0.table("u") } == nil)
    #expect(try await database.writeWithoutTransaction { $0.isInTransaction } == false)
  }
}

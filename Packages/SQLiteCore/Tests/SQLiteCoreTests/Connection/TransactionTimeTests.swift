import Foundation
import SQLiteCore
import Testing

@Suite struct `The time of a transaction` {
  private func ticking() throws -> Connection {
    let ticks = Shared(0.0)
    return try memory("CREATE TABLE t (a UNIQUE)") {
      $0.clock = {
        ticks.update { ticks in
          ticks += 1; return ticks
        }
      }
    }
  }

  @Test func `is constant until the end, including savepoints and failures`() throws {
    let db = try ticking()
    try db.transaction {
      let moment = db.transactionTime
      #expect(moment == 1)
      try db.run("INSERT INTO t VALUES (?)", moment)
      #expect(throws: SQLiteError.self) { try db.run("INSERT INTO t VALUES (?)", moment) }
      try db.savepoint { #expect(db.transactionTime == 1) }
      try? db.savepoint { throw Failure() }
      #expect(db.transactionTime == 1)
      #expect(db.transactionDate == Date(timeIntervalSince1970: 1))
    }
    try db.transaction { #expect(db.transactionTime == 2) }
    try? db.transaction {
      #expect(db.transactionTime == 3)
      throw Failure()
    }
    try db.transaction { #expect(db.transactionTime == 4) }
  }

  @Test func `is the current time outside a transaction`() throws {
    let db = try ticking()
    #expect([db.transactionTime, db.transactionTime] == [1, 2])
    try db.close()
    #expect(db.transactionTime == 3)
  }

  @Test(arguments: ["COMMIT", "ROLLBACK", "END", "INSERT OR ROLLBACK INTO t VALUES (0)"])
  func `ends with the transaction`(_ end: String) throws {
    let db = try ticking()
    try db.run("INSERT INTO t VALUES (0)")
    try db.execute("BEGIN")
    #expect(db.transactionTime == 1)
    try? db.execute(SQL(unsafe: end))
    try db.execute("BEGIN")
    #expect(db.transactionTime == 2)
    try db.execute("ROLLBACK; SAVEPOINT s")
    #expect(db.transactionTime == 3)
    try db.execute("RELEASE s; BEGIN")
    #expect(db.transactionTime == 4)
  }

  @Test func `is the system's time by default`() throws {
    let before = Date()
    let moment = try memory().transactionDate
    #expect(moment.timeIntervalSince(before) > -0.001)
    #expect(Date().timeIntervalSince(moment) > -0.001)
  }
}

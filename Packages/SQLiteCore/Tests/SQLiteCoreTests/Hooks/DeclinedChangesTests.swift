import SQLiteCore
import Testing

@Suite struct `Changes that an observer declines` {
  /// Declines, and counts how often it is asked and told.
  final class Observer: TransactionObserver {
    let interests: ChangeInterests?
    var wants = false
    var asked = 0
    var told = 0

    init(_ interests: ChangeInterests?) { self.interests = interests }

    func willRun(_ statement: StatementNumber, _ access: () -> StatementAccess) -> Bool {
      asked += 1
      #expect(access().writes.keys.map(\.name) == ["t"])
      return wants
    }

    func willChange(_ change: borrowing RowChange) { told += 1 }
  }

  let connection: Connection
  let interest = ChangeInterest()
  let second = ChangeInterest()

  init() throws {
    connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE t (x)")
  }

  @Test func `are asked about once, until interest changes`() throws {
    let observer = Observer(ChangeInterests(interest, second))
    try connection.hooks.add(observer)
    let insert = try connection.prepare("INSERT INTO t VALUES (1)")
    try connection.transaction {
      for _ in 0..<5 { try insert.run() }
      #expect(observer.asked == 1)
      interest.change()
      try insert.run()
      second.change()
      try insert.run()
      try insert.run()
      #expect(observer.asked == 3)
      #expect(observer.told == 0)
      observer.wants = true
      try insert.run()
      // It has declined, and its interest is what it was.
      #expect(observer.told == 0)
      interest.change()
      try insert.run()
      try insert.run()
      #expect(observer.asked == 5)
      #expect(observer.told == 2)
    }
  }

  @Test(arguments: [
    "SAVEPOINT s", "INSERT INTO t VALUES (2)", "COMMIT; BEGIN", "ROLLBACK; BEGIN",
  ])
  func `are asked about anew after something else has run`(_ sql: String) throws {
    let observer = Observer(ChangeInterests(interest))
    try connection.hooks.add(observer)
    let insert = try connection.prepare("INSERT INTO t VALUES (1)")
    try connection.execute("BEGIN")
    try insert.run()
    let before = observer.asked
    try connection.execute(sql)
    let others = observer.asked - before
    try insert.run()
    #expect(observer.asked == before + others + 1)
  }

  @Test func `are asked about each time where no interest is named`() throws {
    let observer = Observer(nil)
    try connection.hooks.add(observer)
    let insert = try connection.prepare("INSERT INTO t VALUES (1)")
    for _ in 0..<3 { try insert.run() }
    #expect(observer.asked == 3)
  }

  @Test func `are told where another observer wants them, or a session`() throws {
    let (first, other) = (Observer(ChangeInterests(interest)), Observer(nil))
    try connection.hooks.add(first)
    let insert = try connection.prepare("INSERT INTO t VALUES (1)")
    try insert.run()
    other.wants = true
    try connection.hooks.add(other)
    try insert.run()
    #expect((first.told, other.told) == (1, 1))
  }
}

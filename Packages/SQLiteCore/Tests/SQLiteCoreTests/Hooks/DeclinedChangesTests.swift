import SQLiteCore
import Testing

@Suite(.needs(.preupdateHook)) struct `Changes that an observer declines` {
  /// Declines all changes unless `wants` is set, and counts its calls.
  final class Observer: TransactionObserver {
    let interests: Hooks.ChangeInterests?
    var wants = false
    var asked = 0
    var told = 0

    init(_ interests: Hooks.ChangeInterests?) { self.interests = interests }

    func willRun(_ statement: Statement.ID, _ access: () -> Statement.Access) -> Bool {
      asked += 1
      #expect(access().writes.keys.map(\.name) == ["t"])
      return wants
    }

    func willChange(_ change: borrowing Hooks.RowChange) { told += 1 }
  }

  let connection: Connection
  let interest = Hooks.ChangeInterest()
  let second = Hooks.ChangeInterest()

  init() throws {
    connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE t (x)")
  }

  @Test func `are queried once, until an interest changes`() throws {
    let observer = Observer(Hooks.ChangeInterests(interest, second))
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
      // The interest has not changed, so the earlier answer applies.
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
  func `are queried again after another statement`(_ sql: String) throws {
    let observer = Observer(Hooks.ChangeInterests(interest))
    try connection.hooks.add(observer)
    let insert = try connection.prepare("INSERT INTO t VALUES (1)")
    try connection.execute("BEGIN")
    try insert.run()
    let before = observer.asked
    try connection.execute(SQL(unsafe: sql))
    let others = observer.asked - before
    try insert.run()
    #expect(observer.asked == before + others + 1)
  }

  @Test func `are queried each time if the observer declares no interests`() throws {
    let observer = Observer(nil)
    try connection.hooks.add(observer)
    let insert = try connection.prepare("INSERT INTO t VALUES (1)")
    for _ in 0..<3 { try insert.run() }
    #expect(observer.asked == 3)
  }

  @Test func `are reported if another observer wants them`() throws {
    let (first, other) = (Observer(Hooks.ChangeInterests(interest)), Observer(nil))
    try connection.hooks.add(first)
    let insert = try connection.prepare("INSERT INTO t VALUES (1)")
    try insert.run()
    other.wants = true
    try connection.hooks.add(other)
    try insert.run()
    #expect((first.told, other.told) == (1, 1))
  }

  /// Wants the changes of all tables except `log`.
  final class Reader: TransactionObserver {
    let interests: Hooks.ChangeInterests?
    var told: [String] = []

    init(_ interests: Hooks.ChangeInterests?) { self.interests = interests }

    func willRun(_ statement: Statement.ID, _ access: () -> Statement.Access) -> Bool {
      access().writes.keys.contains { $0.name != "log" }
    }

    func willChange(_ change: borrowing Hooks.RowChange) {
      if change.table.name == "u" { told.append("\(change.kind)") }
    }
  }

  @Test(arguments: [false, true])
  func `do not hide the changes of a changeset during which they are made`(
    inFunction: Bool
  ) throws {
    let setUp = "CREATE TABLE u (id INTEGER PRIMARY KEY, x); CREATE TABLE log (x)"
    let other = try memory(SQL(unsafe: setUp))
    let session = try other.session()
    try session.attachAll()
    try other.execute(
      "INSERT INTO u VALUES (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 7), (8, 8)")
    let changeset = try session.changeset()
    try connection.execute(SQL(unsafe: setUp))
    let log = try connection.prepare("INSERT INTO log VALUES (1)")
    if inFunction {
      try connection.register("logged", argumentCount: 0, options: .innocuous) { _ in
        try log.run()
        return .null
      }
      try connection.execute(
        "CREATE TRIGGER noted AFTER INSERT ON u BEGIN SELECT logged(); END")
    } else {
      try connection.execute("INSERT INTO u VALUES (1, 0), (3, 0), (5, 0), (7, 0)")
    }
    let reader = Reader(Hooks.ChangeInterests(interest))
    try connection.hooks.add(reader)
    try connection.apply(changeset) { _ in
      try log.run()
      return .omit
    }
    #expect(try connection.count("u") == 8)
    #expect(reader.told.filter { $0 == "insert" }.count >= (inFunction ? 8 : 4))
    #expect(try connection.count("log") == (inFunction ? 8 : 4))
  }

  /// Declines all changes, and records the tables that the last statement writes.
  final class Refuser: TransactionObserver {
    var written: Set<String> = []
    var otherwise = 0

    func willRun(_ statement: Statement.ID, _ access: () -> Statement.Access) -> Bool {
      written = Set(access().writes.keys.map(\.name))
      return false
    }

    func didRunRecompiled() { otherwise += 1 }
  }

  @Test func `are reported as recompiled until the statement's writes are known`() throws {
    let refuser = Refuser()
    try connection.hooks.add(refuser)
    try connection.execute("CREATE TABLE u (x)")
    let insert = try connection.prepare("INSERT INTO t VALUES (1)")
    try insert.run()
    try connection.execute(
      "CREATE TRIGGER copied AFTER INSERT ON t BEGIN INSERT INTO u VALUES (new.x); END")
    // SQLite recompiles the statement while it runs. The next compilation, which would determine
    // the tables that it writes, fails.
    var count = 0
    let subscription = try connection.hooks.authorize { request in
      guard request.action == 18, request.first == "t" else { return .allow }
      count += 1
      return count == 2 ? .deny : .allow
    }
    let before = refuser.otherwise
    try insert.run()
    #expect(count == 2)
    #expect(refuser.otherwise == before + 1)
    try insert.run()
    #expect(refuser.otherwise == before + 2)
    try insert.run()
    #expect(refuser.written == ["t", "u"])
    #expect(try connection.count("u") == 3)
    connection.hooks.remove(subscription)
  }
}

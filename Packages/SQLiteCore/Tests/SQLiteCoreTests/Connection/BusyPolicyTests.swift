import SQLiteCore
import Testing

@Suite struct `A lock that another connection holds` {
  private func locked(
    _ policy: Configuration.BusyPolicy
  ) throws -> (writer: Connection, waiting: Connection, TemporaryDirectory) {
    let directory = try TemporaryDirectory()
    let writer = try directory.connect()
    try writer.execute("CREATE TABLE t (a)")
    let waiting = try directory.connect { $0.busyPolicy = policy }
    try writer.execute("BEGIN IMMEDIATE")
    return (writer, waiting, directory)
  }

  @Test func `fails a statement immediately`() throws {
    let (writer, db, directory) = try locked(.failImmediately)
    defer { withExtendedLifetime((writer, directory)) {} }
    let start = ContinuousClock.now
    let error = #expect(throws: SQLiteError.self) { try db.run("INSERT INTO t VALUES (1)") }
    #expect(error?.code == .busy)
    #expect(.now - start < .seconds(2))
  }

  @Test func `is waited for until the timeout`() throws {
    let (writer, db, directory) = try locked(.wait(upTo: .milliseconds(30)))
    defer { withExtendedLifetime((writer, directory)) {} }
    let start = ContinuousClock.now
    let error = #expect(throws: SQLiteError.self) { try db.run("INSERT INTO t VALUES (1)") }
    #expect(error?.code == .busy)
    #expect(.now - start >= .milliseconds(30))
  }

  @Test func `is waited for as long as the closure returns true`() throws {
    let asked = Shared<[(Int, Duration)]>([])
    let (writer, db, directory) = try locked(
      .callback { attempt, waited in
        asked.update { $0.append((attempt, waited)) }
        return attempt < 3
      })
    for _ in 0..<2 {
      asked.update { $0 = [] }
      let error = #expect(throws: SQLiteError.self) { try db.run("INSERT INTO t VALUES (1)") }
      #expect(error?.code == .busy)
      #expect(asked.value.map(\.0) == [0, 1, 2, 3])
      #expect(zip(asked.value, asked.value.dropFirst()).allSatisfy { $0.1 <= $1.1 })
    }
    try writer.execute("COMMIT")
    try db.run("INSERT INTO t VALUES (1)")
    withExtendedLifetime(directory) {}
  }

  @Test func `is waited for by a new policy`() throws {
    let (writer, db, directory) = try locked(.wait(upTo: .seconds(600)))
    try db.setBusyPolicy(.failImmediately)
    #expect(throws: SQLiteError.self) { try db.run("INSERT INTO t VALUES (1)") }
    // The closure releases the lock, as a program could.
    let isAsked = Shared(false)
    try db.setBusyPolicy(
      .callback { _, _ in
        isAsked.update { $0 = true }
        return false
      })
    #expect(throws: SQLiteError.self) { try db.run("INSERT INTO t VALUES (1)") }
    #expect(isAsked.value)
    try writer.execute("ROLLBACK")
    try db.run("INSERT INTO t VALUES (1)")
    try db.close()
    let error = #expect(throws: SQLiteError.self) { try db.setBusyPolicy(.failImmediately) }
    #expect(error?.code == .closed)
    withExtendedLifetime(directory) {}
  }

  @Test func `is not waited for by a cancelled access`() async throws {
    let directory = try TemporaryDirectory()
    let isWaiting = Shared(false)
    let database = try directory.open {
      $0.busyPolicy = .callback { _, _ in
        isWaiting.update { $0 = true }
        return true
      }
    }
    try await database.write { try $0.execute("CREATE TABLE t (a)") }
    let holder = try directory.connect()
    try holder.execute("BEGIN IMMEDIATE")
    let writing = Task { try await database.write { try $0.run("INSERT INTO t VALUES (1)") } }
    #expect(try await eventually { isWaiting.value })
    writing.cancel()
    await #expect(throws: CancellationError.self) { try await writing.value }
    try holder.execute("ROLLBACK")
    #expect(try holder.count("t") == 0)
    database.close()
  }

  @Test func `has a policy that is a timeout, or another one`() {
    var configuration = Configuration()
    #expect(configuration.busyTimeout == .seconds(5))
    configuration.busyPolicy = .failImmediately
    #expect(configuration.busyTimeout == .zero)
    configuration.busyTimeout = .seconds(1)
    guard case .wait(upTo: .seconds(1)) = configuration.busyPolicy else {
      Issue.record("\(configuration.busyPolicy)")
      return
    }
  }
}

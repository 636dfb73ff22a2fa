import Dispatch
import SQLiteCore
import Testing

@Suite struct `Blocking work` {
  private enum Trouble: Error { case some }

  @Test @MainActor func `runs on another thread and resumes the task`() async throws {
    let result = try await performBlocking { (Holder.number, Task.isCancelled) }
    #expect(result == (0, false))
    let inTask = try await Holder.$number.withValue(7) {
      try await performBlocking { Holder.number }
    }
    #expect(inTask == 7)
    await #expect(throws: Trouble.self) { try await performBlocking { throw Trouble.some } }
  }

  @Test func `does not wait for a connection that its own task holds`() async throws {
    let database = try Database.inMemory()
    try await database.write { connection in
      try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
    }
    for try await _ in database.rows(
      batchSize: 1, "SELECT a FROM t", decode: { try $0.integer(at: ColumnIndex(0)) })
    {
      for access: @Sendable () throws -> Void in [
        { try database.read { _ in } }, { try database.write { _ in } },
        { _ = try database.beginTransaction() }, { try database.checkNotNested() },
      ] {
        let error = await #expect(throws: SQLiteError.self) {
          try await performBlocking { try access() }
        }
        #expect(error?.code == .nestedAccess)
      }
      break
    }
    try await performBlocking { try database.checkNotNested() }
  }

  /// Works for any number of tasks, since they use no threads that other work needs.
  @Test(.timeLimit(.minutes(10))) func `does not block the tasks that it waits for`() async throws {
    let isOpen = DispatchSemaphore(value: 0)
    let clock = ContinuousClock()
    let time = try await clock.measure {
      for _ in 0..<2 {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<100 {
            group.addTask { try await performBlocking { isOpen.wait() } }
          }
          group.addTask {
            for _ in 0..<10 { await Task.yield() }
            for _ in 0..<100 { isOpen.signal() }
          }
          try await group.waitForAll()
        }
      }
    }
    // A system queue would add one thread per second, which takes 200 seconds.
    #expect(time < .seconds(150))
  }

  private enum Holder {
    @TaskLocal static var number = 0
  }
}

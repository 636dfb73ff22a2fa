import SQLiteCore
import Testing

@Suite struct `Closing a database` {
  @Test(arguments: `A database`.Place.allCases)
  func `fails waiting accesses and completes running ones`(_ place: `A database`.Place)
    async throws
  {
    let (database, directory) = try `A database`.make(place)
    let (isBusy, mayGo) = (Gate(), Gate())
    let holder = Task {
      try await database.write { db in
        isBusy.open()
        mayGo.wait()
        return try db.run("INSERT INTO t VALUES (1)").count
      }
    }
    _ = try await eventually { isBusy.wait(seconds: 0) }
    let waiting = (0..<10).map { _ in Task { try await database.write { _ in } } }
    let threads = Task {
      let codes = Shared<[SQLiteError.Code?]>([])
      await onThreads(3) { _ in
        do { try database.write { _ in } } catch {
          codes.update { [code = (error as? SQLiteError)?.code] in $0.append(code) }
        }
      }
      return codes.value
    }
    try await Task.sleep(for: .milliseconds(30))
    database.close()
    database.close()
    for task in waiting {
      let error = await #expect(throws: SQLiteError.self) { try await task.value }
      #expect(error?.code == .closed)
    }
    #expect(await threads.value == [.closed, .closed, .closed])
    mayGo.open()
    #expect(try await holder.value == 1)
    let error = await #expect(throws: SQLiteError.self) { try await database.read { _ in } }
    #expect(error?.code == .closed)
    if place == .file { #expect(try directory.connect().count("t") == 1) }
  }

  @Test func `that is released ends its threads`() async throws {
    guard let before = threadCount() else { return print("skipped: threads can't be counted here") }
    let directory = try TemporaryDirectory()
    for _ in 0..<100 {
      let database = try directory.open()
      _ = try await database.read { try $0.tables() }
      try await database.write { _ in }
    }
    #expect(try await eventually { (threadCount() ?? .max) < before + 100 })
  }
}

@Suite struct `A reader that can't be opened` {
  @Test func `fails its access and the waiting ones, and is retried`() async throws {
    let directory = try TemporaryDirectory()
    let isBroken = Shared(true)
    let database = try directory.open { configuration in
      configuration.maximumReaderCount = 1
      configuration.prepare = { connection in
        guard connection.configuration.isReadOnly else { return }
        if isBroken.value { throw Failure() }
      }
    }
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<200 {
        group.addTask {
          do {
            _ = try await database.read { try $0.tables() }
            return false
          } catch {
            return error is Failure
          }
        }
      }
      for await failed in group { #expect(failed) }
    }
    isBroken.update { $0 = false }
    #expect(try await database.read { try $0.tables() }.isEmpty)
  }
}

import SQLiteCore
import Testing

@Suite struct `The priority of a task` {
  typealias Place = `A database`.Place

  /// Makes tasks with these priorities wait for the writer in this order, and returns the order of service.
  private func served(
    _ priorities: [TaskPriority], in place: Place,
    meanwhile: ([Task<Void, any Error>]) async throws -> Void = { _ in }
  ) async throws -> [Int] {
    let (database, directory) = try `A database`.make(place)
    let (isBusy, mayGo) = (Gate(), Gate())
    let holder = Task {
      try await database.write { _ in
        isBusy.open()
        mayGo.wait()
      }
    }
    _ = try await eventually { isBusy.wait(seconds: 0) }
    let served = Shared<[Int]>([])
    var tasks: [Task<Void, any Error>] = []
    for (index, priority) in priorities.enumerated() {
      tasks.append(
        // Detached: awaiting a task raises its priority.
        Task.detached(priority: priority) {
          try await database.write { _ in served.update { $0.append(index) } }
        })
      #expect(try await eventually { database.statistics.writer?.waiting == index + 1 })
    }
    try await meanwhile(tasks)
    mayGo.open()
    _ = try await eventually { served.value.count == priorities.count }
    for task in tasks { try await task.value }
    try await holder.value
    withExtendedLifetime(directory) {}
    return served.value
  }

  @Test(arguments: Place.allCases)
  func `determines who is served first, with arrival order among equals`(_ place: Place)
    async throws
  {
    let order = try await served([.low, .medium, .background, .high, .medium, .high], in: place)
    #expect(order == [3, 5, 1, 4, 0, 2])
  }

  @Test func `can be raised while it waits`() async throws {
    let waiter = Shared<Task<Void, any Error>?>(nil)
    let order = try await served([.medium, .background, .medium], in: .file) { tasks in
      let urgent = Task.detached(priority: .high) { try await tasks[1].value }
      waiter.update { $0 = urgent }
      // Waits until the runtime has escalated the waiting task.
      try await Task.sleep(for: .milliseconds(20))
    }
    try await waiter.value?.value
    #expect(order == [1, 0, 2])
  }
}

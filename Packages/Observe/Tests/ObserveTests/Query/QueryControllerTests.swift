import Foundation
import Observation
import SQLiteCore
import Primitives
import Testing

@testable import Observe

@MainActor @Suite struct `A query's controller` {
  typealias Controller<Request: Queryable> = QueryController<Request>

  @Test(arguments: Store.allCases)
  func `has the value, and each later one`(_ store: Store) async throws {
    try await withDatabase(store, playerSchema) { database in
      let controller = QueryController(Names(team: "red"), in: .readOnly { database })
      #expect(controller.value == ["nobody"])
      #expect(controller.phase.isLoading)
      await controller.wait(for: ["Ada", "Cy"])
      try await database.run("DELETE FROM player WHERE id = 1")
      await controller.wait(for: ["Cy"])
      #expect(controller.value == ["Cy"])
      #expect(!controller.phase.isStale)
      #expect(controller.error == nil)
    }
  }

  @Test func `provides its values as a sequence`() async throws {
    try await withDatabase(.file, playerSchema) { database in
      let controller = QueryController(PlayerTotal(), in: .readOnly { database })
      var seen: [Int] = []
      for await count in controller.values {
        seen.append(count)
        if count == 5 { break }
        try await database.run("INSERT INTO player (name, team) VALUES ('N', 'red')")
      }
      #expect(seen == [3, 4, 5])
    }
  }

  @Test func `ends its sequences when deallocated, and releases all objects`() async throws {
    try await withDatabase(.file, playerSchema) { database in
      var log: FetchLog? = FetchLog()
      weak var held: FetchLog?
      held = log
      var controller: QueryController? = QueryController(
        Names(team: "blue", log: .init(log)), in: .readOnly { database })
      log = nil
      let values = try #require(controller?.values)
      await controller?.wait(for: ["Bob"])
      controller = nil
      var seen: [[String]] = []
      for await value in values { seen.append(value) }
      #expect(seen == [["Bob"]])
      while held != nil { await Task.yield() }
    }
  }

  // Defect 1: a change of the context was ignored.
  @Test func `restarts in another database`() async throws {
    try await withDatabase(.file, playerSchema) { first in
      try await withDatabase(.file, playerSchema) { second in
        try await second.run("UPDATE player SET name = 'Zoe' WHERE id = 1")
        let controller = QueryController(Names(team: "red"), in: .readOnly { first })
        await controller.wait(for: ["Ada", "Cy"])
        controller.update(context: .readOnly { second })
        #expect(controller.phase.isLoading)
        await controller.wait(for: ["Cy", "Zoe"])
        // The first database is no longer observed.
        try await first.run("DELETE FROM player")
        try await second.run("DELETE FROM player WHERE id = 3")
        await controller.wait(for: ["Zoe"])
      }
    }
  }

  @Test func `continues in a new context with the same database`() async throws {
    try await withDatabase(.file, playerSchema) { database in
      let log = FetchLog()
      let controller = QueryController(
        Names(team: "red", log: .init(log)), in: .readOnly { database })
      await controller.wait(for: ["Ada", "Cy"])
      controller.update(request: Names(team: "red"), context: .readOnly { database })
      #expect(!controller.phase.isStale)
      #expect(log.count.value == 1)
    }
  }

  // Defect 2: if the new request could not begin, values of the old one were still delivered.
  @Test func `receives nothing from the old request if the new one can't begin`() async throws {
    try await withDatabase(.file, playerSchema) { database in
      let controller = QueryController(Picky(team: "red"), in: database)
      await controller.wait(for: ["Ada", "Cy"])
      controller.request = Picky(team: "none")
      #expect(controller.error is Broken)
      #expect(controller.value == ["Ada", "Cy"])
      // No value of the old one arrives, although another controller has received a later value.
      let other = QueryController(Picky(team: "red"), in: database)
      try await database.run("DELETE FROM player WHERE id = 1")
      await other.wait(for: ["Cy"])
      #expect(controller.error is Broken)
      #expect(controller.value == ["Ada", "Cy"])
      controller.request = Picky(team: "blue")
      await controller.wait(for: ["Bob"])
    }
  }

  // Defect 3: an observation did not restart after a failure.
  @Test func `retries after the next commit`() async throws {
    try await withDatabase(.file, playerSchema) { database in
      let controller = QueryController(Captain(), in: .readOnly { database })
      await controller.wait(for: "Ada")
      try await database.run("UPDATE player SET team = 'green'")
      let phase = await controller.wait { $0.error != nil }
      #expect(phase?.error is Broken || phase?.error is SQLiteError)
      #expect(controller.value == "Ada")
      #expect(controller.phase.isStale)
      try await database.run("UPDATE player SET team = 'red' WHERE id = 3")
      await controller.wait(for: "Cy")
      #expect(controller.error == nil)
    }
  }

  @Test func `retries a failing fetch once per commit`() async throws {
    try await withDatabase(.file, playerSchema) { database in
      let log = FetchLog()
      let controller = QueryController(
        Names(team: "broken", log: .init(log)), in: .readOnly { database })
      let total = QueryController(PlayerTotal(), in: .readOnly { database })
      await controller.wait { $0.error != nil }
      for count in 1...3 {
        await total.wait(for: 4 - count)
        #expect(log.count.value == count)
        try await database.run("DELETE FROM player WHERE id = \(count)")
        while log.count.value == count { await Task.yield() }
        await controller.wait { $0.error != nil }
      }
      await total.wait(for: 0)
      #expect(log.count.value == 4)
    }
  }

  @Test func `retries on request`() async throws {
    let isOpen = Flag()
    struct Opened: FetchQueryable {
      var isOpen: Unequal<Flag>
      static var defaultValue: Int { 0 }
      func fetch(_ db: Connection) throws -> Int {
        guard isOpen.value.isSet else { throw Broken() }
        return 1
      }
    }
    let controller = QueryController(
      Opened(isOpen: .init(isOpen)), in: .readWrite { try Database.inMemory() })
    await controller.wait { $0.error is Broken }
    controller.retry()
    #expect(controller.phase.isLoading)
    await controller.wait { $0.error is Broken }
    isOpen.set()
    controller.retry()
    await controller.wait(for: 1)
    // There is nothing to retry.
    controller.retry()
    #expect(!controller.phase.isStale)
  }

  @Test func `fetches again on refresh`() async throws {
    try await withDatabase(.file, playerSchema) { database in
      let controller = QueryController(PlayerCount(), in: .readOnly { database })
      await controller.wait(for: 3)
      try await database.run("DELETE FROM player WHERE id = 1")
      #expect(controller.value == 3)
      controller.refresh()
      #expect(controller.phase.isLoading)
      #expect(controller.value == 3)
      await controller.wait(for: 2)
    }
  }

  @Test func `remembers a deleted value across refreshes`() async throws {
    try await withDatabase(.file, playerSchema) { database in
      let controller = QueryController(OneName(id: 1), in: .readOnly { database })
      await controller.wait(for: .existing("Ada"))
      try await database.run("DELETE FROM player WHERE id = 1")
      await controller.wait(for: .gone("Ada"))
      controller.refresh()
      await controller.wait { !$0.isLoading }
      #expect(controller.value == .gone("Ada"))
      controller.request.id = 7
      await controller.wait(for: .missing)
    }
  }

  @Test func `remembers a value that was deleted while it was disabled`() async throws {
    try await withDatabase(.file, playerSchema) { database in
      let controller = QueryController(OneName(id: 1), in: .readOnly { database })
      await controller.wait(for: .existing("Ada"))
      controller.isEnabled = false
      try await database.run("DELETE FROM player WHERE id = 1")
      controller.isEnabled = true
      await controller.wait(for: .gone("Ada"))
    }
  }

  // Defect 4: a value of an earlier request could not be distinguished from a current one.
  @Test func `marks an earlier request's value as stale`() async throws {
    try await withDatabase(.file, playerSchema) { database in
      let controller = QueryController(Names(team: "red"), in: .readOnly { database })
      await controller.wait(for: ["Ada", "Cy"])
      controller.request.team = "blue"
      #expect(controller.value == ["Ada", "Cy"])
      #expect(controller.phase.isStale)
      #expect(controller.phase.isLoading)
      await controller.wait(for: ["Bob"])
      #expect(!controller.phase.isStale)
    }
  }

  // Defect 5: the database was read on the main thread.
  @Test func `fetches nothing on the main thread`() async throws {
    try await withDatabase(.file, playerSchema) { database in
      let log = FetchLog()
      let names = QueryController(
        Names(team: "red", log: .init(log)), in: .readOnly { database })
      let count = QueryController(PlayerCount(log: .init(log)), in: .readOnly { database })
      await names.wait(for: ["Ada", "Cy"])
      await count.wait(for: 3)
      try await database.run("DELETE FROM player WHERE id = 1")
      await names.wait(for: ["Cy"])
      #expect(log.count.value == 3)
      #expect(log.onMainThread.value == 0)
    }
  }

  @Test func `has the first value immediately if the request requires it`() async throws {
    try await withDatabase(.file, playerSchema) { database in
      let controller = QueryController(ImmediateNames(team: "red"), in: .readOnly { database })
      #expect(controller.value == ["Ada", "Cy"])
      #expect(!controller.phase.isStale)
      controller.request.team = "blue"
      #expect(controller.value == ["Bob"])
      try await database.run("UPDATE player SET name = 'Bo' WHERE id = 2")
      await controller.wait(for: ["Bo"])
    }
  }

  @Test func `retries after the next commit if the first value was requested immediately`()
    async throws
  {
    struct Leader: ValueObservationQueryable {
      static var defaultValue: String { "?" }
      static var queryableOptions: QueryableOptions { .immediate }
      func fetch(_ db: Connection) throws -> String { try Captain().fetch(db) }
    }
    try await withDatabase(.file, playerSchema) { database in
      try await database.run("UPDATE player SET team = 'green'")
      let controller = QueryController(Leader(), in: .readOnly { database })
      #expect(controller.error != nil)
      // The error is reported again by the following observation.
      let other = QueryController(Captain(), in: .readOnly { database })
      await other.wait { $0.error != nil }
      try await database.run("UPDATE player SET team = 'red' WHERE id = 3")
      await controller.wait(for: "Cy")
    }
  }

  // Defect 7: changes could not be animated.
  @Test func `lets its owner apply each change that arrives`() async throws {
    try await withDatabase(.file, playerSchema) { database in
      let controller = QueryController(PlayerTotal(), in: .readOnly { database })
      var applied: [Int] = []
      controller.apply = { change in
        change()
        applied.append(controller.value)
      }
      await controller.wait(for: 3)
      try await database.run("DELETE FROM player WHERE id = 1")
      await controller.wait(for: 2)
      #expect(applied == [3, 2])
      controller.apply = nil
    }
  }

  // Defect 9: equal requests were observed separately.
  @Test func `shares one observation with equal requests`() async throws {
    try await withDatabase(.file, playerSchema) { database in
      let log = FetchLog()
      let controllers = (0..<20).map { _ in
        QueryController(Names(team: "red", log: .init(log)), in: .readOnly { database })
      }
      for controller in controllers { await controller.wait(for: ["Ada", "Cy"]) }
      #expect(log.count.value == 1)
      try await database.run("DELETE FROM player WHERE id = 1")
      for controller in controllers { await controller.wait(for: ["Cy"]) }
      #expect(log.count.value == 2)
      // A later observer has the value immediately.
      let late = QueryController(Names(team: "red", log: .init(log)), in: .readOnly { database })
      #expect(late.value == ["Cy"])
      #expect(!late.phase.isStale)
      #expect(log.count.value == 2)
    }
  }

  @Test func `shares nothing with another database`() async throws {
    try await withDatabase(.file, playerSchema) { first in
      try await withDatabase(.file, playerSchema) { second in
        try await second.run("DELETE FROM player WHERE id = 3")
        let a = QueryController(Names(team: "red"), in: .readOnly { first })
        let b = QueryController(Names(team: "red"), in: .readOnly { second })
        await a.wait(for: ["Ada", "Cy"])
        await b.wait(for: ["Ada"])
      }
    }
  }

  @Test func `ends the observation with its last subscriber`() async throws {
    try await withDatabase(.file, playerSchema) { database in
      let log = FetchLog()
      var first: QueryController? = QueryController(
        Names(team: "red", log: .init(log)), in: .readOnly { database })
      let second = QueryController(
        Names(team: "red", log: .init(log)), in: .readOnly { database })
      await first?.wait(for: ["Ada", "Cy"])
      first = nil
      try await database.run("DELETE FROM player WHERE id = 1")
      await second.wait(for: ["Cy"])
      second.isEnabled = false
      let fetched = log.count.value
      let other = QueryController(PlayerTotal(), in: .readOnly { database })
      await other.wait(for: 2)
      try await database.run("DELETE FROM player WHERE id = 2")
      await other.wait(for: 1)
      #expect(log.count.value == fetched)
    }
  }

  @Test func `keeps the last value while disabled, and restarts afterwards`() async throws {
    try await withDatabase(.file, playerSchema) { database in
      let controller = QueryController(
        Names(team: "red"), in: .readOnly { database }, isEnabled: false)
      #expect(controller.value == ["nobody"])
      if case .idle(last: nil) = controller.phase {} else { Issue.record("it has begun") }
      controller.isEnabled = true
      await controller.wait(for: ["Ada", "Cy"])
      controller.isEnabled = false
      if case .idle(last: ["Ada", "Cy"]) = controller.phase {} else { Issue.record("it goes on") }
      try await database.run("DELETE FROM player WHERE id = 1")
      #expect(controller.value == ["Ada", "Cy"])
      controller.isEnabled = true
      #expect(controller.phase.isLoading)
      await controller.wait(for: ["Cy"])
    }
  }

  @Test func `waits for a context, and reports its failure`() async throws {
    let controller = QueryController(PlayerTotal())
    #expect(!controller.phase.isLoading)
    controller.update(context: .notConnected)
    #expect(controller.error as? DatabaseContextError == .notConnected)
    try await withDatabase(.memory, playerSchema) { database in
      controller.update(context: .readWrite { database })
      await controller.wait(for: 3)
    }
  }

  @Test func `reports once that its database was closed`() async throws {
    try await withDatabase(.file, playerSchema) { database in
      let controller = QueryController(PlayerTotal(), in: .readOnly { database })
      await controller.wait(for: 3)
      database.close()
      let phase = await controller.wait { $0.error != nil }
      #expect((phase?.error as? SQLiteError)?.code == .closed)
      #expect(controller.value == 3)
    }
  }

  @Test func `is observable`() async throws {
    try await withDatabase(.file, playerSchema) { database in
      let controller = QueryController(PlayerTotal(), in: .readOnly { database })
      await controller.wait(for: 3)
      let hasChanged = Signal()
      let value = withObservationTracking {
        controller.value
      } onChange: {
        hasChanged.give()
      }
      #expect(value == 3)
      try await database.run("DELETE FROM player WHERE id = 1")
      await controller.wait(for: 2)
      await hasChanged.wait()
    }
  }

  @Test func `can be changed by an observer of its change`() async throws {
    try await withDatabase(.file, playerSchema) { database in
      let controller = QueryController(ImmediateNames(team: "red"), in: .readOnly { database })
      controller.apply = { change in
        change()
        if controller.value == ["Ada"] { controller.request.team = "blue" }
      }
      try await database.run("DELETE FROM player WHERE id = 3")
      await controller.wait(for: ["Bob"])
      #expect(controller.request.team == "blue")
      controller.apply = nil
    }
  }

  @Test func `shows the default if a sequence ends without a value`() async {
    struct Nothing: Queryable {
      typealias Context = Void
      static var defaultValue: Int { 7 }
      func values(in context: Void) -> QueryValues<Int> {
        QueryValues(AsyncStream { $0.finish() })
      }
    }
    let controller = QueryController(Nothing(), in: ())
    await controller.wait(for: 7)
  }

  @Test func `continues after an error if the values are results`() async {
    struct Unsteady: Queryable {
      typealias Context = AsyncStream<Result<Int, any Error>>
      static var defaultValue: Int { 0 }
      func values(in results: Context) -> QueryValues<Int> { QueryValues(results: results) }
    }
    let (results, feed) = AsyncStream.makeStream(of: Result<Int, any Error>.self)
    let controller = QueryController(Unsteady(), in: results)
    feed.yield(.failure(CancellationError()))
    for await phase in controller.phases where !phase.isLoading { break }
    #expect(controller.error is CancellationError)
    #expect(controller.value == 0)
    feed.yield(.success(1))
    await controller.wait(for: 1)
    #expect(controller.error == nil)
    feed.yield(.failure(CancellationError()))
    for await phase in controller.phases where phase.error != nil { break }
    #expect(controller.value == 1)
    feed.yield(.success(2))
    await controller.wait(for: 2)
    feed.finish()
  }

  @Test func `restarts if another controller's results have ended`() async {
    final class Source: Sendable {
      let begun = Atomic<Int>(0)
    }
    struct Ending: Queryable {
      static var defaultValue: Int { 0 }
      func values(in source: Source) -> QueryValues<Int> {
        let number = source.begun.add(1, ordering: .relaxed).newValue
        return QueryValues(
          results: AsyncStream<Result<Int, any Error>> {
            $0.yield(.success(number))
            $0.finish()
          })
      }
    }
    let source = Source()
    let first = QueryController(Ending(), in: source)
    await first.wait(for: 1)
    var later = [first]
    // Until the first controller has processed the end.
    while later.last?.value == 1 {
      let controller = QueryController(Ending(), in: source)
      for await phase in controller.phases where !phase.isLoading { break }
      later.append(controller)
      await Task.yield()
    }
    #expect(later.last?.value == 2)
    #expect(first.value == 1)
  }
}

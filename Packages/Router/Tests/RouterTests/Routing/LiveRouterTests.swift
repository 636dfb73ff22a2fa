import Observe
import Router
import RouterTesting
import SQLiteCore
import Testing

@Suite struct `Live routes of a router` {
  struct Offline: Error {}

  @Test func `deliver the database's rows, and new ones after each commit`() async throws {
    let router = DatabaseRouter<Routes>(try await todos())
    var all = (router.observe(.todos(.fetch)) as DatabaseRoute.Observation<[Todo]>)
      .makeAsyncIterator()
    var one = (router.todos.observe(.fetchOne(id: 2)) as DatabaseRoute.Observation<Todo>)
      .makeAsyncIterator()
    var none = (router.observe(.fetchOne(id: 9, from: "todos")) as DatabaseRoute.Observation<Todo?>)
      .makeAsyncIterator()
    #expect(try await all.next()?.map(\.id) == [1, 2, 3])
    #expect(try await one.next() == .bread)
    #expect(try await none.next() == .some(nil))
    try await router(.todos(.save(Todo(id: 9, name: "Rye"))))
    #expect(try await all.next()?.map(\.id) == [1, 2, 3, 9])
    #expect(try await none.next()??.name == "Rye")
  }

  @Test func `are answered by overrides, with successive replies`() async throws {
    var router = DatabaseRouter<Routes>(UnimplementedExecutor())
    router.override(
      \.todos.fetch,
      with: .sequence(.value([Todo.milk]), .delayed(by: .nanoseconds(1), .value(Todo.mocks))))
    router.override(\.todos.fetchOne, with: .sequence(.value(Todo.milk), .failure(Offline())))
    let copy = router
    var all = (copy.observe(.todos(.fetch)) as DatabaseRoute.Observation<[Todo]>)
      .makeAsyncIterator()
    #expect(try await all.next() == [.milk])
    #expect(try await all.next() == Todo.mocks)
    var one = (copy.observe(.fetchOne(id: 1, from: "todos")) as DatabaseRoute.Observation<Todo>)
      .removeDuplicates().makeAsyncIterator()
    #expect(try await one.next() == .milk)
    await #expect(throws: Offline.self) { try await one.next() }
    // The sequence remains open, like a database without further commits.
    let (counts, told) = AsyncStream.makeStream(of: Int.self)
    let rest = Task {
      for try await todos: [Todo] in copy.observe(.todos(.fetch)) { told.yield(todos.count) }
      told.finish()
    }
    var seen: [Int] = []
    for await count in counts {
      seen.append(count)
      if count == 2 { rest.cancel() }
    }
    #expect(seen == [1, 2])
    try await rest.value
  }

  @Test func `that can't be observed throw when iterated`() async throws {
    let router = DatabaseRouter<Routes>(UnimplementedExecutor())
    let found = await code {
      for try await _: [Todo] in router.observe(.todos(.fetch)) {}
    }
    #expect(found == .unsupported)
    let results = (router.observe(.todos(.fetch)) as DatabaseRoute.Observation<[Todo]>).results
    var count = 0
    for await result in results {
      count += 1
      #expect(throws: RouterError.self) { try result.get() }
    }
    #expect(count == 1)
  }

  @Test func `are logged once per iteration`() async throws {
    let log = RouteLog()
    var router = DatabaseRouter<Routes>(try await todos())
    router.log = log
    let all: DatabaseRoute.Observation<[Todo]> = router.observe(.todos(.fetch)).named("todos")
    for _ in 0..<2 {
      for try await _ in all { break }
    }
    for await _ in all.results { break }
    #expect(log.calls.map(\.name) == ["todos.fetch", "todos.fetch", "todos.fetch"])
  }

  @Test func `each receive a sequence from its beginning`() async throws {
    var router = DatabaseRouter<Routes>(try await todos())
    router.override(
      \.todos.fetch, with: .sequence(.value([Todo.milk]), .value(Todo.mocks), .passThrough))
    let copy = router
    var a = (copy.observe(.todos(.fetch)) as DatabaseRoute.Observation<[Todo]>).makeAsyncIterator()
    var b = (copy.observe(.todos(.fetch)) as DatabaseRoute.Observation<[Todo]>).makeAsyncIterator()
    for count in 1...3 {
      #expect(try await a.next()?.count == count)
      #expect(try await b.next()?.count == count)
    }
    // Calls that are passed on are then answered by the database.
    try await copy(.todos(.delete(id: 3)))
    #expect(try await a.next()?.count == 2)
  }

  @Test func `that fail are logged as failures`() async throws {
    let log = RouteLog()
    var router = DatabaseRouter<Routes>(UnimplementedExecutor())
    router.log = log
    let copy = router
    #expect(
      await code { for try await _: [Todo] in copy.observe(.todos(.fetch)) {} } == .unsupported)
    router.override(\.todos.fetch, with: .failure(Offline()))
    let failing = router
    await #expect(throws: Offline.self) {
      for try await _: [Todo] in failing.observe(.todos(.fetch)) {}
    }
    #expect(log.calls.map { $0.failure == nil } == [false, false])
  }
}

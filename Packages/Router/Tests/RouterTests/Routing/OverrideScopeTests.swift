import Router
import RouterTesting
import Testing

@Suite struct `Override scopes` {
  let router = DatabaseRouter<Routes>(UnimplementedExecutor())

  @Test func `apply to copies of the router, and in child tasks`() async throws {
    let copy = router
    let names = try await router.withOverrides([.case(\.todos.fetchOne, with: Todo.milk)]) {
      async let child: Todo = copy(.todos(.fetchOne(id: 1)))
      let task = Task {
        let todo: Todo = try await copy.todos(.fetchOne(id: 1)); return todo
      }
      return [try await child.name, try await task.value.name]
    }
    #expect(names == ["Milk", "Milk"])
    await #expect(throws: RouterError.self) { try await copy(.todos(.fetchOne(id: 1))) }
  }

  @Test func `precede the router's own overrides, inner before outer`() async throws {
    var router = router
    router.override(\.todos.fetchOne, with: 1)
    router.override(\.todos.delete, with: .affected(1))
    let copy = router
    let found = try await copy.withOverrides([
      .case(\.todos.fetchOne, with: 2), .case(\.todos.save, with: 2),
    ]) {
      try await copy.withOverrides([.case(\.todos.fetchOne, with: 3)]) {
        let inner: Int = try await copy(.todos(.fetchOne(id: 1)))
        let outer: Int = try await copy(.todos(.save(.milk)))
        let own = try await copy.affectedCount(of: Routes.todos(.delete(id: 1)))
        return [inner, outer, own]
      }
    }
    #expect(found == [3, 2, 1])
  }

  @Test func `are separate if they run concurrently`() async throws {
    let router = router
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for index in 0..<50 {
        group.addTask {
          try await router.withOverrides([.case(\.todos.fetchOne, with: index)]) {
            await Task.yield()
            let found: Int = try await router(.todos(.fetchOne(id: 0)))
            return found == index
          }
        }
      }
      for try await isOwn in group { #expect(isOwn) }
    }
  }

  @Test func `log the overrides that were not called`() async throws {
    let log = RouteLog()
    let router = router
    try await router.withOverrides(
      [.case(\.todos.fetchOne, with: 1), .case(\.todos.save, with: 2)], log: log
    ) {
      let _: Int = try await router(.todos(.fetchOne(id: 1)))
    }
    #expect(log.unusedOverrides.map(\.name) == ["case todos.save"])
    #expect(log.unusedOverrides.first?.file.hasSuffix("OverrideScopeTests.swift") == true)
  }

  @Test func `apply to one router only`() async throws {
    let other = DatabaseRouter<Routes>(UnimplementedExecutor())
    await router.withOverrides([.case(\.todos.fetch, with: Todo.mocks)]) {
      await #expect(throws: RouterError.self) { try await other(.todos(.fetch)) }
    }
  }
}

@Suite struct `Route logs` {
  @Test func `contain the call, the answering override or database, and the outcome`() async throws
  {
    let log = RouteLog()
    var router = DatabaseRouter<Routes>(try await todos())
    router.log = log
    router.override(\.todos.delete, with: .failure(RouterError(code: .refused, message: "no")))
    let _: Todo = try await router(.todos(.fetchOne(id: 2)))
    let _: [Todo] = try await router(.fetch(from: "todos"))
    try? await router(.todos(.delete(id: 2)))
    let calls = log.calls
    #expect(calls.map(\.name) == ["todos.fetchOne", nil, "todos.delete"])
    #expect(calls.map(\.answer) == [.database, .database, .override("case todos.delete")])
    #expect(calls.map { $0.failure == nil } == [true, true, false])
    #expect(calls.allSatisfy { $0.duration > .zero })
    #expect(calls[0].route == .fetchOne(id: 2, from: "todos"))
    #expect(calls[2].description.hasPrefix("todos.delete: delete todos where"))
  }

  @Test func `of a scope contain its calls`() async throws {
    let router = DatabaseRouter<Routes>(try await todos())
    let log = RouteLog()
    try await router.withOverrides(log: log) { try await router(.todos(.fetch)) }
    try await router(.todos(.fetch))
    #expect(log.calls.count == 1)
  }

  @Test func `keep the last calls`() async throws {
    let log = RouteLog(capacity: 3)
    var router = GeneralRouter(UnimplementedExecutor())
    router.log = log
    router.override(.table("t", with: .success()))
    for index in 0..<10 { try await router(.fetchOne(id: index, from: "t")) }
    #expect(log.calls.map(\.route) == (7..<10).map { .fetchOne(id: $0, from: "t") })
    #expect(log.droppedCount == 7)
  }

  @Test func `contain each route of a batch`() async throws {
    let log = RouteLog()
    var router = GeneralRouter(try await todos())
    router.log = log
    router.override(.method(.delete, with: .affected(9)))
    let responses = try await router.run([
      .fetchOne(id: 2, from: "todos"), .delete(id: 2, from: "todos"),
      .fetchOne(id: 3, from: "todos"),
    ])
    #expect(responses.map(\.affected) == [0, 9, 0])
    #expect(responses.map(\.rows.count) == [1, 0, 1])
    #expect(log.calls.count == 3)
    let missing: [DatabaseRoute] = [.fetch(from: "todos"), .fetch(from: "nowhere")]
    #expect(await code { _ = try await router.run(missing) } == .unknownTable)
    #expect(log.calls.suffix(2).allSatisfy { $0.failure != nil })
  }
}

import Observe
import Router
import SQLiteCore
import Testing

@Suite struct `Values of routes that run together` {
  struct Wrong: Codable, Hashable, Sendable { var due: Int }

  /// The same routes on SQLite, and on an executor that only returns responses.
  enum Subject: CaseIterable, Sendable {
    case sqlite, responses, router

    func make() async throws -> any RouteExecutor {
      let base = try await todos()
      switch self {
      case .sqlite: return base
      case .responses:
        return ClosureRouteExecutor {
          try await base.run($0)
        } batch: {
          try await base.run($0)
        }
      case .router: return GeneralRouter(base)
      }
    }
  }

  @Test(arguments: Subject.allCases)
  func `are those of each route, in order`(_ subject: Subject) async throws {
    let executor = try await subject.make()
    let values = try await executor.values(
      Todo.self,
      forEach: [
        .fetchOne(id: 2, from: .todos), .fetchOne(id: 9, from: .todos),
        try .insert([Todo(id: 4, name: "Oil")], into: .todos, returning: .minimal),
        .fetch(from: .todos, order: .ascending("id")).selecting("id", "name").limited(to: 1),
      ], expecting: nil)
    #expect(values == [[.bread], [], [Todo(id: 4, name: "Oil")], [.milk]])
    #expect(try await executor.values(Todo.self, forEach: [], expecting: .one) == [])
  }

  @Test(arguments: Subject.allCases)
  func `roll back all routes if one has an unexpected row count`(_ subject: Subject) async throws {
    let executor = try await subject.make()
    let found = await code {
      _ = try await executor.values(
        Todo.self,
        forEach: [.delete(id: 1, from: .todos), .delete(id: 9, from: .todos)], expecting: .one)
    }
    #expect(found == .notFound)
    #expect(try await executor.values(Todo.self, for: .fetch(from: .todos)).count == 3)
  }

  @Test func `roll back all routes on SQLite if one can't be decoded`() async throws {
    let executor = try await todos()
    await #expect(throws: (any Error).self) {
      try await executor.values(
        Wrong.self, forEach: [.delete(id: 1, from: .todos)], expecting: nil)
    }
    #expect(try await executor.values(Todo.self, for: .fetch(from: .todos)).count == 3)
  }

  @Test func `come from overrides if there are any`() async throws {
    var router = DatabaseRouter<Routes>(try await todos())
    router.override(\.todos.fetchOne) { .value(Todo(id: $0, name: "Override")) }
    let values = try await router.values(
      Todo.self, forEach: [.todos(.fetchOne(id: 7)), .todos(.fetchOne(id: 8))], expecting: .one)
    #expect(values.map { $0.map(\.id) } == [[7], [8]])
  }
}

@Suite struct `Created observations` {
  @Test func `are created each time an iteration begins`() async throws {
    let executor = try await todos()
    let asked = Tally()
    let count = DatabaseRoute.Observation(deferred: {
      asked.add()
      return executor.observeCount(of: .fetch(from: .todos))
    })
    #expect(asked.count == 0)
    for expected in [1, 2] {
      for try await number in count {
        #expect(number == 3)
        break
      }
      #expect(asked.count == expected)
    }
    let failing = DatabaseRoute.Observation<Int>(deferred: { throw CancellationError() })
    await #expect(throws: CancellationError.self) { for try await _ in failing {} }
  }
}

@MainActor @Suite struct `A router as a context` {
  @Test func `equals a copy with the same overrides`() async throws {
    var router = DatabaseRouter<Routes>(try await todos())
    let copy = router
    #expect(router.contextIdentity == copy.contextIdentity)
    let id = router.override(\.todos.fetchOne, with: Todo.milk)
    #expect(router.contextIdentity != copy.contextIdentity)
    #expect(copy.sealed().contextIdentity != copy.contextIdentity)
    #expect(copy.contextIdentity != DatabaseRouter<Routes>(copy.executor).contextIdentity)
    router.removeOverride(id)
    #expect(router.contextIdentity == copy.contextIdentity)
  }

  @Test func `differs in a separate scope, and with a separate log`() async throws {
    var router = DatabaseRouter<Routes>(try await todos())
    let outside = router.contextIdentity
    await router.withOverrides([.case(\.todos.fetchOne, with: Todo.milk)]) {
      #expect(router.contextIdentity != outside)
      #expect(router.sealed().contextIdentity != outside)
    }
    await DatabaseRouter<Routes>(router.executor).withOverrides([.table(.todos, with: .success())])
    {
      #expect(router.contextIdentity == outside)
    }
    router.log = RouteLog()
    #expect(router.contextIdentity != outside)
  }
}

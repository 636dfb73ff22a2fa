import Router
import RouterTesting
import SQLiteCore
import Testing

private struct Offline: Error, Equatable {}
private struct Name: Codable, Equatable { var name: String }

@Suite struct `Overrides` {
  let oat = Todo(id: 7, name: "Oat")
  var router = DatabaseRouter<Routes>(UnimplementedExecutor())

  @Test mutating func `answer as documented`() async throws {
    router.override(.route(.todos(.fetch), with: Todo.mocks))
    router.override(\.todos.fetchOne, with: Todo.mocks[0])
    router.override(\.todos.delete, with: .failure(Offline()))
    let todos: [Todo] = try await router(.todos(.fetch))
    let one: Todo = try await router(.todos(.fetchOne(id: 5)))
    #expect(todos == Todo.mocks)
    #expect(one == Todo.mocks[0])
    let router = router
    await #expect(throws: Offline()) { try await router(.todos(.delete(id: 1))) }
  }

  @Test func `of a router without a collection match a method and table`() async throws {
    var router = GeneralRouter(UnimplementedExecutor())
    router.override(.method(.fetch, in: "todos", with: Todo.mocks))
    let todos: [Todo] = try await router(.fetch(from: "todos"))
    #expect(todos == Todo.mocks)
  }

  struct Kind: CustomTestStringConvertible, Sendable {
    let name: String
    let isMade: @Sendable (DatabaseRoute.Reply) -> DatabaseRouter<Routes>.Override
    let missed: [Routes]
    var testDescription: String { name }
  }

  static let kinds: [Kind] = [
    Kind(name: "case", isMade: { .case(\.todos.fetchOne, with: $0) }, missed: [.todos(.fetch)]),
    Kind(
      name: "case of a collection", isMade: { .case(\.todos, with: $0) },
      missed: [.archive(.fetchOne(id: 3))]),
    Kind(
      name: "route of the collection",
      isMade: { .route(Routes.todos(.fetchOne(id: 3)), with: $0) },
      missed: [.todos(.fetchOne(id: 4)), .archive(.fetchOne(id: 3))]),
    Kind(
      name: "route", isMade: { .route(.fetchOne(id: 3, from: "Todos"), with: $0) },
      missed: [.todos(.fetchOne(id: 4))]),
    Kind(name: "method", isMade: { .method(.fetchOne, with: $0) }, missed: [.todos(.fetch)]),
    Kind(
      name: "method and table", isMade: { .method(.fetchOne, in: "todos", with: $0) },
      missed: [.archive(.fetchOne(id: 3)), .todos(.fetch)]),
    Kind(
      name: "table", isMade: { .table("todos", with: $0) },
      missed: [.archive(.fetchOne(id: 3))]),
    Kind(
      name: "predicate", isMade: { .matching({ $0.filter == .id(3) }, with: $0) },
      missed: [.todos(.fetchOne(id: 4))]),
  ]

  @Test(arguments: kinds)
  func `match a collection's case, and its database route`(_ kind: Kind) async throws {
    var router = router
    router.override(kind.isMade(.value(oat)))
    let byCollection: Todo = try await router(.todos(.fetchOne(id: 3)))
    let byRoute: Todo = try await router(.fetchOne(id: 3, from: "todos"))
    let byExecutor = try await router.values(Todo.self, for: .fetchOne(id: 3, from: "todos"))
    let response = try await router.run(.fetchOne(id: 3, from: "todos"))
    #expect([byCollection, byRoute] == [oat, oat])
    #expect(byExecutor == [oat])
    #expect(response.columns.first == "id" && response.rows.count == 1)
    for route in kind.missed {
      #expect(await code { try await router(route) } == .unanswered)
    }
  }

  @Test func `match the id of a route, in one table or all`() async throws {
    var router = router
    router.override(.id("a", with: Name(name: "all")))
    router.override(.id("a", in: "todos", with: Name(name: "todos")))
    let some: Name = try await router(.fetch(from: "archive", routeId: "a"))
    let other: Name = try await router(.fetch(from: "todos", routeId: "a"))
    #expect([some.name, other.name] == ["all", "todos"])
    #expect(await code { try await router(.fetch(from: "todos", routeId: "b")) } == .unanswered)
  }

  @Test func `without values match their case's database route`() async throws {
    var router = router
    router.override(\.todos.oldest, with: oat)
    let todo: Todo = try await router(
      .fetch(from: "todos", order: .ascending("id")).first())
    #expect(todo == oat)
  }

  @Test func `receive the values of the case, and the database route`() async throws {
    var router = router
    router.override(\.todos.save) { .value(Todo(id: $0.id, name: $0.name + "!")) }
    router.override(\.todos.fetch) { .value($0.filteredBy.isEmpty ? Todo.mocks : []) }
    router.override(
      .table("archive") { route in .value(Name(name: "\(route.method) \(route.table)")) })
    let saved: Todo = try await router(.todos(.save(oat)))
    let all: [Todo] = try await router(.todos(.fetch))
    let some: [Todo] = try await router(.todos(.fetch(filteredBy: [.id(1)])))
    let told: Name = try await router(.archive(.fetch))
    #expect(saved.name == "Oat!")
    #expect(all == Todo.mocks)
    #expect(some == [])
    #expect(told.name == "fetch archive")
  }

  @Test func `that were added last answer first, regardless of kind`() async throws {
    var router = router
    let kinds = Self.kinds.enumerated().map { index, kind in
      kind.isMade(.value(Name(name: "\(index)")))
    }
    for (index, override) in kinds.enumerated() {
      router.override(override)
      let name: Name = try await router(.todos(.fetchOne(id: 3)))
      #expect(name.name == "\(index)")
    }
  }

  @Test func `can pass a call on to earlier ones, and to the database`() async throws {
    var router = DatabaseRouter<Routes>(try await todos())
    router.override(.table("todos") { $0.isReadOnly ? .passThrough : .success() })
    let bread: Todo = try await router(.todos(.fetchOne(id: 2)))
    try await router(.todos(.delete(id: 2)))
    let still: Todo? = try await router(.todos(.fetchOne(id: 2)))
    #expect(bread == .bread && still == .bread)
    router.override(\.todos.fetchOne, with: .value(oat).times(1))
    let names: [String] = try await [
      router(.todos(.fetchOne(id: 2))), router(.todos(.fetchOne(id: 2))),
    ].map { (todo: Todo) in todo.name }
    #expect(names == ["Oat", "Bread"])
  }

  @Test func `return successive replies`() async throws {
    var router = router
    router.override(
      \.todos.fetchOne,
      with: .sequence(
        .failure(Offline()), .value(Name(name: "a")).times(2), .sequence(.value(Name(name: "b"))),
        .delayed(by: .nanoseconds(1), .value(Name(name: "c")))))
    router.override(
      \.todos.fetchOne, with: .sequence(.passThrough, .value(Name(name: "0"))).times(1))
    var names: [String] = []
    for _ in 0..<8 {
      do {
        let name: Name = try await router(.todos(.fetchOne(id: 1)))
        names.append(name.name)
      } catch is Offline {
        names.append("offline")
      } catch let error as RouterError {
        names.append(error.code.rawValue)
      }
    }
    // The last one answers the second call, and none after it.
    #expect(names == ["offline", "0", "a", "a", "unanswered", "b", "c", "c"])
  }

  @Test func `end their delay when the caller is cancelled`() async throws {
    var router = router
    router.override(\.todos.fetch, with: .delayed(by: .seconds(1_000), .success()))
    let copy = router
    let call = Task { try await copy(.todos(.fetch)) }
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
  }

  // MARK: Copies, removal and scope

  @Test func `of a copy are separate`() async throws {
    var router = router
    router.override(\.todos.fetchOne, with: oat)
    var copy = router
    copy.override(\.todos.fetchOne, with: Todo.milk)
    let own: Todo = try await router(.todos(.fetchOne(id: 1)))
    let other: Todo = try await copy(.todos(.fetchOne(id: 1)))
    #expect(own == oat && other == .milk)
  }

  @Test func `can be removed, one or all`() async throws {
    var router = router
    router.override(\.todos.fetch, with: [oat])
    let second = router.override(.route(.todos(.fetch), with: Todo.mocks))
    router.removeOverride(second)
    router.removeOverride(second)
    let todos: [Todo] = try await router(.todos(.fetch))
    #expect(todos == [oat])
    router.resetOverrides()
    #expect(await code { try await router(.todos(.fetch)) } == .unanswered)
  }

  @Test func `that were not called are reported with their source location`() async throws {
    var router = router
    router.override(\.todos.fetch, with: [oat])
    router.override(.method(.delete, in: "todos"))
    router.override(.route(Routes.todos(.fetchOne(id: 3))))
    let copy = router
    try await copy(.todos(.fetch))
    #expect(
      router.unusedOverrides.map(\.name) == ["method delete in todos", "route todos.fetchOne"])
    #expect(router.unusedOverrides.allSatisfy { $0.file.hasSuffix("OverrideTests.swift") })
  }

  @Test func `apply to a nested collection, and can be added there`() async throws {
    var router = router
    router.override(\.todos.fetchOne, with: oat)
    var todos = router.todos
    todos.override(\.fetch, with: Todo.mocks)
    todos.override(.route(.delete(id: 1), with: .affected(5)))
    let one: Todo = try await todos(.fetchOne(id: 1))
    let all: [Todo] = try await todos(.fetch)
    #expect(one == oat && all == Todo.mocks)
    #expect(try await todos.affectedCount(of: .delete(id: 1)) == 5)
    #expect(await code { try await router(.todos(.fetch)) } == .unanswered)
  }

  @Test func `do not answer for a sealed router`() async throws {
    var router = DatabaseRouter<Routes>(try await todos())
    router.override(\.todos.fetchOne, with: oat)
    var sealed = router.sealed()
    sealed.override(\.todos.fetchOne, with: oat)
    let one: Todo = try await router.withOverrides([.case(\.todos.fetchOne, with: oat)]) {
      [sealed] in try await sealed(.todos(.fetchOne(id: 2)))
    }
    #expect(one == .bread)
  }

  @Test func `are matched correctly if there are many`() async throws {
    var router = router
    for index in 0..<2_000 { router.override(.route(.fetchOne(id: index, from: "x"), with: index)) }
    let last: Int = try await router(.fetchOne(id: 1_999, from: "x"))
    let first: Int = try await router(.fetchOne(id: 0, from: "x"))
    #expect(first == 0 && last == 1_999)
    #expect(router.unusedOverrides.count == 1_998)
  }
}

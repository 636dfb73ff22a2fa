import Holt
import Testing

@Suite @MainActor struct `An observed route of a router` {
  @MainActor struct TodoList {
    @Query(.todos(.fetch), in: \.router) var todos: [Todo]
    @Query(.todos(.fetchOne(id: 1)), in: \.router) var first: Todo?
  }

  private func list(of router: DatabaseRouter<Routes>) -> TodoList {
    QueryEnvironment.with(\.router, router) { TodoList() }
  }

  @Test func `shows the rows, and is updated on commits`() async throws {
    let database = try TodoDatabase.make(.milk)
    let list = list(of: DatabaseRouter(database))
    #expect(list.todos == [])
    var todos = list.$todos.values.makeAsyncIterator()
    var first = list.$first.values.makeAsyncIterator()
    #expect(await todos.next(isolation: MainActor.shared) == [.milk])
    #expect(await first.next(isolation: MainActor.shared) == .milk)
    try await list.$todos.environment.router(.todos(.save(.bread)))
    #expect(await todos.next(isolation: MainActor.shared) == [.milk, .bread])
    try await database.write { try $0.run("DELETE FROM todos WHERE id = 1") }
    #expect(await todos.next(isolation: MainActor.shared) == [.bread])
    #expect(await first.next(isolation: MainActor.shared) == .some(nil))
  }

  @Test func `is answered by the router's overrides`() async throws {
    var router = DatabaseRouter<Routes>(ClosureRouteExecutor { _ in throw Offline() })
    router.override(\.todos.fetch, with: [Todo.milk, .bread])
    router.override(\.todos.fetchOne, with: .failure(Offline()))
    let list = list(of: router)
    var todos = list.$todos.values.makeAsyncIterator()
    #expect(await todos.next(isolation: MainActor.shared) == [.milk, .bread])
    for await phase in list.$first.phases where !phase.isLoading { break }
    #expect(list.$first.error is Offline)
  }

  @Test func `is answered by a scope's overrides only within the scope`() async throws {
    let database = try TodoDatabase.make(.milk)
    let router = DatabaseRouter<Routes>(database)
    let outside = list(of: router)
    var before = outside.$todos.values.makeAsyncIterator()
    #expect(await before.next(isolation: MainActor.shared) == [.milk])
    try await router.withOverrides([.case(\.todos.fetch, with: [Todo.bread])]) {
      () async throws -> Void in
      let inside = list(of: router)
      var todos = inside.$todos.values.makeAsyncIterator()
      #expect(await todos.next(isolation: MainActor.shared) == [.bread])
      #expect(outside.todos == [.milk])
    }
  }

  @Test func `recovers from an error after a commit that resolves it`() async throws {
    let database = try Database.inMemory()
    let list = list(of: DatabaseRouter(database))
    for await phase in list.$todos.phases where !phase.isLoading { break }
    #expect((list.$todos.error as? RouterError)?.code == .unknownTable)
    try await database.write { connection in
      try connection.execute(SQL(unsafe: TodoDatabase.schema))
      try connection.run("INSERT INTO todos VALUES (1, 'Milk', false)")
    }
    for await todos in list.$todos.values {
      #expect(todos == [.milk])
      break
    }
    #expect(list.$todos.error == nil)
  }

  @Test func `a policy of the router's executor applies to it`() async throws {
    var executor = SQLiteRouteExecutor(try TodoDatabase.make(.milk))
    executor.policies = [{ _ in throw Offline() }]
    let list = list(of: DatabaseRouter(executor))
    for await phase in list.$todos.phases where !phase.isLoading { break }
    #expect(list.$todos.error is Offline)
  }

  @Test func `a row that its filter excludes does not run it again`() async throws {
    let database = try TodoDatabase.make(.milk)
    let runs = Runs()
    var executor = SQLiteRouteExecutor(database)
    executor.policies = [{ route in if route.isReadOnly { runs.count() } }]
    let controller = QueryController(
      RouterRequest<Routes, [Todo]>(.todos(.fetchOpen)), in: DatabaseRouter(executor))
    var todos = controller.values.makeAsyncIterator()
    #expect(await todos.next(isolation: MainActor.shared) == [.milk])
    try await database.write { try $0.run("INSERT INTO todos VALUES (7, 'Done', true)") }
    try await database.write { try $0.run("INSERT INTO todos VALUES (2, 'Bread', false)") }
    #expect(await todos.next(isolation: MainActor.shared) == [.milk, .bread])
    #expect(runs.value == 2)
  }

  @Test func `equal routes of one router share their runs`() async throws {
    let database = try TodoDatabase.make(.milk)
    let runs = Runs()
    var executor = SQLiteRouteExecutor(database)
    executor.policies = [{ _ in runs.count() }]
    let router = DatabaseRouter<Routes>(executor)
    let controllers = (0..<3).map { _ in
      QueryController(RouterRequest<Routes, [Todo]>(.todos(.fetch)), in: router)
    }
    for controller in controllers {
      for await todos in controller.values where todos == [.milk] { break }
    }
    #expect(runs.value == 1)
  }

  @Test func `a route that writes is an error`() async throws {
    let controller = QueryController(
      RouterRequest<Routes, [Todo]>(.todos(.save(.bread))),
      in: DatabaseRouter(try TodoDatabase.make(.milk)))
    for await phase in controller.phases where !phase.isLoading { break }
    #expect((controller.error as? RouterError)?.code == .invalidRoute)
  }
}

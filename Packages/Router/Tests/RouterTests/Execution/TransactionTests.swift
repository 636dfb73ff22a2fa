import Router
import RouterTesting
import SQLiteCore
import Testing

/// Transactions with asynchronous code, of any executor on a database.
@Suite struct `Transactions` {
  struct Stop: Error {}

  /// Deletes one todo and inserts another, in a transaction that fails on request.
  private static func exchange(
    in executor: some DatabaseRouteExecutor, failing: Bool = false
  ) async throws -> [Todo] {
    try await executor.transaction { routes in
      try await routes.perform(.delete(id: 1, from: .todos))
      await Task.yield()
      try await routes.perform(.insert(Todo(id: 9, name: "Oil"), into: .todos))
      let seen = try await routes.values(
        Todo.self, for: .fetch(from: .todos, order: .ascending("id")))
      if failing { throw Stop() }
      return seen
    }
  }

  private static let exchanged: [Todo] = [.bread, .tea, Todo(id: 9, name: "Oil")]

  private static func all(_ executor: some RouteExecutor) async throws -> [Todo] {
    try await executor.values(Todo.self, for: .fetch(from: .todos, order: .ascending("id")))
  }

  @Test func `commit all routes, which see each other's writes`() async throws {
    let executor = try await todos()
    #expect(try await Self.exchange(in: executor) == Self.exchanged)
    #expect(try await Self.all(executor) == Self.exchanged)
  }

  @Test func `are rolled back by an error, and do not block later writes`() async throws {
    let executor = try await todos()
    await #expect(throws: Stop.self) { try await Self.exchange(in: executor, failing: true) }
    #expect(try await Self.all(executor) == [.milk, .bread, .tea])
    #expect(try await Self.exchange(in: executor) == Self.exchanged)
  }

  @Test func `are rolled back if their task is cancelled`() async throws {
    let executor = try await todos()
    let task = Task {
      try await executor.transaction { routes in
        try await routes.perform(.delete(id: 1, from: .todos))
        while !Task.isCancelled { await Task.yield() }
      }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await Self.all(executor) == [.milk, .bread, .tea])
  }

  @Test func `continue after a route that failed`() async throws {
    let executor = try await todos()
    try await executor.transaction { routes in
      let insert = try DatabaseRoute.insert([Todo(id: 8, name: "x"), .milk], into: .todos)
      #expect(await code { try await routes.perform(insert) } == .constraintViolation)
      try await routes.perform(.delete(id: 2, from: .todos))
    }
    #expect(try await Self.all(executor) == [.milk, .tea])
  }

  @Test func `check deferred foreign keys at their end`() async throws {
    let executor = SQLiteRouteExecutor(
      try database(
        """
        CREATE TABLE a (id INTEGER PRIMARY KEY);
        CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a DEFERRABLE INITIALLY DEFERRED);
        """))
    let child = try DatabaseRoute.insert(["id": 1, "a": 7] as Record, into: "b")
    let parent = try DatabaseRoute.insert(["id": 7] as Record, into: "a")
    #expect(
      await code { try await executor.transaction { try await $0.perform(child) } }
        == .constraintViolation)
    try await executor.transaction { routes in
      try await routes.perform(child)
      try await routes.perform(parent)
    }
    #expect(try await executor.value(Int.self, for: .count(from: "b")) == 1)
  }

  @Test func `have the limits, policies and row filters of their executor`() async throws {
    var executor = try await todos()
    executor.limits.maximumRows = 1
    executor.rowFilters[.todos] = Column("id").lessThan(3)
    executor.policies = [
      { if $0.method == .delete { throw RouterError(code: .refused, message: "no deletions") } }
    ]
    try await executor.transaction { [executor] routes in
      let all = DatabaseRoute.fetch(from: .todos)
      #expect(await code { _ = try await routes.run(all) } == .tooManyRows)
      let hidden = try await routes.optionalValue(Todo.self, for: .fetchOne(id: 3, from: .todos))
      #expect(hidden == nil)
      let delete = DatabaseRoute.delete(id: 1, from: .todos)
      #expect(await code { try await routes.perform(delete) } == .refused)
      #expect(executor.limits.maximumRows == 1)
    }
  }

  @Test func `require a database that can be written`() async throws {
    let database = try database(todosSchema)
    let reading = SQLiteRouteExecutor(readingFrom: database)
    #expect(await code { _ = try await Self.exchange(in: reading) } == .readOnly)
  }

  @Test func `of a router run its collection's routes, and are answered by overrides`()
    async throws
  {
    var router = DatabaseRouter<Routes>(try await todos().settingTable("archive"))
    try await router.transaction { router in
      let todo: Todo = try await router(.todos(.fetchOne(id: 1)))
      try await router(.archive(.save(todo)))
      try await router(.todos(.delete(id: 1)))
    }
    let archived: [Todo] = try await router(.fetch(from: "archive"))
    #expect(archived == [.milk])
    router.override(\.todos.fetchOne, with: Todo.tea)
    let overridden = router
    let failure = await code {
      try await overridden.transaction { router in
        let todo: Todo = try await router(.todos(.fetchOne(id: 2)))
        #expect(todo == .tea)
        try await router.todos(.delete(id: 2)) as Void
        throw RouterError(code: .refused, message: "stop")
      }
    }
    #expect(failure == .refused)
    let left: Int = try await router(.count(from: .todos))
    #expect(left == 2)
  }

  @Test func `of a router need an executor that has them`() async throws {
    let closure = GeneralRouter(ClosureRouteExecutor { _ in .init() })
    #expect(await code { try await closure.transaction { _ in } } == .unsupported)
    #expect(await code { _ = try await closure.dryRun(.fetch(from: .todos)) } == .unsupported)
    #expect(await code { _ = try await closure.explain(.fetch(from: .todos)) } == .unsupported)
    var router = DatabaseRouter<Routes>(UnimplementedExecutor())
    router.override(\.todos.fetchOne, with: Todo.tea)
    let todo: Todo = try await router.transaction { try await $0(.todos(.fetchOne(id: 2))) }
    #expect(todo == .tea)
    let overridden = router
    let unanswered = await code {
      try await overridden.transaction { try await $0(.todos(.oldest)) as Void }
    }
    #expect(unanswered == .unanswered)
  }

  @Test func `of a router can be tried and explained`() async throws {
    var router = DatabaseRouter<Routes>(try await todos())
    #expect(try await router.dryRun(.todos(.delete(id: 1))).affected == 1)
    #expect(try await router.dryRun(.delete(from: .todos, filteredBy: .all)).affected == 3)
    #expect(try await Self.all(router) == [.milk, .bread, .tea])
    for plan in [
      try await router.explain(.todos(.fetchOne(id: 1))),
      try await router.explain(.fetchOne(id: 1, from: .todos)),
    ] {
      #expect("\(plan)".contains("INTEGER PRIMARY KEY"))
    }
    router.override(.method(.delete, with: .affected(7)))
    #expect(try await router.dryRun(.todos(.delete(id: 1))).affected == 7)
    #expect(try await Self.all(router) == [.milk, .bread, .tea])
  }

  @Test func `of a router can be streams, which overrides answer`() async throws {
    func names(
      _ rows: DatabaseRoute.RowStream<Todo>
    ) async throws -> [String] {
      var names: [String] = []
      for try await todo in rows { names.append(todo.name) }
      return names
    }
    var router = DatabaseRouter<Routes>(try await todos())
    let route = DatabaseRoute.fetch(from: .todos, order: .descending("id"))
    #expect(try await names(router.stream(for: route)) == ["tea", "Bread", "Milk"])
    #expect(
      try await names(
        router.stream(for: .todos(.fetch(filteredBy: [], orderedBy: .ascending("id")))))
        == ["Milk", "Bread", "tea"])
    router.override(\.todos.fetch, with: [Todo.tea])
    #expect(try await names(router.stream(for: .todos(.fetch))) == ["tea"])
  }

  @Test func `streams of other executors check the number of rows`() async throws {
    func stream(_ route: DatabaseRoute, of rows: [Int]) -> DatabaseRoute.RowStream<Int> {
      DatabaseRoute.RowStream(of: route, limits: DatabaseRoute.Limits()) {
        var rest = rows[...]
        return { rest.popFirst() }
      }
    }
    let route = DatabaseRoute.fetch(from: .todos)
    var seen: [Int] = []
    for try await row in stream(route, of: [1, 2, 3]) { seen.append(row) }
    #expect(seen == [1, 2, 3])
    for (expectation, rows, expected) in [
      (.one, [], .notFound), (.one, [1, 2], .multipleRows), (.atMost(2), [1, 2, 3], .tooManyRows),
    ] as [(DatabaseRoute.Expectation, [Int], RouterError.Code)] {
      let found = await code {
        for try await _ in stream(route.expecting(expectation), of: rows) {}
      }
      #expect(found == expected)
    }
  }
}

extension SQLiteRouteExecutor {
  /// Creates another table of todos.
  fileprivate func settingTable(_ name: String) async throws -> SQLiteRouteExecutor {
    try await transaction { routes in
      try routes.connection.execute(
        SQL(unsafe: todosSchema.replacing("todos", with: name)))
    }
    return self
  }
}

import HoltMacros
import RouterTesting
import SQLiteCore
import Testing

struct TodoModel: Codable, Hashable, Identifiable, Sendable {
  var id: Int
  var name: String

  static let mocks = [TodoModel(id: 1, name: "Milk"), TodoModel(id: 2, name: "Bread")]
}

struct MyError: Error {}

@CasePathable
enum TodoRoute: RouteCollection {
  static var table: DatabaseRoute.Table { "todos" }

  case delete(id: TodoModel.ID)
  case fetch(filteredBy: [DatabaseRoute.Filter] = [], orderedBy: DatabaseRoute.Order? = nil)
  case fetchOne(id: TodoModel.ID)
  case save(TodoModel)

  // Provide the database route.
  public func route() async throws -> DatabaseRoute {
    switch self {
    case let .delete(id: id):
      return .delete(id: id, from: Self.table)

    case let .fetch(filters, order):
      return .fetch(from: Self.table, filters: filters, order: order)

    case let .fetchOne(id: id):
      return .fetchOne(id: id, from: Self.table)

    case let .save(todo):
      return try .upsert(todo, in: Self.table)
    }
  }

  static var fetch: Self { .fetch(filteredBy: [], orderedBy: nil) }

}

@CasePathable
enum Routes: RouteCollection {
  case todos(TodoRoute)

  func route() async throws -> DatabaseRoute {
    switch self {
    case let .todos(todos):
      return try await todos.route()
    }
  }
}

@Suite struct `The seed's enums of routes` {
  @Test func `have a path for each case`() {
    let save: CaseKeyPath<Routes, TodoModel> = \.todos.save
    let fetchOne: CaseKeyPath<Routes, TodoModel.ID> = \.todos.fetchOne
    let delete: CaseKeyPath<Routes, TodoModel.ID> = \.todos.delete
    #expect(fetchOne == \.todos.fetchOne)
    #expect(fetchOne != delete)
    #expect(Set<AnyHashable>([save, fetchOne, delete, \Case<Routes>.todos.save]).count == 3)
  }

  @Test func `have a fetch case with and without values`() throws {
    let path = TodoRoute.allCasePaths.fetch
    let all = try #require(path.extract(from: .fetch))
    #expect(all.filteredBy.isEmpty && all.orderedBy == nil)
    let one = path.embed((filteredBy: [.id(1)], orderedBy: nil))
    #expect(try #require(path.extract(from: one)).filteredBy == [.id(1)])
    #expect(TodoRoute.allCasePaths.fetchOne.extract(from: one) == nil)
    #expect(TodoRoute.fetch.currentCase.name == "fetch")
  }

  @Test func `return their routes`() async throws {
    let route = try await Routes.allCasePaths.todos.embed(.fetchOne(id: 1)).route()
    #expect(route == .fetchOne(id: 1, from: "todos"))
  }
}

@Suite struct `The seed on the database router` {
  typealias Todo = TodoModel

  func database() throws -> Database {
    let database = try Database.inMemory()
    try database.write {
      try $0.execute("CREATE TABLE todos (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    }
    return database
  }

  @Test func `overrides routes`() async throws {
    var router = DatabaseRouter<Routes>(UnimplementedExecutor())

    // Override fetch route in for the todos table.
    // This uses an exact match on the route, so it would not override
    // if you called the fetch route providing any filters or order.
    router.override(.route(.todos(.fetch), with: Todo.mocks))

    // Override all fetch one routes with it's `CaseKeyPath`
    router.override(\.todos.fetchOne, with: Todo.mocks[0])

    // Override all calls to the delete route in the todos table, using it's `CaseKeyPath`,
    // using a failure as a result.
    router.override(\.todos.delete, with: .failure(MyError()))

    let todos: [Todo] = try await router(.todos(.fetch))
    let one: Todo = try await router(.todos(.fetchOne(id: 7)))
    #expect(todos == Todo.mocks)
    #expect(one == Todo.mocks[0])
    let overridden = router
    await #expect(throws: MyError.self) { try await overridden(.todos(.delete(id: 1))) }
    await #expect(throws: RouterError.self) {
      try await overridden(.todos(.fetch(orderedBy: .ascending("name"))))
    }
  }

  @Test func `calls routes of a collection`() async throws {
    let router = DatabaseRouter<Routes>(try database())

    let todos: [Todo] = try await router(.todos(.fetch))

    let newTodo: Todo = try await router(
      .todos(
        .save(
          Todo(id: 1, name: "Milk")
        )))

    #expect(todos == [])
    #expect(newTodo == Todo.mocks[0])
    #expect(try await router(.todos(.fetch)) == [newTodo])
    try await router(.todos(.delete(id: 1)))
    let none: Todo? = try await router(.todos(.fetchOne(id: 1)))
    #expect(none == nil)
  }

  @Test func `calls routes of a general router`() async throws {
    var router = GeneralRouter(try database())

    router.override(.method(.fetch, in: "todos", with: Todo.mocks))

    let todos: [Todo] = try await router(.fetch(from: "todos"))

    #expect(todos == Todo.mocks)
    let other: Todo? = try await router(.fetchOne(id: 1, from: "todos"))
    #expect(other == nil)
  }

  /// Tests the three ways in the seed: by an entire route, by an id, and by a method and a table.
  @Test func `overrides routes of a general router in each way`() async throws {
    var router = GeneralRouter(UnimplementedExecutor())
    router.override(.route(.fetchOne(id: 1, from: "todos"), with: Todo.mocks[0]))
    router.override(.id("second", with: Todo.mocks[1]))
    router.override(.method(.fetch, in: "todos", with: Todo.mocks))

    let first: Todo = try await router(.fetchOne(id: 1, from: "todos"))
    let second: Todo = try await router(.fetchOne(id: 7, from: "todos", routeId: "second"))
    let all: [Todo] = try await router(.fetch(from: "todos", order: .ascending("name")))
    #expect([first, second] == Todo.mocks)
    #expect(all == Todo.mocks)
    let overridden = router
    await #expect(throws: RouterError.self) {
      try await overridden(.fetchOne(id: 7, from: "todos"))
    }
  }

  /// Tests each function that the seed lists, with the same labels.
  @Test func `has the routes that it lists`() async throws {
    let router = GeneralRouter(try database())
    let (milk, bread) = (Todo.mocks[0], Todo.mocks[1])

    let inserted: [Todo] = try await router(
      .insert(Todo.mocks, into: "todos", returning: .representation, routeId: "insert"))
    #expect(inserted == Todo.mocks)
    let upserted: Todo = try await router(
      .upsert(milk, in: "todos", returning: .representation, routeId: "upsert"))
    #expect(upserted == milk)
    let updated: Todo = try await router(
      .update(
        id: 2, in: "todos", with: ["name": "Rye"], returning: .representation, routeId: "update"))
    #expect(updated.name == "Rye")
    let rewritten: [Todo] = try await router(
      .update(
        ["name": "Bread"], in: "todos", filteredBy: .equals(column: "name", value: "Rye"),
        returning: .representation, routeId: "update"))
    #expect(rewritten == [bread])

    let fetched: [Todo] = try await router(
      .fetch(
        from: "todos", filteredBy: [.equals(column: "name", value: "Milk")],
        order: .ascending("id"),
        routeId: "fetch"))
    #expect(fetched == [milk])
    let one: Todo = try await router(
      .fetchOne(from: "todos", filteredBy: .equals(column: "name", value: "Milk"), routeId: "one"))
    let same: Todo = try await router(
      .fetchOne(from: "todos", filteredBy: [.equals(column: "name", value: "Milk")], routeId: "one")
    )
    let byID: Todo = try await router(.fetchOne(id: 1, from: "todos", routeId: "one"))
    #expect([one, same, byID] == [milk, milk, milk])
    let custom: [Todo] = try await router(
      .custom(on: "todos", routeId: "custom") { _ in "SELECT * FROM todos ORDER BY name" })
    #expect(custom == [bread, milk])

    try await router(
      .delete(from: "todos", filteredBy: .equals(column: "name", value: "Rye"), routeId: "none"))
    try await router(.delete(from: "todos", filteredBy: [.id(1)], routeId: "delete"))
    try await router(.delete(id: 2, from: "todos", routeId: "delete"))
    #expect(try await router(.fetch(from: "todos")) == [Todo]())
  }
}

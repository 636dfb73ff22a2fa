import Holt

struct Todo: Codable, Hashable, Sendable {
  var id: Int
  var name: String
  var isDone = false

  static let milk = Todo(id: 1, name: "Milk")
  static let bread = Todo(id: 2, name: "Bread")
}

enum TodoRoute: RouteCollection, Hashable {
  static var table: DatabaseRoute.Table { "todos" }

  case delete(id: Int)
  case fetch
  case fetchOpen
  case fetchOne(id: Int)
  case save(Todo)

  func route() async throws -> DatabaseRoute {
    switch self {
    case .delete(let id): .delete(id: id, from: Self.table)
    case .fetch: .fetch(from: Self.table, order: .ascending("id"))
    case .fetchOpen:
      .fetch(
        from: Self.table, filteredBy: DatabaseRoute.Column("isDone").equals(false),
        order: .ascending("id"))
    case .fetchOne(let id): .fetchOne(id: id, from: Self.table)
    case .save(let todo): try .upsert(todo, in: Self.table)
    }
  }
}

enum Routes: RouteCollection, Hashable {
  case todos(TodoRoute)

  func route() async throws -> DatabaseRoute {
    switch self {
    case .todos(let todos): try await todos.route()
    }
  }
}

/// The code that `@CasePathable` generates.
extension TodoRoute: CasePathable {
  struct AllCasePaths: Sendable {
    var fetch: CasePath<TodoRoute, Void> {
      CasePath(
        "fetch", embed: { _ in .fetch }, extract: { if case .fetch = $0 { () } else { nil } })
    }
    var fetchOne: CasePath<TodoRoute, Int> {
      CasePath("fetchOne", embed: { .fetchOne(id: $0) }) {
        if case .fetchOne(let id) = $0 { id } else { nil }
      }
    }
    var save: CasePath<TodoRoute, Todo> {
      CasePath("save", embed: { .save($0) }) { if case .save(let todo) = $0 { todo } else { nil } }
    }
  }

  static var allCasePaths: AllCasePaths { AllCasePaths() }

  var currentCase: CurrentCase {
    switch self {
    case .delete(let id): CurrentCase("delete", id)
    case .fetch: CurrentCase("fetch", ())
    case .fetchOpen: CurrentCase("fetchOpen", ())
    case .fetchOne(let id): CurrentCase("fetchOne", id)
    case .save(let todo): CurrentCase("save", todo)
    }
  }
}

extension Routes: CasePathable {
  struct AllCasePaths: Sendable {
    var todos: CasePath<Routes, TodoRoute> {
      CasePath("todos", embed: { .todos($0) }) {
        if case .todos(let route) = $0 { route } else { nil }
      }
    }
  }

  static var allCasePaths: AllCasePaths { AllCasePaths() }

  var currentCase: CurrentCase {
    switch self {
    case .todos(let route): CurrentCase("todos", route)
    }
  }
}

private struct RouterKey: QueryEnvironment.Key {
  static var defaultValue: DatabaseRouter<Routes> {
    DatabaseRouter(ClosureRouteExecutor { _ in DatabaseRoute.Response() })
  }
}

extension QueryEnvironment {
  var router: DatabaseRouter<Routes> {
    get { self[RouterKey.self] }
    set { self[RouterKey.self] = newValue }
  }
}

enum TodoDatabase {
  static let schema =
    "CREATE TABLE todos (id INTEGER PRIMARY KEY, name TEXT NOT NULL, isDone BOOLEAN NOT NULL)"

  static func make(_ todos: Todo...) throws -> Database {
    let database = try Database.inMemory()
    try database.write { connection in
      try connection.execute(SQL(unsafe: schema))
      for todo in todos {
        try connection.run("INSERT INTO todos VALUES (?, ?, ?)", todo.id, todo.name, todo.isDone)
      }
    }
    return database
  }
}

struct Offline: Error, Equatable {}

import HoltMacros
import SQLiteCore
import Testing

@Suite struct `The README of Router, with the macro` {
  struct Todo: Codable, Equatable, Sendable {
    var id: Int?
    var name: String
  }

  @CasePathable
  enum TodoRoute: RouteCollection {
    case fetch
    case fetchOne(id: Int)
    case save(Todo)
    case delete(id: Int)

    func route() async throws -> DatabaseRoute {
      switch self {
      case .fetch: .fetch(from: "todos", order: .ascending("name"))
      case .fetchOne(let id): .fetchOne(id: id, from: "todos")
      case .save(let todo): try .upsert(todo, in: "todos")
      case .delete(let id): .delete(id: id, from: "todos")
      }
    }
  }

  @CasePathable
  enum Routes: RouteCollection {
    case todos(TodoRoute)

    func route() async throws -> DatabaseRoute {
      switch self {
      case .todos(let route): try await route.route()
      }
    }
  }

  @Test func `has nested collections`() async throws {
    let database = try Database.inMemory()
    try await database.write {
      try $0.execute("CREATE TABLE todos (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    }
    var router = DatabaseRouter<Routes>(database)
    try await router(.todos(.save(Todo(name: "Tea"))))
    let tea: Todo = try await router(.todos(.fetchOne(id: 1)))
    #expect(tea == Todo(id: 1, name: "Tea"))
    try await router(.todos(.delete(id: 1)))
    let none: [Todo] = try await router(.todos(.fetch))
    #expect(none == [])
    router.override(\.todos.fetch, with: [tea])
    let answered: [Todo] = try await router(.todos(.fetch))
    #expect(answered == [tea])
  }
}

// Prints: Todo 7
import HoltMacros
import SQLiteCore

/// An app that uses HoltMacros.
enum HoltMacrosConsumer {
  struct Todo: Codable, Sendable {
    var id: Int
    var name: String
  }

  @CasePathable
  enum TodoRoute: RouteCollection {
    case fetchOne(id: Int)

    func route() async throws -> DatabaseRoute {
      switch self {
      case .fetchOne(let id): .fetchOne(id: id, from: "todos")
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

  static func run() async throws -> String {
    var router = DatabaseRouter<Routes>(try Database.inMemory())
    router.override(\.todos.fetchOne) { id in Todo(id: id, name: "Todo \(id)") }
    let todo: Todo = try await router(.todos(.fetchOne(id: 7)))
    return todo.name
  }
}

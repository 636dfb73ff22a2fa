import Router
import SQLiteCore

/// The routes of an app, with case paths written by hand.
enum Routes: RouteCollection, CasePathable {
  case todos(TodoRoute)
  case archive(TodoRoute)

  func route() async throws -> DatabaseRoute {
    switch self {
    case .todos(let route): return try await route.route()
    case .archive(let route):
      var route = try await route.route()
      route.table = "archive"
      return route
    }
  }

  struct AllCasePaths: Sendable {
    var todos: CasePath<Routes, TodoRoute> {
      CasePath("todos", embed: { .todos($0) }) { if case .todos(let it) = $0 { it } else { nil } }
    }
    var archive: CasePath<Routes, TodoRoute> {
      CasePath("archive", embed: { .archive($0) }) {
        if case .archive(let it) = $0 { it } else { nil }
      }
    }
  }

  static var allCasePaths: AllCasePaths { AllCasePaths() }

  var currentCase: CurrentCase {
    switch self {
    case .todos(let it): CurrentCase("todos", it)
    case .archive(let it): CurrentCase("archive", it)
    }
  }

  static func collectionRoute(for route: DatabaseRoute) -> Routes? {
    route.table == .todos ? TodoRoute.collectionRoute(for: route).map(Routes.todos) : nil
  }
}

extension TodoRoute: CasePathable {
  struct AllCasePaths: Sendable {
    var delete: CasePath<TodoRoute, Int> {
      CasePath("delete", embed: { .delete(id: $0) }) {
        if case .delete(let id) = $0 { id } else { nil }
      }
    }
    var fetch:
      CasePath<
        TodoRoute, (filteredBy: [DatabaseRoute.Filter], orderedBy: DatabaseRoute.Order?)
      >
    {
      CasePath("fetch", embed: { .fetch(filteredBy: $0.filteredBy, orderedBy: $0.orderedBy) }) {
        if case .fetch(let filters, let order) = $0 { (filters, order) } else { nil }
      }
    }
    var fetchOne: CasePath<TodoRoute, Int> {
      CasePath("fetchOne", embed: { .fetchOne(id: $0) }) {
        if case .fetchOne(let id) = $0 { id } else { nil }
      }
    }
    var save: CasePath<TodoRoute, Todo> {
      CasePath("save", embed: { .save($0) }) {
        if case .save(let todo) = $0 { todo } else { nil }
      }
    }
    var oldest: CasePath<TodoRoute, Void> {
      CasePath("oldest", embed: { .oldest }) { if case .oldest = $0 { () } else { nil } }
    }
  }

  static var allCasePaths: AllCasePaths { AllCasePaths() }

  var currentCase: CurrentCase {
    switch self {
    case .delete(let id): CurrentCase("delete", id)
    case .fetch(let filters, let order):
      CurrentCase("fetch", (filteredBy: filters, orderedBy: order))
    case .fetchOne(let id): CurrentCase("fetchOne", id)
    case .save(let todo): CurrentCase("save", todo)
    case .oldest: CurrentCase("oldest", ())
    }
  }

  static var fetch: TodoRoute { .fetch(filteredBy: [], orderedBy: nil) }

  static func collectionRoute(for route: DatabaseRoute) -> TodoRoute? {
    guard route.method == .fetchOne, case .comparison(let condition)? = route.filter?.form,
      condition.column == .id, case .value(.integer(let id)) = condition.operand
    else { return nil }
    return .fetchOne(id: Int(id))
  }
}

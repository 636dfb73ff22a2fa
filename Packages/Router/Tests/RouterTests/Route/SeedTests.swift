import Router
import SQLiteCore
import Testing

/// A collection of routes as written in an app: each of its calls must compile unchanged.
enum TodoRoute: RouteCollection {
  static var table: DatabaseRoute.Table { "todos" }

  case delete(id: Int)
  case fetch(filteredBy: [DatabaseRoute.Filter] = [], orderedBy: DatabaseRoute.Order? = nil)
  case fetchOne(id: Int)
  case save(Todo)
  case oldest

  func route() async throws -> DatabaseRoute {
    switch self {
    case let .delete(id: id):
      return .delete(id: id, from: Self.table)

    case let .fetch(filters, order):
      return .fetch(from: Self.table, filters: filters, order: order)

    case let .fetchOne(id: id):
      return .fetchOne(id: id, from: Self.table)

    case let .save(todo):
      return try .upsert(todo, in: Self.table)

    case .oldest:
      return .fetch(from: Self.table, order: .ascending("id")).first()
    }
  }
}

@Suite struct `The documented calls` {
  @Test func `run as documented`() async throws {
    let executor = try await todos()
    func run(_ route: TodoRoute) async throws -> [Todo] {
      try await executor.values(for: route.route())
    }
    #expect(try await run(.save(Todo(id: 1, name: "Oat"))) == [Todo(id: 1, name: "Oat")])
    #expect(try await run(.fetchOne(id: 1)).map(\.name) == ["Oat"])
    #expect(try await run(.fetch(orderedBy: .descending("id"))).map(\.id) == [3, 2, 1])
    #expect(try await run(.fetch(filteredBy: [Column("completedOn").isNull()])).map(\.id) == [1])
    #expect(try await run(.delete(id: 2)) == [.bread])
  }

  @Test func `can have an id`() throws {
    let custom = try DatabaseRoute.custom(on: "todos", routeId: "a") { _ in "SELECT 1" }
    let routes: [DatabaseRoute] = [
      .delete(from: "todos", filteredBy: [.id(1)], routeId: "a"),
      .delete(from: "todos", filteredBy: .id(1), Column("name").equals("x"), routeId: "a"),
      .delete(id: 1, from: "todos", routeId: "a"),
      .fetch(from: "todos", filteredBy: [.id(1)], order: Column("id").ascending(), routeId: "a"),
      .fetch(from: "todos", filteredBy: .id(1), order: .ascending("id"), routeId: "a"),
      .fetchOne(from: "todos", filteredBy: [.id(1)], routeId: "a"),
      .fetchOne(from: "todos", filteredBy: .equals(column: .id, value: 1), routeId: "a"),
      .fetchOne(id: 1, from: "todos", routeId: "a"),
      try .insert(Todo.milk, into: "todos", returning: .minimal, routeId: "a"),
      try .insert([Todo.milk], into: "todos", routeId: "a"),
      try .update(Todo.milk, in: "todos", filteredBy: .id(1), returning: .minimal, routeId: "a"),
      try .update(Todo.milk, in: "todos", filteredBy: [.id(1)], routeId: "a"),
      try .update(id: 1, in: "todos", with: Todo.milk, returning: .minimal, routeId: "a"),
      try .upsert(Todo.milk, in: "todos", returning: .minimal, routeId: "a"),
      custom,
    ]
    #expect(routes.allSatisfy { $0.id == "a" && $0.table == .todos })
    #expect(Set(routes.map(\.method)).count == DatabaseRoute.Method.allCases.count - 1)
  }
}

import RouterMacros
import Testing

struct TodoModel: Codable, Hashable, Identifiable, Sendable {
  var id: Int
  var name: String
}

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

@Suite struct `The enums that are promised` {
  @Test func `have a path for each case`() {
    let save: CaseKeyPath<Routes, TodoModel> = \.todos.save
    let fetchOne: CaseKeyPath<Routes, TodoModel.ID> = \.todos.fetchOne
    let delete: CaseKeyPath<Routes, TodoModel.ID> = \.todos.delete
    #expect(fetchOne == \.todos.fetchOne)
    #expect(fetchOne != delete)
    #expect(Set<AnyHashable>([save, fetchOne, delete, \Case<Routes>.todos.save]).count == 3)
  }

  @Test func `tell fetch from fetch`() throws {
    let path = TodoRoute.allCasePaths.fetch
    let all = try #require(path.extract(from: .fetch))
    #expect(all.filteredBy.isEmpty && all.orderedBy == nil)
    let one = path.embed((filteredBy: [.id(1)], orderedBy: nil))
    #expect(try #require(path.extract(from: one)).filteredBy == [.id(1)])
    #expect(TodoRoute.allCasePaths.fetchOne.extract(from: one) == nil)
    #expect(TodoRoute.fetch.currentCase.name == "fetch")
  }

  @Test func `still give their routes`() async throws {
    let route = try await Routes.allCasePaths.todos.embed(.fetchOne(id: 1)).route()
    #expect(route == .fetchOne(id: 1, from: "todos"))
  }
}

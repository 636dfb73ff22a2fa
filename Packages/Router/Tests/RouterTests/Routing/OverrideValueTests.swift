import Router
import RouterTesting
import SQLiteCore
import Testing

@Suite struct `Override values` {
  private struct Name: Codable, Equatable { var name: String }

  let oat = Todo(id: 7, name: "Oat")
  var router = DatabaseRouter<Routes>(UnimplementedExecutor())

  @Test func `return the type that the call requests`() async throws {
    var router = router
    router.override(\.todos.fetch, with: Todo.mocks)
    let todos: [Todo] = try await router(.todos(.fetch))
    let names: [Name] = try await router(.todos(.fetch))
    #expect(todos == Todo.mocks)
    #expect(names.map(\.name) == Todo.mocks.map(\.name))
    #expect(try await router.affectedCount(of: Routes.todos(.fetch)) == 0)
    try await router(.todos(.fetch))
    #expect(await code { let _: Todo = try await router(.todos(.fetch)) } == .multipleRows)
    router.override(\.todos.fetch, with: [Todo]())
    let none: Todo? = try await router(.todos(.fetch))
    #expect(none == nil)
    #expect(await code { let _: Todo = try await router(.todos(.fetch)) } == .notFound)
    router.override(\.todos.fetch, with: Todo?.none)
    let empty: [Todo] = try await router(.todos(.fetch))
    #expect(empty == [])
    router.override(\.todos.fetch, with: 12)
    let count: Int = try await router(.todos(.fetch))
    let wide: Double = try await router(.todos(.fetch))
    #expect(count == 12 && wide == 12)
    router.override(\.todos.delete, with: .affected(3))
    #expect(try await router.affectedCount(of: Routes.todos(.delete(id: 1))) == 3)
  }

  @Test func `pass values on unchanged`() async throws {
    struct Exact: Codable, Equatable, Sendable {
      var real = 0.1 + 0.2
      var large = Int64.max
      var bytes: [UInt8] = [0, 255]
      var infinite = Double.infinity
    }
    struct Part: Codable, Equatable, Sendable {
      var large: Int64
      var infinite: Double
    }
    var router = router
    router.override(\.todos.fetch, with: Exact())
    let exact: Exact = try await router(.todos(.fetch))
    let part: Part = try await router(.todos(.fetch))
    #expect(exact == Exact())
    #expect(part == Part(large: .max, infinite: .infinity))
  }

  @Test func `with a value of another type name the type`() async throws {
    var router = router
    struct Title: Codable, Sendable { var title: Int }
    router.override(\.todos.fetchOne, with: Title(title: 1))
    let copy = router
    let error = await #expect(throws: RouterError.self) {
      let _: Todo = try await copy(.todos(.fetchOne(id: 1)))
    }
    #expect(error?.code == .mismatch)
    #expect(error?.message.contains("Title") == true && error?.message.contains("Todo") == true)
    #expect(error?.table == "todos")
  }

  @Test func `are decoded with the executor's decoder`() async throws {
    struct Done: Codable, Sendable { var completedOn: Int }
    var executor = SQLiteRouteExecutor(
      try database("CREATE TABLE t (completed_on INTEGER); INSERT INTO t VALUES (3);"))
    executor.decoder.keyDecodingStrategy = .convertFromSnakeCase
    var router = GeneralRouter(executor)
    let rows = try await router.run(.fetch(from: "t"))
    router.override(.table("t", with: .response(rows)))
    let again: [Done] = try await router(.fetch(from: "t"))
    #expect(again.first?.completedOn == 3)
  }

  @Test func `must have the row count that the route expects`() async throws {
    var router = router
    router.override(.table("todos", with: Todo.mocks))
    let copy = router
    func found(_ route: DatabaseRoute) async -> RouterError.Code? {
      await code { let _: [Todo] = try await copy(route) }
    }
    #expect(await found(.fetchOne(from: "todos")) == .multipleRows)
    #expect(await found(.fetch(from: "todos").expecting(.one)) == .multipleRows)
    #expect(await code { _ = try await copy.run(.fetchOne(from: "todos")) } == .multipleRows)
    let delete = DatabaseRoute.delete(id: 1, from: "todos").expecting(.one)
    #expect(await code { try await copy.perform(delete) } == .multipleRows)
  }

  @Test func `do not count as written rows in a read`() async throws {
    var router = router
    router.override(.table("todos", with: Todo.mocks))
    #expect(try await router.run(.fetch(from: "todos")).affected == 0)
    #expect(try await router.run(.delete(id: 1, from: "todos")).affected == 2)
  }
}

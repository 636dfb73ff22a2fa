import Router
import SQLiteCore
import Testing

@Suite struct `A closure instead of a database` {
  static let two = DatabaseRoute.Response(
    columns: ["id", "name", "completedOn"], rows: [[1, "Milk", nil], [2, "Bread", 5]])

  @Test func `answers routes with rows that are decoded`() async throws {
    let executor = ClosureRouteExecutor { route in
      #expect(route.table == .todos)
      return Self.two
    }
    let route = DatabaseRoute.fetch(from: "todos")
    #expect(try await executor.values(Todo.self, for: route) == [.milk, .bread])
    #expect(try await executor.run(route) == Self.two)
  }

  @Test func `need not check the expected row count`() async throws {
    let executor = ClosureRouteExecutor { route in
      route.filter == nil ? Self.two : DatabaseRoute.Response()
    }
    let many = DatabaseRoute.fetch(from: "todos")
    let none = DatabaseRoute.fetch(from: "todos", filteredBy: .id(9))
    #expect(await code { _ = try await executor.value(Todo.self, for: many) } == .multipleRows)
    #expect(await code { _ = try await executor.value(Todo.self, for: none) } == .notFound)
    #expect(try await executor.optionalValue(Todo.self, for: none) == nil)
    #expect(await code { _ = try await executor.run(.fetchOne(from: "todos")) } == .multipleRows)
    #expect(
      await code { _ = try await executor.run(many.expecting(.atMost(1))) } == .multipleRows)
  }

  @Test func `counts returned rows as written, unless it returns another number`() async throws {
    let executor = ClosureRouteExecutor { route in
      route.method == .delete ? DatabaseRoute.Response(affected: 7) : Self.two
    }
    let insert = try DatabaseRoute.insert([Todo.milk, .bread], into: "todos")
    #expect(try await executor.run(insert).affected == 2)
    #expect(
      try await executor.affectedCount(of: .delete(from: "todos", filteredBy: .all)) == 7)
    #expect(await code { _ = try await executor.value(Todo.self, for: insert) } == .multipleRows)
  }

  @Test func `receives the combined expectation of the call and the route`() async throws {
    let executor = ClosureRouteExecutor { route in
      DatabaseRoute.Response(
        columns: ["demand"], rows: [[.text("\(route.expectation, default: "none")")]])
    }
    let route = DatabaseRoute.fetch(from: "todos")
    #expect(try await executor.values(String.self, for: route) == ["none"])
    #expect(try await executor.value(String.self, for: route) == "one")
    #expect(try await executor.optionalValue(String.self, for: route) == "atMost(1)")
    let some = route.expecting(.atMost(3))
    #expect(try await executor.values(String.self, for: some) == ["atMost(3)"])
    #expect(try await executor.value(String.self, for: some) == "one")
    #expect(try await executor.optionalValue(String.self, for: some) == "atMost(1)")
  }

  @Test func `rethrows the closure's error`() async throws {
    struct Offline: Error {}
    let executor = ClosureRouteExecutor { _ in throw Offline() }
    await #expect(throws: Offline.self) { try await executor.perform(.fetch(from: "todos")) }
  }

  @Test func `has no transactions without a second closure`() async throws {
    let routes = [DatabaseRoute.fetch(from: "todos"), .count(from: "todos")]
    let one = ClosureRouteExecutor { _ in Self.two }
    #expect(await code { _ = try await one.run(routes) } == .unsupported)
    let both = ClosureRouteExecutor {
      _ in
      Self.two
    } batch: { routes in
      routes.map { _ in Self.two }
    }
    #expect(try await both.run(routes) == [Self.two, Self.two])
    let short = ClosureRouteExecutor {
      _ in
      Self.two
    } batch: { _ in
      []
    }
    #expect(await code { _ = try await short.run(routes) } == .mismatch)
  }

  @Test func `can decode rows with a custom decoder`() async throws {
    var decoder = RowDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let executor = ClosureRouteExecutor(decoder: decoder) { _ in
      DatabaseRoute.Response(columns: ["id", "name", "completed_on"], rows: [[2, "Bread", 5]])
    }
    #expect(try await executor.value(Todo.self, for: .fetch(from: "todos")) == .bread)
  }
}

import Router
import SQLiteCore
import Testing

@Suite struct `Streams` {
  static func read(
    _ executor: SQLiteRouteExecutor, _ route: DatabaseRoute
  ) async throws -> (seen: [Int], code: RouterError.Code?) {
    var seen: [Int] = []
    let stream = try await executor.stream(Int.self, for: route, batchSize: 2)
    let code = await code {
      for try await id in stream { seen.append(id) }
    }
    // Each iteration starts again.
    var iterator = stream.makeAsyncIterator()
    let first = try? await iterator.next()
    #expect(first == seen.first)
    return (seen, code)
  }

  @Test(
    arguments: [
      (nil, 5, nil), (6, 5, nil), (5, 5, nil), (4, 4, .tooManyRows),
      (3, 3, .tooManyRows), (0, 0, .tooManyRows),
    ] as [(Int?, Int, RouterError.Code?)])
  func `end with an error if there are more rows than allowed`(
    _ most: Int?, _ count: Int, _ code: RouterError.Code?
  ) async throws {
    var executor = SQLiteRouteExecutor(
      try database(
        "CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1),(2),(3),(4),(5)"))
    executor.limits.maximumRows = most
    let found = try await Self.read(executor, .fetch(from: "t", order: .ascending("id")))
    #expect(found.seen == Array(1..<(count + 1)))
    #expect(found.code == code)
  }

  @Test func `end with an error if the row count is not as expected`() async throws {
    let executor = try await todos()
    let route = DatabaseRoute.fetch(from: "todos", order: .ascending("id")).selecting("id")
    var found = try await Self.read(executor, route.expecting(.atMost(2)))
    #expect(found.seen == [1, 2] && found.code == .tooManyRows)
    found = try await Self.read(executor, route.expecting(.one))
    #expect(found.seen == [1] && found.code == .multipleRows)
    found = try await Self.read(executor, route.filtered(by: .id(9)).expecting(.one))
    #expect(found.seen == [] && found.code == .notFound)
    found = try await Self.read(executor, route.limited(to: 1).expecting(.one))
    #expect(found.seen == [1] && found.code == nil)
  }
}

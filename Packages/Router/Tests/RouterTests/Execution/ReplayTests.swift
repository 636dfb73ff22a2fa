import Router
import SQLiteCore
import Testing

@Suite struct `A replay of a recording` {
  typealias Call = RouteRecording.Call
  typealias Order = RouteRecording.ReplayingExecutor.Order

  static let all = DatabaseRoute.fetch(from: "todos")
  static let one = DatabaseRoute.fetchOne(id: 1, from: "todos")
  static let remove = DatabaseRoute.delete(id: 1, from: "todos")

  static func rows(_ ids: Int...) -> DatabaseRoute.Response {
    DatabaseRoute.Response(columns: ["id"], rows: ids.map { [.integer(Int64($0))] })
  }

  /// The message of the error for an unanswered call.
  static func unanswered(_ body: () async throws -> Void) async -> String? {
    do {
      try await body()
      return nil
    } catch let error as RouterError where error.code == .unanswered {
      return error.message
    } catch {
      return "another error: \(error)"
    }
  }

  @Test(arguments: Order.allCases)
  func `answers equal routes in the order in which they were recorded`(_ order: Order) async throws
  {
    let replay = RouteRecording.ReplayingExecutor(
      .init(calls: [.init(Self.all, Self.rows(1)), .init(Self.all, Self.rows(1, 2))]), order: order)
    #expect(try await replay.values(Int.self, for: Self.all) == [1])
    #expect(try await replay.values(Int.self, for: Self.all) == [1, 2])
  }

  @Test func `in any order repeats the last answer of a read, but not of a write`() async throws {
    let replay = RouteRecording.ReplayingExecutor(
      .init(calls: [
        .init(Self.remove, DatabaseRoute.Response(affected: 1)), .init(Self.all, Self.rows(1)),
        .init(Self.all, Self.rows(2)),
      ]))
    for expected in [1, 2, 2, 2] {
      #expect(try await replay.values(Int.self, for: Self.all) == [expected])
    }
    #expect(try await replay.affectedCount(of: Self.remove) == 1)
    #expect(
      await Self.unanswered { try await replay.perform(Self.remove) }
        == "the route writes, and was recorded once")
  }

  @Test func `in strict order answers the exact sequence, and each call once`() async throws {
    let replay = RouteRecording.ReplayingExecutor(
      .init(calls: [.init(Self.all, Self.rows(1)), .init(Self.one, Self.rows(1))]), order: .strict)
    #expect(
      await Self.unanswered { _ = try await replay.run(Self.one) } == """
        call 1 of the recording is 'fetch todos', which differs in its method, its filter
        """)
    #expect(replay.unusedCalls.count == 2)
    #expect(try await replay.values(Int.self, for: Self.all) == [1])
    #expect(replay.unusedCalls == [.init(Self.one, Self.rows(1))])
    #expect(try await replay.value(Int.self, for: Self.one) == 1)
    #expect(replay.unusedCalls.isEmpty)
    #expect(
      await Self.unanswered { _ = try await replay.run(Self.one) }
        == "the recording has ended after 2 calls")
  }

  // MARK: Expectations of a call

  @Test(arguments: Order.allCases)
  func `answers a read by its recorded rows, regardless of the expectation`(_ order: Order)
    async throws
  {
    func replay(_ response: DatabaseRoute.Response) -> RouteRecording.ReplayingExecutor {
      RouteRecording.ReplayingExecutor(
        .init(calls: [.init(Self.all.expecting(.atMost(9)), response)]), order: order)
    }
    #expect(try await replay(Self.rows(1)).value(Int.self, for: Self.all) == 1)
    #expect(try await replay(Self.rows()).optionalValue(Int.self, for: Self.all) == nil)
    #expect(try await replay(Self.rows(1, 2)).values(Int.self, for: Self.all) == [1, 2])
    let (none, many) = (replay(Self.rows()), replay(Self.rows(1, 2)))
    #expect(await code { _ = try await none.value(Int.self, for: Self.all) } == .notFound)
    #expect(await code { _ = try await many.value(Int.self, for: Self.all) } == .multipleRows)
    let more = replay(Self.rows(1, 2, 3))
    #expect(
      await code { _ = try await more.run(Self.all.expecting(.atMost(2))) } == .tooManyRows)
  }

  @Test func `answers a write that was recorded with rows, with or without them`() async throws {
    let response = DatabaseRoute.Response(columns: ["id"], rows: [[1]], affected: 1)
    let recording = RouteRecording(calls: [
      .init(Self.remove.returning(.representation), response)
    ])
    func replay() -> RouteRecording.ReplayingExecutor {
      RouteRecording.ReplayingExecutor(recording)
    }
    #expect(try await replay().affectedCount(of: Self.remove) == 1)
    #expect(try await replay().run(Self.remove) == DatabaseRoute.Response(affected: 1))
    #expect(try await replay().value(Int.self, for: Self.remove) == 1)
  }

  @Test func `does not answer a write that was recorded without rows with rows`() async throws {
    let recording = RouteRecording(calls: [.init(Self.remove, DatabaseRoute.Response(affected: 1))])
    let replay = RouteRecording.ReplayingExecutor(recording)
    #expect(
      await Self.unanswered { _ = try await replay.value(Int.self, for: Self.remove) }
        == "the call was recorded without the rows that it wrote")
    #expect(replay.unusedCalls.count == 1)
    #expect(try await replay.affectedCount(of: Self.remove) == 1)
    // No row can be missing if none was written.
    let none = RouteRecording.ReplayingExecutor(
      .init(calls: [.init(Self.remove, DatabaseRoute.Response())]))
    #expect(try await none.values(Int.self, for: Self.remove) == [])
  }

  @Test func `answers another expectation only if the outcome is known`() async throws {
    func replay(_ code: RouterError.Code, _ demand: DatabaseRoute.Expectation)
      -> RouteRecording.ReplayingExecutor
    {
      RouteRecording.ReplayingExecutor(
        .init(calls: [
          .init(Self.all.expecting(demand), failure: RouterError(code: code, message: "so"))
        ]))
    }
    #expect(
      await code { _ = try await replay(.notFound, .one).value(Int.self, for: Self.all) }
        == .notFound)
    #expect(try await replay(.notFound, .one).optionalValue(Int.self, for: Self.all) == nil)
    #expect(try await replay(.notFound, .one).values(Int.self, for: Self.all) == [])
    let many = replay(.multipleRows, .one)
    #expect(
      await code { _ = try await many.optionalValue(Int.self, for: Self.all) } == .multipleRows)
    #expect(
      await Self.unanswered {
        _ = try await replay(.multipleRows, .one).values(Int.self, for: Self.all)
      } == "the call was recorded with another expected number of rows, which it did not meet")
    #expect(
      await Self.unanswered {
        _ = try await replay(.tooManyRows, .atMost(3)).values(Int.self, for: Self.all)
      } != nil)
    let fetchOne = RouteRecording.ReplayingExecutor(
      .init(calls: [
        .init(Self.one, failure: RouterError(code: .multipleRows, message: "so"))
      ]))
    #expect(await code { _ = try await fetchOne.value(Int.self, for: Self.one) } == .multipleRows)
  }

  @Test(arguments: Order.allCases)
  func `throws errors that equal the recorded ones`(_ order: Order) async throws {
    let errors: [any Error & Sendable] = [
      RouterError(code: .refused, message: "no", table: "todos", column: "id", routeId: "x"),
      RouterError.violation(of: .init(.unique, columns: ["id"]), in: "todos"),
      SQLiteError(code: .full, message: "full", sql: "INSERT"),
      RouteRecording.RecordedError(type: "Odd", description: "odd"),
    ]
    for error in errors {
      let replay = RouteRecording.ReplayingExecutor(
        .init(calls: [.init(Self.remove, failure: error)]), order: order)
      let thrown = await #expect(throws: (any Error).self) {
        _ = try await replay.value(Int.self, for: Self.remove)
      }
      #expect(thrown.map { RouteRecording.Failure($0) } == RouteRecording.Failure(error))
    }
  }

  @Test(arguments: Order.allCases)
  func `answers a batch with a batch`(_ order: Order) async throws {
    let routes = [Self.remove, Self.all]
    let responses = [DatabaseRoute.Response(affected: 1), Self.rows(2)]
    let replay = RouteRecording.ReplayingExecutor(
      .init(calls: [.init(batch: routes, responses)]), order: order)
    #expect(await Self.unanswered { try await replay.perform(Self.remove) } != nil)
    #expect(
      await Self.unanswered { _ = try await replay.run([Self.all, Self.remove]) } != nil)
    #expect(try await replay.run(routes) == responses)
  }

  // MARK: Unanswered calls

  @Test func `names the most similar route, and the differences`() async throws {
    let insert = try DatabaseRoute.insert(Todo.milk, into: "todos")
    let replay = RouteRecording.ReplayingExecutor(
      .init(calls: [
        .init(Self.one, Self.rows(1)), .init(Self.all.limited(to: 3), Self.rows(1)),
        .init(insert, DatabaseRoute.Response(affected: 1)),
        .init(batch: [Self.all, Self.remove], [Self.rows(), Self.rows()]),
      ]))
    func message(_ route: DatabaseRoute) async -> String? {
      await Self.unanswered { _ = try await replay.run(route) }
    }
    #expect(
      await message(.fetchOne(id: 77, from: "todos")) == """
        the call is not in the recording; the most similar one is 'fetchOne todos where id eq ?', \
        which differs in the values of its filter
        """)
    #expect(await message(Self.all)?.hasSuffix("which differs in its limit") == true)
    #expect(
      await message(.fetchOne(id: 1, from: "tag"))?.hasSuffix("which differs in its table") == true)
    #expect(
      await message(try .insert(Todo.tea, into: "todos"))?
        .hasSuffix("which differs in the values that it writes") == true)
    #expect(
      await message(try .insert(["id": 1] as Record, into: "todos"))?
        .hasSuffix("which differs in the columns that it writes") == true)
    #expect(
      await Self.unanswered { _ = try await replay.run([Self.all, Self.all]) }?
        .hasSuffix("which differs in route 2: its method, its filter") == true)
    let groups = Self.all.selecting("name").aggregating(.count(as: "n"))
    let other = RouteRecording.ReplayingExecutor(.init(calls: [.init(groups, Self.rows())]))
    func difference(_ route: DatabaseRoute) async -> String? {
      await Self.unanswered { _ = try await other.run(route) }?
        .split(separator: "differs in ").last.map { String($0) }
    }
    #expect(
      await difference(Self.all.selecting("name").aggregating(.sum("id"))) == "its aggregates")
    #expect(
      await difference(groups.filteringGroups(by: Column("n").greaterThan(1)))
        == "the filter of its groups")
    #expect(await difference(groups.counted(.planned)) == "its counting method")
    let empty = RouteRecording.ReplayingExecutor(RouteRecording())
    #expect(
      await Self.unanswered { _ = try await empty.run(Self.all) } == "the recording is empty")
    let error = await #expect(throws: RouterError.self) {
      try await empty.run(.fetch(from: "todos", filteredBy: .id("s3cret"), routeId: "mine"))
    }
    #expect(error?.table == "todos")
    #expect(error?.routeId == "mine")
    #expect(error?.route == "fetch todos where id eq ? [mine]")
  }

  @Test func `answers calls of many tasks, each recorded call once`() async throws {
    let replay = RouteRecording.ReplayingExecutor(
      .init(calls: (1...200).map { .init(Self.remove, DatabaseRoute.Response(affected: $0)) }))
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 1...200 { group.addTask { try await replay.affectedCount(of: Self.remove) } }
      return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(counts == Set(1...200))
    #expect(replay.unusedCalls.isEmpty)
  }

  @Test func `can decode rows as a type other than the recorded one`() async throws {
    let recorder = RouteRecording.RecordingExecutor(try await todos())
    let route = DatabaseRoute.fetch(from: "todos", order: .ascending("id"))
    #expect(try await recorder.values(Todo.self, for: route) == [.milk, .bread, .tea])
    let replay = RouteRecording.ReplayingExecutor(recorder.recording)
    struct Name: Decodable, Hashable, Sendable { var name: String }
    #expect(try await replay.values(Name.self, for: route).map(\.name) == ["Milk", "Bread", "tea"])
  }
}

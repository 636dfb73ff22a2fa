import Foundation
import Router
import RouterTesting
import SQLiteCore
import Testing

@Suite struct `The README` {
  struct Team: Codable, Sendable { var name: String; var players: [Player] }
  struct Player: Codable, Sendable { var name: String }

  @Test func `begins with a file that it creates and changes`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "holt-router-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "todos.sqlite").path
    try await Database(path: path).write { try $0.execute(SQL(unsafe: todosSchema)) }

    let executor = SQLiteRouteExecutor(try Database(path: path))

    let milk = try await executor.value(Todo.self, for: .insert(Todo(name: "Milk"), into: "todos"))
    let open = try await executor.values(
      Todo.self,
      for: .fetch(
        from: "todos", filteredBy: Column("completedOn").isNull() && Column("name").hasPrefix("M"),
        order: .ascending("name")))
    let done = try await executor.value(
      Todo.self, for: .update(id: 1, in: "todos", with: ["completedOn": 5] as Record))
    try await executor.perform(.delete(id: 1, from: "todos"))

    #expect(open == [milk])
    #expect(done == Todo(id: 1, name: "Milk", completedOn: 5))
    #expect(try await executor.values(Todo.self, for: .fetch(from: "todos")) == [])
  }

  struct Total: Codable, Hashable, Sendable { var team: Int; var players: Int; var total: Int? }

  @Test func `has totals, teams with their best players, and estimated counts`() async throws {
    let executor = SQLiteRouteExecutor(
      try database(
        """
        CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE player (name TEXT, score INTEGER, team REFERENCES team);
        INSERT INTO team VALUES (1, 'red'), (2, 'blue');
        INSERT INTO player VALUES
          ('a', 1, 1), ('b', 4, 1), ('c', 3, 1), ('d', 2, 1), ('e', 3, 2), ('f', NULL, 2);
        """))

    let totals = try await executor.values(
      Total.self,
      for: .fetch(from: "player", order: .descending("total")).selecting("team")
        .aggregating(.count(as: "players"), .sum("score", as: "total"))
        .filteringGroups(by: Column("total").greaterThan(3)))

    let teams = try await executor.values(
      Team.self,
      for: .fetch(from: "team").embedding(
        .init("player", as: "players", orderedBy: [.descending("score")], limit: 3)))

    #expect(totals == [Total(team: 1, players: 4, total: 10)])
    #expect(teams.map { $0.players.map(\.name) } == [["b", "c", "d"], ["e", "f"]])
    let count = try await executor.value(
      DatabaseRoute.RowCount.self, for: .count(from: "player").counted(.estimated(upTo: 1_000)))
    #expect(count == DatabaseRoute.RowCount(6, isExact: true))
  }

  @Test func `has routes that run together`() async throws {
    let executor = try await todos(
      "CREATE TABLE archive (id INTEGER PRIMARY KEY, name TEXT NOT NULL, completedOn INTEGER);")

    try await executor.transaction { routes in
      let todo = try routes.value(Todo.self, for: .fetchOne(id: 2, from: "todos"))
      try routes.run(.insert(todo, into: "archive"))
      try routes.run(.delete(id: 2, from: "todos"))
    }

    #expect(try await executor.values(Todo.self, for: .fetch(from: "archive")) == [.bread])
    #expect(try await executor.value(Int.self, for: .count(from: "todos")) == 2)
  }

  @Test func `has values of deleted rows`() async throws {
    let executor = try await todos()
    let gone = try await executor.value(Todo.self, for: .delete(id: 1, from: "todos"))
    #expect(gone == .milk)
    let capped = DatabaseRoute.count(from: "todos").limited(to: 1)
    #expect(try await executor.value(Int.self, for: capped) == 1)
  }

  // MARK: Routers

  struct Offline: Error {}

  /// The collections of the README, without the macro.
  enum App {
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

    enum Routes: RouteCollection {
      case todos(TodoRoute)

      func route() async throws -> DatabaseRoute {
        switch self {
        case .todos(let route): try await route.route()
        }
      }
    }
  }

  @Test func `has a router that is called with the routes of an app`() async throws {
    let database = try database(todosSchema)
    let router = DatabaseRouter<Routes>(database)

    let milk: Todo = try await router(.todos(.save(Todo(name: "Milk"))))
    let all: [Todo] = try await router(.todos(.fetch))
    let none: Todo? = try await router.todos(.fetchOne(id: 9))
    try await router(.todos(.delete(id: 1)))
    let count: Int = try await router(.count(from: "todos"))

    #expect(milk == .milk && all == [milk])
    #expect(none == nil && count == 0)
    let app = DatabaseRouter<App.Routes>(database)
    try await app(.todos(.save(.bread)))
    try await app(.todos(.save(.milk)))
    try await app(.todos(.delete(id: 1)))
    let rest: [Todo] = try await app(.todos(.fetch))
    let bread: Todo = try await app(.todos(.fetchOne(id: 2)))
    #expect(rest == [.bread] && bread == .bread)
  }

  /// A collection that counts its calls.
  struct Counted: RouteCollection {
    let asked: Tally

    func route() async throws -> DatabaseRoute {
      asked.add()
      return .fetch(from: "todos")
    }
  }

  @Test func `has collections that are called once for each call`() async throws {
    let asked = Tally()
    var router = DatabaseRouter<Counted>(UnimplementedExecutor())
    for number in 0..<5 { router.override(.method(.delete, with: .affected(number))) }
    router.override(.table("todos", with: [Todo.milk]))
    router.override(.matching({ $0.limit == 0 }, with: [Todo]()))
    router.override(.id("top", in: "todos", with: [Todo.bread]))
    let todos: [Todo] = try await router(Counted(asked: asked))
    #expect(todos == [.milk])
    #expect(asked.count == 1)
  }

  @Test func `has overrides of each kind`() async throws {
    var router = DatabaseRouter<Routes>(UnimplementedExecutor())  // of RouterTesting

    router.override(\.todos.fetch, with: [Todo.milk])
    router.override(\.todos.fetchOne) { id in Todo(id: id, name: "Todo \(id)") }
    router.override(\.todos.delete, with: .failure(Offline()))
    router.override(.route(.todos(.fetchOne(id: 9)), with: Todo?.none))
    router.override(.route(.count(from: "todos"), with: 3))
    router.override(.id("top", in: "todos", with: [Todo.bread]))
    router.override(.method(.insert, with: .affected(1)))
    router.override(.table("archive") { route in route.isReadOnly ? .passThrough : .success() })
    router.override(.matching({ $0.limit == 0 }, with: [Todo]()))

    let all: [Todo] = try await router(.todos(.fetch))
    let five: Todo = try await router(.fetchOne(id: 5, from: "todos"))
    let none: Todo? = try await router(.todos(.fetchOne(id: 9)))
    let count: Int = try await router(.count(from: "todos"))
    let top: [Todo] = try await router(.fetch(from: "todos", routeId: "top"))
    let empty: [Todo] = try await router(.fetch(from: "todos").limited(to: 0))
    #expect(all == [.milk] && top == [.bread] && empty == [])
    #expect(five.name == "Todo 5" && none == nil && count == 3)
    #expect(try await router.affectedCount(of: .insert(Todo.milk, into: "todos")) == 1)
    #expect(await code { try await router(.archive(.fetch)) } == .unanswered)
    try await router(.archive(.save(.milk)))
    let copy = router
    await #expect(throws: Offline.self) { try await copy(.todos(.delete(id: 1))) }
    #expect(router.unusedOverrides.isEmpty)
  }

  @Test func `has successive replies`() async throws {
    var router = DatabaseRouter<Routes>(try await todos())

    router.override(\.todos.fetchOne, with: .sequence(.failure(Offline()), .value(Todo.milk)))
    router.override(\.todos.fetch, with: .value([Todo.milk]).times(1))  // then as before
    router.override(\.todos.save, with: .delayed(by: .milliseconds(1), .passThrough))  // slowly

    let first: [Todo] = try await router(.todos(.fetch))
    let second: [Todo] = try await router(.todos(.fetch))
    #expect(first == [.milk] && second == [.milk, .bread, .tea])
    let copy = router
    await #expect(throws: Offline.self) { try await copy(.todos(.fetchOne(id: 2))) }
    let milk: Todo = try await router(.todos(.fetchOne(id: 2)))
    let oat: Todo = try await router(.todos(.save(Todo(id: 9, name: "Oat"))))
    #expect(milk == .milk && oat.name == "Oat")
  }

  @Test func `has a scope with a log`() async throws {
    let router = DatabaseRouter<Routes>(UnimplementedExecutor())
    func refresh() async throws -> [Todo] { try await router(.todos(.fetch)) }

    let log = RouteLog()
    let todos = try await router.withOverrides(
      [.case(\.todos.fetch, with: [Todo.milk])], log: log
    ) {
      try await refresh()
    }
    #expect(log.calls.map(\.name) == ["todos.fetch"])
    #expect(todos == [.milk])
    #expect(log.unusedOverrides.isEmpty)
    #expect(await code { _ = try await refresh() } == .unanswered)
  }

  @Test func `has routes that are observed`() async throws {
    let database = try database(playerSchema)
    let executor = SQLiteRouteExecutor(database)
    try await Self.first([["Ada", "Cy"]]) { shown in
      func show(_ players: [Player]) { shown(players.map(\.name)) }
      for try await players in executor.observeValues(
        Player.self, for: .fetch(from: "player", filteredBy: Column("team").equals(1)))
      {
        show(players)
      }
    }
    let overridden = {
      var router = DatabaseRouter<Routes>(database)
      router.override(\.todos.fetch, with: .sequence(.value([Todo]()), .value([Todo.milk])))
      return router
    }()
    try await Self.first([[], ["Milk"]]) { shown in
      let router = overridden
      func show(_ todos: [Todo]) { shown(todos.map(\.name)) }
      for try await todos: [Todo] in router.observe(.todos(.fetch)) { show(todos) }
    }
  }

  /// Runs an endless loop until it has received this value.
  private static func first(
    _ expected: [[String]],
    of loop:
      @escaping @Sendable (_ shown: @escaping @Sendable ([String]) -> Void) async throws
      -> Void
  ) async throws {
    let (names, told) = AsyncStream.makeStream(of: [String].self)
    let task = Task { try await loop { told.yield($0) } }
    var shown: [[String]] = []
    for await next in names {
      shown.append(next)
      if shown.count == expected.count { break }
    }
    task.cancel()
    _ = await task.result
    #expect(shown == expected)
  }

  // MARK: Guards

  @Test func `has limits, policies and row filters`() async throws {
    struct Forbidden: Error {}
    var executor = SQLiteRouteExecutor(
      try database(
        """
        CREATE TABLE note (id INTEGER PRIMARY KEY, owner INTEGER, text TEXT);
        INSERT INTO note VALUES (1, 1, 'mine'), (2, 2, 'theirs');
        """))

    executor.limits.maximumRows = 1_000
    executor.limits.maximumAffected = 100
    executor.limits.maximumAffectedByFilter = 10
    executor.policies = [{ route in if route.method == .custom { throw Forbidden() } }]
    executor.rowFilters["note"] = Column("owner").equals(1)

    let guarded = executor
    #expect(try await guarded.value(Int.self, for: .count(from: "note")) == 1)
    await #expect(throws: Forbidden.self) {
      try await guarded.perform(.custom(on: "note") { _ in "SELECT 1" })
    }
  }

  // MARK: Executors without a database

  @Test func `has a closure, a recorder and a replay`() async throws {
    @discardableResult
    func refresh(_ executor: some RouteExecutor) async throws -> [Todo] {
      try await executor.values(Todo.self, for: .fetch(from: "todos", order: .ascending("id")))
    }
    let database = try database(todosSchema + "INSERT INTO todos VALUES (2, 'Bread', 5);")
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }

    let executor = ClosureRouteExecutor { route in
      DatabaseRoute.Response(columns: ["id", "name"], rows: [[1, "Milk"]])
    }

    let recorder = RouteRecording.RecordingExecutor(SQLiteRouteExecutor(database))
    try await refresh(recorder)
    try recorder.recording.write(to: file)

    let replay = RouteRecording.ReplayingExecutor(
      try RouteRecording(contentsOf: file), order: .strict)
    try await refresh(replay)
    #expect(replay.unusedCalls.isEmpty)

    #expect(try await refresh(executor) == [.milk])
    let again = RouteRecording.ReplayingExecutor(recorder.recording)
    #expect(try await refresh(again) == [.bread])
  }
}

@Suite struct `The README about custom executors` {
  private enum MyExecutor {
    static func fresh() async throws -> SQLiteRouteExecutor {
      var database = try await ConformingDatabase()
      return try await database.executor(for: Conformance.cases[0])
    }
  }

  /// Some of the rules: the other conformance tests run all of them.
  enum RouteExecutorConformance {
    typealias Case = Conformance.Case
    static let cases = Array(Conformance.cases.prefix(20))
    static func restore(_ executor: some RouteExecutor) async throws {
      try await Conformance.restore(executor)
    }
  }

  @Test(arguments: RouteExecutorConformance.cases)
  func `my executor conforms`(_ rule: RouteExecutorConformance.Case) async throws {
    let executor = try await MyExecutor.fresh()
    try await RouteExecutorConformance.restore(executor)
    let outcome = try await rule.run(on: executor, supporting: [.transactions, .upserts])
    if case .skipped(let missing) = outcome { print("\(rule): needs \(missing)") }
  }
}

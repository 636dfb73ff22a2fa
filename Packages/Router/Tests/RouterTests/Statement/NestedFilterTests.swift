import Foundation
import Router
import RouterTesting
import SQLiteCore
import Testing

@Suite struct `Nested filters` {
  static let a = Column("id")
  static let b = Column("name")

  /// A filter in which no two levels can be joined.
  static func nested(_ depth: Int, around filter: Filter = a.equals(1)) -> Filter {
    var filter = filter
    for level in 0..<depth {
      switch level % 3 {
      case 0: filter = b.equals("Milk") && filter
      case 1: filter = filter || b.isNull()
      default: filter = !filter
      }
    }
    return filter
  }

  static let shapes: [(name: String, filter: @Sendable (Int) -> Filter)] = [
    ("negations", { (0..<$0).reduce(a.equals(1)) { filter, _ in !filter } }),
    ("mixed", { nested($0) }),
    (
      "the deepest first",
      { depth in
        (0..<depth).reduce(a.equals(1)) {
          $1 % 2 == 0 ? $0 && b.isNotNull() : $0 || b.isNull()
        }
      }
    ),
    (
      "the deepest last",
      { depth in
        (0..<depth).reduce(a.equals(1)) {
          $1 % 2 == 0 ? b.isNotNull() && $0 : b.isNull() || $0
        }
      }
    ),
    (
      "negated lists",
      { depth in
        (0..<depth).reduce(a.equals(1)) { $1 % 2 == 0 ? b.isNotNull() && $0 : !$0 }
      }
    ),
  ]

  @Test func `of one operator are a single level, regardless of their number`() throws {
    let count = 100_000
    var (appended, prepended, either) = (Self.a.equals(1), Self.a.equals(count), Filter.all)
    for number in 2...count {
      appended = appended && Self.a.equals(number)
      prepended = Self.a.equals(count + 1 - number) && prepended
      either = either || Self.b.isNull()
    }
    let list = Filter.and((1...count).map { Self.a.equals($0) })
    #expect(appended == list)
    #expect(prepended == list)
    #expect(appended.hashValue == list.hashValue)
    #expect(appended.description.hasSuffix("and 99900 more)"))
    guard case .or(let filters) = either.form else {
      Issue.record("no list: \(either)")
      return
    }
    #expect(filters.count == count)
    let long = Filter.or(Array(filters.prefix(2_000)))
    let data = try JSONEncoder().encode(long)
    #expect(try JSONDecoder().decode(Filter.self, from: data) == long)
  }

  @Test func `that are joined in pairs and lists are one list in the same order`() {
    let filters = (0..<200).map { Self.a.equals($0) }
    for split in [1, 2, 15, 16, 17, 100, 199] {
      let (first, rest) = (filters[..<split], filters[split...])
      let joined = first.dropFirst().reduce(first[0]) { $0 && $1 }
      let others = rest.dropFirst().reduce(rest[split]) { $0 && $1 }
      #expect((joined && others) == .and(filters))
    }
    #expect((Self.a.equals(1) && .and([])).form == .and([Self.a.equals(1), .and([])]))
    #expect((Self.a.equals(1) || .or([])).form == .or([Self.a.equals(1), .or([])]))
  }

  @Test func `that are too deep can be built, compared, hashed, printed and released`() {
    var filter = Self.a.equals(1)
    for _ in 1...100_000 { filter = !(Self.a.equals(1) && (Self.b.isNull() || filter)) }
    #expect(filter.form == .tooDeep)
    #expect(filter == Self.nested(100_000))
    #expect(filter.hashValue == Self.nested(100_000).hashValue)
    #expect(filter.description == "nested too deep")
    #expect(!filter == filter && (filter && .all) == filter && .or([.all, filter]) == filter)
    #expect(Self.nested(Filter.maximumDepth).form != .tooDeep)
  }

  static let deep = nested(8_000)

  static func refused() throws -> [DatabaseRoute] {
    let change: Record = ["name": "x"]
    return [
      .fetch(from: "todos", filteredBy: deep), .fetchOne(from: "todos", filteredBy: deep),
      .count(from: "todos", filteredBy: [deep]),
      .count(from: "todos", filteredBy: [deep]).counted(.planned),
      .delete(from: "todos", filteredBy: deep),
      try .update(change, in: "todos", filteredBy: deep),
      .fetch(from: "todos").selecting("name").aggregating(.count(filteredBy: deep)),
      .fetch(from: "todos").selecting("name").aggregating(.count()).filteringGroups(by: deep),
      .fetch(from: "todos").embedding(.init("tag", filteredBy: deep)),
      .fetch(from: "todos").embedding(nestedEmbed(8_000)),
      try .insert(change, into: "todos").embedding(nestedEmbed(8_000)),
    ]
  }

  static func nestedEmbed(_ depth: Int) -> DatabaseRoute.Embed {
    var embed = DatabaseRoute.Embed("todos")
    for _ in 0..<depth { embed = DatabaseRoute.Embed("todos", embedding: [embed]) }
    return embed
  }

  @Test func `that are too deep are an error of every executor, and change nothing`() async throws {
    let executor = try await todos()
    let closure = ClosureRouteExecutor { _ in
      DatabaseRoute.Response(affected: 1)
    } batch: { routes in
      routes.map { _ in DatabaseRoute.Response() }
    }
    let recorder = RouteRecording.RecordingExecutor(closure)
    var router = GeneralRouter(closure)
    for route in try Self.refused() {
      router.override(.route(route, with: 1))
      let replay = RouteRecording.ReplayingExecutor(
        RouteRecording(calls: [.init(route, DatabaseRoute.Response())]))
      let executors: [any RouteExecutor] = [
        executor, closure, recorder, router, replay, router.sealed(),
      ]
      for executor in executors {
        let error = await #expect(throws: RouterError.self) { try await executor.run(route) }
        #expect(error?.code == .invalidRoute, "\(type(of: executor)): \(route)")
        #expect(error?.table == "todos")
        #expect(error?.message.contains("nested deeper than") == true)
        await #expect(throws: RouterError.self) { try await executor.run([route]) }
      }
      #expect(await code { _ = try await executor.explain(route) } == .invalidRoute)
      #expect(await code { _ = try await executor.dryRun(route) } == .invalidRoute)
      await #expect(throws: (any Error).self) {
        for try await _ in executor.observeValues(Todo.self, for: route) { break }
      }
      if route.method == .fetch {
        #expect(
          await code { _ = try await executor.stream(Todo.self, for: route) } == .invalidRoute)
        #expect(
          await code { _ = try await executor.countedValues(Todo.self, for: route) }
            == .invalidRoute)
      }
    }
    #expect(recorder.recording.calls.isEmpty)
    #expect(try await executor.run(.count(from: "todos")).rows == [[3]])
  }

  @Test func `that are too deep as a row filter are an error of each route of its table`()
    async throws
  {
    var limited = try await todos()
    limited.rowFilters["todos"] = Self.deep
    let executor = limited
    let change: Record = ["name": "x"]
    let routes: [DatabaseRoute] = [
      .fetch(from: "todos"), .fetchOne(id: 1, from: "todos"), .delete(id: 1, from: "todos"),
      try .update(id: 1, in: "todos", with: change), try .insert(change, into: "todos"),
    ]
    for route in routes {
      #expect(await code { _ = try await executor.run(route) } == .invalidRoute, "\(route)")
    }
  }

  @Test func `that are too deep are not encoded`() throws {
    for route in try Self.refused() {
      #expect(throws: EncodingError.self) { try JSONEncoder().encode(route) }
      #expect(throws: EncodingError.self) {
        try RouteRecording(calls: [.init(route, DatabaseRoute.Response())]).json()
      }
    }
  }

  @Test func `are decoded no deeper than the limit, even if the decoder allows it`() throws {
    for key in ["not", "and", "or"] {
      let endless = Endless(keys: [key, "_0"])
      #expect(throws: DecodingError.self) { try Filter(from: endless) }
      #expect(endless.reads.count < 1_000)
    }
    let endless = Endless(keys: ["table", "name", "columns", "orders", "isRequired", "embeds"])
    #expect(throws: DecodingError.self) { try DatabaseRoute.Embed(from: endless) }
    #expect(endless.reads.count < 1_000)
  }

  @Test func `are encoded and decoded as the cases of an enum`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let column = #""column":{"name":"a","path":[]}"#
    let one = #"{"comparison":{"_0":{\#(column),"operand":{},"operator":"isnull"}}}"#
    let cases: [(Filter, String)] = [
      (.all, #"{"all":{}}"#), (Column("a").isNull(), one),
      (!Column("a").isNull(), #"{"not":{"_0":\#(one)}}"#),
      (Column("a").isNull() && .all, #"{"and":{"_0":[\#(one),{"all":{}}]}}"#),
      (.or([]), #"{"or":{"_0":[]}}"#),
    ]
    for (filter, json) in cases {
      #expect(String(decoding: try encoder.encode(filter), as: UTF8.self) == json)
      #expect(try JSONDecoder().decode(Filter.self, from: Data(json.utf8)) == filter)
    }
    let others = [#"{"some":{}}"#, #"{"all":{},"not":{}}"#, #"{"not":{}}"#, #"{"or":{}}"#]
    for json in others + ["{}", "[]"] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(Filter.self, from: Data(json.utf8))
      }
    }
  }

  @Test(arguments: shapes.indices)
  func `run up to the depth limit, and are refused beyond it`(_ index: Int) async throws {
    let (name, filter) = Self.shapes[index]
    var limited = try await todos()
    for isLimitedByRow in [false, true] {
      if isLimitedByRow { limited.rowFilters["todos"] = filter(limited.limits.filterDepth) }
      let executor = limited
      let (deepest, deeper) = (filter(50), filter(51))
      let change: Record = ["name": "Milk"]
      for method in [DatabaseRoute.Method.fetch, .count, .update, .delete] {
        func route(_ filter: Filter) throws -> DatabaseRoute {
          switch method {
          case .count: .count(from: "todos", filteredBy: [filter])
          case .update: try .update(change, in: "todos", filteredBy: filter)
          case .delete: .delete(from: "todos", filteredBy: filter)
          default: .fetch(from: "todos", filteredBy: filter)
          }
        }
        _ = try await executor.dryRun(try route(deepest))
        let error = await #expect(throws: RouterError.self, "\(name), \(method)") {
          try await executor.dryRun(try route(deeper))
        }
        let message = error?.message ?? ""
        #expect(message.contains("deeper than 50 levels (`DatabaseRoute.Limits.filterDepth`)"))
      }
    }
  }

  @Test func `select the rows that a shallow filter of the same meaning selects`() async throws {
    let executor = try await todos()
    for (name, filter) in Self.shapes {
      for depth in 0...8 {
        let filter = filter(depth)
        let expected = [Todo.milk, .bread, .tea].filter { todo in
          let row: [String: SQLiteValue] = [
            "id": .integer(Int64(todo.id ?? 0)), "name": .text(todo.name),
          ]
          return Evaluator(row: row).evaluate(filter) == true
        }
        let route = DatabaseRoute.fetch(from: "todos", filteredBy: filter, order: .ascending("id"))
        #expect(try await executor.values(Todo.self, for: route) == expected, "\(name), \(filter)")
      }
    }
  }

  @Test func `of more conditions than SQLite's expression depth run if allowed`() async throws {
    var unlimited = try await todos()
    unlimited.limits.filterTerms = 20_000
    unlimited.limits.maximumAffectedByFilter = nil
    let executor = unlimited
    let numbers = Array(1...5_000)
    let all = numbers.dropFirst().reduce(Self.a.notEquals(-1)) { $0 && Self.a.notEquals(-$1) }
    let one = numbers.dropFirst().reduce(Self.a.equals(-1)) { $0 || Self.a.equals(-$1) }
    let filters = [
      all, !one, Self.a.any(.notEquals, numbers.map { -$0 }),
      Self.a.each(.notEquals, numbers.map { -$0 }),
    ]
    for filter in filters {
      let route = DatabaseRoute.count(from: "todos", filteredBy: [filter])
      #expect(try await executor.run(route).rows == [[3]])
      #expect(
        try await executor.dryRun(.delete(from: "todos", filteredBy: filter && .id(2))).affected
          == 1)
    }
    let standard = try await todos()
    let error = await #expect(throws: RouterError.self) {
      try await standard.run(.fetch(from: "todos", filteredBy: all))
    }
    #expect(error?.code == .invalidRoute)
    #expect(error?.message.contains("500 conditions (`DatabaseRoute.Limits.filterTerms`)") == true)
    #expect((error?.route?.utf8.count ?? 0) < 10_000)
  }
}

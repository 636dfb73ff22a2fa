import Observe
import PostgreSQL
import PostgreSQLTesting
import Primitives
import Router
import RouterPostgreSQL
import RouterTesting
import SQLiteCore
import Testing

/// Many commits, and random ones.
@Suite(.needsLiveServer, .serialized) struct `Live routes under load` {
  private static let schema = """
    CREATE TABLE list (id bigint PRIMARY KEY, title text);
    CREATE TABLE todo (
      id bigint PRIMARY KEY, list bigint REFERENCES list ON DELETE CASCADE, name text,
      size double precision);
    CREATE TABLE counter (id bigint PRIMARY KEY, number bigint);
    CREATE PUBLICATION holt FOR TABLE list, todo, counter;
    """

  struct Number: Codable, Hashable, Sendable {
    var id: Int
    var number: Int
  }

  @Test func `miss none of 3,000 commits, one after another`() async throws {
    try await Live.with(Self.schema + "INSERT INTO counter VALUES (1, 0)") { live in
      let values = Collector(
        live.executor.observeValue(Number.self, for: .fetchOne(id: 1, from: "counter")))
      #expect(await values.wait { $0.number == 0 })
      var durations: [Duration] = []
      for number in 1...3_000 {
        try await live.database.run("UPDATE counter SET number = $1 WHERE id = 1", number)
        let start = ContinuousClock.now
        guard await values.wait(until: { $0.number == number }) else {
          Issue.record("commit \(number) was missed")
          return
        }
        durations.append(start.duration(to: .now))
      }
      durations.sort()
      print(
        "commit to live value: median \(durations[1_500]), 99 % \(durations[2_970]), "
          + "maximum \(durations[2_999])")
      let numbers = values.values.map(\.number)
      #expect(numbers == numbers.sorted())
      // Each commit was waited for.
      #expect(Set(numbers).count == 3_001)
    }
  }

  @Test func `end with the table after concurrent writers`() async throws {
    try await Live.with(
      Self.schema + "INSERT INTO counter SELECT i, 0 FROM generate_series(1, 8) AS i"
    ) { live in
      let all = Collector(
        live.executor.observeValues(
          Number.self, for: .fetch(from: "counter", order: .ascending("id"))))
      let single = (1...8).map { id in
        Collector(live.executor.observeValue(Number.self, for: .fetchOne(id: id, from: "counter")))
      }
      #expect(await all.wait { $0.count == 8 })
      for collector in single { #expect(await collector.wait { _ in true }) }
      var configuration = live.database.configuration
      configuration.maximumConnectionCount = 8
      let writers = PostgreSQLDatabase(configuration)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for id in 1...8 {
          group.addTask {
            for _ in 0..<375 {
              try await writers.run("UPDATE counter SET number = number + 1 WHERE id = $1", id)
            }
          }
        }
        try await group.waitForAll()
      }
      writers.close()
      #expect(await all.wait { $0.allSatisfy { $0.number == 375 } })
      for collector in single { #expect(await collector.wait { $0.number == 375 }) }
      // A commit is never undone by an older value.
      for collector in single {
        let numbers = collector.values.map(\.number)
        #expect(numbers == numbers.sorted())
      }
      let sums = all.values.map { $0.reduce(0) { $0 + $1.number } }
      #expect(sums == sums.sorted())
      print("\(all.values.count) values of all rows for 3,000 commits")
    }
  }

  struct Run: CustomTestStringConvertible, Sendable {
    let seed: UInt64
    let identity: String
    var testDescription: String { "seed \(seed), replica identity \(identity)" }
  }

  @Test(arguments: [Run(seed: 20_261_127, identity: "DEFAULT"), Run(seed: 7, identity: "FULL")])
  func `equal a new fetch after each of random commits`(_ run: Run) async throws {
    print("the seed of the random commits is \(run.seed)")
    var random = SeededGenerator(seed: run.seed)
    try await Live.with(
      Self.schema + "ALTER TABLE todo REPLICA IDENTITY \(run.identity);"
    ) { live in
      let filters: [DatabaseRoute.Filter] = [
        Column("list").equals(1), Column("list").in([2, 3]), Column("id").lessThan(6),
        Column("name").isNull(), !Column("list").equals(2),
        Column("name").equals("a") || Column("size").greaterThan(5),
        Column("name").notEquals("b") && Column("list").isNotNull(),
        Column("size").isDistinct(from: 3), Column("list").notIn([1, 2]),
        Column("name").like("a%"),
      ]
      var routes = filters.map {
        DatabaseRoute.fetch(from: "todo", filteredBy: $0, order: .ascending("id"))
      }
      routes.append(
        DatabaseRoute.fetch(
          from: "todo", filteredBy: Column("list").equals(1), order: .descending("id")
        )
        .selecting("id", "name").limited(to: 2))
      let observed = routes.map { route in
        (route, Collector(live.executor.observeValues(Todo.self, for: route)))
      }
      let lists = Collector(
        live.executor.observeValues(
          ListOfTodos.self,
          for: .fetch(from: "list", order: .ascending("id")).embedding(.init("todo"))))
      for (_, collector) in observed { #expect(await collector.wait { _ in true }) }
      for step in 0..<250 {
        let statements = (0..<Int.random(in: 1...3, using: &random)).map { _ in
          Self.statement(&random)
        }
        let undone = Int.random(in: 0..<4, using: &random) == 0 ? Self.statement(&random) : nil
        try await live.database.transaction { connection in
          for sql in statements { try await connection.run(PostgreSQLQuery(unsafe: sql)) }
          guard let undone else { return }
          struct Undo: Error {}
          try? await connection.transaction { connection in
            try await connection.run(PostgreSQLQuery(unsafe: undone))
            throw Undo()
          }
        }
        for (route, collector) in observed {
          let fresh = try await live.executor.values(Todo.self, for: route)
          let isEqual = await collector.wait { $0 == fresh }
          #expect(isEqual, "step \(step) of \(route)")
          guard isEqual else { return }
        }
        let fresh = try await live.executor.values(
          ListOfTodos.self,
          for: .fetch(from: "list", order: .ascending("id")).embedding(.init("todo")))
        #expect(await lists.wait { $0.map(\.sorted) == fresh.map(\.sorted) }, "step \(step)")
      }
    }
  }

  struct ListOfTodos: Codable, Hashable, Sendable {
    var id: Int
    var title: String?
    var todo: [Todo]

    var sorted: ListOfTodos {
      ListOfTodos(id: id, title: title, todo: todo.sorted { $0.id < $1.id })
    }
  }

  /// Returns a statement that changes some rows.
  private static func statement(_ random: inout SeededGenerator) -> String {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    func list() -> String {
      number(0...3) == 0 ? "NULL" : "(SELECT min(id) FROM list WHERE id >= \(number(1...3)))"
    }
    func name() -> String { ["NULL", "'a'", "'b'", "'ab'"][number(0...3)] }
    func size() -> String { ["NULL", "3", "5.5", "1e10"][number(0...3)] }
    switch number(0...11) {
    case 0...3:
      return """
        INSERT INTO todo VALUES (\(number(1...12)), \(list()), \(name()), \(size()))
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, list = excluded.list
        """
    case 4: return "UPDATE todo SET name = \(name()) WHERE id = \(number(1...12))"
    case 5: return "UPDATE todo SET list = \(list()) WHERE id > \(number(1...12))"
    case 6: return "UPDATE todo SET size = \(size()) WHERE name = 'a'"
    case 7:
      return """
        UPDATE todo SET id = id + 20 WHERE id = \(number(1...12))
          AND NOT EXISTS (SELECT 1 FROM todo other WHERE other.id = todo.id + 20)
        """
    case 8: return "DELETE FROM todo WHERE id % 7 = \(number(0...6))"
    case 9: return "DELETE FROM list WHERE id = \(number(1...3))"
    case 10:
      return
        """
        INSERT INTO list VALUES (\(number(1...3)), \(name()))
        ON CONFLICT (id) DO UPDATE SET title = excluded.title
        """
    default:
      return number(0...5) == 0
        ? "TRUNCATE todo" : "INSERT INTO list VALUES (3, 'x') ON CONFLICT DO NOTHING"
    }
  }
}

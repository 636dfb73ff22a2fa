import Foundation
import SQLiteCore
import Testing

@testable import Observe

struct Player: Codable, RowDecodable, Hashable, Identifiable, Sendable {
  var id: Int
  var name: String
  var team: String
}

@Suite struct `Differences of an observed list` {
  static let schema = """
    CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL, team TEXT NOT NULL);
    INSERT INTO player VALUES (1, 'Ada', 'red'), (2, 'Bob', 'blue'), (3, 'Cy', 'red');
    """

  static let players: @Sendable (Connection) throws -> [Player] = { connection in
    try connection.fetchAll(Player.self, "SELECT * FROM player ORDER BY name, id")
  }

  @Test(arguments: Store.allCases)
  func `begin with the whole list, and follow each commit`(_ store: Store) async throws {
    try await withDatabase(store, Self.schema) { database in
      var reported = database.observe(Self.players).differences.makeAsyncIterator()
      let first = try #require(try await reported.next())
      #expect(first.isInitial)
      #expect(first.elements.map(\.name) == ["Ada", "Bob", "Cy"])
      try await database.run("UPDATE player SET name = 'Zoe' WHERE id = 1")
      #expect("\(try #require(try await reported.next()))" == "moved 0 → 2; updated 0 → 2")
      try await database.run("DELETE FROM player WHERE id = 2")
      #expect("\(try #require(try await reported.next()))" == "removed 0")
    }
  }

  @Test func `combine missed commits, relative to the last delivered list`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      var quick = database.observe(Self.players).differences(by: \.id).makeAsyncIterator()
      var slow = database.observe(Self.players).differences(by: \.id).makeAsyncIterator()
      var shown = try #require(try await slow.next()).elements
      _ = try await quick.next()
      for (change, expected) in [
        ("INSERT INTO player VALUES (4, 'Al', 'red')", "inserted 1"),
        ("UPDATE player SET name = 'Yan' WHERE id = 4", "moved 1 → 3; updated 1 → 3"),
        ("DELETE FROM player WHERE id = 2", "removed 1"),
        ("UPDATE player SET team = 'blue' WHERE id = 3", "updated 1 → 1"),
      ] {
        try await database.run(change)
        #expect("\(try #require(try await quick.next()))" == expected)
      }
      let all = try #require(try await slow.next())
      #expect("\(all)" == "removed 1; inserted 2; updated 2 → 1")
      shown = try all.applying(to: shown)
      #expect(shown == (try await database.read(Self.players)))
    }
  }

  @Test func `skip a list that equals the previous one`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let (reported, fetches) = (Collector<String>(), Counter())
      let task = Task {
        let players = database.observe { connection in
          fetches.add()
          return try Self.players(connection)
        }
        for try await difference in players.differences { reported.add("\(difference)") }
      }
      await reported.wait { _ in true }
      for team in ["green", "blue"] {
        try await database.run("UPDATE player SET team = '\(team)' WHERE id = 2")
        await database.waitUntilIdle(includingConsumers: true)
      }
      try await database.run("BEGIN; DELETE FROM player; ROLLBACK")
      // Fetched, but unchanged.
      database.notifyChanges(in: .table("player"))
      await database.waitUntilIdle(includingConsumers: true)
      task.cancel()
      try await task.value
      #expect(reported.all == ["inserted 0, 1, 2", "updated 1 → 1", "updated 1 → 1"])
      #expect(fetches.value == 4)
    }
  }

  @Test func `of an empty list begin with an empty one`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      try await database.run("DELETE FROM player")
      var reported = database.observe(Self.players).differences.makeAsyncIterator()
      let first = try #require(try await reported.next())
      #expect(first.isInitial && first.isEmpty)
      try await database.run("INSERT INTO player VALUES (4, 'Al', 'red')")
      #expect("\(try #require(try await reported.next()))" == "inserted 0")
    }
  }

  @Test func `continue after an error, and signal recovery`() async throws {
    struct Failure: Error {}
    try await withDatabase(.file, Self.schema) { database in
      let results = database.observe { connection in
        let players = try Self.players(connection)
        if players.contains(where: { $0.name == "?" }) { throw Failure() }
        return players
      }.results
      var reported = results.differences(by: \.id).makeAsyncIterator()
      func next() async -> String? {
        switch await reported.next() {
        case .success(let difference): "\(difference)"
        case .failure(let error): "\(type(of: error))"
        case nil: nil
        }
      }
      #expect(await next() == "inserted 0, 1, 2")
      try await database.run("UPDATE player SET name = '?' WHERE id = 1")
      #expect(await next() == "Failure")
      try await database.run("UPDATE player SET name = 'Ada' WHERE id = 1")
      #expect(await next() == "no difference")
      try await database.run("UPDATE player SET name = '?' WHERE id = 1")
      #expect(await next() == "Failure")
      try await database.run("DELETE FROM player WHERE id = 1")
      #expect(await next() == "removed 0")
    }
  }

  @Test func `are computed for sections`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let players = database.observe { connection in
        try Self.players(connection).sorted { $0.team < $1.team }
      }
      var reported = players.differences(by: \.id, sectionBy: \.team).makeAsyncIterator()
      let first = try #require(try await reported.next())
      #expect(first.isInitial)
      #expect(first.elements.map(\.key) == ["blue", "red"])
      try await database.run("UPDATE player SET team = 'blue' WHERE id = 1")
      let moved = try #require(try await reported.next())
      #expect(moved.sections.isEmpty)
      #expect(moved.rows.map { "\($0.rows)" } == ["inserted 0", "removed 0"])
      try await database.run("DELETE FROM player WHERE team = 'red'")
      let removed = try #require(try await reported.next())
      #expect(removed.sections.removals == [1])
      #expect(removed.rows.isEmpty)
    }
  }

  /// A number that records the threads on which it is compared.
  struct Compared: Equatable, Sendable {
    var number: Int
    var onMain: Counter
    var elsewhere: Counter

    static func == (a: Compared, b: Compared) -> Bool {
      (Thread.isMainThread ? a.onMain : a.elsewhere).add()
      return a.number == b.number
    }
  }

  @MainActor @Test func `are computed outside any actor, and end with their task`() async throws {
    let (onMain, elsewhere) = (Counter(), Counter())
    try await withDatabase(.file, Self.schema) { database in
      let numbers = database.observe { connection in
        try connection.values(Int.self, "SELECT id FROM player ORDER BY id")
          .map { Compared(number: $0, onMain: onMain, elsewhere: elsewhere) }
      }
      let reported = Collector<String>()
      let task = Task { @MainActor in
        for try await difference in numbers.differences(by: \.number) {
          reported.add("\(difference)")
        }
      }
      await reported.wait { _ in true }
      try await database.run("DELETE FROM player WHERE id = 1")
      await reported.wait { $0 == "removed 0" }
      task.cancel()
      try await task.value
      #expect(onMain.value == 0)
      #expect(elsewhere.value > 0)
    }
  }

  @Test func `end with the error that ends the observation`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      var reported = database.observe(Self.players).differences.makeAsyncIterator()
      _ = try await reported.next()
      database.close()
      await #expect(throws: SQLiteError.self) { try await reported.next() }
      #expect(try await reported.next() == nil)
    }
  }
}

import ObserveTesting
import SQLiteCore
import Testing

@testable import Observe

@Suite struct `Observations with tracked regions` {
  static let schema = """
    CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT, team INTEGER);
    CREATE TABLE favorite (team INTEGER);
    INSERT INTO player VALUES (1, 'Ada', 1), (2, 'Bob', 2); INSERT INTO favorite VALUES (1);
    """

  struct Negative: Error {}

  /// The names of the players of the favorite team.
  static let names: @Sendable (Connection, inout Region) throws -> [String] = {
    connection, region in
    region = .table("favorite")
    let team = try connection.value(Int64.self, "SELECT team FROM favorite") ?? 0
    if team < 0 { throw Negative() }
    region = region.union(
      .rows(of: "player", where: .column("team", equals: .integer(team)), reading: ["name"]))
    return try connection.values(
      String.self, "SELECT name FROM player WHERE team = ? ORDER BY id", team)
  }

  @Test(arguments: Store.allCases)
  func `use the region of each fetch, down to rows`(_ store: Store) async throws {
    try await withDatabase(store, Self.schema) { database in
      let timeline = try await Timeline(database)
      await timeline.observe("names", database.observe(trackingRegion: Self.names))
      try await timeline.step("Bob") {
        try await database.run("UPDATE player SET name = 'B' WHERE id = 2")
      }
      try await timeline.step("team") { try await database.run("UPDATE favorite SET team = 2") }
      try await timeline.step("Ada") {
        try await database.run("UPDATE player SET name = 'A' WHERE id = 1")
      }
      try await timeline.step("Bob") { try await database.run("DELETE FROM player WHERE id = 2") }
      #expect(
        timeline.drawing == """
                   start    Bob  team   Ada  Bob
          commits  ─────────1────2──────3────4──
          names    ["Ada"]───────["B"]───────[]─
          """)
    }
  }

  @Test func `continue after an error with the region set until then`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let results = await Recording(
        database.observe(trackingRegion: Self.names).results, of: database)
      for script in [
        "UPDATE favorite SET team = -1", "UPDATE player SET name = 'Z' WHERE id = 2",
        "UPDATE favorite SET team = 2",
      ] {
        try await database.run(script)
        await results.waitUntilIdle()
      }
      #expect(results.values.map { try? $0.get() } == [["Ada"], nil, ["Z"]])
    }
  }

  @Test func `can be values of a request`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let readers: [any DatabaseReader] = [database, database.readOnly]
      for reader in readers {
        let values = QueryValues(
          observing: reader, isDuplicate: { $0 == $1 }, name: "names", trackingRegion: Self.names)
        let names = await Recording(values, of: database)
        try await database.run("UPDATE player SET name = 'B' WHERE id = 2")
        try await database.run("UPDATE player SET team = 1")
        await names.waitUntilIdle()
        #expect(names.values == [["Ada"], ["Ada", "B"]])
        #expect(
          database.observationStatistics().observations.map(\.observation.description) == ["names"])
        try await database.run("UPDATE player SET team = 2, name = 'Bob' WHERE id = 2")
        await names.cancel()
      }
      #expect(database.readOnly.observation(trackingRegion: Self.names) != nil)
      let snapshot = try await database.snapshot()
      #expect(snapshot.observation(trackingRegion: Self.names) == nil)
      var seen: [[String]] = []
      for try await names in QueryValues(observing: snapshot, trackingRegion: Self.names) {
        seen.append(names)
      }
      #expect(seen == [["Ada"]])
    }
  }
}

@Suite struct `Shared observations` {
  static let schema = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, x INTEGER); CREATE TABLE u (x);
    INSERT INTO t VALUES (1, 10);
    """

  @Test(arguments: [nil, Region.table("t")])
  func `of equal keys fetch once per commit`(_ region: Region?) async throws {
    try await withDatabase(.file, Self.schema) { database in
      let fetches = Counter()
      let sums = database.observe(region) { connection in
        fetches.add()
        return try connection.value(Int.self, "SELECT sum(x) FROM t") ?? 0
      }.shared(by: "sum")
      let first = await Recording(sums, of: database)
      let second = await Recording(sums.transformed { "\($0)" }, of: database)
      #expect(fetches.value == 2)
      try await database.run("UPDATE t SET x = 11")
      await first.waitUntilIdle()
      #expect(fetches.value == 3)
      // Both then depend on the region that one of them has read.
      try await database.run("UPDATE t SET x = 12")
      try await database.run("INSERT INTO u VALUES (1)")
      await first.waitUntilIdle()
      #expect(fetches.value == 4)
      #expect(first.values == [10, 11, 12])
      #expect(second.values == ["10", "11", "12"])
    }
  }

  @Test func `of other keys or types fetch separately`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let fetches = Counter()
      let sum: @Sendable (Connection) throws -> Int = { connection in
        fetches.add()
        return try connection.value(Int.self, "SELECT sum(x) FROM t") ?? 0
      }
      let a = await Recording(database.observe(sum).shared(by: 1), of: database)
      let b = await Recording(database.observe(sum).shared(by: 2), of: database)
      let c = await Recording(
        database.observe { try "\(sum($0))" }.shared(by: 1), of: database)
      try await database.run("UPDATE t SET x = 11")
      await a.waitUntilIdle()
      #expect(fetches.value == 6)
      #expect(a.values == [10, 11] && b.values == [10, 11] && c.values == ["10", "11"])
    }
  }

  @Test func `share no error, and no transform`() async throws {
    struct Odd: Error {}
    try await withDatabase(.file, Self.schema) { database in
      let fetches = Counter()
      let sums = database.observe { connection in
        fetches.add()
        let sum = try connection.value(Int.self, "SELECT sum(x) FROM t") ?? 0
        if sum == 0 { throw Odd() }
        return sum
      }.shared(by: "sum")
      let all = await Recording(sums.results, of: database)
      let even = await Recording(
        sums.transformed { if $0 % 2 == 1 { throw Odd() } else { return $0 } }.results,
        of: database)
      for value in [11, 0, 12] {
        try await database.run("UPDATE t SET x = \(value)")
        await all.waitUntilIdle()
      }
      #expect(all.values.map { try? $0.get() } == [10, 11, nil, 12])
      #expect(even.values.map { try? $0.get() } == [10, nil, nil, 12])
      // The first values, two shared fetches, and one that fails for each.
      #expect(fetches.value == 2 + 1 + 2 + 1)
    }
  }

  @Test func `keep their name, timing and control when transformed`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let control = DatabaseObservation.Control(isPaused: true)
      let sums = database.observe { try $0.value(Int.self, "SELECT sum(x) FROM t") ?? 0 }
        .named("sum").controlled(by: control).shared(by: 1).transformed { $0 + 1 }
      let recording = await Recording(sums, of: database)
      #expect(recording.values == [])
      #expect(
        database.observationStatistics().observations.map(\.observation.description) == ["sum"])
      control.resume()
      await recording.waitUntilIdle()
      #expect(recording.values == [11])
    }
  }
}

import Observe
import ObserveTesting
import Router
import SQLiteCore
import Primitives
import Testing

@Suite struct `Live routes` {
  static let reds = DatabaseRoute.fetch(
    from: "player", filteredBy: Column("team").equals(1), order: .ascending("name"))

  @Test func `deliver the current rows, and new ones after each relevant commit`() async throws {
    let database = try database(playerSchema)
    let executor = SQLiteRouteExecutor(database)
    let names = await Recording(
      executor.observeValues(Player.self, for: Self.reds).transformed { $0.map(\.name) },
      of: database)
    try await database.run("INSERT INTO player (name, team) VALUES ('Di', 1)")
    await names.waitUntilIdle()
    try await database.run("UPDATE player SET team = 2 WHERE name = 'Ada'")
    await names.waitUntilIdle()
    try await executor.perform(.delete(from: "player", filteredBy: .all))
    await names.waitUntilIdle()
    #expect(names.values == [["Ada", "Cy"], ["Ada", "Cy", "Di"], ["Cy", "Di"], []])
  }

  @Test func `deliver one row, at most one row, or the number of rows`() async throws {
    let database = try database(playerSchema)
    let executor = SQLiteRouteExecutor(database)
    let ada = DatabaseRoute.fetchOne(id: 1, from: "player").selecting("id", "name", "team")
    let one = await Recording(
      executor.observeValue(Player.self, for: ada).results, of: database)
    let maybe = await Recording(
      executor.observeOptionalValue(Player.self, for: ada), of: database)
    let many = await Recording(
      executor.observeOptionalValue(Player.self, for: Self.reds).results, of: database)
    let count = await Recording(executor.observeCount(of: Self.reds.limited(to: 1)), of: database)
    try await database.run("DELETE FROM player WHERE id = 1")
    await count.waitUntilIdle()
    try await database.run("INSERT INTO player (id, name, team) VALUES (1, 'Al', 1)")
    await count.waitUntilIdle()
    let al = Player(id: 1, name: "Al", team: 1)
    #expect(one.values.map { try? $0.get().name } == ["Ada", nil, "Al"])
    #expect(one.values.map(\.code) == [nil, .notFound, nil])
    #expect(maybe.values == [Player(id: 1, name: "Ada", team: 1), nil, al])
    #expect(many.values.map(\.code) == [.multipleRows, nil, .multipleRows])
    #expect(count.values == [2, 1, 2])
    let custom = try DatabaseRoute.custom(on: "player") { _ in "SELECT 1" }
    #expect(
      await code { for try await _ in executor.observeCount(of: custom) {} } == .invalidRoute)
  }

  @Test func `share the runs of equal routes`() async throws {
    let database = try database(playerSchema)
    var executor = SQLiteRouteExecutor(database)
    let runs = Tally()
    executor.policies = [{ _ in runs.add() }]
    let a = await Recording(executor.observeValues(Player.self, for: Self.reds), of: database)
    let b = await Recording(executor.observeValues(Player.self, for: Self.reds), of: database)
    let c = await Recording(
      executor.observeValues(Player.self, for: Self.reds).transformed(\.count), of: database)
    #expect(runs.count == 3)
    try await database.run("UPDATE player SET name = 'Al' WHERE id = 1")
    await a.waitUntilIdle()
    #expect(runs.count == 4)
    #expect(a.values.count == 2)
    #expect(a.values == b.values)
    #expect(c.values == [2, 2])
  }

  @Test func `continue after an error if results are requested, and end otherwise`() async throws {
    let database = try database(playerSchema)
    var executor = SQLiteRouteExecutor(database)
    let isForbidden = Switch()
    executor.policies = [
      { route in
        if isForbidden.isOn { throw RouterError(code: .refused, message: "not now") }
      }
    ]
    executor.limits.maximumRows = 2
    let values = executor.observeValues(Player.self, for: Self.reds)
    let ending = await Recording(values, of: database)
    let all = await Recording(values.results, of: database)
    isForbidden.set(true)
    try await database.run("UPDATE player SET name = 'Al' WHERE id = 1")
    await all.waitUntilIdle()
    isForbidden.set(false)
    try await database.run("UPDATE player SET name = 'Ann' WHERE id = 1")
    await all.waitUntilIdle()
    try await database.run("INSERT INTO player (name, team) VALUES ('Di', 1)")
    await all.waitUntilIdle()
    try await database.run("DELETE FROM player WHERE name = 'Di'")
    await all.waitUntilIdle()
    #expect(all.values.map(\.code) == [nil, .refused, nil, .tooManyRows, nil])
    #expect(try all.values.last?.get().map(\.name) == ["Ann", "Cy"])
    #expect(ending.values.count == 1)
    #expect((ending.error as? RouterError)?.code == .refused)
  }

  @Test func `that write or can't be observed throw when iterated`() async throws {
    let database = try database(playerSchema)
    let executor = SQLiteRouteExecutor(database)
    let write = DatabaseRoute.delete(id: 1, from: "player")
    for try await result in executor.observeValues(Player.self, for: write).results {
      #expect(result.code == .invalidRoute)
    }
    let writing = try DatabaseRoute.custom(on: "player", access: .write) { _ in
      "DELETE FROM player"
    }
    #expect(
      await code {
        for try await _ in executor.observeValues(Player.self, for: writing) {}
      } == .invalidRoute)
    let reading = try DatabaseRoute.custom(on: "player") { _ in "DELETE FROM player RETURNING id" }
    #expect(
      await code {
        for try await _ in executor.observeValues(Int.self, for: reading) {}
      } == .refused)
    #expect(try await executor.value(Int.self, for: .count(from: "player")) == 3)
  }

  @Test func `are not available for a snapshot`() async throws {
    try await `Routes on a file`.withFile { database in
      let executor = SQLiteRouteExecutor(readingFrom: try await database.snapshot())
      let route = DatabaseRoute.fetch(from: "todos")
      #expect(
        await code {
          for try await _ in executor.observeValues(Todo.self, for: route) {}
        } == .unsupported)
    }
  }

  // With a file, values are fetched by one of several connections, concurrently with the writer.
  @Test func `on a file see each commit`() async throws {
    try await `Routes on a file`.withFile { database in
      let executor = SQLiteRouteExecutor(database)
      let open = DatabaseRoute.fetch(
        from: "todos", filteredBy: Column("completedOn").isNull(), order: .ascending("id"))
      let names = await Recording(
        executor.observeValues(Todo.self, for: open).transformed { $0.map(\.name) },
        of: database)
      try await executor.perform(.insert([Todo.milk, .bread, .tea], into: "todos"))
      await names.waitUntilIdle()
      try await executor.perform(.update(id: 1, in: "todos", with: ["completedOn": 1] as Record))
      await names.waitUntilIdle()
      try await executor.perform(.update(id: 2, in: "todos", with: ["name": "Rye"] as Record))
      await names.waitUntilIdle()
      #expect(names.values == [[], ["Milk"], []])
    }
  }

  @Test func `are refused if their filters are too deep`() async throws {
    let executor = SQLiteRouteExecutor(try database(playerSchema))
    var filter = Column("team").equals(1)
    for _ in 0..<51 { filter = .not(filter) }
    let route = DatabaseRoute.fetch(from: "player", filteredBy: filter)
    var players = executor.observeValues(Player.self, for: route).makeAsyncIterator()
    let error = await #expect(throws: RouterError.self) { try await players.next() }
    #expect(error?.code == .invalidRoute)
    #expect(error?.table == "player")
  }

  @Test func `can be used with a read-only database`() async throws {
    let database = try database(playerSchema)
    let executor = SQLiteRouteExecutor(readingFrom: database.readOnly)
    let count = await Recording(executor.observeCount(of: Self.reds), of: database)
    try await database.run("DELETE FROM player")
    await count.waitUntilIdle()
    #expect(count.values == [2, 0])
  }

  @Test func `follow schema changes`() async throws {
    let database = try database(playerSchema)
    let executor = SQLiteRouteExecutor(database)
    let route = DatabaseRoute.fetch(from: "player", filteredBy: Column("name").equals("Ada"))
    let rows = await Recording(executor.observeValues(Cells.self, for: route).results, of: database)
    try await database.run("ALTER TABLE player ADD COLUMN city TEXT DEFAULT 'Rome'")
    await rows.waitUntilIdle()
    try await database.run("ALTER TABLE player RENAME COLUMN name TO title")
    await rows.waitUntilIdle()
    try await database.run("ALTER TABLE player RENAME COLUMN title TO name")
    await rows.waitUntilIdle()
    #expect(rows.values.map(\.code) == [nil, nil, .unknownColumn, nil])
    #expect(try rows.values[1].get()[0].cells["city"] == "Rome")
  }

  @Test func `follow join rows that a row filter allows, and no others`() async throws {
    let database = try database(
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY);
      CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE note_tag (
        note INTEGER REFERENCES note, tag INTEGER REFERENCES tag, owner INTEGER,
        PRIMARY KEY (note, tag));
      INSERT INTO note VALUES (1);
      INSERT INTO tag VALUES (1, 'a'), (2, 'b'), (3, 'c');
      INSERT INTO note_tag VALUES (1, 1, 1), (1, 2, 2);
      """)
    var executor = SQLiteRouteExecutor(database)
    executor.rowFilters["note_tag"] = Column("owner").equals(1)
    struct Tag: Codable, Sendable { var name: String }
    struct Note: Codable, Sendable { var tag: [Tag] }
    let route = DatabaseRoute.fetch(from: "note")
      .embedding(.init("tag", orderedBy: [.ascending("name")]))
    let names = await Recording(
      executor.observeValues(Note.self, for: route).transformed { $0.first?.tag.map(\.name) ?? [] },
      of: database)
    #expect(try await database.fetches(after: "INSERT INTO note_tag VALUES (1, 3, 2)") == 0)
    #expect(try await database.fetches(after: "UPDATE note_tag SET owner = 1 WHERE tag = 2") == 1)
    #expect(try await database.fetches(after: "UPDATE note_tag SET owner = 3 WHERE tag = 1") == 1)
    #expect(names.values == [["a"], ["a", "b"], ["b"]])
  }

  @Test func `end when the database is closed`() async throws {
    let database = try database(playerSchema)
    let values = SQLiteRouteExecutor(database).observeValues(Player.self, for: Self.reds)
    let plain = await Recording(values, of: database)
    let results = await Recording(values.results, of: database)
    database.close()
    await plain.waitUntilIdle()
    #expect(plain.hasEnded && results.hasEnded)
    #expect((plain.error as? SQLiteError)?.code == .closed)
    #expect(results.error == nil)
  }

  @Test func `are observations of Observe on request`() async throws {
    let database = try database(playerSchema)
    let executor = SQLiteRouteExecutor(database)
    let players = try executor.observation(of: Player.self, for: Self.reds)
    let differences = await Recording(players.differences(by: \.id), of: database)
    try await database.run("INSERT INTO player (name, team) VALUES ('Di', 1)")
    await differences.waitUntilIdle()
    #expect(differences.values.map { Array($0.insertions) } == [[0, 1], [2]])
    let label = database.observationStatistics().observations.first?.observation.description
    #expect(label == "fetch player where team eq ? by name")
    #expect(throws: RouterError.self) {
      try executor.observation(of: Player.self, for: .delete(id: 1, from: "player"))
    }
  }

  @Test func `skip equal values, pause, and have names`() async throws {
    let database = try database(playerSchema)
    let executor = SQLiteRouteExecutor(database)
    let control = DatabaseObservation.Control()
    let clock = TestClock()
    let names = executor.observeValues(Player.self, for: Self.reds)
      .transformed { $0.map(\.name) }.removeDuplicates().controlled(by: control)
      .refreshed(within: .seconds(60), clock: clock).throttled(maximumLoad: 1).named("reds")
    let recording = await Recording(names, of: database)
    try await database.run("UPDATE player SET team = NULL WHERE id = 2")
    try await database.run("UPDATE player SET profile = '{}'")
    await recording.waitUntilIdle()
    control.pause()
    try await database.run("DELETE FROM player WHERE id = 3")
    await recording.waitUntilIdle()
    #expect(recording.values == [["Ada", "Cy"]])
    control.resume()
    await recording.waitUntilIdle()
    #expect(recording.values == [["Ada", "Cy"], ["Ada"]])
    #expect(
      database.observationStatistics().observations.map(\.observation.description) == ["reds"])
  }

  @Test func `can have another source`() async throws {
    let (numbers, feed) = AsyncStream.makeStream(of: Int.self)
    for number in [1, 1, 2, 2, 3] { feed.yield(number) }
    feed.finish()
    var seen: [String] = []
    let values = DatabaseRoute.Observation(numbers).removeDuplicates().transformed { "\($0)" }
      .named("n")
    for try await value in values { seen.append(value) }
    #expect(seen == ["1", "2", "3"])
    var codes: [RouterError.Code?] = []
    let none = DatabaseRoute.Observation<Int>(
      throwing: RouterError(code: .unanswered, message: "nobody"))
    for await result in none.transformed({ $0 + 1 }).removeDuplicates().results {
      codes.append(result.code)
    }
    #expect(codes == [.unanswered])
  }
}

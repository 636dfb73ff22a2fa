import ObserveTesting
import SQLiteCore
import Testing

@testable import Observe

@Suite struct `A timeline` {
  static let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); CREATE TABLE u (x)"

  static let names: @Sendable (Connection) throws -> String = {
    try $0.values(String.self, "SELECT a FROM t ORDER BY id").joined()
  }

  static let count: @Sendable (Connection) throws -> Int = {
    try $0.value(Int.self, "SELECT count(*) FROM t") ?? 0
  }

  @Test(arguments: Store.allCases)
  func `draws commits and delivered values, step by step`(_ store: Store) async throws {
    try await withDatabase(store, Self.schema) { database in
      let timeline = try await Timeline(database)
      await timeline.observe("names", database.observe(Self.names)) { $0.isEmpty ? "∅" : $0 }
      await timeline.observe("count", database.observe(Self.count))
      try await timeline.step("insert") {
        try await database.run("INSERT INTO t VALUES (1, 'a'), (2, 'b')")
      }
      try await timeline.step("rename") {
        try await database.run("UPDATE t SET a = 'cde' WHERE id = 1")
      }
      try await timeline.step("other") { try await database.run("INSERT INTO u VALUES (1)") }
      try await timeline.step("undo") { try await database.run("BEGIN; DELETE FROM t; ROLLBACK") }
      await timeline.step("nothing") {}
      #expect(
        timeline.drawing == """
                   start  insert  rename  other  undo  nothing
          commits  ───────1───────2───────3──────↩────────────
          names    ∅──────ab──────cdeb────────────────────────
          count    0──────2───────────────────────────────────
          """)
    }
  }

  @Test func `draws several values in one step, and rows that begin later`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let timeline = try await Timeline(database)
      await timeline.observe("count", database.observe(Self.count))
      try await timeline.step("two") {
        for id in 1...2 {
          try await database.run("INSERT INTO t VALUES (\(id), 'x')")
          await database.waitUntilIdle(includingConsumers: true)
        }
      }
      await timeline.step("join") {
        await timeline.observe("changes", database.changes()) { "\($0.sequence)" }
      }
      try await timeline.step("one") { try await database.run("DELETE FROM t WHERE id = 1") }
      #expect(
        "\(timeline)" == """
                   start  two  join  one
          commits  ───────1,2────────3──
          count    0──────1,2────────1──
          changes              ──────3──
          """)
    }
  }

  struct Odd: Error {}

  @Test func `draws errors, and ends`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let even: @Sendable (Connection) throws -> Int = { connection in
        let count = try Self.count(connection)
        if count % 2 == 1 { throw Odd() }
        return count
      }
      let timeline = try await Timeline(database)
      await timeline.observe("values", database.observe(even))
      await timeline.observe("results", database.observe(even).results)
      for id in 1...2 {
        try await timeline.step("\(id)") {
          try await database.run("INSERT INTO t (id) VALUES (\(id))")
        }
      }
      await #expect(throws: Odd.self) {
        try await timeline.step("throw") {
          try await database.run("INSERT INTO t (id) VALUES (3)")
          throw Odd()
        }
      }
      await timeline.step("close") { database.close() }
      #expect(
        timeline.drawing == """
                   start  1  2  throw  close
          commits  ───────1──2──3──────✕
          values   0──────✕
          results  0──────✕──2──✕──────|
          """)
    }
  }

  @MainActor @Test func `draws a controller's values, even if a fetch fails`() async throws {
    try await withDatabase(.file, playerSchema) { database in
      let captain = QueryController(Captain(), in: .readOnly { database })
      let total = QueryController(PlayerCount(), in: .readOnly { database })
      let timeline = try await Timeline(database)
      await timeline.observe("captain", captain)
      await timeline.observe("total", total)
      try await timeline.step("none") {
        try await database.run("UPDATE player SET team = 'green'")
      }
      try await timeline.step("Cy") {
        try await database.run("UPDATE player SET team = 'red' WHERE id = 3")
      }
      try await timeline.step("off") {
        captain.isEnabled = false
        try await database.run("DELETE FROM player")
      }
      await timeline.step("refresh") { total.refresh() }
      #expect(
        timeline.drawing == """
                   start  none  Cy  off  refresh
          commits  ───────1─────2───3───────────
          captain  Ada────✕─────Cy──…───────────
          total    3─────────────────────0──────
          """)
    }
  }

  @Test func `can show the causes of fetches`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let timeline = try await Timeline(database)
      await timeline.observe("count", database.observe(Self.count).named("count"))
      await timeline.observe("why", database.observationEvents) { event in
        event.fetch?.cause.matches.map(\.description).joined(separator: "; ") ?? "\(event)"
      }
      try await timeline.step("insert") { try await database.run("INSERT INTO t VALUES (1, 'a')") }
      try await timeline.step("delete") { try await database.run("DELETE FROM t") }
      #expect(
        timeline.drawing == """
                   start  insert                             delete
          commits  ───────1──────────────────────────────────2───────────────────────────────
          count    0──────1──────────────────────────────────0───────────────────────────────
          why      ───────t: inserted 1 row (id: 1, a: "a")──t: deleted 1 row (id: 1, a: "a")
          """)
    }
  }
}

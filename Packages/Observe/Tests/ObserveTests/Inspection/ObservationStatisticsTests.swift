import ObserveTesting
import SQLiteCore
import Testing

@testable import Observe

@Suite struct `Statistics of observations` {
  static let schema = "CREATE TABLE t (x); CREATE TABLE u (x)"

  static let count: @Sendable (Connection) throws -> Int = {
    try $0.value(Int.self, "SELECT count(*) FROM t") ?? 0
  }

  @Test(arguments: Store.allCases)
  func `count each observation's fetches, and the total cost`(_ store: Store) async throws {
    try await withDatabase(store, Self.schema) { database in
      let control = DatabaseObservation.Control()
      let counts = database.observe(Self.count).removeDuplicates()
      let plain = await Recording(counts.named("plain"), of: database)
      let paused = await Recording(counts.named("paused").controlled(by: control), of: database)
      control.pause()
      for change in ["INSERT INTO t VALUES (1)", "INSERT INTO u VALUES (1)"] {
        try await database.run(change)
        await plain.waitUntilIdle()
      }
      try await database.run("DELETE FROM t; INSERT INTO t VALUES (2)")
      await plain.waitUntilIdle()
      let statistics = database.observationStatistics()
      #expect(statistics.commits == 4)
      let (first, second) = (statistics.observations[0], statistics.observations[1])
      #expect(first.observation == DatabaseObservation.Label(number: 1, name: "plain"))
      #expect(first.phase == .waiting)
      #expect(first.region == .columns("t", []))
      #expect(first.counts.fetches == first.counts.deliveries + first.counts.duplicates)
      #expect(first.counts.deliveries >= 2)
      #expect(first.counts.lastTrigger == .commit)
      #expect(first.counts.lastDuration > .zero)
      #expect(first.counts.totalDuration > first.counts.lastDuration)
      #expect(second.phase == .paused)
      #expect(second.counts.fetches == 1)
      #expect(second.counts.lastTrigger == .first)
      #expect(statistics.flushes >= 3)
      #expect(statistics.wakeUps >= 2)
      withExtendedLifetime(paused) {}
    }
  }

  @Test func `omit ended observations`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      #expect(database.observationStatistics().observations == [])
      let recording = await Recording(database.observe(Self.count), of: database)
      #expect(database.observationStatistics().observations.count == 1)
      await recording.cancel()
      #expect(database.observationStatistics().observations == [])
      let text = database.observationStatistics().description
      #expect(text == "0 observations; 0 commits, 1 flushes, 0.0 woken per commit")
    }
  }

  @Test func `print as a table`() {
    var counts = DatabaseObservation.Statistics.Counts()
    counts.fetches = 1_204
    counts.deliveries = 1_200
    counts.duplicates = 4
    counts.totalDuration = .microseconds(1_234_567)
    counts.lastDuration = .microseconds(95)
    counts.lastTrigger = .commit
    let statistics = DatabaseObservation.Statistics(
      commits: 4, flushes: 5, wakeUps: 6,
      observations: [
        .init(
          observation: DatabaseObservation.Label(number: 1, name: "players"), phase: .waiting,
          region: .columns("player", ["score", "name"]), counts: counts),
        .init(
          observation: DatabaseObservation.Label(number: 2, name: nil), phase: .queued, region: nil,
          counts: .init()),
      ])
    #expect(
      statistics.description == """
        2 observations; 4 commits, 5 flushes, 1.5 woken per commit
        observation    phase    fetches  delivered  equal  failed   last  total  last cause  reads
        players        waiting     1204       1200      4       0  95 µs  1.2 s  commit      player(name, score)
        observation 2  queued         0          0      0       0   0 µs   0 µs  –           –
        """)
  }

  @Test(arguments: [
    (Duration.zero, "0 µs"), (.microseconds(999), "999 µs"), (.microseconds(1_000), "1.0 ms"),
    (.microseconds(12_399), "12.3 ms"), (.milliseconds(999), "999.0 ms"), (.seconds(61), "61.0 s"),
  ])
  func `print durations in a short form`(_ duration: Duration, _ text: String) {
    #expect(duration.shortDescription == text)
  }
}

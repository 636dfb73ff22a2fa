import Observe
import ObserveCombine
import SQLiteCore
import Testing

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

@Suite struct `Publishers` {
  @Test func `of commits omit no commit, even if the demand is late`() async throws {
    try await withPlayers { database in
      try await database.startObserving()
      let publisher = database.changesPublisher(in: .table("player"))
      try await database.run("DELETE FROM player WHERE id = 1")
      let changes = Recorder<ChangeSet, any Error>()
      publisher.subscribe(changes)
      for number in 1...3 {
        try await database.run("UPDATE player SET name = '\(number)' WHERE id = 2")
        try await database.run("CREATE TABLE IF NOT EXISTS other (x)")
      }
      changes.request(.max(1))
      await changes.wait(for: 1)
      #expect("\(changes.values[0])" == "player: updated 1 row (name: \"Bob\" → \"1\")")
      changes.request(.unlimited)
      await changes.wait(for: 3)
      changes.cancel()
    }
  }

  @Test func `of transactions include rolled back ones`() async throws {
    try await withPlayers { database in
      try await database.startObserving()
      let events = Recorder<DatabaseObservation.TransactionEvent, any Error>()
      database.transactionEventsPublisher.subscribe(events)
      try await database.run("BEGIN; DELETE FROM player; ROLLBACK")
      try await database.addPlayer()
      events.request(.max(2))
      await events.wait(for: 2)
      events.cancel()
      guard case .rollback(tables: ["player"]) = events.values[0],
        case .commit = events.values[1]
      else {
        Issue.record("\(events.values)")
        return
      }
    }
  }

  @Test func `of differences, throttled and non-equatable values combine like sequences`()
    async throws
  {
    try await withPlayers { database in
      let names = database.observe(fetchNames).removeDuplicates()
        .throttled(minimumInterval: .zero).differences(by: \.self)
      let told = Recorder<ListDifference<String>, any Error>()
      names.publisher().subscribe(told)
      told.request(.unlimited)
      await told.wait(for: 1)
      try await database.run("UPDATE player SET name = 'Zoe' WHERE id = 1")
      await told.wait(for: 2)
      told.cancel()
      #expect(told.values.map { "\($0)" } == ["inserted 0, 1", "removed 0; inserted 1"])
    }
  }

  @Test func `track presence`() async throws {
    try await withPlayers { database in
      let presences = Recorder<Presence<String>, any Error>()
      database.observe { connection in
        try connection.value(String.self, "SELECT name FROM player WHERE id = 3")
      }.publisher().scanPresence().subscribe(presences)
      presences.request(.unlimited)
      for (round, change) in [
        "INSERT INTO player VALUES (3, 'Cy')", "DELETE FROM player WHERE id = 3",
        "INSERT INTO player VALUES (3, 'Di')",
      ].enumerated() {
        await presences.wait(for: round + 1)
        try await database.run(change)
      }
      await presences.wait(for: 4)
      presences.cancel()
      #expect(presences.values == [.missing, .existing("Cy"), .gone("Cy"), .existing("Di")])
    }
  }

  @MainActor @Test func `on the main actor deliver nothing after cancellation there`() async throws
  {
    try await withPlayers { database in
      let counts = Recorder<Int, any Error> { _, _ in
        MainActor.assumeIsolated { Subscribers.Demand.none }
      }
      let publisher = database.observe(fetchCount).publisher().receiveOnMainActor()
      for round in 1...20 {
        publisher.subscribe(counts)
        counts.request(.unlimited)
        await counts.wait(for: counts.values.count + 1)
        try await database.addPlayer()
        counts.cancel()
        let seen = counts.values.count
        await database.waitUntilIdle(includingConsumers: true)
        for _ in 0..<round { await Task.yield() }
        #expect(counts.values.count == seen)
      }
      let ended = Recorder<Int, any Error>()
      publisher.subscribe(ended)
      ended.request(.unlimited)
      await ended.wait(for: 1)
      database.close()
      await ended.waitForEnd()
    }
  }

  @MainActor @Test func `work with operators, and end with their owner`() async throws {
    try await withPlayers { database in
      let texts = Recorder<String, Never>()
      var cancellables: Set<AnyCancellable> = []
      database.observe(fetchNames).publisher().receiveOnMainActor()
        .map { $0.joined(separator: ", ") }
        .replaceError(with: "?")
        .sink { _ = texts.receive($0) }
        .store(in: &cancellables)
      await texts.wait(for: 1)
      try await database.addPlayer()
      await texts.wait(for: 2)
      cancellables = []
      try await database.addPlayer()
      await database.waitUntilIdle(includingConsumers: true)
      #expect(texts.values == ["Ada, Bob", "Ada, Bob, Cy"])
    }
  }
}

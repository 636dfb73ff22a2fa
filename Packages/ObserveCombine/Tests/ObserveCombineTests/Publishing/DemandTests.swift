import Observe
import ObserveCombine
import SQLiteCore
import Testing

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

@Suite struct `A publisher of an observation` {
  typealias Counts = Recorder<Int, any Error>

  @Test func `publishes the value, and a new one after each commit`() async throws {
    try await withPlayers { database in
      let counts = Counts()
      database.observe(fetchCount).publisher().subscribe(counts)
      counts.request(.unlimited)
      for count in 2...5 {
        await counts.wait(for: count - 1)
        try await database.addPlayer()
      }
      await counts.wait(for: 5)
      counts.cancel()
      #expect(counts.values == [2, 3, 4, 5, 6])
    }
  }

  @Test func `fetches nothing without demand, and publishes the latest value on demand`()
    async throws
  {
    try await withPlayers { database in
      let (counts, fetches) = (Counts(), Counter())
      database.observe { connection in
        fetches.add()
        return try fetchCount(connection)
      }.publisher().subscribe(counts)
      for round in 1...3 {
        for _ in 0..<10 { try await database.addPlayer() }
        await database.waitUntilIdle()
        #expect(fetches.value == round - 1)
        #expect(counts.values.count == round - 1)
        counts.request(.max(1))
        await counts.wait(for: round)
        // Without demand, the publisher requests no value.
        await database.waitUntilIdle()
      }
      counts.request(.none)
      try await database.addPlayer()
      await database.waitUntilIdle()
      counts.cancel()
      #expect(fetches.value == 3)
      #expect(counts.values == [12, 22, 32])
    }
  }

  @Test func `publishes as many values as requested, initially and while receiving`() async throws {
    try await withPlayers { database in
      // Three values. One of them requests two more.
      let counts = Counts { _, count in count == 3 ? .max(2) : .none }
      database.observe(fetchCount).publisher().subscribe(counts)
      counts.request(.max(2))
      counts.request(.max(1))
      for round in 1...5 {
        await counts.wait(for: round)
        try await database.addPlayer()
      }
      await database.waitUntilIdle()
      #expect(counts.values == [2, 3, 4, 5, 6])
      counts.request(.max(1))
      await counts.wait(for: 6)
      counts.cancel()
      #expect(counts.values.last == 7)
    }
  }

  @Test func `lets its subscriber request more values while it receives one`() async throws {
    try await withPlayers { database in
      let counts = Counts { counts, _ in
        counts.request(.max(1))
        return .none
      }
      database.observe(fetchCount).publisher().subscribe(counts)
      counts.request(.max(1))
      for round in 1...3 {
        await counts.wait(for: round)
        try await database.addPlayer()
      }
      await counts.wait(for: 4)
      counts.cancel()
      #expect(counts.values == [2, 3, 4, 5])
    }
  }

  @Test func `lets its subscriber cancel while it receives a value`() async throws {
    try await withPlayers { database in
      let counts = Counts { counts, _ in
        counts.cancel()
        return .unlimited
      }
      database.observe(fetchCount).publisher().subscribe(counts)
      counts.request(.unlimited)
      await counts.wait(for: 1)
      for _ in 0..<10 { try await database.addPlayer() }
      await database.waitUntilIdle(includingConsumers: true)
      counts.request(.max(1))
      await database.waitUntilIdle(includingConsumers: true)
      #expect(counts.values == [2])
      #expect(counts.completion == nil)
    }
  }

  @Test func `fetches separately for each subscriber`() async throws {
    try await withPlayers { database in
      let publisher = database.observe(fetchCount).publisher()
      let (first, second) = (Counts(), Counts())
      publisher.subscribe(first)
      first.request(.unlimited)
      await first.wait(for: 1)
      try await database.addPlayer()
      publisher.subscribe(second)
      second.request(.max(1))
      await first.wait(for: 2)
      await second.wait(for: 1)
      first.cancel()
      second.cancel()
      #expect(first.values == [2, 3])
      #expect(second.values == [3])
    }
  }

  @Test func `follows a stream of commits, and ends with the last value`() async throws {
    try await withPlayers { database in
      let counts = Counts { counts, _ in
        counts.request(.max(1))
        return .none
      }
      database.observe(fetchCount).publisher().subscribe(counts)
      counts.request(.max(1))
      for _ in 0..<200 { try await database.addPlayer() }
      while counts.values.last != 202 { await Task.yield() }
      counts.cancel()
      #expect(counts.values == counts.values.sorted())
      #expect(counts.values.count <= 201)
    }
  }
}

import Observe
import ObserveCombine
import SQLiteCore
import Testing

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

@Suite struct `The end of a publisher` {
  typealias Counts = Recorder<Int, any Error>

  struct Failure: Error {}

  @Test func `by cancelling interrupts its fetch`() async throws {
    try await withPlayers { database in
      let (counts, begun) = (Counts(), Counter())
      database.observe { connection in
        // Called while a statement runs: only then can it be interrupted.
        let progress = try connection.hooks.progress {
          begun.add()
          return true
        }
        defer { connection.hooks.remove(progress) }
        return try connection.value(
          Int.self,
          "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
          ?? 0
      }.publisher().subscribe(counts)
      counts.request(.unlimited)
      while begun.value == 0 { await Task.yield() }
      counts.cancel()
      counts.cancel()
      await database.waitUntilIdle()
      #expect(counts.values == [])
      #expect(counts.completion == nil)
    }
  }

  @Test func `releases its subscriber`() async throws {
    try await withPlayers { database in
      weak var gone: Counts?
      for endsByCancelling in [true, false] {
        do {
          let counts = Counts()
          gone = counts
          database.observe { connection in
            let count = try fetchCount(connection)
            if !endsByCancelling { throw Failure() }
            return count
          }.publisher().subscribe(counts)
          counts.request(.unlimited)
          if endsByCancelling {
            await counts.wait(for: 1)
            counts.cancel()
          } else {
            await counts.waitForEnd()
          }
        }
        while gone != nil { await Task.yield() }
      }
    }
  }

  @Test func `is the error that ends the observation`() async throws {
    try await withPlayers { database in
      let failing = Counts()
      database.observe { _ in throw Failure() }.publisher().subscribe(failing)
      let (closed, idle) = (Counts(), Counts())
      for counts in [closed, idle] {
        database.observe(fetchCount).publisher().subscribe(counts)
      }
      failing.request(.max(1))
      await failing.waitForEnd()
      #expect(failing.completion?.text == "Failure")
      closed.request(.unlimited)
      idle.request(.max(1))
      await closed.wait(for: 1)
      await idle.wait(for: 1)
      database.close()
      await closed.waitForEnd()
      #expect(closed.completion?.text == "\(SQLiteError.Code.closed)")
      // A subscriber without demand is not notified.
      #expect(idle.completion == nil)
      idle.request(.max(1))
      await idle.waitForEnd()
      #expect(idle.completion?.text == "\(SQLiteError.Code.closed)")
    }
  }

  @Test func `is the end of the sequence`() async throws {
    let numbers = AsyncStream<Int> { continuation in
      for number in 1...3 { continuation.yield(number) }
      continuation.finish()
    }
    let recorder = Recorder<Int, Never>()
    numbers.publisher().subscribe(recorder)
    recorder.request(.max(3))
    await recorder.wait(for: 3)
    #expect(recorder.completion == nil)
    recorder.request(.max(1))
    await recorder.waitForEnd()
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.completion?.text == "finished")
  }

  @Test func `can precede the first value`() async throws {
    final class Unwilling: Subscriber {
      typealias Input = Int
      typealias Failure = any Error

      func receive(subscription: any Subscription) { subscription.cancel() }

      func receive(_ input: Int) -> Subscribers.Demand {
        Issue.record("it has cancelled")
        return .none
      }

      func receive(completion: Subscribers.Completion<any Error>) {
        Issue.record("it has cancelled")
      }
    }
    try await withPlayers { database in
      database.observe { _ in
        Issue.record("it was fetched")
        return 0
      }.publisher().subscribe(Unwilling())
      await database.waitUntilIdle(includingConsumers: true)
      try await database.addPlayer()
    }
  }

  @Test func `does not occur after an error in published results`() async throws {
    try await withPlayers { database in
      let results = Recorder<Result<Int, any Error>, Never>()
      database.observe { connection in
        let count = try fetchCount(connection)
        if count == 3 { throw Failure() }
        return count
      }.results.publisher().subscribe(results)
      results.request(.unlimited)
      for round in 1...2 {
        await results.wait(for: round)
        try await database.addPlayer()
      }
      await results.wait(for: 3)
      #expect(results.values.map { try? $0.get() } == [2, nil, 4])
      database.close()
      await results.waitForEnd()
    }
  }

  @Test func `at any time has no effect on other subscribers`() async throws {
    try await withPlayers { database in
      try await database.startObserving()
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<50 {
          group.addTask {
            let counts = Counts { _, _ in .max(1) }
            database.observe(fetchCount).publisher().subscribe(counts)
            counts.request(.max(1))
            for _ in 0..<number * 5 { await Task.yield() }
            counts.cancel()
          }
        }
        group.addTask { for _ in 0..<50 { try? await database.addPlayer() } }
      }
      let counts = Counts()
      database.observe(fetchCount).publisher().subscribe(counts)
      counts.request(.max(1))
      await counts.wait(for: 1)
      #expect(counts.values == [52])
    }
  }
}

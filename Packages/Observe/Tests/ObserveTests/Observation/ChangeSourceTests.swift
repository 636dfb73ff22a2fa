import Primitives
import SQLiteCore
import Testing

@testable import Observe

/// A source with one number, whose commits become visible when the test says so.
private final class NumberSource: ChangeSource {
  struct Snapshot: Sendable {
    let number: Int
  }

  struct State {
    var visible = 0
    var visibleTransaction: UInt64 = 0
    var pending: [(transaction: UInt64, number: Int)] = []
    var lastTransaction: UInt64 = 0
    var snapshots = 0
    var begins = 0
    var ends = 0
    /// The errors that the next requests for a snapshot throw.
    var snapshotErrors: [any Error] = []
    var startError: (any Error)?
  }

  struct Temporary: Error {}
  struct Permanent: Error {}

  let publisher = ChangePublisher()
  let state = Mutex(State())

  func beginObserving() async throws {
    let error = state.withLock { state in
      state.begins += 1
      return state.startError
    }
    if let error { throw error }
  }

  func endObserving() { state.withLock { $0.ends += 1 } }

  func withSnapshot(
    _ body: @Sendable (Snapshot, @Sendable (UInt64) -> Bool) async -> Void
  ) async throws {
    let (number, transaction, error) = state.withLock { state in
      state.snapshots += 1
      return (
        state.visible, state.visibleTransaction,
        state.snapshotErrors.isEmpty ? nil : state.snapshotErrors.removeFirst()
      )
    }
    if let error { throw error }
    await body(Snapshot(number: number)) { $0 <= transaction }
  }

  func isTemporary(_ error: any Error) -> Bool { error is Temporary }

  /// Commits a number, and publishes the commit.
  func commit(
    _ number: Int, in table: TableName = "t", isVisible: Bool = true
  ) {
    let transaction = state.withLock { state in
      state.lastTransaction += 1
      state.pending.append((state.lastTransaction, number))
      if isVisible { Self.show(&state) }
      return state.lastTransaction
    }
    publisher.publish(ChangeSet(tables: [table: .unknown]), of: transaction)
  }

  /// Makes all commits visible.
  func show() { state.withLock { Self.show(&$0) } }

  private static func show(_ state: inout State) {
    for commit in state.pending {
      state.visible = commit.number
      state.visibleTransaction = commit.transaction
    }
    state.pending = []
  }

  func numbers(of table: TableName = "t") -> ValueObservation<Int> {
    observe(.table(table)) { $0.number }
  }
}

private final class Fetches: Sendable {
  private let count = Atomic(0)
  func add() { count.add(1, ordering: .sequentiallyConsistent) }
  var value: Int { count.load(ordering: .sequentiallyConsistent) }
}

/// An iteration that several tasks use, one after another.
private final class Consumer<Base: AsyncSequence>: @unchecked Sendable
where Base.Element: Sendable {
  private var iterator: Base.AsyncIterator

  init(_ base: Base) { iterator = base.makeAsyncIterator() }

  func next() async throws -> Base.Element? { try await iterator.nextElement() }
}

extension AsyncSequence where Element: Sendable {
  fileprivate func consumer() -> Consumer<Self> { Consumer(self) }
}

@Suite struct `A source of changes` {
  private let source = NumberSource()

  @Test func `is fetched once for the first value, and once for each commit`() async throws {
    let fetches = Fetches()
    let iterator = source.observe(.table("t")) { snapshot in
      fetches.add()
      return snapshot.number
    }.consumer()
    #expect(try await iterator.next() == 0)
    #expect(fetches.value == 1)
    source.commit(5)
    #expect(try await iterator.next() == 5)
    #expect(fetches.value == 2)
    // Another table.
    source.commit(6, in: "u")
    source.commit(7)
    #expect(try await iterator.next() == 7)
    #expect(fetches.value == 3)
  }

  @Test func `is not fetched for a commit before a snapshot shows it`() async throws {
    let fetches = Fetches()
    let iterator = source.observe(.table("t")) { snapshot in
      fetches.add()
      return snapshot.number
    }.consumer()
    #expect(try await iterator.next() == 0)
    source.commit(1, isVisible: false)
    let next = Task { try await iterator.next() }
    // The snapshots are tried again and again.
    while source.state.withLock({ $0.snapshots }) < 5 { await Task.yield() }
    #expect(fetches.value == 1)
    source.show()
    #expect(try await next.value == 1)
    #expect(fetches.value == 2)
  }

  @Test func `delivers first values while a commit is not visible`() async throws {
    let waiting = source.numbers().consumer()
    #expect(try await waiting.next() == 0)
    source.commit(1, isVisible: false)
    let next = Task { try await waiting.next() }
    let first = source.numbers().consumer()
    #expect(try await first.next() == 0)
    // This value must be fetched again.
    let second = Task { try await first.next() }
    source.show()
    #expect(try await next.value == 1)
    #expect(try await second.value == 1)
  }

  @Test func `shows visible commits although a later one is not visible`() async throws {
    let iterator = source.numbers().consumer()
    #expect(try await iterator.next() == 0)
    source.commit(1)
    source.commit(2, isVisible: false)
    #expect(try await iterator.next() == 1)
    let next = Task { try await iterator.next() }
    source.show()
    #expect(try await next.value == 2)
  }

  @Test func `forgets commits that a snapshot has shown, also without fetches`() async throws {
    let iterator = source.numbers().consumer()
    #expect(try await iterator.next() == 0)
    for number in 1...5_000 { source.commit(number, in: "other") }
    source.commit(1)
    #expect(try await iterator.next() == 1)
    #expect(source.publisher.hub.state.withLock { $0.unconfirmed.count } < 2_000)
  }

  @Test func `is fetched again after a gap, by a snapshot that begins after it`() async throws {
    let iterator = source.numbers().consumer()
    #expect(try await iterator.next() == 0)
    source.state.withLock { $0.visible = 3 }
    source.publisher.publishGap()
    #expect(try await iterator.next() == 3)
  }

  @Test func `ends all iterations with its error, waiting or not, and can begin again`()
    async throws
  {
    let busy = source.numbers().consumer()
    #expect(try await busy.next() == 0)
    let waiting = source.numbers().consumer()
    #expect(try await waiting.next() == 0)
    let results = source.numbers().results.consumer()
    _ = try await results.next()
    let next = Task { try await waiting.next() }
    let changes = source.changes().consumer()
    let change = Task { try await changes.next() }
    while source.observationStatistics().observations.filter({ $0.phase == .waiting }).isEmpty {
      await Task.yield()
    }
    source.publisher.end(throwing: NumberSource.Permanent())
    await #expect(throws: NumberSource.Permanent.self) { try await next.value }
    await #expect(throws: NumberSource.Permanent.self) { try await busy.next() }
    await #expect(throws: NumberSource.Permanent.self) { try await change.value }
    guard case .failure(let error)? = try await results.next() else {
      Issue.record("the results did not end with the error")
      return
    }
    #expect(error is NumberSource.Permanent)
    #expect(try await results.next() == nil)
    #expect(try await busy.next() == nil)
    _ = try? await changes.next()
    let again = source.numbers().consumer()
    #expect(try await again.next() == 0)
  }

  @Test func `that can't begin ends the iteration with its error`() async throws {
    source.state.withLock { $0.startError = NumberSource.Permanent() }
    let iterator = source.numbers().consumer()
    await #expect(throws: NumberSource.Permanent.self) { try await iterator.next() }
  }

  @Test func `without a snapshot ends iterations with the error`() async throws {
    source.state.withLock { $0.snapshotErrors = [NumberSource.Permanent()] }
    let iterator = source.numbers().consumer()
    await #expect(throws: NumberSource.Permanent.self) { try await iterator.next() }
    let results = source.numbers().results.consumer()
    source.state.withLock { $0.snapshotErrors = [NumberSource.Permanent()] }
    await #expect(throws: NumberSource.Permanent.self) { _ = try await results.next()?.get() }
    source.commit(4)
    #expect(try await results.next()?.get() == 4)
  }

  @Test func `reads a value again after a temporary failure`() async throws {
    let failures = Fetches()
    let iterator = source.observe(.table("t")) { snapshot in
      failures.add()
      if failures.value < 3 { throw NumberSource.Temporary() }
      return snapshot.number
    }.consumer()
    #expect(try await iterator.next() == 0)
    #expect(failures.value == 3)
  }

  @Test func `reads the other values from another snapshot after a failure`() async throws {
    let failing = source.observe(.table("t")) { snapshot in
      if snapshot.number > 0 { throw NumberSource.Permanent() }
      return snapshot.number
    }.results.consumer()
    let other = source.numbers().consumer()
    _ = try await failing.next()
    #expect(try await other.next() == 0)
    let (first, second) = (
      Task { try await failing.next() },
      Task { try await other.next() }
    )
    while source.observationStatistics().observations.filter({ $0.phase == .waiting }).count < 2 {
      await Task.yield()
    }
    let before = source.state.withLock { $0.snapshots }
    source.commit(8)
    await #expect(throws: NumberSource.Permanent.self) { _ = try await first.value?.get() }
    #expect(try await second.value == 8)
    #expect(source.state.withLock { $0.snapshots } > before)
  }

  @Test func `reads values with equal keys once per commit`() async throws {
    let fetches = Fetches()
    let observation = source.observe(.table("t")) { snapshot in
      fetches.add()
      return snapshot.number
    }.shared(by: "number")
    let iterators = (0..<5).map { _ in observation.consumer() }
    for index in iterators.indices { #expect(try await iterators[index].next() == 0) }
    let before = fetches.value
    let tasks = iterators.map { iterator in Task { try await iterator.next() } }
    while source.observationStatistics().observations.filter({ $0.phase == .waiting }).count < 5 {
      await Task.yield()
    }
    source.commit(1)
    for task in tasks { #expect(try await task.value == 1) }
    #expect(fetches.value == before + 1)
  }

  @Test func `is transformed, compared and paced like a database's values`() async throws {
    let numbers = source.observe(.table("t")) { snapshot in snapshot.number }
    let iterator = numbers.transformed { $0 / 10 }.removeDuplicates().consumer()
    #expect(try await iterator.next() == 0)
    source.commit(3)
    let next = Task { try await iterator.next() }
    await source.waitUntilIdle()
    source.commit(25)
    #expect(try await next.value == 2)
    let control = DatabaseObservation.Control(isPaused: true)
    let paused = source.numbers().controlled(by: control).throttled(maximumLoad: 0.5)
      .consumer()
    control.resume()
    #expect(try await paused.next() == 25)
  }

  @Test func `ends with its last consumer, which cancels the fetch`() async throws {
    let began = Fetches()
    let observation = source.observe(.table("t")) { snapshot in
      began.add()
      try await Task.sleep(for: .seconds(3_600))
      return snapshot.number
    }
    let task = Task { try await observation.consumer().next() }
    while began.value == 0 { await Task.yield() }
    #expect(source.publisher.isObserved)
    task.cancel()
    #expect(try await task.value == nil)
    #expect(!source.publisher.isObserved)
    #expect(source.state.withLock { $0.ends } > 0)
    // The cancelled fetch blocks no other one.
    let iterator = source.numbers().consumer()
    #expect(try await iterator.next() == 0)
  }

  @Test func `delivers its change sets in order, restricted to a region`() async throws {
    let iterator = source.changes(in: .table("t")).consumer()
    let first = Task { try await iterator.next() }
    while !source.publisher.hub.inspect({ $0.isIdle(includingConsumers: true) }) {
      await Task.yield()
    }
    source.publisher.publish(ChangeSet(tables: ["t": .unknown, "u": .unknown]))
    source.commit(1)
    #expect(try await first.value?.tables.keys.map(\.name) == ["t"])
    #expect(try await iterator.next()?.sequence == 2)
  }
}

internal import Primitives

/// A clock that advances only when a test advances it.
///
/// ```swift
/// let clock = TestClock()
/// let counts = database.observe(fetch).throttled(minimumInterval: .seconds(10), clock: clock)
/// let recording = await Recording(counts, of: database)
/// clock.advance(by: .seconds(10))
/// await recording.waitUntilIdle()
/// ```
public final class TestClock: Clock {
  /// A point in time, relative to the clock's creation.
  public struct Instant: InstantProtocol {
    /// The time since the clock's creation.
    public var offset: Duration

    public init(offset: Duration) { self.offset = offset }

    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    public static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
  }

  private struct State {
    var now = Instant(offset: .zero)
    var lastID: UInt64 = 0
    var sleepers:
      [UInt64: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
  }

  private let state = Mutex(State())

  public init() {}

  public var now: Instant { state.withLock { $0.now } }

  public var minimumResolution: Duration { .zero }

  /// The number of sleeping tasks.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Waits until at least `count` tasks are sleeping. Call it before advancing the clock.
  public func waitForSleepers(_ count: Int = 1) async {
    while sleeperCount < count { await Task.yield() }
  }

  /// Sleeps until the clock has been advanced to the deadline.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isDue = state.withLock { state in
          if Task.isCancelled || deadline <= state.now { return true }
          state.sleepers[id] = (deadline, continuation)
          return false
        }
        if isDue { continuation.resume() }
      }
      try Task.checkCancellation()
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume()
    }
  }

  /// Advances the clock, and wakes the tasks whose deadline has passed.
  public func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }.sorted {
        ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key)
      }
      for (id, _) in due { state.sleepers[id] = nil }
      return due.map(\.value.continuation)
    }
    for continuation in woken { continuation.resume() }
  }
}

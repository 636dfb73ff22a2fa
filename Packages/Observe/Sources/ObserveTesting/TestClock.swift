internal import Primitives

/// A clock that stands still until a test moves it on.
///
/// ```swift
/// let clock = TestClock()
/// let counts = database.observe(fetch).throttled(minimumInterval: .seconds(10), clock: clock)
/// let recording = await Recording(counts, of: database)
/// clock.advance(by: .seconds(10))
/// await recording.settle()
/// ```
public final class TestClock: Clock {
  /// A time, counted from when the clock was made.
  public struct Instant: InstantProtocol {
    /// How long after the clock's beginning it is.
    public var offset: Duration

    public init(offset: Duration) { self.offset = offset }

    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    public static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
  }

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var lastID: UInt64 = 0
    var sleepers: [UInt64: Sleeper] = [:]
  }

  private let state = Mutex(State())

  public init() {}

  public var now: Instant { state.withLock { $0.now } }

  public var minimumResolution: Duration { .zero }

  /// How many tasks sleep.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Waits until so many tasks sleep, which a test that moves the clock on has to know.
  public func waitForSleepers(_ count: Int = 1) async {
    while sleeperCount < count { await Task.yield() }
  }

  /// Sleeps until the clock was moved on so far.
  ///
  /// - Throws: `CancellationError` where the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = state.withLock { state in
          if Task.isCancelled || deadline <= state.now { return true }
          state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
      try Task.checkCancellation()
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume()
    }
  }

  /// Moves the clock on, and wakes whose time has come.
  public func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let over = state.sleepers.filter { $0.value.deadline <= state.now }.sorted {
        ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key)
      }
      for (id, _) in over { state.sleepers[id] = nil }
      return over.map(\.value.continuation)
    }
    for continuation in woken { continuation.resume() }
  }
}

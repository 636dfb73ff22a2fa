import Foundation

/// A clock that stands still until a test moves it on.
///
/// `@unchecked Sendable`: `lock` guards `time` and `sleepers`.
final class ManualClock: Clock, @unchecked Sendable {
  struct Instant: InstantProtocol {
    var offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
  }

  private let lock = NSLock()
  private var time = Instant(offset: .zero)
  private var sleepers: [UUID: (end: Instant, continuation: CheckedContinuation<Void, any Error>)] =
    [:]

  var now: Instant { lock.withLock { time } }
  let minimumResolution = Duration.zero

  /// How many tasks sleep.
  var sleeperCount: Int { lock.withLock { sleepers.count } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = UUID()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = lock.withLock {
          if Task.isCancelled || deadline <= time { return true }
          sleepers[id] = (deadline, continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
      try Task.checkCancellation()
    } onCancel: {
      lock.withLock { sleepers.removeValue(forKey: id) }?.continuation.resume()
    }
  }

  func advance(by duration: Duration) {
    let woken = lock.withLock {
      time = time.advanced(by: duration)
      let over = sleepers.filter { $0.value.end <= time }
      for id in over.keys { sleepers[id] = nil }
      return over.values.map(\.continuation)
    }
    for continuation in woken { continuation.resume() }
  }

  /// Waits until so many tasks sleep.
  func waitForSleepers(_ count: Int = 1) async {
    while sleeperCount < count { await Task.yield() }
  }
}

import Dispatch
import Primitives
import Terminal

/// Shows the current activity and its duration on standard error, for work without a known
/// progress. The line appears after half a second.
///
/// If standard error is not a terminal, no line is shown.
final class ActivityIndicator: Sendable {
  private let label: String
  private let start = ContinuousClock.now
  private let queue = DispatchQueue(label: "holt activity")
  private let isShown = Mutex(false)

  private init(_ label: String) { self.label = label }

  /// Runs `body` and shows the label with the elapsed seconds.
  static func showing<Result>(_ label: String, _ body: () throws -> Result) rethrows -> Result {
    guard StandardStream.error.isTerminal else { return try body() }
    let activity = ActivityIndicator(label)
    let timer = DispatchSource.makeTimerSource(queue: activity.queue)
    timer.schedule(deadline: .now() + .milliseconds(500), repeating: .milliseconds(250))
    timer.setEventHandler { activity.show() }
    timer.resume()
    defer {
      timer.cancel()
      activity.queue.sync { activity.end() }
    }
    return try body()
  }

  private func show() {
    let seconds = (ContinuousClock.now - start).components.seconds
    let line = "\(label) … \(seconds) s".prefix(StandardStream.error.columns - 1)
    isShown.withLock { $0 = true }
    StandardStream.error.write("\r\u{1B}[K\(line)")
  }

  private func end() {
    if isShown.withLock({ $0 }) { StandardStream.error.write("\r\u{1B}[K") }
  }
}

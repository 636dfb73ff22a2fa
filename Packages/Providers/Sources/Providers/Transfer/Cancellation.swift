internal import Primitives

/// A wish to stop, told by one thread and heard by another.
final class Cancellation: Sendable {
  private let isCancelled = Mutex(false)

  func cancel() { isCancelled.withLock { $0 = true } }

  func check() throws(CancellationError) {
    if isCancelled.withLock({ $0 }) { throw CancellationError() }
  }
}

internal import Primitives

/// Where one consumer waits for its next element: it is resumed exactly once for each time that it
/// waits, and never after it has ended.
final class Inbox<Element: Sendable>: Sendable {
  typealias Continuation = CheckedContinuation<Element?, any Error>

  private enum Phase {
    case idle
    case waiting(Continuation)
    case ended
  }

  private let phase = Mutex(Phase.idle)

  /// Begins to wait.
  ///
  /// - Returns: Whether there is anything to wait for.
  func wait(_ continuation: Continuation) -> Bool {
    let hasEnded = phase.withLock { phase in
      switch phase {
      case .idle:
        phase = .waiting(continuation)
        return false
      case .waiting:
        preconditionFailure("an iterator is asked for one element at a time")
      case .ended: return true
      }
    }
    if hasEnded { continuation.resume(returning: nil) }
    return !hasEnded
  }

  /// Gives the consumer what it waits for; one that has ended gets nothing.
  func deliver(_ element: Element) { takeWaiting(then: .idle)?.resume(returning: element) }

  /// Ends the iteration with an error.
  func fail(_ error: any Error) { takeWaiting(then: .ended)?.resume(throwing: error) }

  /// Ends the iteration.
  func end() { takeWaiting(then: .ended)?.resume(returning: nil) }

  private func takeWaiting(then next: Phase) -> Continuation? {
    phase.withLock { phase in
      switch phase {
      case .waiting(let continuation):
        phase = next
        return continuation
      case .idle:
        if case .ended = next { phase = .ended }
        return nil
      case .ended: return nil
      }
    }
  }
}

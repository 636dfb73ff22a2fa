internal import Synchronization

/// One asynchronous access: it waits, runs, and is resumed exactly once.
final class AccessTicket<Value: Sendable>: Sendable {
  private enum Phase {
    case new
    /// Cancelled before it began to wait.
    case cancelledEarly
    case waiting(CheckedContinuation<Value, any Error>)
    case running(CheckedContinuation<Value, any Error>, Interrupter)
    case finished
  }

  private struct State {
    var phase = Phase.new
    var isCancelled = false
  }

  let id: UInt64
  private let state = Mutex(State())

  init(id: UInt64) { self.id = id }

  /// Begins to wait.
  ///
  /// - Returns: Whether there is anything to wait for: a task that was cancelled before has been
  ///   resumed.
  func begin(_ continuation: CheckedContinuation<Value, any Error>) -> Bool {
    let isToWait = state.withLock { state in
      if case .cancelledEarly = state.phase {
        state.phase = .finished
        return false
      }
      state.phase = .waiting(continuation)
      return true
    }
    if !isToWait { continuation.resume(throwing: CancellationError()) }
    return isToWait
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Begins to run, unless the task was cancelled while it waited.
  func run(on interrupter: Interrupter) -> Bool {
    state.withLock { state in
      guard case .waiting(let continuation) = state.phase, !state.isCancelled else { return false }
      state.phase = .running(continuation, interrupter)
      return true
    }
  }

  /// Resumes the task. A failure that the cancellation caused is told as one.
  func finish(_ result: Result<Value, any Error>) {
    let (continuation, isCancelled) = state.withLock {
      state -> (CheckedContinuation<Value, any Error>?, Bool) in
      defer { state.phase = .finished }
      switch state.phase {
      case .waiting(let continuation), .running(let continuation, _):
        return (continuation, state.isCancelled)
      case .new, .cancelledEarly, .finished: return (nil, false)
      }
    }
    switch result {
    case .failure(let error as SQLiteError)
    where isCancelled && [.interrupt, .busy].contains(error.code.primary):
      continuation?.resume(throwing: CancellationError())
    default: continuation?.resume(with: result)
    }
  }

  /// Stops the access, wherever it is.
  func cancel(in pool: ConnectionPool) {
    let interrupter = state.withLock { state -> Interrupter? in
      state.isCancelled = true
      switch state.phase {
      case .new: state.phase = .cancelledEarly
      case .running(_, let interrupter): return interrupter
      case .waiting, .cancelledEarly, .finished: break
      }
      return nil
    }
    if let interrupter {
      interrupter.cancel(id)
    } else if pool.cancel(id) {
      finish(.failure(CancellationError()))
    }
  }
}

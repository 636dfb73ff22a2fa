internal import Primitives

/// A lock for the tasks that use one connection, which acquire it in order of arrival.
final class Turn: Sendable {
  private struct State {
    var isTaken = false
    var queue: [Waiter] = []
  }

  private let state = Mutex(State())

  /// Waits for the turn.
  ///
  /// - Throws: `CancellationError` if the task is cancelled while it waits, unless `isRequired` is set.
  func acquire(isRequired: Bool = false) async throws {
    let waiter: Waiter? = state.withLock { state in
      guard state.isTaken else {
        state.isTaken = true
        return nil
      }
      let waiter = Waiter.forTask()
      state.queue.append(waiter)
      return waiter
    }
    guard let waiter else { return }
    let wake: Waiter.Wake
    if isRequired {
      wake = await waiter.wait()
    } else {
      wake = await withTaskCancellationHandler {
        await waiter.wait()
      } onCancel: {
        waiter.interrupt()
      }
    }
    guard case .interrupted = wake else { return }
    let wasQueued = state.withLock { state in
      guard let index = state.queue.firstIndex(where: { $0 === waiter }) else { return false }
      state.queue.remove(at: index)
      return true
    }
    // The turn was passed on at the same time.
    if !wasQueued { release() }
    throw CancellationError()
  }

  /// Takes the turn if no task has it or waits for it.
  func tryAcquire() -> Bool {
    state.withLock { state in
      if state.isTaken { return false }
      state.isTaken = true
      return true
    }
  }

  /// Passes the turn to the next task.
  func release() {
    let next: Waiter? = state.withLock { state in
      if state.queue.isEmpty {
        state.isTaken = false
        return nil
      }
      return state.queue.removeFirst()
    }
    next?.resume(.ready)
  }
}

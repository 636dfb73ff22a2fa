internal import Primitives

/// Fetches that whoever asks for the same meanwhile waits for too.
final class SharedFetches<Kind: Hashable & Sendable>: Sendable {
  private struct Running {
    let number: Int
    let task: Task<Void, any Error>
    var waiters: Int
  }

  private struct State {
    var running: [Kind: Running] = [:]
    var count = 0
  }

  private let state = Mutex(State())

  /// Runs `body`, or waits for the one that runs.
  ///
  /// It is cancelled when everyone who waits for it is.
  func run(_ kind: Kind, _ body: @escaping @Sendable () async throws -> Void) async throws {
    try Task.checkCancellation()
    let (task, number) = state.withLock { state -> (Task<Void, any Error>, Int) in
      if var running = state.running[kind] {
        running.waiters += 1
        state.running[kind] = running
        return (running.task, running.number)
      }
      state.count += 1
      let number = state.count
      let task = Task { [weak self] in
        defer { self?.end(kind, number) }
        try await body()
      }
      state.running[kind] = Running(number: number, task: task, waiters: 1)
      return (task, number)
    }
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      leave(kind, number)
    }
  }

  private func end(_ kind: Kind, _ number: Int) {
    state.withLock { state in
      if state.running[kind]?.number == number { state.running[kind] = nil }
    }
  }

  private func leave(_ kind: Kind, _ number: Int) {
    let task = state.withLock { state -> Task<Void, any Error>? in
      guard var running = state.running[kind], running.number == number else { return nil }
      running.waiters -= 1
      state.running[kind] = running.waiters == 0 ? nil : running
      return running.waiters == 0 ? running.task : nil
    }
    task?.cancel()
  }
}

internal import Primitives

/// Serializes the saves of a session: a save that began before the previous one was recorded would
/// write the same changes again.
final class SaveQueue: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func begin() async {
    await withCheckedContinuation { continuation in
      let isNext = state.withLock { state in
        if state.isTaken { state.waiting.append(continuation) }
        defer { state.isTaken = true }
        return !state.isTaken
      }
      if isNext { continuation.resume() }
    }
  }

  func end() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.isTaken = false
      return nil
    }
    next?.resume()
  }
}

extension ModelSession {
  /// Runs a save after the saves that were requested before. The changes to write are determined
  /// then.
  func serializingSaves<Result>(
    _ body: nonisolated(nonsending) (inout UnitOfWork) async throws -> Result
  ) async rethrows -> Result {
    await saveQueue.begin()
    defer { saveQueue.end() }
    var unitOfWork = UnitOfWork(self)
    // Ends the save for its lists, whether it was committed or failed before it wrote anything.
    defer { for list in unitOfWork.lists { list.endSave() } }
    return try await body(&unitOfWork)
  }
}

/// Deferred saves, which combine consecutive changes into one save.
final class DebouncedSaves: Sendable {
  private let tasks = Mutex<[ObjectIdentifier: (number: Int, task: Task<Void, Never>)]>([:])
  private let count = Atomic<Int>(0)

  /// Calls `save` after a delay, which restarts with each call.
  func schedule(
    _ type: any Model.Type, after delay: Duration, isolation: isolated (any Actor)?,
    _ save: @escaping () async -> Void
  ) {
    let number = count.add(1, ordering: .relaxed).newValue
    let key = ObjectIdentifier(type)
    let task = Task { [weak self] in
      _ = isolation
      try? await Task.sleep(for: delay)
      guard !Task.isCancelled else { return }
      await save()
      self?.tasks.withLock { tasks in
        if tasks[key]?.number == number { tasks[key] = nil }
      }
    }
    let former = tasks.withLock { tasks in
      defer { tasks[key] = (number, task) }
      return tasks[key]?.task
    }
    former?.cancel()
  }
}

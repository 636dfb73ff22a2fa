internal import Primitives

/// Saves that are put off, so that many changes that follow one another are saved at once.
final class LaterSaves: Sendable {
  private let tasks = Mutex<[ObjectIdentifier: (number: Int, task: Task<Void, Never>)]>([:])
  private let count = Atomic<Int>(0)

  /// Has `save` be called in a while, unless that is asked for once more before.
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

internal import Primitives

/// The tasks that keep a connection between their accesses.
final class TaskHolders: Sendable {
  private let counts = Mutex<[Int: Int]>([:])
  private let isEmpty = Atomic<Bool>(true)

  /// Whether the task that runs is one of them.
  var includeCurrent: Bool {
    guard !isEmpty.load(ordering: .acquiring), let id = CurrentTask.id else { return false }
    return counts.withLock { $0[id] != nil }
  }

  /// Adds the task that runs.
  ///
  /// - Returns: What ``remove(_:)`` takes.
  func addCurrent() -> Int? {
    guard let id = CurrentTask.id else { return nil }
    counts.withLock { counts in
      counts[id, default: 0] += 1
      isEmpty.store(false, ordering: .releasing)
    }
    return id
  }

  func remove(_ id: Int?) {
    guard let id else { return }
    counts.withLock { counts in
      let count = (counts[id] ?? 0) - 1
      counts[id] = count > 0 ? count : nil
      isEmpty.store(counts.isEmpty, ordering: .releasing)
    }
  }
}

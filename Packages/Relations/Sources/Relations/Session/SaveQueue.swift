internal import Primitives

/// Serializes the saves of a session: a save that began before the previous one was recorded would
/// write the same changes again.
final class SaveQueue: Sendable {
  /// The saves that wait for the running save; `nil` if no save is running.
  private let waiting = Mutex<[CheckedContinuation<Void, Never>]?>(nil)

  func begin() async {
    await withCheckedContinuation { continuation in
      let isNext = waiting.withLock { waiting in
        if waiting != nil {
          waiting?.append(continuation)
          return false
        }
        waiting = []
        return true
      }
      if isNext { continuation.resume() }
    }
  }

  func end() {
    let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
      if waiting?.isEmpty ?? true {
        waiting = nil
        return nil
      }
      return waiting?.removeFirst()
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

import PostgreSQL
import Primitives

/// A statement of PostgreSQL that is cancelled when a row can't be used, so that its other rows are not received.
final class Receiving: Sendable {
  typealias Body = @Sendable (borrowing PostgreSQLRow) throws -> Void

  private let failure = Mutex<(any Error)?>(nil)
  private let task = Mutex<Task<PostgreSQLChanges, any Error>?>(nil)

  private init() {}

  /// Runs a statement.
  ///
  /// - Parameters:
  ///   - body: Uses a row.
  ///   - operation: Runs the statement, and passes its rows to the function.
  /// - Throws: The error of `body`, or of the statement.
  @discardableResult
  static func run(
    _ body: @escaping Body,
    _ operation: @escaping @Sendable (Body) async throws -> PostgreSQLChanges
  ) async throws -> PostgreSQLChanges {
    let receiving = Receiving()
    let task = Task {
      try await operation { row in
        do {
          try body(row)
        } catch {
          receiving.end(error)
          throw error
        }
      }
    }
    receiving.task.withLock { $0 = task }
    if receiving.failure.withLock({ $0 != nil }) { task.cancel() }
    do {
      return try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    } catch {
      throw receiving.failure.withLock { $0 } ?? error
    }
  }

  private func end(_ error: any Error) {
    failure.withLock { $0 = $0 ?? error }
    task.withLock { $0?.cancel() }
  }
}

internal import Dispatch

/// Runs `body`, which has its thread wait, where that holds up no other task.
///
/// The calling task runs it itself, on another thread: so that an access to a database which would wait for a
/// connection that this task keeps is ``SQLiteError/Code/nestedAccess`` in `body`, too.
///
/// ```swift
/// try await performBlocking { try database.backup(to: "copy.sqlite") }
/// ```
///
/// A task that is cancelled meanwhile is not heard, unless `body` asks.
public func performBlocking<Result: Sendable>(
  _ body: @Sendable () throws -> Result
) async throws -> Result {
  try await withTaskExecutorPreference(WaitingThreads.shared) { try await here(body) }
}

/// Runs where the task prefers to, and on no actor.
@concurrent private func here<Result: Sendable>(
  _ body: @Sendable () throws -> Result
) async throws -> Result {
  try body()
}

/// Threads of the system, of which there are more where some of them wait.
private final class WaitingThreads: TaskExecutor {
  static let shared = WaitingThreads()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    DispatchQueue.global().async {
      unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
    }
  }
}

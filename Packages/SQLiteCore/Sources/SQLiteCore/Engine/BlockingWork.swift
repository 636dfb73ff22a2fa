internal import Primitives

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

/// Threads of our own, as many as wait at once.
///
/// Those of a queue of the system would be few, and on some systems the same that all other tasks run on: once enough of
/// them waited, none would be left for the one that they wait for.
private final class WaitingThreads: TaskExecutor {
  static let shared = WaitingThreads()

  private static let mostIdle = 4
  private let idle = Mutex<[WorkerThread]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let thread = idle.withLock { $0.popLast() } ?? WorkerThread(name: "Holt waiting")
    thread.post(Job(UnownedJob(job), on: thread))
  }

  /// Keeps a thread whose job is done for the next one, or has it end.
  private func release(_ thread: WorkerThread) {
    idle.withLock { idle in
      if idle.count < Self.mostIdle { idle.append(thread) }
    }
  }

  private final class Job: WorkerThread.Work {
    private let job: UnownedJob
    private let thread: WorkerThread

    init(_ job: UnownedJob, on thread: WorkerThread) {
      self.job = job
      self.thread = thread
    }

    override func run() -> WorkerThread.Work? {
      unsafe job.runSynchronously(on: WaitingThreads.shared.asUnownedTaskExecutor())
      WaitingThreads.shared.release(thread)
      return nil
    }
  }
}

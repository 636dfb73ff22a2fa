internal import Primitives

/// Runs a blocking `body` on a dedicated thread, so that no thread of the cooperative pool blocks.
///
/// `body` is still a part of the calling task. An access to a database that would wait for a
/// connection that this task holds throws ``SQLiteError/Code/nestedAccess`` as usual.
///
/// ```swift
/// try await performBlocking { try database.backup(to: "copy.sqlite") }
/// ```
///
/// Cancelling the task has no effect unless `body` checks for it.
public func performBlocking<Result: Sendable>(
  _ body: @Sendable () throws -> Result
) async throws -> Result {
  try await BlockingCall().run(body)
}

/// An actor for one call, with an executor that uses a dedicated thread.
///
/// On macOS 15 and later, a task executor preference would have the same effect.
private actor BlockingCall {
  private nonisolated let executor = ThreadExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  func run<Result: Sendable>(_ body: @Sendable () throws -> Result) throws -> Result {
    try body()
  }
}

/// An executor with one thread for each blocking call.
///
/// A dispatch queue has a limited number of threads, on some systems shared with all other tasks.
/// If all of them blocked, none would be left for the work that they wait for.
private final class ThreadExecutor: SerialExecutor {
  private static let maximumIdleCount = 4
  private static let idle = Mutex<[WorkerThread]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let thread = Self.idle.withLock { $0.popLast() } ?? WorkerThread(name: "Holt waiting")
    thread.post(Job(UnownedJob(job), by: self, on: thread))
  }

  /// Returns an idle thread to the pool, or lets it end if the pool is full.
  private static func release(_ thread: WorkerThread) {
    idle.withLock { idle in
      if idle.count < maximumIdleCount { idle.append(thread) }
    }
  }

  private final class Job: WorkerThread.Work {
    private let job: UnownedJob
    private let executor: ThreadExecutor
    private let thread: WorkerThread

    init(_ job: UnownedJob, by executor: ThreadExecutor, on thread: WorkerThread) {
      self.job = job
      self.executor = executor
      self.thread = thread
    }

    override func run() -> WorkerThread.Work? {
      unsafe job.runSynchronously(on: executor.asUnownedSerialExecutor())
      ThreadExecutor.release(thread)
      return nil
    }
  }
}

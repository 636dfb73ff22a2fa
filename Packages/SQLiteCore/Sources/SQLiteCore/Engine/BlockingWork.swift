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
  try await BlockingCall().run(body)
}

/// An actor for one call, whose executor has a thread of its own.
///
/// A task that prefers another executor would do, on macOS 15 and later.
private actor BlockingCall {
  private nonisolated let executor = ThreadExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  func run<Result: Sendable>(_ body: @Sendable () throws -> Result) throws -> Result {
    try body()
  }
}

/// Threads of our own, as many as wait at once.
///
/// Those of a queue of the system would be few, and on some systems the same that all other tasks run on: once enough of
/// them waited, none would be left for the one that they wait for.
private final class ThreadExecutor: SerialExecutor {
  private static let mostIdle = 4
  private static let idle = Mutex<[WorkerThread]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let thread = Self.idle.withLock { $0.popLast() } ?? WorkerThread(name: "Holt waiting")
    thread.post(Job(UnownedJob(job), by: self, on: thread))
  }

  /// Keeps a thread whose job is done for the next one, or has it end.
  private static func release(_ thread: WorkerThread) {
    idle.withLock { idle in
      if idle.count < mostIdle { idle.append(thread) }
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

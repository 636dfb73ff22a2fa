// ThreadSanitizer does not see how the standard library's `Mutex` waits, and reports what it guards as
// races: the file of the same kind in SQLiteCore says more. Built with `-DTHREAD_SANITIZER`, this
// stand-in of the same name has a lock that it knows.
#if THREAD_SANITIZER
  internal import Foundation

  /// `@unchecked Sendable`: `lock` guards `guarded`.
  final class Mutex<Value>: @unchecked Sendable {
    private let lock = NSLock()
    /// Not the value alone, which may have no place in memory of its own.
    private var guarded: (value: Value, isThere: Bool)

    init(_ initial: sending Value) { guarded = (initial, true) }

    func withLock<Result, Failure: Error>(
      _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      lock.lock()
      defer { lock.unlock() }
      return try body(&guarded.value)
    }
  }
#endif

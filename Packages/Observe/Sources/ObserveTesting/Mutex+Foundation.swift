// ThreadSanitizer does not see how the standard library's `Mutex` waits, and reports what it guards as
// races: the file of the same kind in SQLiteCore says more. Built with `-DTHREAD_SANITIZER`, this
// stand-in of the same name has a lock that it knows.
#if THREAD_SANITIZER
  internal import Foundation

  /// `@unchecked Sendable`: `lock` guards `value`.
  final class Mutex<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ initial: sending Value) { value = initial }

    func withLock<Result, Failure: Error>(
      _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      lock.lock()
      defer { lock.unlock() }
      return try body(&value)
    }
  }
#endif

// ThreadSanitizer sees what is compiled with it. The standard library's `Mutex` waits in code that was
// not, so that every contended lock is reported as a race. `swift test --sanitize=thread -Xswiftc
// -DTHREAD_SANITIZER` builds with this stand-in of the same name, whose lock it knows.
#if THREAD_SANITIZER
  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #else
    internal import Darwin
  #endif

  @safe struct Mutex<Value>: ~Copyable, @unchecked Sendable {
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    /// Guarded by `lock`.
    private let value: UnsafeMutablePointer<Value>

    init(_ initial: consuming sending Value) {
      unsafe lock = .allocate(capacity: 1)
      unsafe lock.initialize(to: pthread_mutex_t())
      unsafe pthread_mutex_init(lock, nil)
      unsafe value = .allocate(capacity: 1)
      unsafe value.initialize(to: initial)
    }

    deinit {
      unsafe value.deinitialize(count: 1)
      unsafe value.deallocate()
      unsafe pthread_mutex_destroy(lock)
      unsafe lock.deallocate()
    }

    borrowing func withLock<Result, Failure: Error>(
      _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      unsafe pthread_mutex_lock(lock)
      defer { unsafe pthread_mutex_unlock(lock) }
      return unsafe try body(&value.pointee)
    }
  }
#endif

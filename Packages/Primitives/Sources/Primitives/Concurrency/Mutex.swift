#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// A value that one thread at a time can access.
///
/// This type replaces the standard library's `Mutex`, which requires macOS 15 and iOS 18, and which
/// ThreadSanitizer does not support. The lock is an `os_unfair_lock` on Apple platforms and a
/// `pthread_mutex_t` elsewhere.
///
/// ```swift
/// let count = Mutex(0)
/// let next = count.withLock { count in
///   count += 1
///   return count
/// }
/// ```
///
/// The lock is not recursive. The value and its lock share one allocation.
@safe public struct Mutex<Value>: ~Copyable, @unchecked Sendable {
  @usableFromInline let content: UnsafeMutablePointer<MutexContent<Value>>

  @inlinable
  public init(_ initial: consuming sending Value) {
    unsafe content = .allocate(capacity: 1)
    unsafe content.initialize(to: MutexContent(value: initial))
    unsafe SystemLock.initialize(lock)
  }

  @inlinable
  deinit {
    unsafe SystemLock.destroy(lock)
    unsafe content.deinitialize(count: 1)
    unsafe content.deallocate()
  }

  /// Calls `body` with exclusive access to the value.
  ///
  /// - Throws: Any error that `body` throws. Its changes until then are kept.
  @inlinable
  public borrowing func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    unsafe SystemLock.lock(lock)
    defer { unsafe SystemLock.unlock(lock) }
    return unsafe try body(&content.pointee.value)
  }

  /// The lock, which is the first field of the structure.
  @inlinable
  var lock: UnsafeMutablePointer<SystemLock> {
    unsafe UnsafeMutableRawPointer(content).assumingMemoryBound(to: SystemLock.self)
  }
}

@usableFromInline @frozen
struct MutexContent<Value> {
  /// Never read as a value, since other threads write it: only its address is passed to the
  /// system's functions.
  private var lock: SystemLock
  @usableFromInline var value: Value

  @usableFromInline
  init(value: consuming Value) {
    lock = SystemLock()
    self.value = value
  }
}

#if canImport(Darwin)
  private typealias Lock = os_unfair_lock_s
#else
  private typealias Lock = pthread_mutex_t
#endif

/// The system's lock, which inlined code accesses only by address.
@usableFromInline
@safe struct SystemLock {
  private var lock = unsafe Lock()

  @usableFromInline
  static func initialize(_ place: UnsafeMutablePointer<SystemLock>) {
    #if !canImport(Darwin)
      unsafe pthread_mutex_init(address(of: place), nil)
    #endif
  }

  @usableFromInline
  static func destroy(_ place: UnsafeMutablePointer<SystemLock>) {
    #if !canImport(Darwin)
      unsafe pthread_mutex_destroy(address(of: place))
    #endif
  }

  @usableFromInline
  static func lock(_ place: UnsafeMutablePointer<SystemLock>) {
    #if canImport(Darwin)
      unsafe os_unfair_lock_lock(address(of: place))
    #else
      unsafe pthread_mutex_lock(address(of: place))
    #endif
  }

  @usableFromInline
  static func unlock(_ place: UnsafeMutablePointer<SystemLock>) {
    #if canImport(Darwin)
      unsafe os_unfair_lock_unlock(address(of: place))
    #else
      unsafe pthread_mutex_unlock(address(of: place))
    #endif
  }

  /// Returns the address of the only field, which is the structure's address.
  private static func address(
    of place: UnsafeMutablePointer<SystemLock>
  ) -> UnsafeMutablePointer<Lock> {
    unsafe UnsafeMutableRawPointer(place).assumingMemoryBound(to: Lock.self)
  }
}

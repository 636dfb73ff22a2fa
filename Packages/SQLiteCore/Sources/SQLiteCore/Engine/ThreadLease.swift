#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Something that a thread holds for a while: each thread knows what it holds, the innermost first.
@safe class ThreadLease {
  /// What it is a part of.
  let group: UInt64
  /// What the same thread held before: changed only by that thread, while it holds this.
  private var outer: Unmanaged<ThreadLease>?

  init(group: UInt64) { self.group = group }

  /// Notes that the calling thread holds this, until ``endHolding()``.
  func beginHolding() {
    guard let key = Self.key else { return }
    unsafe outer = pthread_getspecific(key).map {
      unsafe Unmanaged<ThreadLease>.fromOpaque(UnsafeRawPointer($0))
    }
    unsafe pthread_setspecific(key, Unmanaged.passUnretained(self).toOpaque())
  }

  /// What was held last is let go first.
  func endHolding() {
    guard let key = Self.key else { return }
    unsafe pthread_setspecific(key, outer.map { unsafe UnsafeRawPointer($0.toOpaque()) })
    unsafe outer = nil
  }

  /// Whether the calling thread holds anything of a group.
  static func isHolding(group: UInt64) -> Bool {
    guard let key else { return false }
    var lease = unsafe pthread_getspecific(key).map {
      unsafe Unmanaged<ThreadLease>.fromOpaque(UnsafeRawPointer($0))
    }
    while let held = unsafe lease {
      let isInGroup = unsafe held._withUnsafeGuaranteedRef { $0.group == group }
      if isInGroup { return true }
      unsafe lease = held._withUnsafeGuaranteedRef { unsafe $0.outer }
    }
    return false
  }

  /// `nil` where the process has no key left: an access inside another is then not noticed.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return unsafe pthread_key_create(&key, nil) == 0 ? key : nil
  }()
}

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif
#if canImport(Darwin)
  internal import Darwin
#endif
internal import CSQLite
internal import Primitives

/// An element of a thread-local stack: each thread has a list of the scopes that it is in, the
/// innermost first.
@safe class ThreadAccessScope {
  /// Identifies the scopes that belong together.
  let group: UInt64
  /// The next outer scope of the same thread. Changed only by that thread, while it is in this
  /// scope.
  private var outer: Unmanaged<ThreadAccessScope>?

  init(group: UInt64) { self.group = group }

  /// Pushes this scope onto the calling thread's stack, until ``popFromThread()``.
  func pushOnThread() {
    guard let key = Self.key else { return }
    unsafe outer = pthread_getspecific(key).map {
      unsafe Unmanaged<ThreadAccessScope>.fromOpaque(UnsafeRawPointer($0))
    }
    unsafe pthread_setspecific(key, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Pops this scope from the stack. Scopes are left in reverse order.
  func popFromThread() {
    guard let key = Self.key else { return }
    unsafe pthread_setspecific(key, outer.map { unsafe UnsafeRawPointer($0.toOpaque()) })
    unsafe outer = nil
  }

  /// Returns whether the calling thread is in a scope of a group.
  static func isOpenOnCurrentThread(group: UInt64) -> Bool {
    guard let key else { return false }
    var current = unsafe pthread_getspecific(key).map {
      unsafe Unmanaged<ThreadAccessScope>.fromOpaque(UnsafeRawPointer($0))
    }
    while let scope = unsafe current {
      let isInGroup = unsafe scope._withUnsafeGuaranteedRef { $0.group == group }
      if isInGroup { return true }
      unsafe current = scope._withUnsafeGuaranteedRef { unsafe $0.outer }
    }
    return false
  }

  /// `nil` if the process has no thread-local keys left: nested accesses are not detected then.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return unsafe pthread_key_create(&key, nil) == 0 ? key : nil
  }()
}

/// The thread that owns a connection.
///
/// A connection that the user opened can be used by any thread: it starts as ``shared``. A
/// connection of a ``Database`` belongs to the thread of the current access, and to no thread
/// between two accesses.
///
/// Relaxed loads are sufficient: a thread can only find its own identifier if it stored it itself.
struct OwnerThread: ~Copyable, Sendable {
  private let owner = Atomic<UInt>(shared)
  private static let shared: UInt = 0
  private static let none: UInt = 1

  /// A Boolean value that indicates whether the calling thread may use the connection.
  @inline(__always)
  var isCurrent: Bool {
    let owner = owner.load(ordering: .relaxed)
    return owner == Self.shared || owner == holt_current_thread()
  }

  /// A Boolean value that indicates whether the connection belongs to a ``Database``.
  var isExclusive: Bool { owner.load(ordering: .relaxed) != Self.shared }

  /// Makes the calling thread the owner.
  @inline(__always)
  func acquire() { owner.store(holt_current_thread(), ordering: .relaxed) }

  /// Leaves the connection without an owner.
  @inline(__always)
  func release() { owner.store(Self.none, ordering: .relaxed) }

  /// Lets every thread use the connection.
  func share() { owner.store(Self.shared, ordering: .relaxed) }
}

extension TaskPriority {
  /// Sets the calling thread's quality of service to this priority.
  ///
  /// Linux has no quality of service, and a thread's nice value can't be lowered again without
  /// privileges. There, the priority only orders the wait queue.
  func applyToCurrentThread() {
    #if canImport(Darwin)
      let wanted: qos_class_t =
        switch self {
        case .high...: QOS_CLASS_USER_INITIATED
        case .medium...: QOS_CLASS_DEFAULT
        case .low...: QOS_CLASS_UTILITY
        default: QOS_CLASS_BACKGROUND
        }
      if qos_class_self() != wanted { pthread_set_qos_class_self_np(wanted, 0) }
    #endif
  }
}

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

/// The thread that may use a connection.
///
/// A connection that the user opened belongs to whichever thread uses it: it starts as ``shared``. A
/// connection of a ``Database`` belongs to the thread of the access that it is lent to, and to no
/// thread between two accesses.
///
/// Loads are relaxed: a thread can only find its own identifier here if it stored it itself.
struct ThreadOwner: ~Copyable, Sendable {
  private let owner = Atomic<UInt>(shared)
  private static let shared: UInt = 0
  private static let none: UInt = 1

  /// Whether the calling thread may use the connection.
  @inline(__always)
  var isCurrent: Bool {
    let owner = owner.load(ordering: .relaxed)
    return owner == Self.shared || owner == holt_current_thread()
  }

  /// Whether a ``Database`` lends the connection out.
  var isExclusive: Bool { owner.load(ordering: .relaxed) != Self.shared }

  /// Makes the calling thread the owner.
  @inline(__always)
  func take() { owner.store(holt_current_thread(), ordering: .relaxed) }

  /// Leaves the connection without an owner.
  @inline(__always)
  func drop() { owner.store(Self.none, ordering: .relaxed) }

  /// Lets every thread use the connection.
  func share() { owner.store(Self.shared, ordering: .relaxed) }
}

/// How urgently the system runs the calling thread.
enum ThreadPriority {
  /// Gives the thread the quality of service of a task's priority.
  ///
  /// Linux knows none, and its threads' nice values can't be raised again without privileges: there
  /// the priority orders who waits, and the system treats all that run alike.
  static func adopt(_ priority: TaskPriority) {
    #if canImport(Darwin)
      let wanted: qos_class_t =
        switch priority {
        case .high...: QOS_CLASS_USER_INITIATED
        case .medium...: QOS_CLASS_DEFAULT
        case .low...: QOS_CLASS_UTILITY
        default: QOS_CLASS_BACKGROUND
        }
      if qos_class_self() != wanted { pthread_set_qos_class_self_np(wanted, 0) }
    #endif
  }
}

internal import CSQLite
internal import Synchronization

/// The one part of a connection that other threads may touch: it stops what runs.
///
/// The lock guards the address, and closing takes it away under that lock.
@safe final class Interrupter: Sendable {
  /// Where the `sqlite3` is; 0 once it is closed.
  private let address: Mutex<UInt>
  /// The access that now uses the connection; 0 between accesses. The highest bit is set as it is
  /// cancelled, by who holds the lock.
  private let access = Atomic<UInt64>(0)
  private static let cancelled: UInt64 = 1 << 63
  private let suspended = Atomic<Bool>(false)

  init(_ db: OpaquePointer) { address = Mutex(UInt(bitPattern: db)) }

  /// Whether the access that now uses the connection has been cancelled, or no access may use it.
  @inline(__always)
  var isCancelled: Bool {
    access.load(ordering: .relaxed) & Self.cancelled != 0 || suspended.load(ordering: .relaxed)
  }

  var isSuspended: Bool { suspended.load(ordering: .sequentiallyConsistent) }

  /// Stops what runs, and lets no statement start until ``resume()``.
  func suspend() {
    address.withLock { address in
      suspended.store(true, ordering: .sequentiallyConsistent)
      Self.interrupt(address)
    }
  }

  func resume() { suspended.store(false, ordering: .sequentiallyConsistent) }

  /// Stops the statements that run now, and nothing later.
  func interrupt() { address.withLock { Self.interrupt($0) } }

  /// Marks the beginning of an access, which ``cancel(_:)`` may name until ``endAccess()``.
  func beginAccess(_ id: UInt64) { access.store(id, ordering: .releasing) }

  func endAccess() {
    let last = access.exchange(0, ordering: .acquiringAndReleasing)
    // Who cancelled it may still be about to interrupt: that must not meet the next access.
    if last & Self.cancelled != 0 { address.withLock { _ in } }
  }

  /// Stops an access: what runs now is interrupted, and no later statement of it starts.
  func cancel(_ id: UInt64) {
    address.withLock { address in
      let (isCurrent, _) = access.compareExchange(
        expected: id, desired: id | Self.cancelled, ordering: .acquiringAndReleasing)
      if isCurrent { Self.interrupt(address) }
    }
  }

  /// Whether there is a connection yet to be stopped.
  var isOpen: Bool { address.withLock { $0 != 0 } }

  func forget() { address.withLock { $0 = 0 } }

  func remember(_ db: OpaquePointer) {
    let address = UInt(bitPattern: db)
    self.address.withLock { $0 = address }
  }

  private static func interrupt(_ address: UInt) {
    if let db = unsafe OpaquePointer(bitPattern: address) { unsafe sqlite3_interrupt(db) }
  }
}

internal import CSQLite
internal import Dispatch
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
  /// A queue of its own: the global ones may wait for the very threads that are to be stopped.
  private static let queue = DispatchQueue(label: "Holt interrupts")

  init(_ db: OpaquePointer) { address = Mutex(UInt(bitPattern: db)) }

  /// Whether the access that now uses the connection has been cancelled, or no access may use it.
  @inline(__always)
  var isCancelled: Bool {
    access.load(ordering: .relaxed) & Self.cancelled != 0 || suspended.load(ordering: .relaxed)
  }

  var isSuspended: Bool { suspended.load(ordering: .sequentiallyConsistent) }

  /// Stops what runs, and lets no statement start until ``resume()``.
  func suspend() {
    suspended.store(true, ordering: .sequentiallyConsistent)
    repeatedly { $0.stopSuspended() }
  }

  /// - Returns: Whether the connection is still suspended, and open.
  private func stopSuspended() -> Bool {
    address.withLock { address in
      guard isSuspended, address != 0 else { return false }
      Self.interrupt(address)
      return true
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
  func cancel(_ id: UInt64) { repeatedly { $0.stop(id) } }

  /// - Returns: Whether the access is the one that uses the connection.
  private func stop(_ id: UInt64) -> Bool {
    address.withLock { address in
      let (isFirst, found) = access.compareExchange(
        expected: id, desired: id | Self.cancelled, ordering: .acquiringAndReleasing)
      guard isFirst || found == id | Self.cancelled else { return false }
      Self.interrupt(address)
      return true
    }
  }

  /// Calls `stop` until it says that nothing is left to be stopped, for about a second at most.
  ///
  /// SQLite forgets an interrupt that comes before a statement has begun: one that had just asked
  /// whether it may would run on to its end.
  private func repeatedly(
    after milliseconds: Int = 1, _ stop: @escaping @Sendable (Interrupter) -> Bool
  ) {
    guard stop(self), milliseconds < 1_000 else { return }
    Self.queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
      [weak self] in self?.repeatedly(after: milliseconds * 2, stop)
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

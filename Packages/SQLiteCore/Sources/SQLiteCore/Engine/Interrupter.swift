internal import CSQLite
internal import Dispatch
internal import Primitives

/// Interrupts a connection. This is the only object of a connection that other threads may use.
///
/// The lock guards the address, and closing the connection clears it under the lock.
@safe final class Interrupter: Sendable {
  /// The address of the `sqlite3`; 0 after the connection is closed.
  private let address: Mutex<UInt>
  /// The access that is using the connection.
  private let access = Cancellable()
  /// The cancellation scope inside the access.
  private let scope = Cancellable()
  private let suspended = Atomic<Bool>(false)
  /// A dedicated queue, because the global queues may be blocked by the threads that must be
  /// interrupted.
  private static let queue = DispatchQueue(label: "Holt interrupts")

  /// Called between marking a cancellation and interrupting, for tests.
  private let willInterrupt: @Sendable () -> Void

  convenience init(_ db: OpaquePointer) { self.init(address: UInt(bitPattern: db)) }

  init(address: UInt, willInterrupt: @escaping @Sendable () -> Void = {}) {
    self.address = Mutex(address)
    self.willInterrupt = willInterrupt
  }

  /// A Boolean value that indicates whether the current access has been cancelled, or the
  /// connection is suspended.
  @inline(__always)
  var isCancelled: Bool {
    access.isCancelled || scope.isCancelled || suspended.load(ordering: .relaxed)
  }

  var isSuspended: Bool { suspended.load(ordering: .sequentiallyConsistent) }

  /// Interrupts running statements, and prevents statements from starting until ``resume()``.
  func suspend() {
    suspended.store(true, ordering: .sequentiallyConsistent)
    retryInterrupt { $0.interruptIfSuspended() }
  }

  /// - Returns: Whether the connection is open and still suspended.
  private func interruptIfSuspended() -> Bool {
    address.withLock { address in
      guard isSuspended, address != 0 else { return false }
      Self.interrupt(address)
      return true
    }
  }

  func resume() { suspended.store(false, ordering: .sequentiallyConsistent) }

  /// Interrupts the running statements, without an effect on later ones.
  func interrupt() { address.withLock { Self.interrupt($0) } }

  /// Begins an access, which ``cancel(_:)`` can cancel until ``endAccess()``.
  func beginAccess(_ id: UInt64) { access.begin(id) }

  func endAccess() { if access.end() { waitForCancellers() } }

  /// Cancels an access: interrupts its running statement, and prevents later statements from
  /// starting.
  func cancel(_ id: UInt64) {
    retryInterrupt { $0.stop { $0.access.cancel(id) } }
  }

  /// Begins a cancellation scope inside an access, which ``cancelScope(_:)`` can cancel until
  /// ``endScope()``.
  func beginScope(_ id: UInt64) { scope.begin(id) }

  func endScope() { if scope.end() { waitForCancellers() } }

  func cancelScope(_ id: UInt64) {
    retryInterrupt { $0.stop { $0.scope.cancel(id) } }
  }

  /// Waits for cancelling threads that are about to interrupt, so that they don't interrupt the
  /// next access.
  private func waitForCancellers() { address.withLock { _ in } }

  /// - Returns: Whether the cancelled access or scope is still using the connection.
  private func stop(_ isCancelled: (Interrupter) -> Bool) -> Bool {
    address.withLock { address in
      guard isCancelled(self) else { return false }
      willInterrupt()
      Self.interrupt(address)
      return true
    }
  }

  /// Calls `stop` until it returns `false`, for about a second at most.
  ///
  /// SQLite ignores an interrupt that arrives before a statement has begun. A statement that has
  /// just checked for cancellation would otherwise run to its end.
  private func retryInterrupt(
    after milliseconds: Int = 1, _ stop: @escaping @Sendable (Interrupter) -> Bool
  ) {
    guard stop(self), milliseconds < 1_000 else { return }
    Self.queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
      [weak self] in self?.retryInterrupt(after: milliseconds * 2, stop)
    }
  }

  /// A Boolean value that indicates whether the connection is open.
  var isOpen: Bool { address.withLock { $0 != 0 } }

  func clearAddress() { address.withLock { $0 = 0 } }

  func setAddress(_ db: OpaquePointer) {
    let address = UInt(bitPattern: db)
    self.address.withLock { $0 = address }
  }

  private static func interrupt(_ address: UInt) {
    if let db = unsafe OpaquePointer(bitPattern: address) { unsafe sqlite3_interrupt(db) }
  }
}

/// A use of a connection that can be cancelled by its identifier until it ends.
private struct Cancellable: ~Copyable, Sendable {
  /// The identifier of the current use, or 0. The highest bit marks a cancellation.
  private let current = Atomic<UInt64>(0)
  private static let cancelled: UInt64 = 1 << 63

  @inline(__always)
  var isCancelled: Bool { current.load(ordering: .relaxed) & Self.cancelled != 0 }

  func begin(_ id: UInt64) { current.store(id, ordering: .releasing) }

  /// - Returns: Whether the use was cancelled.
  func end() -> Bool {
    current.exchange(0, ordering: .acquiringAndReleasing) & Self.cancelled != 0
  }

  /// - Returns: Whether the use is active and now cancelled.
  func cancel(_ id: UInt64) -> Bool {
    let (isFirst, found) = current.compareExchange(
      expected: id, desired: id | Self.cancelled, ordering: .acquiringAndReleasing)
    return isFirst || found == id | Self.cancelled
  }
}

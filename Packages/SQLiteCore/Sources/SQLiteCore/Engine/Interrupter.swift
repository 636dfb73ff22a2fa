internal import CSQLite
internal import Dispatch
internal import Primitives

/// The one part of a connection that other threads may touch: it stops what runs.
///
/// The lock guards the address, and closing takes it away under that lock.
@safe final class Interrupter: Sendable {
  /// Where the `sqlite3` is; 0 once it is closed.
  private let address: Mutex<UInt>
  /// The access that now uses the connection.
  private let access = Cancellable()
  /// The part of it that can be cancelled without the rest.
  private let part = Cancellable()
  private let suspended = Atomic<Bool>(false)
  /// A queue of its own: the global ones may wait for the very threads that are to be stopped.
  private static let queue = DispatchQueue(label: "Holt interrupts")

  /// Called between the mark of a cancellation and the interrupt, for tests of what must wait for both.
  private let willInterrupt: @Sendable () -> Void

  convenience init(_ db: OpaquePointer) { self.init(address: UInt(bitPattern: db)) }

  init(address: UInt, willInterrupt: @escaping @Sendable () -> Void = {}) {
    self.address = Mutex(address)
    self.willInterrupt = willInterrupt
  }

  /// Whether the access that now uses the connection has been cancelled, or no access may use it.
  @inline(__always)
  var isCancelled: Bool {
    access.isCancelled || part.isCancelled || suspended.load(ordering: .relaxed)
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
  func beginAccess(_ id: UInt64) { access.begin(id) }

  func endAccess() { if access.end() { letCancellersFinish() } }

  /// Stops an access: what runs now is interrupted, and no later statement of it starts.
  func cancel(_ id: UInt64) {
    repeatedly { $0.stop { $0.access.cancel(id) } }
  }

  /// Marks the beginning of a part of an access, which ``cancelPart(_:)`` may name until ``endPart()``.
  func beginPart(_ id: UInt64) { part.begin(id) }

  func endPart() { if part.end() { letCancellersFinish() } }

  func cancelPart(_ id: UInt64) {
    repeatedly { $0.stop { $0.part.cancel(id) } }
  }

  /// Who cancelled may still be about to interrupt: that must not meet what comes next.
  private func letCancellersFinish() { address.withLock { _ in } }

  /// - Returns: Whether what is to be stopped is what uses the connection.
  private func stop(_ isCancelled: (Interrupter) -> Bool) -> Bool {
    address.withLock { address in
      guard isCancelled(self) else { return false }
      willInterrupt()
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

/// Something that uses a connection, and may be cancelled by its number until it ends.
private struct Cancellable: ~Copyable, Sendable {
  /// Its number; 0 where there is none. The highest bit is set as it is cancelled.
  private let current = Atomic<UInt64>(0)
  private static let cancelled: UInt64 = 1 << 63

  @inline(__always)
  var isCancelled: Bool { current.load(ordering: .relaxed) & Self.cancelled != 0 }

  func begin(_ id: UInt64) { current.store(id, ordering: .releasing) }

  /// - Returns: Whether it was cancelled.
  func end() -> Bool {
    current.exchange(0, ordering: .acquiringAndReleasing) & Self.cancelled != 0
  }

  /// - Returns: Whether it is under way, cancelled by now.
  func cancel(_ id: UInt64) -> Bool {
    let (isFirst, found) = current.compareExchange(
      expected: id, desired: id | Self.cancelled, ordering: .acquiringAndReleasing)
    return isFirst || found == id | Self.cancelled
  }
}

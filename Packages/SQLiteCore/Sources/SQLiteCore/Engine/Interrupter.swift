internal import CSQLite
internal import Synchronization

/// The one part of a connection that other threads may touch: it stops what runs.
///
/// The lock guards the address, and closing takes it away under that lock.
@safe final class Interrupter: Sendable {
  private struct State {
    /// Where the `sqlite3` is; 0 once it is closed.
    var address: UInt
    /// The access that now uses the connection; `nil` between accesses.
    var access: UInt64?

    func interrupt() {
      if let db = unsafe OpaquePointer(bitPattern: address) { unsafe sqlite3_interrupt(db) }
    }
  }

  private let state: Mutex<State>
  private let cancelled = Atomic<Bool>(false)
  private let suspended = Atomic<Bool>(false)

  init(_ db: OpaquePointer) {
    let address = UInt(bitPattern: db)
    state = Mutex(State(address: address, access: nil))
  }

  /// Whether the access that now uses the connection has been cancelled, or no access may use it.
  var isCancelled: Bool {
    cancelled.load(ordering: .relaxed) || suspended.load(ordering: .relaxed)
  }

  var isSuspended: Bool { suspended.load(ordering: .sequentiallyConsistent) }

  /// Stops what runs, and lets no statement start until ``resume()``.
  func suspend() {
    state.withLock { state in
      suspended.store(true, ordering: .sequentiallyConsistent)
      state.interrupt()
    }
  }

  func resume() { suspended.store(false, ordering: .sequentiallyConsistent) }

  /// Stops the statements that run now, and nothing later.
  func interrupt() { state.withLock { $0.interrupt() } }

  /// Marks the beginning of an access, which ``cancel(_:)`` may name until ``endAccess()``.
  func beginAccess(_ id: UInt64) {
    state.withLock { state in
      state.access = id
      cancelled.store(false, ordering: .relaxed)
    }
  }

  func endAccess() {
    state.withLock { state in
      state.access = nil
      cancelled.store(false, ordering: .relaxed)
    }
  }

  /// Stops an access: what runs now is interrupted, and no later statement of it starts.
  func cancel(_ id: UInt64) {
    state.withLock { state in
      guard state.access == id else { return }
      cancelled.store(true, ordering: .relaxed)
      state.interrupt()
    }
  }

  func forget() { state.withLock { $0.address = 0 } }

  func remember(_ db: OpaquePointer) {
    let address = UInt(bitPattern: db)
    state.withLock { $0.address = address }
  }
}

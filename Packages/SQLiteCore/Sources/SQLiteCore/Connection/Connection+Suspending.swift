/// Letting go of locks while the system has stopped the program: a phone's system kills an app that
/// holds a file's lock while it is suspended.
extension Connection {
  /// Whether the connection is suspended.
  public var isSuspended: Bool { handle.interrupter.isSuspended }

  /// Stops what runs, and lets nothing start that might take a lock, until ``resume()``.
  ///
  /// Statements and ``transaction(_:_:)`` fail with ``SQLiteError/Code/interrupt``, and the
  /// transaction that one of these has open is rolled back as its next statement fails. One that a
  /// bare `BEGIN` opened keeps its locks. From another thread, use ``interruptHandle``.
  public func suspend() { handle.interrupter.suspend() }

  /// Ends the suspension. Where there is none, nothing happens.
  public func resume() { handle.interrupter.resume() }

  func refuseWhileSuspended() throws(SQLiteError) {
    guard isSuspended else { return }
    throw SQLiteError(code: .suspended, message: "the connection is suspended")
  }
}

extension InterruptHandle {
  /// Whether the connection is suspended.
  public var isSuspended: Bool { interrupter.isSuspended }

  /// Stops what runs, and lets nothing start that might take a lock: see ``Connection/suspend()``.
  public func suspend() { interrupter.suspend() }

  /// Ends the suspension.
  public func resume() { interrupter.resume() }
}

internal import Primitives

/// Suspension, which releases locks: iOS terminates an app that holds a file lock while it is suspended.
extension Connection {
  /// Indicates whether the connection is suspended.
  public var isSuspended: Bool { handle.interrupter.isSuspended }

  /// Interrupts running statements, and prevents new ones that could acquire a lock, until ``resume()``.
  ///
  /// Statements and ``transaction(_:_:)`` fail with ``SQLiteError/Code/interrupt``, and a transaction that such a
  /// method has opened is rolled back when its next statement fails. A transaction opened with a bare `BEGIN` keeps its
  /// locks. From another thread, use ``interruptHandle``; for all connections of a database, ``Database/suspend()``.
  public func suspend() { handle.interrupter.suspend() }

  /// Ends the suspension. Does nothing if the connection is not suspended.
  public func resume() { handle.interrupter.resume() }

  func checkNotSuspended() throws(SQLiteError) {
    if isSuspended { throw SQLiteError.suspended("the connection") }
  }
}

extension Connection.InterruptHandle {
  /// Indicates whether the connection is suspended.
  public var isSuspended: Bool { interrupter.isSuspended }

  /// Interrupts running statements, and prevents new ones that could acquire a lock: see ``Connection/suspend()``.
  public func suspend() { interrupter.suspend() }

  /// Ends the suspension.
  public func resume() { interrupter.resume() }
}

extension SQLiteError {
  static func suspended(_ subject: String) -> SQLiteError {
    SQLiteError(code: .suspended, message: "\(subject) is suspended")
  }
}

extension Connection {
  /// A part of a connection's work that other threads can cancel separately.
  @_spi(Observing) public struct CancellationScope: Sendable {
    fileprivate let interrupter: Interrupter
    fileprivate let id: UInt64

    fileprivate static let lastID = Atomic<UInt64>(0)

    /// Interrupts the running statement, and prevents new ones until the scope ends. Does nothing after the end.
    public func cancel() { interrupter.cancelScope(id) }
  }
}

extension Connection {
  /// Runs `body`, whose statements fail with ``SQLiteError/Code/interrupt`` after the scope is cancelled.
  ///
  /// Scopes can't be nested.
  @_spi(Observing) public func withCancellationScope<Result>(
    _ body: (CancellationScope) throws -> Result
  ) rethrows -> Result {
    let id = CancellationScope.lastID.add(1, ordering: .relaxed).newValue
    let part = CancellationScope(interrupter: handle.interrupter, id: id)
    part.interrupter.beginScope(id)
    defer { part.interrupter.endScope() }
    return try body(part)
  }
}

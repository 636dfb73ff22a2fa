internal import Primitives

/// Letting go of locks while the system has stopped the program: a phone's system kills an app that
/// holds a file's lock while it is suspended.
extension Connection {
  /// Whether the connection is suspended.
  public var isSuspended: Bool { handle.interrupter.isSuspended }

  /// Stops what runs, and lets nothing start that might take a lock, until ``resume()``.
  ///
  /// Statements and ``transaction(_:_:)`` fail with ``SQLiteError/Code/interrupt``, and the
  /// transaction that one of these has open is rolled back as its next statement fails. One that a
  /// bare `BEGIN` opened keeps its locks. From another thread, use ``interruptHandle``; for all
  /// connections of a database, ``Database/suspend()``.
  public func suspend() { handle.interrupter.suspend() }

  /// Ends the suspension. Where there is none, nothing happens.
  public func resume() { handle.interrupter.resume() }

  func refuseWhileSuspended() throws(SQLiteError) {
    if isSuspended { throw SQLiteError.suspended("the connection") }
  }
}

extension Connection.InterruptHandle {
  /// Whether the connection is suspended.
  public var isSuspended: Bool { interrupter.isSuspended }

  /// Stops what runs, and lets nothing start that might take a lock: see ``Connection/suspend()``.
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
  /// A part of what is done with a connection, which other threads can cancel without the rest.
  @_spi(Observing) public struct CancellationScope: Sendable {
    fileprivate let interrupter: Interrupter
    fileprivate let id: UInt64

    fileprivate static let lastID = Atomic<UInt64>(0)

    /// Stops the statement that runs, and lets none begin until the part is at its end. Where it is, nothing
    /// happens.
    public func cancel() { interrupter.cancelPart(id) }
  }
}

extension Connection {
  /// Runs `body`, whose statements fail with ``SQLiteError/Code/interrupt`` once it is cancelled.
  ///
  /// Parts are not nested.
  @_spi(Observing) public func withCancellablePart<Result>(
    _ body: (CancellationScope) throws -> Result
  ) rethrows -> Result {
    let id = CancellationScope.lastID.add(1, ordering: .relaxed).newValue
    let part = CancellationScope(interrupter: handle.interrupter, id: id)
    part.interrupter.beginPart(id)
    defer { part.interrupter.endPart() }
    return try body(part)
  }
}

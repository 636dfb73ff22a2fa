internal import Primitives

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

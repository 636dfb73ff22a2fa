/// A variable without exclusivity checks, because a check is about as expensive as the access
/// itself.
///
/// Used for values that are accessed several times for each column, in functions that call no code
/// that could re-enter. The box belongs to one thread at a time, like its owner.
final class UncheckedBox<Value> {
  @exclusivity(unchecked) private var stored: Value

  init(_ value: Value) { unsafe stored = value }

  var value: Value {
    @inline(__always) _read { yield unsafe stored }
    @inline(__always) _modify { yield unsafe &stored }
  }
}

/// A reference that does not retain its object, for use if reference counting would cost more than
/// the work.
///
/// The creator must keep the object alive while the reference is used.
@safe struct UnretainedReference<Object: AnyObject> {
  private let object: Unmanaged<Object>

  init(_ object: Object) { unsafe self.object = .passUnretained(object) }

  /// Runs `body` with the object.
  @inline(__always)
  func withObject<Result>(_ body: (Object) throws -> Result) rethrows -> Result {
    try unsafe object._withUnsafeGuaranteedRef(body)
  }
}

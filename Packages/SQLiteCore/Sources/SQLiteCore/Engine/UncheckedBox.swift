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

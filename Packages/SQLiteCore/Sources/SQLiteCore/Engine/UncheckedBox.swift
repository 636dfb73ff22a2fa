/// A variable of an object, whose use is not checked for being exclusive: the check costs as much as
/// what is done with the variable.
///
/// It is for what is read and changed a few times for each column, in functions that call nobody who
/// might come back to it meanwhile. It belongs to one thread at a time, as its object does.
final class UncheckedBox<Value> {
  @exclusivity(unchecked) private var stored: Value

  init(_ value: Value) { unsafe stored = value }

  var value: Value {
    @inline(__always) _read { yield unsafe stored }
    @inline(__always) _modify { yield unsafe &stored }
  }
}

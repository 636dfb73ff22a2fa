/// What few values of a type have: where it is not there, it takes the room of one pointer.
struct Rare<Value: Sendable>: Sendable {
  // An array that is empty needs no memory of its own, and one of one element is changed where it stands.
  private(set) var held: [Value]

  init() { held = [] }

  var isThere: Bool { !held.isEmpty }

  /// Changes it; what it is where nothing is there, is made.
  subscript(or made: @autoclosure () -> Value) -> Value {
    get { held.isEmpty ? made() : held[0] }
    _modify {
      if held.isEmpty { held.append(made()) }
      yield &held[0]
    }
  }
}

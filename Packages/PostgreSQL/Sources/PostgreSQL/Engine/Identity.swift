extension StaticString {
  /// The address of the text, which identifies a literal while the program runs.
  var address: UInt { unsafe UInt(bitPattern: utf8Start) }
}

/// Casts a value to its own type, which the compiler can't prove to be the same.
///
/// A cast with `as?` would look up both types each time, and cast each element of an array.
@inlinable @inline(__always)
func identityCast<Value, Same>(_ value: Value, as type: Same.Type) -> Same {
  precondition(Value.self == Same.self, "the two types must be the same")
  return unsafe unsafeBitCast(value, to: type)
}

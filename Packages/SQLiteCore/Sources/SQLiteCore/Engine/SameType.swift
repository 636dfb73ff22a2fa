/// A value as one of its own type, which the compiler does not know to be that.
///
/// A cast with `as!` looks both types up each time.
@inline(__always)
func identity<Value, Same>(_ value: Value, as type: Same.Type) -> Same {
  precondition(Value.self == Same.self, "a value is used as what it is")
  return unsafe unsafeBitCast(value, to: type)
}

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension String {
  /// Whether two texts are one to SQL, which compares bytes: Swift's `==` holds an `é` of one
  /// character equal to one of two.
  func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    var (a, b) = (self, other)
    return a.withUTF8 { a in
      b.withUTF8 { b in
        guard let first = a.baseAddress, let second = b.baseAddress else { return true }
        return unsafe first == second || memcmp(first, second, a.count) == 0
      }
    }
  }
}

/// A value as one of its own type, which the compiler does not know to be that.
///
/// A cast with `as!` looks both types up each time.
@inline(__always)
func identity<Value, Same>(_ value: Value, as type: Same.Type) -> Same {
  precondition(Value.self == Same.self, "a value is used as what it is")
  return unsafe unsafeBitCast(value, to: type)
}

/// The address of a string literal, which identifies its text: literals are never released.
@safe struct LiteralAddress: Hashable {
  private let address: UInt
  private let count: Int

  init(_ literal: StaticString) {
    address = unsafe UInt(bitPattern: literal.utf8Start)
    count = literal.utf8CodeUnitCount
  }
}

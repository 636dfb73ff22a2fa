#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension String {
  /// Returns whether two strings have the same UTF-8 bytes, as SQL compares them. Swift's `==` uses
  /// canonical equivalence, for which a precomposed `é` equals a decomposed one.
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

/// A string that is compared by its bytes. Swift's `==` also treats canonically equivalent strings as
/// equal, which differ in SQL.
struct ExactText: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (a: ExactText, b: ExactText) -> Bool { a.text.hasSameBytes(as: b.text) }
}

/// Casts a value to its own type, which the compiler can't prove to be the same.
///
/// A cast with `as!` would look up both types each time.
@inline(__always)
func identityCast<Value, Same>(_ value: Value, as type: Same.Type) -> Same {
  precondition(Value.self == Same.self, "the two types must be the same")
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

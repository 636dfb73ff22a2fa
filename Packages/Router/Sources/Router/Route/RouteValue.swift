public import SQLiteCore

/// A value that a column can be compared with.
///
/// An `Optional` is not one, because nothing equals NULL: use ``DatabaseRoute/Column/isNull()`` instead.
///
/// A type of yours that SQLite can store only needs to declare its conformance:
///
/// ```swift
/// enum Priority: Int, SQLiteConvertible, RouteValue { case low, high }
/// ```
public protocol RouteValue: SQLiteBindable {}

extension RouteValue {
  /// The value that SQLite stores; NULL if it can't be stored, which comparisons reject.
  var routeValue: SQLiteValue { (try? sqliteValue) ?? .null }
}

extension SQLiteValue {
  /// Indicates whether SQLite stores NULL for the value, as it also does for a NaN.
  @inline(__always)
  var isBoundAsNull: Bool {
    switch self {
    case .null: true
    case .real(let number): number.isNaN
    default: false
    }
  }
}

extension SQLiteValue: RouteValue {}
extension String: RouteValue {}
extension Substring: RouteValue {}
extension Bool: RouteValue {}
extension Double: RouteValue {}
extension Float: RouteValue {}
extension Array: RouteValue where Element == UInt8 {}
extension Int: RouteValue {}
extension Int8: RouteValue {}
extension Int16: RouteValue {}
extension Int32: RouteValue {}
extension Int64: RouteValue {}
extension UInt: RouteValue {}
extension UInt8: RouteValue {}
extension UInt16: RouteValue {}
extension UInt32: RouteValue {}
extension UInt64: RouteValue {}

/// Name comparison by SQLite's rules.
extension String {
  func isSameName(as other: String) -> Bool { SQLName.isSame(self, other) }

  /// Returns whether the strings are identical byte by byte.
  func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  func hashName(into hasher: inout Hasher) { SQLName.hash(self, into: &hasher) }
}

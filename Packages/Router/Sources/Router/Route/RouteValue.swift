public import SQLiteCore

/// A value that a column can be compared with. An optional is none: nothing equals NULL, so ask
/// ``DatabaseRoute/Column/isNull()`` instead.
///
/// A type of yours that SQLite can hold needs no more than to say so:
///
/// ```swift
/// enum Priority: Int, SQLiteConvertible, RouteValue { case low, high }
/// ```
public protocol RouteValue: SQLiteBindable {
  /// What is bound for it; NULL where it can't be bound, with which no comparison is run.
  var routeValue: SQLiteValue { get }
}

extension RouteValue {
  public var routeValue: SQLiteValue { Scratch.value(of: self) ?? .null }
}

extension RouteValue where Self: RawRepresentable, RawValue: RouteValue {
  public var routeValue: SQLiteValue { rawValue.routeValue }
}

extension SQLiteValue: RouteValue {
  public var routeValue: SQLiteValue { self }

  /// Whether SQLite makes NULL of it: of a number that is none, too.
  @inline(__always)
  var isBoundAsNull: Bool {
    switch self {
    case .null: true
    case .real(let number): number.isNaN
    default: false
    }
  }
}

extension String: RouteValue {
  public var routeValue: SQLiteValue { .text(self) }
}

extension Substring: RouteValue {
  public var routeValue: SQLiteValue { .text(String(self)) }
}

extension Bool: RouteValue {
  public var routeValue: SQLiteValue { .integer(self ? 1 : 0) }
}

extension Double: RouteValue {
  public var routeValue: SQLiteValue { isNaN ? .null : .real(self) }
}

extension Float: RouteValue {
  public var routeValue: SQLiteValue { isNaN ? .null : .real(Double(self)) }
}

extension Array: RouteValue where Element == UInt8 {
  public var routeValue: SQLiteValue { .blob(self) }
}

extension RouteValue where Self: FixedWidthInteger {
  public var routeValue: SQLiteValue { Int64(exactly: self).map { .integer($0) } ?? .null }
}

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

/// A range of PostgreSQL.
///
/// ```swift
/// let stay = PostgreSQLRange(lower: 5, upper: 8)  // [5,8)
/// let ids = try await database.values(
///   Int.self, "SELECT id FROM booking WHERE nights && $1", stay)
/// ```
///
/// PostgreSQL writes the ranges of integers and dates with an included lower and an excluded upper bound.
public struct PostgreSQLRange<Bound> {
  /// The lower bound, or `nil` if there is none.
  public var lower: Bound?
  /// The upper bound, or `nil` if there is none.
  public var upper: Bound?
  public var includesLower: Bool
  public var includesUpper: Bool
  /// Indicates whether the range contains no value. The bounds are `nil` then.
  public var isEmpty: Bool

  /// Creates a range that is not known to be empty.
  public init(
    lower: Bound?, upper: Bound?, includesLower: Bool = true, includesUpper: Bool = false
  ) {
    self.lower = lower
    self.upper = upper
    self.includesLower = includesLower
    self.includesUpper = includesUpper
    isEmpty = false
  }

  /// The range that contains no value.
  public static var empty: Self {
    var range = Self(lower: nil, upper: nil, includesLower: false)
    range.isEmpty = true
    return range
  }
}

extension PostgreSQLRange: Equatable where Bound: Equatable {}
extension PostgreSQLRange: Hashable where Bound: Hashable {}
extension PostgreSQLRange: Sendable where Bound: Sendable {}

/// The flags at the start of a range's binary format.
struct RangeFlags: OptionSet {
  let rawValue: UInt8

  static let empty = RangeFlags(rawValue: 0x01)
  static let lowerIncluded = RangeFlags(rawValue: 0x02)
  static let upperIncluded = RangeFlags(rawValue: 0x04)
  static let lowerInfinite = RangeFlags(rawValue: 0x08)
  static let upperInfinite = RangeFlags(rawValue: 0x10)
}

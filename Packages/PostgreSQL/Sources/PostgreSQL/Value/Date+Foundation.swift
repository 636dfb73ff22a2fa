#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Date: PostgreSQLConvertible {
  /// The seconds from 2000-01-01, the beginning of PostgreSQL's timestamps, to 2001-01-01.
  private static let epochOffset = 31_622_400.0

  /// Reads a `timestamptz`, or a `timestamp` as UTC.
  ///
  /// - Throws: ``PostgreSQLError`` with code ``PostgreSQLError/Code/valueOutOfRange`` for `infinity`.
  public init(from field: borrowing PostgreSQLField) throws(PostgreSQLError) {
    guard field.kind == .timestamptz || field.kind == .timestamp, !field.isNull else {
      throw field.mismatch(for: "a timestamp")
    }
    let microseconds = try field.microseconds()
    guard microseconds != .max, microseconds != .min else { throw field.outOfRange(for: "Date") }
    self.init(timeIntervalSinceReferenceDate: Double(microseconds) / 1_000_000 - Self.epochOffset)
  }

  private var microseconds: Int64 {
    get throws(PostgreSQLError) {
      let value = ((timeIntervalSinceReferenceDate + Self.epochOffset) * 1_000_000).rounded()
      // The years that PostgreSQL's timestamps can represent.
      guard value > -211_813_488_000_000_000, value < 9_223_371_331_200_000_000 else {
        throw PostgreSQLError(
          code: .valueOutOfRange, message: "the date is outside the range of timestamps")
      }
      return Int64(value)
    }
  }

  /// The instant, rounded to microseconds.
  ///
  /// - Throws: ``PostgreSQLError`` with code ``PostgreSQLError/Code/valueOutOfRange`` if the date is not in the range of
  ///   PostgreSQL's timestamps.
  public var postgreSQLValue: PostgreSQLValue {
    get throws(PostgreSQLError) {
      .scalar(.timestampWithZone(TimeFormat.timestampWithZone(try microseconds)))
    }
  }

  public func bind(to parameters: inout PostgreSQLParameters) throws(PostgreSQLError) {
    try parameters.write(instant: microseconds)
  }
}

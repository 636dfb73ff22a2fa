#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
internal import Primitives

/// A decimal number is stored as TEXT, because SQLite has no exact decimal type: a REAL keeps only
/// about fifteen digits, and can't represent one tenth exactly.
///
/// Use a `TEXT` column. A column of `NUMERIC`, `DECIMAL`, `INTEGER` or `REAL` affinity converts the
/// text to a number: 64-bit integers stay exact and can be read; a REAL has lost digits, and
/// reading it throws ``SQLiteError/Code/columnTypeMismatch``. SQL compares and sorts the values as
/// text: `'10' < '9'`.
extension Decimal: SQLiteConvertible, ColumnValue {
  /// Reads TEXT that is a decimal number, such as `-12.50` or `1e-7`, and INTEGER.
  ///
  /// - Throws: ``SQLiteError``, with the column's name, with code ``SQLiteError/Code/invalidText``
  ///   if the text is not a number, ``SQLiteError/Code/valueOutOfRange`` if it has more than the 38
  ///   digits of a `Decimal` or a larger exponent, because numbers are never rounded;
  ///   ``SQLiteError/Code/columnTypeMismatch`` for REAL and BLOB.
  public init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    switch try row.storageClass(at: index) {
    case .integer: self = Decimal(try row.integer(at: index))
    case .text: self = try Self.parse(try row.text(at: index), row, at: index)
    case let other: throw row.mismatch(other, for: "a decimal number", at: index)
    }
  }

  /// TEXT: a sign if the number is negative, digits, and a decimal point if there is a fraction.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/valueOutOfRange`` for a NaN.
  public var sqliteValue: SQLiteValue {
    get throws(SQLiteError) {
      guard !isNaN else {
        throw SQLiteError(code: .valueOutOfRange, message: "the decimal number is NaN")
      }
      return .text(description)
    }
  }

  private static func parse(
    _ text: String, _ row: borrowing Row, at index: ColumnIndex
  ) throws(SQLiteError) -> Decimal {
    do throws(DecimalDigits.Failure) {
      guard let value = Decimal(try DecimalDigits(text)) else { throw .tooLong }
      return value
    } catch {
      switch error {
      case .invalid:
        throw row.unreadable("the text is not a decimal number", code: .invalidText, at: index)
      case .tooLong:
        throw row.unreadable(
          "the number has more digits than a Decimal", code: .valueOutOfRange, at: index)
      }
    }
  }

  /// Creates the exact number of the digits. Returns `nil` if `Decimal` can't represent it.
  init?(_ number: DecimalDigits) {
    var significand = Decimal(number.digits.low)
    if number.digits.high > 0 {
      let unit = Decimal(UInt64.max) + 1
      significand += Decimal(number.digits.high) * unit
    }
    self.init(
      sign: number.isNegative ? .minus : .plus, exponent: number.exponent, significand: significand)
    if isNaN || (isZero && !number.digits.isZero) { return nil }
  }
}

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
internal import Primitives

/// A decimal number is stored as TEXT, for SQLite has no number that holds it: a REAL would keep about
/// fifteen of its digits, and not one tenth exactly.
///
/// Give it a `TEXT` column. One of `NUMERIC`, `DECIMAL`, `INTEGER` or `REAL` affinity makes a number of
/// the text as it is stored: whole numbers up to 64 bits stay exact and are read; what became a REAL
/// has lost its digits, and reading it is ``SQLiteError/Code/columnTypeMismatch``. SQL compares and
/// sorts such texts as texts: `'10' < '9'`.
extension Decimal: SQLiteConvertible, ColumnValue {
  /// Reads TEXT that is a decimal number, such as `-12.50` or `1e-7`, and INTEGER.
  ///
  /// - Throws: ``SQLiteError`` that names the column, with code ``SQLiteError/Code/invalidText``
  ///   where the text is no number, ``SQLiteError/Code/valueOutOfRange`` where it has more digits
  ///   than a `Decimal` holds, which are 38, or a larger exponent: nothing is rounded;
  ///   ``SQLiteError/Code/columnTypeMismatch`` for REAL and BLOB.
  public init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    switch try row.storageClass(at: index) {
    case .integer: self = Decimal(try row.integer(at: index))
    case .text: self = try Self.parse(try row.text(at: index), row, at: index)
    case let other: throw row.mismatch(other, for: "a decimal number", at: index)
    }
  }

  /// TEXT: a sign if it is negative, digits, and a point if there is a fraction.
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
        throw row.unreadable("the text is no decimal number", code: .invalidText, at: index)
      case .tooLong:
        throw row.unreadable(
          "the number has more digits than a Decimal", code: .valueOutOfRange, at: index)
      }
    }
  }

  /// The number that the digits are, exactly; `nil` where Foundation can't make it.
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

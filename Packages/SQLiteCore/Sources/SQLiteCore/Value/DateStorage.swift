internal import Primitives

/// The storage format of dates in a column.
///
/// All formats use UTC and the proleptic Gregorian calendar, and are limited to the years 0000 to
/// 9999, like SQLite's date functions. A date outside this range throws
/// ``SQLiteError/Code/valueOutOfRange`` when it is written or read, which detects most numbers in a
/// wrong unit.
///
/// | storage | writes | reads | precision of a `Date` |
/// |---|---|---|---|
/// | ``iso8601`` | TEXT | TEXT | exact |
/// | ``dateOnly`` | TEXT | TEXT | a day |
/// | ``unixSeconds`` | INTEGER, or REAL if there is a fraction | both | a quarter of a microsecond |
/// | ``unixMilliseconds`` | INTEGER | INTEGER, REAL | a millisecond |
/// | ``julianDay`` | REAL | REAL, INTEGER | about 40 microseconds |
///
/// SQLite applies the column's affinity to a written value: use a `TEXT` column for text, and an
/// `INTEGER` or `REAL` column for numbers. Reading a number that a `TEXT` column has converted to
/// text is an error.
public enum DateStorage: Hashable, Sendable, CaseIterable {
  /// Text such as `2026-11-21 14:37:29.125`: the format of SQLite's `datetime()` and
  /// `CURRENT_TIMESTAMP`. Text in this format sorts in the order of the dates.
  ///
  /// There is no trailing `Z`, which would sort whole seconds after fractions; SQLite interprets
  /// such a text as UTC. The fraction has the digits needed to read the same date: none, or three
  /// to nine. The resolution is a nanosecond; only dates within 97 days of 1 January 2001 can be
  /// more precise, and are rounded.
  ///
  /// Reads `YYYY-MM-DD`, optionally followed by a space or a `T` and `HH:MM`, `HH:MM:SS` or
  /// `HH:MM:SS.fff` with any number of digits, optionally followed by `Z` or `±HH:MM`. Any other
  /// text throws ``SQLiteError/Code/invalidText``, including days that the month does not have,
  /// hours from 24 on, and leap seconds.
  case iso8601
  /// Text such as `2026-11-21`: the format of SQLite's `date()` and `CURRENT_DATE`.
  ///
  /// A date is the beginning of the day in UTC. Writing any other date throws
  /// ``SQLiteError/Code/valueOutOfRange``, since its time of day would be lost. Reads the same text
  /// as ``iso8601``.
  case dateOnly
  /// Seconds since the beginning of 1970, as in SQLite's `unixepoch()`.
  ///
  /// A date that was created from seconds since 1970 is read back unchanged.
  case unixSeconds
  /// Milliseconds since the beginning of 1970, rounded to the nearest.
  case unixMilliseconds
  /// Days since noon of 24 November in the year -4713, as in SQLite's `julianday()`.
  ///
  /// For current dates, a `Double` represents Julian days with a precision of about 40 microseconds
  /// (80 from the year 6771 on), which is also the maximum error of a date that is read back. If
  /// several dates correspond to a number, the one with whole milliseconds is read, so a date with
  /// whole milliseconds is read back as the nearest `Date`. Writing a date that was read produces
  /// the same number.
  case julianDay
}

/// Instants are seconds since the beginning of 2001: see ``CivilTime``.
extension DateStorage {
  private var isText: Bool { self == .iso8601 || self == .dateOnly }

  func read(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) -> Double {
    let read =
      try isText
      ? ISO8601Text.read(row.text(at: index)) : instant(ofNumber: row.real(at: index))
    guard let read else {
      throw row.unreadable("the text is not an ISO 8601 date", code: .invalidText, at: index)
    }
    guard CivilTime.instants.contains(read) else { throw outOfRange(row, at: index) }
    return read
  }

  /// Returns the instant that a value represents; `nil` if it represents none.
  func instant(of value: SQLiteValue) -> Double? {
    let read: Double? =
      switch (self, value) {
      case (.iso8601, .text(let text)), (.dateOnly, .text(let text)): ISO8601Text.read(text)
      case (.iso8601, _), (.dateOnly, _): nil
      case (_, .integer(let number)): Double(exactly: number).map(instant(ofNumber:))
      case (_, .real(let number)): instant(ofNumber: number)
      default: nil
      }
    return read.flatMap { CivilTime.instants.contains($0) ? $0 : nil }
  }

  /// Returns the stored value of an instant.
  ///
  /// - Throws: ``SQLiteError/Code/valueOutOfRange`` if the format can't represent it.
  func value(of instant: Double) throws(SQLiteError) -> SQLiteValue {
    guard CivilTime.instants.contains(instant) else { throw Self.outOfRange() }
    switch self {
    case .iso8601: return .text(ISO8601Text.write(instant))
    case .dateOnly:
      guard instant.truncatingRemainder(dividingBy: CivilTime.secondsPerDay) == 0 else {
        throw SQLiteError(
          code: .valueOutOfRange,
          message: "the date has a time of day in UTC, which a date without time can't store")
      }
      return .text(String(ISO8601Text.write(instant).prefix(10)))
    case .unixSeconds:
      let seconds = instant + CivilTime.unixEpochOffset
      return seconds == seconds.rounded() ? .integer(Int64(seconds)) : .real(seconds)
    case .unixMilliseconds:
      let whole = instant.rounded(.down)
      let rounded = whole * 1_000 + ((instant - whole) * 1_000).rounded()
      // The last half millisecond of the year 9999 would be rounded to the next year.
      guard rounded < CivilTime.instants.upperBound * 1_000 else { throw Self.outOfRange() }
      return .integer(Int64(rounded + CivilTime.unixEpochOffset * 1_000))
    case .julianDay:
      let julianDay = CivilTime.julianDay(of: instant)
      guard CivilTime.instants.contains(CivilTime.instant(ofJulianDay: julianDay)) else {
        throw Self.outOfRange()
      }
      return .real(julianDay)
    }
  }

  /// Returns the instant that a number represents, which may be out of range; NaN if it represents
  /// none.
  private func instant(ofNumber number: Double) -> Double {
    switch self {
    case .iso8601, .dateOnly: .nan
    case .unixSeconds: number - CivilTime.unixEpochOffset
    case .unixMilliseconds: number / 1_000 - CivilTime.unixEpochOffset
    case .julianDay: number.isFinite ? CivilTime.instant(ofJulianDay: number) : .nan
    }
  }

  private static func outOfRange() -> SQLiteError {
    SQLiteError(code: .valueOutOfRange, message: "the date is not in the years 0000 to 9999")
  }

  private func outOfRange(_ row: borrowing Row, at index: ColumnIndex) -> SQLiteError {
    row.unreadable(
      "the value is not a date in the years 0000 to 9999", code: .valueOutOfRange, at: index)
  }
}

/// Dates of the proleptic Gregorian calendar, computed like SQLite's date functions: the years 0000
/// to 9999, without leap seconds.
///
/// An instant is the number of seconds since the beginning of 2001 in UTC, as in Foundation's
/// `Date`.
enum CivilTime {
  static let secondsPerDay = 86_400.0
  /// The seconds from the beginning of 1970 to the beginning of 2001.
  static let unixEpochOffset = 978_307_200.0
  /// The Julian day of the beginning of 2001.
  static let julianEpoch = 2_451_910.5
  /// From the beginning of the year 0 to the end of the year 9999.
  static let instants = -63_145_526_400.0..<252_423_993_600.0

  /// Returns the number of days from the beginning of 2001 to a date; `nil` if the month has no
  /// such day.
  static func day(year: Int, month: Int, day: Int) -> Int? {
    CivilDate.day(year: year, month: month, day: day).map { $0 - epochDay }
  }

  /// Returns the date for a number of days after the beginning of 2001.
  static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
    CivilDate.date(ofDay: day + epochDay)
  }

  /// The days from the beginning of 1970 to the beginning of 2001.
  private static let epochDay = 11_323
}

/// Julian days.
extension CivilTime {
  /// Returns the Julian day of an instant. For whole milliseconds, it equals SQLite's number.
  static func julianDay(of instant: Double) -> Double {
    let days = (instant / secondsPerDay).rounded(.down)
    let seconds = instant - days * secondsPerDay
    let milliseconds = (seconds * 1_000).rounded()
    guard self.instant(ofDay: days, milliseconds: milliseconds) == instant else {
      return days + julianEpoch + seconds / secondsPerDay
    }
    // Both operands are integers that a `Double` represents exactly, so the result is rounded only
    // once.
    let millisecondsPerDay = secondsPerDay * 1_000
    return ((days + julianEpoch) * millisecondsPerDay + milliseconds) / millisecondsPerDay
  }

  /// Returns the instant of a Julian day: the whole millisecond that is stored as this number, or
  /// otherwise the exact number.
  static func instant(ofJulianDay julianDay: Double) -> Double {
    let days = (julianDay - julianEpoch).rounded(.down)
    let seconds = (julianDay - julianEpoch - days) * secondsPerDay
    let round = instant(ofDay: days, milliseconds: (seconds * 1_000).rounded())
    return self.julianDay(of: round) == julianDay ? round : days * secondsPerDay + seconds
  }

  private static func instant(ofDay days: Double, milliseconds: Double) -> Double {
    let whole = (milliseconds / 1_000).rounded(.down)
    return days * secondsPerDay + whole + (milliseconds - whole * 1_000) / 1_000
  }
}

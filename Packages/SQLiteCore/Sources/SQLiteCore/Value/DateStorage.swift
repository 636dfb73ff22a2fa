internal import Primitives

/// How dates are stored in a column.
///
/// All are in UTC, of the proleptic Gregorian calendar, and of the years 0000 to 9999, as SQLite's own
/// date functions have it: a date outside of these is ``SQLiteError/Code/valueOutOfRange``, written
/// or read. That makes most numbers in the wrong unit an error, and not another date.
///
/// | storage | writes | reads | a `Date` comes back |
/// |---|---|---|---|
/// | ``iso8601`` | TEXT | TEXT | as itself |
/// | ``unixSeconds`` | INTEGER, or REAL where there is a fraction | both | to a quarter of a microsecond |
/// | ``unixMilliseconds`` | INTEGER | INTEGER, REAL | to the millisecond |
/// | ``julianDay`` | REAL | REAL, INTEGER | to about 40 microseconds |
///
/// SQLite applies a column's affinity to what is written: give text a `TEXT` column, and numbers an
/// `INTEGER` or `REAL` one. A number that a `TEXT` column made a text is an error to read, not a guess.
public enum DateStorage: Hashable, Sendable, CaseIterable {
  /// Text such as `2026-11-21 14:37:29.125`: the form of SQLite's `datetime()` and
  /// `CURRENT_TIMESTAMP`, so that texts of both compare as their dates do.
  ///
  /// There is no `Z` at the end, which would sort whole seconds after their fractions; SQLite takes
  /// such a text for UTC. A fraction has as many digits as the date needs to be read as the same:
  /// none, or three to nine. A nanosecond is the finest that is written; only dates within 97 days of
  /// 1 January 2001 can be finer, and are rounded.
  ///
  /// It reads `YYYY-MM-DD`, and that followed by a space or a `T` and `HH:MM`, `HH:MM:SS` or
  /// `HH:MM:SS.fff` with any number of digits, followed by nothing, `Z` or `±HH:MM`. Anything else
  /// is ``SQLiteError/Code/invalidText``; so are days that the month has not, hours from 24 on, and
  /// leap seconds.
  case iso8601
  /// Seconds since the beginning of 1970, as SQLite's `unixepoch()` has them.
  ///
  /// A date that was made of seconds since 1970 comes back as itself.
  case unixSeconds
  /// Milliseconds since the beginning of 1970, rounded to the nearest.
  case unixMilliseconds
  /// Days since noon of 24 November in the year -4713, as SQLite's `julianday()` has them.
  ///
  /// A `Double` tells Julian days of our time apart that are about 40 microseconds from each other
  /// (80 from the year 6771 on), and a date comes back no farther off. Of the dates that one number
  /// may stand for, the one of whole milliseconds is read: such a date comes back as the `Date`
  /// nearest to it. The number that was read is written again as the same.
  case julianDay
}

/// Instants are seconds since the beginning of 2001: see ``CivilTime``.
extension DateStorage {
  func read(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) -> Double {
    let read =
      try self == .iso8601
      ? ISO8601Text.read(row.text(at: index)) : instant(ofNumber: row.real(at: index))
    guard let read else {
      throw row.unreadable("the text is no ISO 8601 date", code: .invalidText, at: index)
    }
    guard CivilTime.instants.contains(read) else { throw outOfRange(row, at: index) }
    return read
  }

  /// The instant that a value stands for; `nil` where it is none.
  func instant(of value: SQLiteValue) -> Double? {
    let read: Double? =
      switch (self, value) {
      case (.iso8601, .text(let text)): ISO8601Text.read(text)
      case (.iso8601, _): nil
      case (_, .integer(let number)): Double(exactly: number).map(instant(ofNumber:))
      case (_, .real(let number)): instant(ofNumber: number)
      default: nil
      }
    return read.flatMap { CivilTime.instants.contains($0) ? $0 : nil }
  }

  /// What an instant is stored as; `nil` where it is not of the years 0000 to 9999.
  func value(of instant: Double) -> SQLiteValue? {
    guard CivilTime.instants.contains(instant) else { return nil }
    switch self {
    case .iso8601: return .text(ISO8601Text.write(instant))
    case .unixSeconds:
      let seconds = instant + CivilTime.unixEpochOffset
      return seconds == seconds.rounded() ? .integer(Int64(seconds)) : .real(seconds)
    case .unixMilliseconds:
      let whole = instant.rounded(.down)
      let rounded = whole * 1_000 + ((instant - whole) * 1_000).rounded()
      // The last half of a millisecond of the year 9999 is rounded out of it.
      guard rounded < CivilTime.instants.upperBound * 1_000 else { return nil }
      return .integer(Int64(rounded + CivilTime.unixEpochOffset * 1_000))
    case .julianDay:
      let julianDay = CivilTime.julianDay(of: instant)
      let isRead = CivilTime.instants.contains(CivilTime.instant(ofJulianDay: julianDay))
      return isRead ? .real(julianDay) : nil
    }
  }

  /// The instant that a number stands for, perhaps outside of the years; not a number where it is none.
  private func instant(ofNumber number: Double) -> Double {
    switch self {
    case .iso8601: .nan
    case .unixSeconds: number - CivilTime.unixEpochOffset
    case .unixMilliseconds: number / 1_000 - CivilTime.unixEpochOffset
    case .julianDay: number.isFinite ? CivilTime.instant(ofJulianDay: number) : .nan
    }
  }

  static func outOfRange() -> SQLiteError {
    SQLiteError(code: .valueOutOfRange, message: "the date is not of the years 0000 to 9999")
  }

  private func outOfRange(_ row: borrowing Row, at index: ColumnIndex) -> SQLiteError {
    row.unreadable(
      "the value is no date of the years 0000 to 9999", code: .valueOutOfRange, at: index)
  }
}

/// Dates of the proleptic Gregorian calendar, as SQLite's own date functions count them: the years
/// 0000 to 9999, without leap seconds.
///
/// An instant is a number of seconds since the beginning of 2001 in UTC, as Foundation's `Date` holds
/// it.
enum CivilTime {
  static let secondsPerDay = 86_400.0
  /// From the beginning of 1970 to that of 2001.
  static let unixEpochOffset = 978_307_200.0
  /// The Julian day of the beginning of 2001.
  static let julianEpoch = 2_451_910.5
  /// From the beginning of the year 0 to the end of the year 9999.
  static let instants = -63_145_526_400.0..<252_423_993_600.0

  /// The days from the beginning of 2001 to a date; `nil` if the month has no such day.
  static func day(year: Int, month: Int, day: Int) -> Int? {
    CivilDate.day(year: year, month: month, day: day).map { $0 - epochDay }
  }

  /// The date that is so many days after the beginning of 2001.
  static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
    CivilDate.date(ofDay: day + epochDay)
  }

  /// From the beginning of 1970 to that of 2001.
  private static let epochDay = 11_323
}

/// Julian days.
extension CivilTime {
  /// The Julian day of an instant: of whole milliseconds the number that SQLite has for it.
  static func julianDay(of instant: Double) -> Double {
    let days = (instant / secondsPerDay).rounded(.down)
    let seconds = instant - days * secondsPerDay
    let milliseconds = (seconds * 1_000).rounded()
    guard self.instant(ofDay: days, milliseconds: milliseconds) == instant else {
      return days + julianEpoch + seconds / secondsPerDay
    }
    // Both are whole numbers that a `Double` holds exactly, and so is rounded but once.
    let millisecondsPerDay = secondsPerDay * 1_000
    return ((days + julianEpoch) * millisecondsPerDay + milliseconds) / millisecondsPerDay
  }

  /// The instant of a Julian day: the whole millisecond that is stored as this number, or failing that
  /// the number itself.
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

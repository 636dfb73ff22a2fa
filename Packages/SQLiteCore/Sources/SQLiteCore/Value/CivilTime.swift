internal import Primitives

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

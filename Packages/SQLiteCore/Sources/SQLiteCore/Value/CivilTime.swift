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

  /// The days from the beginning of 2001 to a date; `nil` where the month has no such day.
  ///
  /// - Complexity: O(1), by counting years from March, so that a leap day ends one.
  static func day(year: Int, month: Int, day: Int) -> Int? {
    guard (1...12).contains(month), day >= 1, day <= dayCount(ofMonth: month, year: year) else {
      return nil
    }
    let yearFromMarch = month > 2 ? year : year - 1
    let monthFromMarch = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    // The year before the year 0 is -1: counted from 400 years earlier, nothing is negative.
    let years = yearFromMarch + 400
    let days = years * 365 + years / 4 - years / 100 + years / 400 + dayOfYear
    return days - daysFromMarch400BeforeZero
  }

  /// The date that is so many days after the beginning of 2001.
  static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
    let days = day + daysFromMarch400BeforeZero
    let era = days / 146_097
    let dayOfEra = days % 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = era * 400 + yearOfEra - 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  /// From 1 March of the year -400 to the beginning of 2001.
  private static let daysFromMarch400BeforeZero = 876_888

  private static func dayCount(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
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

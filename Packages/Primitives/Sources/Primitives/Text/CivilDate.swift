/// Dates of the proleptic Gregorian calendar, as days since the beginning of 1970.
///
/// A year before the year 1 is the year 0, then -1, as in ISO 8601. Leap seconds are not counted.
public enum CivilDate {
  public static let secondsPerDay = 86_400

  /// The seconds of the years 0 to 9999, from the beginning of 1970.
  public static let seconds: Range<Int64> = -62_167_219_200..<253_402_300_800

  /// The day of a date; `nil` if the month has no such day.
  ///
  /// - Parameter year: A year from -399 on.
  /// - Complexity: O(1), by counting years from March, so that a leap day ends one.
  public static func day(year: Int, month: Int, day: Int) -> Int? {
    guard (1...12).contains(month), day >= 1, day <= dayCount(ofMonth: month, year: year) else {
      return nil
    }
    // Counted from 400 years before the year 0, nothing is negative.
    let years = (month > 2 ? year : year - 1) + 400
    let months = month > 2 ? month - 3 : month + 9
    let days = years * 365 + years / 4 - years / 100 + years / 400
    return days + (153 * months + 2) / 5 + day - 1 - epoch
  }

  /// The date of a day.
  ///
  /// - Parameter day: A day after February of the year -400.
  public static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = (day + epoch).quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let months = (5 * dayOfYear + 2) / 153
    let month = months < 10 ? months + 3 : months - 9
    let year = era * 400 + yearOfEra - 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * months + 2) / 5 + 1)
  }

  /// The number of days that a month of 1 to 12 has.
  public static func dayCount(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// From 1 March of the year -400 to the beginning of 1970.
  private static let epoch = 865_565
}

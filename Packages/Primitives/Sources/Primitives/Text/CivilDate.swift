/// Dates of the proleptic Gregorian calendar, as days since 1970.
///
/// Years before year 1 are 0, -1 and so on, as in ISO 8601. Leap seconds are ignored.
public enum CivilDate {
  public static let secondsPerDay = 86_400

  /// The range of the years 0 to 9999 in seconds since 1970.
  public static let seconds: Range<Int64> = -62_167_219_200..<253_402_300_800

  /// Returns the day number of a date, or `nil` if the month has no such day.
  ///
  /// - Parameters:
  ///   - year: A year from -399 on.
  ///   - month: A month from 1 to 12.
  ///   - day: A day, counting from 1.
  /// - Complexity: O(1).
  public static func day(year: Int, month: Int, day: Int) -> Int? {
    guard (1...12).contains(month), day >= 1, day <= dayCount(ofMonth: month, year: year) else {
      return nil
    }
    // Years begin in March, so that a leap day ends a year. Counting from 400 years before year 0
    // avoids negative numbers.
    let years = (month > 2 ? year : year - 1) + 400
    let months = month > 2 ? month - 3 : month + 9
    let days = years * 365 + years / 4 - years / 100 + years / 400
    return days + (153 * months + 2) / 5 + day - 1 - epoch
  }

  /// Returns the date of a day number.
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

  /// Returns the number of days in a month from 1 to 12.
  public static func dayCount(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The number of days from 1 March of the year -400 to 1 January 1970.
  private static let epoch = 865_565
}

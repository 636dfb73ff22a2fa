internal import Primitives

/// Dates and times as text. PostgreSQL counts days and microseconds from the beginning of the year 2000.
enum TimeFormat {
  static let microsecondsPerDay: Int64 = 86_400_000_000
  /// The day 2000-01-01, counted from 1970-01-01.
  private static let epochDay = 10_957
  /// The days of 400 years, after which the calendar repeats.
  private static let era = 146_097

  // MARK: Writing

  /// A date, as `2026-11-21`; `infinity` or `-infinity` for the extreme values.
  static func date(_ days: Int32) -> String {
    switch days {
    case .max: return "infinity"
    case .min: return "-infinity"
    default:
      // Dates before the year -400 are moved by a multiple of 400 years.
      let (year, month, day) = CivilDate.date(ofDay: Int(days) + epochDay + 12 * era)
      return yearText(year - 4_800) + "-" + padded(month) + "-" + padded(day)
    }
  }

  /// A timestamp, as `2026-11-21 14:37:29.125`.
  static func timestamp(_ microseconds: Int64) -> String {
    switch microseconds {
    case .max: return "infinity"
    case .min: return "-infinity"
    default:
      let day = floorDivided(microseconds, by: microsecondsPerDay)
      return date(Int32(truncatingIfNeeded: day)) + " "
        + time(microseconds - day * microsecondsPerDay)
    }
  }

  /// An instant, as `2026-11-21 14:37:29.125Z`.
  static func timestampWithZone(_ microseconds: Int64) -> String {
    let text = timestamp(microseconds)
    return text.hasSuffix("y") ? text : text + "Z"
  }

  /// A time of day, as `14:37:29.125`.
  static func time(_ microseconds: Int64) -> String {
    let (seconds, fraction) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    var text = padded(Int(seconds / 3_600)) + ":" + padded(Int(seconds / 60 % 60))
    text += ":" + padded(Int(seconds % 60))
    if fraction > 0 {
      var digits = String(1_000_000 + fraction).dropFirst()
      while digits.hasSuffix("0") { digits.removeLast() }
      text += "." + digits
    }
    return text
  }

  /// The offset of a zone that is `seconds` west of Greenwich, as `+01:00`.
  static func zone(_ seconds: Int32) -> String {
    let east = -Int(seconds)
    let size = Int(east.magnitude)
    let rest = size % 60 == 0 ? "" : ":" + padded(size % 60)
    return (east < 0 ? "-" : "+") + padded(size / 3_600) + ":" + padded(size / 60 % 60) + rest
  }

  private static func yearText(_ year: Int) -> String {
    let digits = String(year.magnitude)
    return (year < 0 ? "-" : "") + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func floorDivided(_ value: Int64, by divisor: Int64) -> Int64 {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }

  // MARK: Reading

  static func date(_ text: String) -> Int32? {
    if let infinite = infinity(text) { return infinite ? .max : .min }
    var scanner = Scanner(text)
    guard let days = scanner.date(), scanner.isAtEnd else { return nil }
    return Int32(exactly: days)
  }

  static func timestamp(_ text: String) -> Int64? {
    if let infinite = infinity(text) { return infinite ? .max : .min }
    var scanner = Scanner(text)
    guard let microseconds = scanner.timestamp(), scanner.isAtEnd else { return nil }
    return microseconds
  }

  static func timestampWithZone(_ text: String) -> Int64? {
    if let infinite = infinity(text) { return infinite ? .max : .min }
    var scanner = Scanner(text)
    guard let microseconds = scanner.timestamp(), let west = scanner.zone(), scanner.isAtEnd else {
      return nil
    }
    let (sum, overflow) = microseconds.addingReportingOverflow(Int64(west) * 1_000_000)
    return overflow ? nil : sum
  }

  static func time(_ text: String) -> Int64? {
    var scanner = Scanner(text)
    guard let microseconds = scanner.time(), scanner.isAtEnd else { return nil }
    return microseconds
  }

  /// Returns the time and the seconds west of Greenwich of a time with a zone.
  static func timeWithZone(_ text: String) -> (microseconds: Int64, west: Int32)? {
    var scanner = Scanner(text)
    guard let microseconds = scanner.time(), let west = scanner.zone(), scanner.isAtEnd else {
      return nil
    }
    return (microseconds, west)
  }

  private static func infinity(_ text: String) -> Bool? {
    text == "infinity" ? true : text == "-infinity" ? false : nil
  }

  private struct Scanner {
    private var bytes: Substring.UTF8View

    init(_ text: String) { bytes = text.utf8[...] }

    var isAtEnd: Bool { bytes.isEmpty }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard bytes.first == UInt8(ascii: character) else { return false }
      bytes.removeFirst()
      return true
    }

    private mutating func number(digits: ClosedRange<Int>) -> Int? {
      let run = bytes.prefix { (48...57).contains($0) }
      guard digits.contains(run.count) else { return nil }
      bytes = bytes[run.endIndex...]
      return run.reduce(0) { $0 * 10 + Int($1 - 48) }
    }

    mutating func date() -> Int? {
      let isNegative = take("-")
      guard let year = number(digits: 4...7), take("-"), let month = number(digits: 2...2),
        take("-"),
        let day = number(digits: 2...2)
      else { return nil }
      let shifted = (isNegative ? -year : year) + 4_800
      guard shifted >= 0, let days = CivilDate.day(year: shifted, month: month, day: day) else {
        return nil
      }
      return days - TimeFormat.epochDay - 12 * TimeFormat.era
    }

    mutating func time() -> Int64? {
      guard let hour = number(digits: 2...2), take(":"), let minute = number(digits: 2...2),
        hour < 24 || hour == 24, minute < 60
      else { return nil }
      var seconds = 0
      var fraction = 0
      if take(":") {
        guard let second = number(digits: 2...2), second < 60 else { return nil }
        seconds = second
        if take(".") {
          let length = bytes.count
          guard let digits = number(digits: 1...6) else { return nil }
          fraction = digits
          for _ in length - bytes.count..<6 { fraction *= 10 }
        }
      }
      let total = Int64((hour * 60 + minute) * 60 + seconds) * 1_000_000 + Int64(fraction)
      return total <= TimeFormat.microsecondsPerDay ? total : nil
    }

    mutating func timestamp() -> Int64? {
      guard let days = date(), take(" ") || take("T"), let time = time() else { return nil }
      let (start, overflow) = Int64(days).multipliedReportingOverflow(
        by: TimeFormat.microsecondsPerDay)
      let (sum, tooLarge) = start.addingReportingOverflow(time)
      return overflow || tooLarge ? nil : sum
    }

    /// Reads `Z` or `±HH:MM`, as seconds west of Greenwich.
    mutating func zone() -> Int32? {
      if take("Z") { return 0 }
      let isWest = take("-")
      guard isWest || take("+"), let hour = number(digits: 2...2), hour < 16 else { return nil }
      var seconds = hour * 3_600
      if take(":") {
        guard let minute = number(digits: 2...2), minute < 60 else { return nil }
        seconds += minute * 60
        if take(":") {
          guard let second = number(digits: 2...2), second < 60 else { return nil }
          seconds += second
        }
      }
      return Int32(isWest ? seconds : -seconds)
    }
  }
}

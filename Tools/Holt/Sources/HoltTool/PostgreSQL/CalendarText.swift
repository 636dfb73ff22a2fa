import Primitives

/// Dates and times in the notation in which the PostgreSQL client returns them.
///
/// Each function returns `nil` for a text that is not such a value, and for more than six digits of a second's fraction.
enum CalendarText {
  /// Returns a date, such as `2026-11-21`.
  static func date(_ text: String) -> String? {
    if isInfinity(text) { return text }
    return day(text).map { _ in text }
  }

  /// Returns a time with seconds, and without zeros at the end of their fraction.
  static func time(_ text: String) -> String? { timeOfDay(text).map { Self.text(ofTime: $0) } }

  /// Returns a date and a time, separated by a space.
  static func timestamp(_ text: String) -> String? {
    if isInfinity(text) { return text }
    guard let (date, time) = parts(text), day(date) != nil, let microseconds = timeOfDay(time),
      microseconds < microsecondsPerDay
    else { return nil }
    return "\(date) \(Self.text(ofTime: microseconds))"
  }

  /// Returns a date and a time in UTC, with a `Z`.
  static func timestampWithZone(_ text: String) -> String? {
    if isInfinity(text) { return text }
    guard let (date, rest) = parts(text), var day = day(date) else { return nil }
    let time: Substring
    var offset: Int64 = 0
    if rest.hasSuffix("Z") {
      time = rest.dropLast()
    } else {
      guard let sign = rest.lastIndex(where: { $0 == "+" || $0 == "-" }) else { return nil }
      time = rest[..<sign]
      let zone = rest[rest.index(after: sign)...].split(
        separator: ":", omittingEmptySubsequences: false)
      guard (1...2).contains(zone.count), zone.allSatisfy({ $0.count == 2 }),
        let hours = Int64(zone[0]), hours < 16,
        let minutes = zone.count == 2 ? Int64(zone[1]) : 0, minutes < 60
      else { return nil }
      offset = (hours * 60 + minutes) * 60_000_000
      if rest[sign] == "-" { offset = -offset }
    }
    guard var microseconds = timeOfDay(time), microseconds < microsecondsPerDay else { return nil }
    microseconds -= offset
    if microseconds < 0 { (day, microseconds) = (day - 1, microseconds + microsecondsPerDay) }
    if microseconds >= microsecondsPerDay {
      (day, microseconds) = (day + 1, microseconds - microsecondsPerDay)
    }
    return "\(Self.text(ofDay: day)) \(Self.text(ofTime: microseconds))Z"
  }

  private static let microsecondsPerDay: Int64 = 86_400_000_000
  /// The days of 4,800 years, after which the calendar repeats.
  private static let shift = 12 * 146_097

  private static func isInfinity(_ text: String) -> Bool {
    text == "infinity" || text == "-infinity"
  }

  private static func parts(_ text: String) -> (date: Substring, time: Substring)? {
    guard let separator = text.firstIndex(where: { $0 == " " || $0 == "T" }) else { return nil }
    return (text[..<separator], text[text.index(after: separator)...])
  }

  private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
    guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return Int(text)
  }

  /// Returns the number of days since 1970, moved by 4,800 years.
  private static func day(_ text: some StringProtocol) -> Int? {
    var text = Substring(text)
    let isNegative = text.hasPrefix("-")
    if isNegative { text.removeFirst() }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let year = number(parts[0], digits: 4...6),
      let month = number(parts[1], digits: 2...2), let day = number(parts[2], digits: 2...2)
    else { return nil }
    let shifted = (isNegative ? -year : year) + 4_800
    return shifted < 0 ? nil : CivilDate.day(year: shifted, month: month, day: day)
  }

  private static func text(ofDay day: Int) -> String {
    let (year, month, day) = CivilDate.date(ofDay: day)
    let shown = year - 4_800
    let digits = String(shown.magnitude)
    let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
    return (shown < 0 ? "-" : "") + zeros + digits + "-" + padded(month) + "-" + padded(day)
  }

  private static func timeOfDay(_ text: some StringProtocol) -> Int64? {
    let parts = Substring(text).split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let hour = number(parts[0], digits: 2...2), hour <= 24,
      let minute = number(parts[1], digits: 2...2), minute < 60
    else { return nil }
    var (second, fraction) = (0, 0)
    if parts.count == 3 {
      let halves = parts[2].split(separator: ".", omittingEmptySubsequences: false)
      guard halves.count <= 2, let whole = number(halves[0], digits: 2...2), whole < 60 else {
        return nil
      }
      second = whole
      if halves.count == 2 {
        // Zeros after the sixth digit lose nothing.
        var digits = halves[1]
        while digits.count > 6, digits.hasSuffix("0") { digits.removeLast() }
        guard let number = number(digits, digits: 1...6) else { return nil }
        fraction = number
        for _ in digits.count..<6 { fraction *= 10 }
      }
    }
    let total = Int64((hour * 60 + minute) * 60 + second) * 1_000_000 + Int64(fraction)
    return total <= microsecondsPerDay ? total : nil
  }

  private static func text(ofTime microseconds: Int64) -> String {
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

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

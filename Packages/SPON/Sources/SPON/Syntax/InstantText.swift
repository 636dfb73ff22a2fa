internal import Primitives

/// Reads and writes instants according to RFC 3339, with up to 18 fractional digits.
enum InstantText {
  static func read(
    _ bytes: Span<UInt8>, _ range: Range<Int>
  ) throws(ScanFailure) -> SPONInstant {
    guard let instant = parse(bytes, range) else {
      throw ScanFailure(
        .invalidDate, "expected a date and time such as 2023-11-14T22:13:20Z", at: range.lowerBound)
    }
    return instant
  }

  /// Parses a date and time; `nil` if it is invalid.
  static func parse(_ bytes: Span<UInt8>, _ range: Range<Int>) -> SPONInstant? {
    let at = range.lowerBound
    guard range.count >= 20, bytes[at + 4] == Byte.hyphen, bytes[at + 7] == Byte.hyphen,
      bytes[at + 10] | 0x20 == 0x74 || bytes[at + 10] == Byte.space,
      bytes[at + 13] == Byte.colon, bytes[at + 16] == Byte.colon,
      let year = digits(bytes, at, 4), let month = digits(bytes, at + 5, 2),
      let day = digits(bytes, at + 8, 2), let hour = digits(bytes, at + 11, 2), hour < 24,
      let minute = digits(bytes, at + 14, 2), minute < 60,
      let second = digits(bytes, at + 17, 2), second < 60,
      let days = CivilDate.day(year: year, month: month, day: day)
    else { return nil }
    var next = at + 19
    var fraction: Int64 = 0
    if bytes[next] == 0x2E {
      next += 1
      let first = next
      while next < range.upperBound, bytes[next].isDigit {
        guard next - first < 18 else { return nil }
        fraction = fraction * 10 + Int64(bytes[next] &- 0x30)
        next += 1
      }
      guard next > first else { return nil }
      for _ in next - first..<18 { fraction *= 10 }
    }
    guard let offset = offset(bytes, next..<range.upperBound) else { return nil }
    return SPONInstant(
      secondsSince1970: Int64(days) * 86_400
        + Int64(hour * 3_600 + minute * 60 + second - offset),
      attoseconds: fraction)
  }

  /// Parses the date format of the original implementation: `2023-11-14 22:13:20 +0000`.
  static func parseLegacy(_ bytes: Span<UInt8>, _ range: Range<Int>) -> SPONInstant? {
    let at = range.lowerBound
    guard range.count == 25, bytes[at + 10] == Byte.space, bytes[at + 19] == Byte.space else {
      return nil
    }
    var text: [UInt8] = []
    for index in range where index != at + 19 {
      text.append(bytes[index])
      if index == at + 22 { text.append(Byte.colon) }
    }
    return parse(text.elementSpan, 0..<text.count)
  }

  /// Parses an offset from UTC, `Z` or `+hh:mm`, and returns it in seconds.
  private static func offset(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
    let at = range.lowerBound
    if range.count == 1 { return bytes[at] | 0x20 == 0x7A ? 0 : nil }
    guard range.count == 6, bytes[at] == 0x2B || bytes[at] == Byte.hyphen,
      bytes[at + 3] == Byte.colon, let hours = digits(bytes, at + 1, 2), hours < 24,
      let minutes = digits(bytes, at + 4, 2), minutes < 60
    else { return nil }
    return (hours * 3_600 + minutes * 60) * (bytes[at] == Byte.hyphen ? -1 : 1)
  }

  private static func digits(_ bytes: Span<UInt8>, _ at: Int, _ count: Int) -> Int? {
    var value = 0
    for index in at..<at + count {
      guard bytes[index].isDigit else { return nil }
      value = value * 10 + Int(bytes[index] &- 0x30)
    }
    return value
  }

  /// Appends an instant in the years 0000 to 9999.
  static func append(_ instant: SPONInstant, to text: inout [UInt8]) {
    appendDateAndTime(instant, separator: 0x54, to: &text)
    var digits = 18
    var fraction = instant.attoseconds
    if fraction > 0 {
      while fraction % 10 == 0 {
        fraction /= 10
        digits -= 1
      }
      text.append(0x2E)
      append(fraction, count: digits, to: &text)
    }
    text.append(0x5A)
  }

  /// Appends an instant with whole seconds in the date format of the original implementation.
  static func appendLegacy(_ instant: SPONInstant, to text: inout [UInt8]) {
    appendDateAndTime(instant, separator: Byte.space, to: &text)
    text.append(contentsOf: " +0000".utf8)
  }

  private static func appendDateAndTime(
    _ instant: SPONInstant, separator: UInt8, to text: inout [UInt8]
  ) {
    let (days, seconds) = instant.secondsSince1970.daysAndSeconds
    let (year, month, day) = CivilDate.date(ofDay: days)
    append(Int64(year), count: 4, to: &text)
    text.append(Byte.hyphen)
    append(Int64(month), count: 2, to: &text)
    text.append(Byte.hyphen)
    append(Int64(day), count: 2, to: &text)
    text.append(separator)
    append(seconds / 3_600, count: 2, to: &text)
    text.append(Byte.colon)
    append(seconds / 60 % 60, count: 2, to: &text)
    text.append(Byte.colon)
    append(seconds % 60, count: 2, to: &text)
  }

  private static func append(_ number: Int64, count: Int, to text: inout [UInt8]) {
    var divisor: Int64 = 1
    for _ in 1..<count { divisor *= 10 }
    var rest = number
    while divisor > 0 {
      text.append(0x30 + UInt8(truncatingIfNeeded: rest / divisor))
      rest %= divisor
      divisor /= 10
    }
  }
}

extension Int64 {
  /// The whole days, rounded down, and the remaining seconds.
  fileprivate var daysAndSeconds: (days: Int, seconds: Int64) {
    let seconds = self % 86_400
    return (
      Int(self / 86_400) - (seconds < 0 ? 1 : 0), seconds < 0 ? seconds + 86_400 : seconds
    )
  }
}

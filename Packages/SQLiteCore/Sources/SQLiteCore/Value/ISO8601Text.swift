internal import Primitives

/// Dates and times in the format of SQLite's date functions: `2026-11-21 14:37:29.125`.
enum ISO8601Text {
  /// Formats an instant in ``CivilTime/instants`` in UTC.
  ///
  /// The fraction has the digits that are needed to read the same instant: none, or three to nine.
  static func write(_ instant: Double) -> String {
    var (second, fraction, digits) = split(instant)
    let day = second.quotientRoundedDown(by: 86_400)
    second -= day * 86_400
    let date = CivilTime.date(ofDay: day)
    var bytes = [UInt8](repeating: UInt8(ascii: "-"), count: digits > 0 ? 20 + digits : 19)
    write(date.year, in: &bytes, 0..<4)
    write(date.month, in: &bytes, 5..<7)
    write(date.day, in: &bytes, 8..<10)
    bytes[10] = UInt8(ascii: " ")
    write(second / 3_600, in: &bytes, 11..<13)
    bytes[13] = UInt8(ascii: ":")
    write(second / 60 % 60, in: &bytes, 14..<16)
    bytes[16] = UInt8(ascii: ":")
    write(second % 60, in: &bytes, 17..<19)
    if digits > 0 {
      bytes[19] = UInt8(ascii: ".")
      write(fraction, in: &bytes, 20..<(20 + digits))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Parses an instant. Returns `nil` if the text is invalid.
  ///
  /// A time zone may move the instant out of the supported years.
  static func read(_ text: String) -> Double? {
    var reader = Reader(text)
    guard let year = reader.number(digits: 4), reader.skip("-"),
      let month = reader.number(digits: 2), reader.skip("-"),
      let dayOfMonth = reader.number(digits: 2),
      let day = CivilTime.day(year: year, month: month, day: dayOfMonth)
    else { return nil }
    guard !reader.isAtEnd else { return Double(day * 86_400) }
    guard reader.skip(" ") || reader.skip("T"),
      let hour = reader.number(digits: 2, upTo: 23), reader.skip(":"),
      let minute = reader.number(digits: 2, upTo: 59)
    else { return nil }
    var second = 0
    var fraction = 0.0
    if reader.skip(":") {
      guard let whole = reader.number(digits: 2, upTo: 59) else { return nil }
      second = whole
      if reader.skip(".") {
        guard let read = reader.fraction() else { return nil }
        fraction = read
      }
    }
    guard let offset = reader.zone(), reader.isAtEnd else { return nil }
    return Double(day * 86_400 + hour * 3_600 + (minute - offset) * 60 + second) + fraction
  }

  private static func split(_ instant: Double) -> (second: Int, fraction: Int, digits: Int) {
    let floor = instant.rounded(.down)
    let second = Int(floor)
    let rest = instant - floor
    guard rest > 0 else { return (second, 0, 0) }
    for digits in 3...9 {
      let scale = powersOfTen[digits]
      let fraction = (rest * scale).rounded()
      guard digits == 9 || floor + fraction / scale == instant else { continue }
      if fraction == scale { return (second + 1, 0, 0) }
      return fraction == 0 ? (second, 0, 0) : (second, Int(fraction), digits)
    }
    return (second, 0, 0)
  }

  fileprivate static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18,
  ]

  /// Writes a number's last digits, with leading zeros.
  private static func write(_ number: Int, in bytes: inout [UInt8], _ range: Range<Int>) {
    var rest = number
    for index in range.reversed() {
      bytes[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }
}

/// Parses a text from its start. A failed optional part consumes nothing; a failed number makes the
/// whole text invalid.
private struct Reader {
  private var bytes: String.UTF8View.Iterator
  private var next: UInt8?

  init(_ text: String) {
    bytes = text.utf8.makeIterator()
    next = bytes.next()
  }

  var isAtEnd: Bool { next == nil }

  @inline(__always)
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    next = bytes.next()
    return true
  }

  mutating func digit() -> Int? {
    guard let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "0") + 9 else {
      return nil
    }
    next = bytes.next()
    return Int(byte - UInt8(ascii: "0"))
  }

  mutating func number(digits: Int, upTo limit: Int = .max) -> Int? {
    var number = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      number = number * 10 + digit
    }
    return number <= limit ? number : nil
  }

  /// Reads the digits after the point, at least one. Digits from the nineteenth on are ignored as
  /// insignificant.
  mutating func fraction() -> Double? {
    var number = 0
    var count = 0
    while let digit = digit() {
      guard count < 18 else { continue }
      number = number * 10 + digit
      count += 1
    }
    return count > 0 ? Double(number) / ISO8601Text.powersOfTen[count] : nil
  }

  /// Reads the time zone in minutes east of UTC; 0 if the text has no time zone.
  mutating func zone() -> Int? {
    if isAtEnd || skip("Z") || skip("z") { return 0 }
    let isWest = next == UInt8(ascii: "-")
    guard skip("+") || skip("-"), let hours = number(digits: 2, upTo: 14),
      skip(":"), let minutes = number(digits: 2, upTo: 59)
    else { return nil }
    return (hours * 60 + minutes) * (isWest ? -1 : 1)
  }
}

extension Int {
  fileprivate func quotientRoundedDown(by divisor: Int) -> Int {
    self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor)
  }
}

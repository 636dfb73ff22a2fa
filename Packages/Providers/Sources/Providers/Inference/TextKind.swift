internal import Primitives

extension TableCollector {
  /// What a text looks like, so that a column of such texts can have a type and still be written as it was.
  @_spi(Formats) public enum TextKind: Hashable, Sendable {
    /// An integer of 64 bits, as SQL writes it: `-12`. Neither `007` nor `+7`, `1,000` or `0x7`, nor `-0`.
    case integer(Int64)
    /// Digits with a fraction that a `Double` says without rounding: `-1.50`. Neither `.5` nor `5.` or `1e5`,
    /// nor `-0.0`.
    case real
    /// `true` or `false`, in any case.
    case boolean(Bool)
    /// A day that there is, as ISO 8601 writes it: `2026-11-22`.
    case date
    /// A day and a time of it: `2026-11-22T17:30`, with `T` or a space, perhaps with seconds, a fraction of them, and `Z` or
    /// a distance from it like `+01:00`.
    case dateTime
    /// Anything else.
    case text

    public init(_ text: Span<UInt8>) {
      self = .text
      guard let first = text.count > 0 ? text[0] : nil else { return }
      switch first {
      case 0x2D, 0x30...0x39:
        if first != 0x2D, text.count >= 10, text[4] == 0x2D {
          if let kind = Self.day(text) { self = kind }
        } else if let kind = Self.number(text) {
          self = kind
        }
      // The letters of "true" and "false".
      case 0x54, 0x74:
        if text.count == 4, Self.lowercaseWord(text, 4) == 0x7472_7565 { self = .boolean(true) }
      case 0x46, 0x66:
        if text.count == 5, Self.lowercaseWord(text, 5) == 0x66_616C_7365 { self = .boolean(false) }
      default: break
      }
    }

    /// The letters of a text as one number, the first one highest.
    private static func lowercaseWord(_ text: Span<UInt8>, _ count: Int) -> UInt64 {
      var word: UInt64 = 0
      for index in 0..<count { word = word << 8 | UInt64(text[index] | 0x20) }
      return word
    }

    // MARK: Numbers

    private static func number(_ text: Span<UInt8>) -> TextKind? {
      let first = text[0] == 0x2D ? 1 : 0
      var at = first
      var digits: UInt64 = 0
      while at < text.count, text[at] &- 0x30 < 10 {
        digits = digits &* 10 &+ UInt64(text[at] &- 0x30)
        at &+= 1
      }
      let whole = at &- first
      guard whole > 0, whole == 1 || text[first] != 0x30 else { return nil }
      if at == text.count {
        if whole > 18 { return Int64.exactly(text, 0..<at).map { .integer($0) } }
        if first == 1 { return digits == 0 ? nil : .integer(0 &- Int64(digits)) }
        return .integer(Int64(digits))
      }
      guard text[at] == 0x2E else { return nil }
      let point = at
      var isZero = digits == 0
      at &+= 1
      while at < text.count, text[at] &- 0x30 < 10 {
        if text[at] != 0x30 { isZero = false }
        at &+= 1
      }
      // SQLite does not keep the sign of zero.
      guard at == text.count, at > point + 1, first == 0 || !isZero else { return nil }
      // Numbers of up to fifteen digits all differ as a Double.
      if at &- first <= 16 { return .real }
      return ExactNumber(text, 0..<at)?.double == nil ? nil : .real
    }

    // MARK: Days and times

    private static func day(_ text: Span<UInt8>) -> TextKind? {
      guard let year = digits(text, 0, 4), let month = digits(text, 5, 2), text[7] == 0x2D,
        let day = digits(text, 8, 2), 1...12 ~= month, day >= 1,
        day <= CivilDate.dayCount(ofMonth: month, year: year)
      else { return nil }
      if text.count == 10 { return .date }
      guard text[10] == 0x54 || text[10] == 0x20 else { return nil }
      return isTime(text, 11) ? .dateTime : nil
    }

    private static func isTime(_ text: Span<UInt8>, _ start: Int) -> Bool {
      guard var at = hours(text, start) else { return false }
      if at < text.count, text[at] == 0x3A {
        guard let seconds = digits(text, at + 1, 2), seconds < 61 else { return false }
        at += 3
        if at < text.count, text[at] == 0x2E {
          at += 1
          let first = at
          while at < text.count, text[at] &- 0x30 < 10 { at += 1 }
          guard at > first else { return false }
        }
      }
      if at == text.count { return true }
      if text[at] == 0x5A { return at + 1 == text.count }
      guard text[at] == 0x2B || text[at] == 0x2D else { return false }
      return hours(text, at + 1) == text.count
    }

    /// Reads `17:30`.
    ///
    /// - Returns: What stands behind it.
    private static func hours(_ text: Span<UInt8>, _ start: Int) -> Int? {
      guard let hours = digits(text, start, 2), start + 2 < text.count, text[start + 2] == 0x3A,
        let minutes = digits(text, start + 3, 2), hours < 24, minutes < 60
      else { return nil }
      return start + 5
    }

    private static func digits(_ text: Span<UInt8>, _ start: Int, _ count: Int) -> Int? {
      guard start + count <= text.count else { return nil }
      var value = 0
      for index in start..<start + count {
        guard text[index] &- 0x30 < 10 else { return nil }
        value = value * 10 + Int(text[index] - 0x30)
      }
      return value
    }
  }
}

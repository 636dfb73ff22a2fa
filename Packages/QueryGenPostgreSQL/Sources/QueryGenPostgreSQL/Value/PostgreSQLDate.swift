internal import Primitives

/// A date of the proleptic Gregorian calendar without a time of day: PostgreSQL's `date`.
///
/// ```swift
/// let day = PostgreSQLDate(year: 2026, month: 11, day: 27)
/// print(day?.description ?? "")  // 2026-11-27
/// ```
public struct PostgreSQLDate: Hashable, Comparable, Sendable {
  /// The year. Years before year 1 are 0, -1 and so on, as in ISO 8601.
  public let year: Int
  public let month: Int
  public let day: Int

  /// Creates a date, or returns `nil` if the month has no such day, or if the year is not in -399 to 9999.
  public init?(year: Int, month: Int, day: Int) {
    guard (-399...9_999).contains(year), CivilDate.day(year: year, month: month, day: day) != nil
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// Creates a date from a text such as `2026-11-27`.
  public init?(_ text: String) {
    let isNegative = text.hasPrefix("-")
    let parts = text.drop { $0 == "-" }.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].utf8.count >= 4,
      parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }), let year = Int(parts[0]),
      let month = Int(parts[1]), let day = Int(parts[2])
    else { return nil }
    self.init(year: isNegative ? -year : year, month: month, day: day)
  }

  public static func < (a: Self, b: Self) -> Bool {
    (a.year, a.month, a.day) < (b.year, b.month, b.day)
  }
}

extension PostgreSQLDate: CustomStringConvertible {
  /// The date in the format of ISO 8601.
  public var description: String {
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number.magnitude)
      return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count))
        + digits
    }
    return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
  }
}

extension PostgreSQLDate: PostgreSQLConvertible {
  /// Reads a `date`.
  ///
  /// - Throws: `PostgreSQLError` with code `PostgreSQLError.Code.valueOutOfRange` for `infinity`, and for years that are
  ///   not in -399 to 9999.
  public init(from field: borrowing PostgreSQLField) throws(PostgreSQLError) {
    guard case .scalar(.date(let text)) = try PostgreSQLValue(from: field) else {
      throw field.mismatch(for: "a date")
    }
    guard let date = PostgreSQLDate(text) else { throw field.outOfRange(for: "PostgreSQLDate") }
    self = date
  }

  public var postgreSQLValue: PostgreSQLValue { .scalar(.date(description)) }
}

/// A time of day without a zone: PostgreSQL's `time`.
public struct PostgreSQLTime: Hashable, Comparable, Sendable {
  /// The microseconds since midnight, up to 24:00.
  public let microseconds: Int64

  /// Creates a time, or returns `nil` if it is not in the day.
  public init?(microseconds: Int64) {
    guard (0...86_400_000_000).contains(microseconds) else { return nil }
    self.microseconds = microseconds
  }

  /// Creates a time, or returns `nil` if a part is out of range.
  public init?(hour: Int, minute: Int, second: Int = 0, microsecond: Int = 0) {
    guard (0...24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second),
      (0..<1_000_000).contains(microsecond)
    else { return nil }
    self.init(
      microseconds: Int64((hour * 60 + minute) * 60 + second) * 1_000_000 + Int64(microsecond))
  }

  public var hour: Int { Int(microseconds / 3_600_000_000) }
  public var minute: Int { Int(microseconds / 60_000_000 % 60) }
  public var second: Int { Int(microseconds / 1_000_000 % 60) }
  public var microsecond: Int { Int(microseconds % 1_000_000) }

  public static func < (a: Self, b: Self) -> Bool { a.microseconds < b.microseconds }
}

extension PostgreSQLTime: CustomStringConvertible {
  /// The time in the format of ISO 8601: `14:37:29.125`.
  public var description: String {
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    var text = "\(padded(hour)):\(padded(minute)):\(padded(second))"
    if microsecond > 0 {
      var digits = String(1_000_000 + microsecond).dropFirst()
      while digits.hasSuffix("0") { digits.removeLast() }
      text += ".\(digits)"
    }
    return text
  }

  /// Creates a time from a text such as `14:37:29.125`.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hour = Int(parts[0]), let minute = Int(parts[1]) else { return nil }
    let seconds = parts[2].split(separator: ".", omittingEmptySubsequences: false)
    guard let second = seconds.first.flatMap({ Int($0) }), seconds.count <= 2 else { return nil }
    var microsecond = 0
    if seconds.count == 2 {
      let digits = seconds[1].utf8
      guard (1...6).contains(digits.count), digits.allSatisfy({ (48...57).contains($0) }) else {
        return nil
      }
      microsecond = Int(seconds[1] + String(repeating: "0", count: 6 - digits.count)) ?? 0
    }
    self.init(hour: hour, minute: minute, second: second, microsecond: microsecond)
  }
}

extension PostgreSQLTime: PostgreSQLConvertible {
  /// Reads a `time`.
  public init(from field: borrowing PostgreSQLField) throws(PostgreSQLError) {
    guard case .scalar(.time(let text)) = try PostgreSQLValue(from: field) else {
      throw field.mismatch(for: "a time")
    }
    guard let time = PostgreSQLTime(text) else { throw field.outOfRange(for: "PostgreSQLTime") }
    self = time
  }

  public var postgreSQLValue: PostgreSQLValue { .scalar(.time(description)) }
}

extension PostgreSQLDate: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let date = PostgreSQLDate(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a date")
    }
    self = date
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension PostgreSQLTime: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let time = PostgreSQLTime(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a time")
    }
    self = time
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

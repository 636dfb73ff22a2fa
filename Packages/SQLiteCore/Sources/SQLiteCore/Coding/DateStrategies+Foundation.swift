#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension RowDecoder {
  /// How a column is read as a `Date`.
  public enum DateDecodingStrategy: Sendable {
    /// As `Date` is read everywhere else: by its conformance to ``SQLiteReadable``.
    case deferredToDate
    /// From TEXT in the form of ISO 8601.
    case iso8601
    /// From a number of seconds since 1970.
    case secondsSince1970
    /// From a number of milliseconds since 1970.
    case millisecondsSince1970
    /// From a Julian day, as SQLite's `julianday()` gives it.
    case julianDay
    /// From whatever the column holds but NULL.
    case custom(@Sendable (SQLiteValue) throws -> Date)
  }
}

extension RowEncoder {
  /// How a `Date` is written to a column.
  public enum DateEncodingStrategy: Sendable {
    /// As `Date` is bound everywhere else: by its conformance to ``SQLiteBindable``.
    case deferredToDate
    /// As TEXT in the form of ISO 8601, in milliseconds.
    case iso8601
    /// As REAL: the seconds since 1970.
    case secondsSince1970
    /// As REAL: the milliseconds since 1970.
    case millisecondsSince1970
    /// As REAL: the Julian day, which is exact to about 40 microseconds.
    case julianDay
    /// As the closure says.
    case custom(@Sendable (Date) throws -> SQLiteValue)
  }
}

extension RowDecoder.DateDecodingStrategy {
  var isDeferred: Bool { if case .deferredToDate = self { true } else { false } }

  /// The date that a value stands for; `nil` where it is none.
  func date(_ value: SQLiteValue) throws -> Date? {
    switch self {
    case .deferredToDate: nil
    case .iso8601:
      if case .text(let text) = value { DateText.date(text) } else { nil }
    case .secondsSince1970: value.number.map { Date(timeIntervalSince1970: $0) }
    case .millisecondsSince1970: value.number.map { Date(timeIntervalSince1970: $0 / 1_000) }
    case .julianDay:
      value.number.map { Date(timeIntervalSince1970: ($0 - JulianDay.of1970) * 86_400) }
    case .custom(let read): try read(value)
    }
  }
}

extension RowEncoder.DateEncodingStrategy {
  /// What a date is written as; `nil` where `Date` itself is to say it.
  func value(_ date: Date) throws -> SQLiteValue? {
    let seconds = date.timeIntervalSince1970
    return switch self {
    case .deferredToDate: nil
    case .iso8601: .text(DateText.text(date))
    case .secondsSince1970: .real(seconds)
    case .millisecondsSince1970: .real(seconds * 1_000)
    case .julianDay: .real(seconds / 86_400 + JulianDay.of1970)
    case .custom(let write): try write(date)
    }
  }
}

private enum JulianDay {
  /// The Julian day of the beginning of 1970.
  static let of1970 = 2_440_587.5
}

extension SQLiteValue {
  fileprivate var number: Double? {
    switch self {
    case .integer(let value): Double(exactly: value)
    case .real(let value): value
    default: nil
    }
  }
}

extension ColumnAccess {
  /// How a date is read; `nil` for any other type, and where no strategy is set.
  init?(date type: Any.Type, dates: RowDecoder.DateDecodingStrategy) {
    guard !dates.isDeferred else { return nil }
    if type == Date.self {
      self = .date
    } else if Self.unwrapped(type) == Date.self {
      // The strategy and not the optional type's own conformance reads what is in it.
      self = .coded
    } else {
      return nil
    }
  }
}

extension RowReader {
  /// Reads a column as a date, by the strategy.
  func date<T>(as type: T.Type, at column: Int) throws -> T {
    let index = ColumnIndex(column)
    let value = try row.value(at: index)
    if value.isNull { throw row.unexpectedNull("Date", at: index) }
    if let date = try settings.dateDecodingStrategy.date(value) { return try same(date, as: type) }
    switch (settings.dateDecodingStrategy, value) {
    case (.iso8601, .text):
      throw row.unreadable("the text is no date of ISO 8601", code: .invalidText, at: index)
    case (_, .integer): throw row.outOfRange(for: "Date", at: index)
    default: throw row.mismatch(value.storageClass, for: "a date", at: index)
    }
  }
}

extension RowEncoder {
  /// What a date is written as, where the strategy and not the type says it.
  func content(date value: Any) throws -> EncodedContent? {
    if case .deferredToDate = dateEncodingStrategy { return nil }
    guard let date = value as? Date else { return nil }
    return try dateEncodingStrategy.value(date).map { .value($0) }
  }
}

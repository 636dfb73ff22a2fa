#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension DateStorage {
  /// The format in which a `Date` is read from a column or written to one.
  ///
  /// ``RowDecoder`` and ``RowEncoder`` have a strategy each, which differ in the type of the custom
  /// closure.
  public enum Strategy<Custom: Sendable>: Sendable {
    /// By the conformance of `Date` to ``SQLiteConvertible``.
    case deferredToDate
    /// As TEXT in ISO 8601 format: ``DateStorage/iso8601``.
    case iso8601
    /// As the seconds since 1970: ``DateStorage/unixSeconds``.
    case secondsSince1970
    /// As the milliseconds since 1970: ``DateStorage/unixMilliseconds``.
    case millisecondsSince1970
    /// As the Julian day: ``DateStorage/julianDay``.
    case julianDay
    /// By the closure. A decoding closure is called for every value except NULL.
    case custom(Custom)

    var isDeferred: Bool { if case .deferredToDate = self { true } else { false } }

    /// The storage format, or `nil` if a closure or `Date` itself determines it.
    fileprivate var storage: DateStorage? {
      switch self {
      case .deferredToDate, .custom: nil
      case .iso8601: .iso8601
      case .secondsSince1970: .unixSeconds
      case .millisecondsSince1970: .unixMilliseconds
      case .julianDay: .julianDay
      }
    }
  }
}

extension RowDecoder {
  /// The strategy for reading a column as a `Date`.
  public typealias DateDecodingStrategy = DateStorage.Strategy<
    @Sendable (SQLiteValue) throws -> Date
  >
}

extension RowEncoder {
  /// The strategy for writing a `Date` to a column.
  public typealias DateEncodingStrategy = DateStorage.Strategy<
    @Sendable (Date) throws -> SQLiteValue
  >
}

extension RowDecoder.DateDecodingStrategy {
  /// Returns the date that a JSON value represents, or `nil` if it represents none.
  func date(inJSON value: SQLiteValue) throws -> Date? {
    if case .custom(let read) = self { return try read(value) }
    return storage?.instant(of: value).map { Date(timeIntervalSinceReferenceDate: $0) }
  }
}

extension RowEncoder.DateEncodingStrategy {
  /// Returns the value that represents a date in JSON, or `nil` if `Date` encodes itself.
  func value(inJSON date: Date) throws -> SQLiteValue? {
    if case .custom(let write) = self { return try write(date) }
    return try storage?.value(of: date.timeIntervalSinceReferenceDate)
  }
}

extension ColumnAccess {
  /// Creates the access for a date, or `nil` for any other type or without a strategy.
  init?(date type: Any.Type, dates: RowDecoder.DateDecodingStrategy) {
    guard !dates.isDeferred else { return nil }
    if type == Date.self {
      self = .date
    } else if Self.unwrapped(type) == Date.self {
      // The strategy, rather than the conformance of the optional type, reads the wrapped date.
      self = .coded
    } else {
      return nil
    }
  }
}

extension RowReader {
  /// Reads a column as a date with the strategy.
  func date<T>(as type: T.Type, at column: Int) throws -> T {
    let index = ColumnIndex(column)
    let strategy = settings.dateDecodingStrategy
    if let storage = strategy.storage {
      return try checkedCast(row.date(at: index, as: storage), as: type)
    }
    guard case .custom(let read) = strategy else {
      return try checkedCast(Date(from: row, at: index), as: type)
    }
    let value = try row.value(at: index)
    if value.isNull { throw row.unexpectedNull("Date", at: index) }
    return try checkedCast(read(value), as: type)
  }
}

extension RowEncoder {
  /// Returns the value to bind for a date, or `nil` if `value` is no date or the date encodes
  /// itself.
  func content(date value: Any) throws -> (any SQLiteBindable)? {
    guard !dateEncodingStrategy.isDeferred, let date = value as? Date else { return nil }
    if case .custom(let write) = dateEncodingStrategy { return try write(date) }
    return dateEncodingStrategy.storage.map { date.stored(as: $0) }
  }

  /// Returns whether a type's values are unaffected by the date strategy.
  func usesOwnConformance(_ type: Any.Type) -> Bool {
    dateEncodingStrategy.isDeferred || type != Date.self
  }
}

extension RowEncoder.ColumnDeclaration {
  /// Returns the declared type of a column for a Foundation type.
  static func foundationType(_ type: Any.Type) -> String? {
    if type == Date.self { return "DATE" }
    if type == Data.self { return "BLOB" }
    if type == URL.self || type == UUID.self || type == Decimal.self { return "TEXT" }
    return nil
  }
}

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension DateStorage {
  /// How a `Date` is read from a column, or written to one.
  ///
  /// ``RowDecoder`` and ``RowEncoder`` have one each, which differ in what their closures do.
  public enum Strategy<Custom: Sendable>: Sendable {
    /// As `Date` is read and bound everywhere else: by its conformance to ``SQLiteConvertible``.
    case deferredToDate
    /// As TEXT in the form of ISO 8601: ``DateStorage/iso8601``.
    case iso8601
    /// As the seconds since 1970: ``DateStorage/unixSeconds``.
    case secondsSince1970
    /// As the milliseconds since 1970: ``DateStorage/unixMilliseconds``.
    case millisecondsSince1970
    /// As the Julian day: ``DateStorage/julianDay``.
    case julianDay
    /// As the closure says. One that reads is called with whatever the column holds but NULL.
    case custom(Custom)

    var isDeferred: Bool { if case .deferredToDate = self { true } else { false } }

    /// How dates are stored; `nil` where a closure or `Date` itself is to say it.
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
  /// How a column is read as a `Date`.
  public typealias DateDecodingStrategy = DateStorage.Strategy<
    @Sendable (SQLiteValue) throws -> Date
  >
}

extension RowEncoder {
  /// How a `Date` is written to a column.
  public typealias DateEncodingStrategy = DateStorage.Strategy<
    @Sendable (Date) throws -> SQLiteValue
  >
}

extension RowDecoder.DateDecodingStrategy {
  /// The date that a value in JSON stands for; `nil` where it is none.
  func date(inJSON value: SQLiteValue) throws -> Date? {
    if case .custom(let read) = self { return try read(value) }
    return storage?.instant(of: value).map { Date(timeIntervalSinceReferenceDate: $0) }
  }
}

extension RowEncoder.DateEncodingStrategy {
  /// What a date in JSON is written as; `nil` where `Date` itself is to say it.
  func value(inJSON date: Date) throws -> SQLiteValue? {
    if case .custom(let write) = self { return try write(date) }
    guard let storage else { return nil }
    guard let value = storage.value(of: date.timeIntervalSinceReferenceDate) else {
      throw DateStorage.outOfRange()
    }
    return value
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
    let strategy = settings.dateDecodingStrategy
    if let storage = strategy.storage {
      return try same(row.date(at: index, as: storage), as: type)
    }
    guard case .custom(let read) = strategy else {
      return try same(Date(from: row, at: index), as: type)
    }
    let value = try row.value(at: index)
    if value.isNull { throw row.unexpectedNull("Date", at: index) }
    return try same(read(value), as: type)
  }
}

extension RowEncoder {
  /// What a date is written as, where the strategy and not the type says it.
  func content(date value: Any) throws -> (any SQLiteBindable)? {
    guard !dateEncodingStrategy.isDeferred, let date = value as? Date else { return nil }
    if case .custom(let write) = dateEncodingStrategy { return try write(date) }
    return dateEncodingStrategy.storage.map { date.stored(as: $0) }
  }

  /// Whether no strategy has to do with a type's values.
  func leavesToItself(_ type: Any.Type) -> Bool {
    dateEncodingStrategy.isDeferred || type != Date.self
  }
}

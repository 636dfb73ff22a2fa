#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A date is stored as ``DateStorage/iso8601`` text unless another storage is selected by a
/// property wrapper, such as ``UnixDate``, or by ``stored(as:)`` and ``Row/date(at:as:)``.
extension Date: SQLiteConvertible, ColumnValue {
  public init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    self = try row.date(at: index)
  }

  /// TEXT in the form of ``DateStorage/iso8601``.
  ///
  /// - Throws: The same errors as ``DateStorage/StoredDate/sqliteValue``.
  public var sqliteValue: SQLiteValue {
    get throws(SQLiteError) { try stored(as: .iso8601).sqliteValue }
  }

  /// Returns the date with a storage format, for binding to a parameter.
  ///
  /// ```swift
  /// try connection.run("UPDATE visit SET began = ?", Date.now.stored(as: .unixSeconds))
  /// ```
  public func stored(as storage: DateStorage) -> DateStorage.StoredDate {
    DateStorage.StoredDate(date: self, storage: storage)
  }
}

extension DateStorage {
  /// A date with its storage format.
  public struct StoredDate: Hashable, Sendable, SQLiteBindable {
    /// The date.
    public var date: Date
    /// The storage format.
    public var storage: DateStorage

    public init(date: Date, storage: DateStorage) {
      self.date = date
      self.storage = storage
    }

    /// The date in the format ``storage``.
    ///
    /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/valueOutOfRange`` if the date is not
    ///   in the years 0000 to 9999, or not finite, or has a time of day that
    ///   ``DateStorage/dateOnly`` can't store.
    public var sqliteValue: SQLiteValue {
      get throws(SQLiteError) { try storage.value(of: date.timeIntervalSinceReferenceDate) }
    }
  }
}

extension Row {
  /// Reads a date that is stored in the given format.
  ///
  /// - Throws: ``SQLiteError``, with the column's name, with code
  ///   ``SQLiteError/Code/columnTypeMismatch`` if the value has another storage class,
  ///   ``SQLiteError/Code/invalidText`` if the text is not a date,
  ///   ``SQLiteError/Code/valueOutOfRange`` if the date is not in the years 0000 to 9999.
  public func date(
    at index: ColumnIndex, as storage: DateStorage = .iso8601
  ) throws(SQLiteError) -> Date {
    Date(timeIntervalSinceReferenceDate: try storage.read(from: self, at: index))
  }
}

extension ColumnFormats {
  /// A column format for dates, which represents one ``DateStorage`` as a type.
  public protocol DateFormat: ColumnFormat where Value == Date {
    static var storage: DateStorage { get }
  }
}

extension ColumnFormats.DateFormat {
  public static func read(
    from row: borrowing Row, at index: ColumnIndex
  ) throws(SQLiteError) -> Date {
    try row.date(at: index, as: storage)
  }

  public static func sqliteValue(of value: Date) throws(SQLiteError) -> SQLiteValue {
    try value.stored(as: storage).sqliteValue
  }
}

extension ColumnFormats {
  /// The format of ``ISO8601Date``.
  public enum ISO8601: DateFormat {
    public static var storage: DateStorage { .iso8601 }
  }
}

extension ColumnFormats {
  /// The format of ``DateOnly``.
  public enum DateOnlyText: DateFormat {
    public static var storage: DateStorage { .dateOnly }
  }
}

extension ColumnFormats {
  /// The format of ``UnixDate``.
  public enum UnixSeconds: DateFormat {
    public static var storage: DateStorage { .unixSeconds }
  }
}

extension ColumnFormats {
  /// The format of ``UnixMillisecondsDate``.
  public enum UnixMilliseconds: DateFormat {
    public static var storage: DateStorage { .unixMilliseconds }
  }
}

extension ColumnFormats {
  /// The format of ``JulianDate``.
  public enum JulianDay: DateFormat {
    public static var storage: DateStorage { .julianDay }
  }
}

/// A date, or an optional one, that is stored as ``DateStorage/iso8601`` text.
public typealias ISO8601Date<Value: ColumnValue> = Stored<ColumnFormats.ISO8601, Value>
where Value.Present == Date

/// A date, or an optional one, that is stored as ``DateStorage/dateOnly`` text.
public typealias DateOnly<Value: ColumnValue> = Stored<ColumnFormats.DateOnlyText, Value>
where Value.Present == Date

/// A date, or an optional one, that is stored as ``DateStorage/unixSeconds``.
public typealias UnixDate<Value: ColumnValue> = Stored<ColumnFormats.UnixSeconds, Value>
where Value.Present == Date

/// A date, or an optional one, that is stored as ``DateStorage/unixMilliseconds``.
public typealias UnixMillisecondsDate<Value: ColumnValue> = Stored<
  ColumnFormats.UnixMilliseconds, Value
>
where Value.Present == Date

/// A date, or an optional one, that is stored as ``DateStorage/julianDay``.
public typealias JulianDate<Value: ColumnValue> = Stored<ColumnFormats.JulianDay, Value>
where Value.Present == Date

extension Connection {
  /// The time of the current transaction: see ``transactionTime``.
  ///
  /// ```swift
  /// try connection.transaction {
  ///   let now = connection.transactionDate
  ///   try connection.run("UPDATE book SET changed_at = ?", now.timeIntervalSince1970)
  /// }
  /// ```
  public var transactionDate: Date { Date(timeIntervalSince1970: transactionTime) }
}

/// A property wrapper that selects a column format.
///
/// Use it by the names of its formats: ``ISO8601Date``, ``UnixDate``, ``UnixMillisecondsDate``,
/// ``JulianDate``, ``UUIDBlob``, ``LowercaseUUID``, ``BitPattern`` and ``BigEndianBlob``. An
/// optional property is stored as NULL if it is `nil`.
///
/// ```swift
/// struct Visit: RowDecodable {
///   @ISO8601Date var booked: Date
///   @UnixDate var began: Date
///   @JulianDate var ended: Date?
///
///   init(row: borrowing Row) throws(SQLiteError) {
///     _booked = try row.read(at: 0)
///     _began = try row.read(at: 1)
///     _ended = try row.read(at: 2)
///   }
///
/// }
///
/// try connection.run(
///   "INSERT INTO visit VALUES (?, ?, ?)", visit.$booked, visit.$began, visit.$ended)
/// ```
///
/// The value's `Codable` representation is used: the format only applies to columns.
@propertyWrapper
public struct Stored<Format: ColumnFormat, Value: ColumnValue>
where Value.Present == Format.Value {
  /// The value.
  public var wrappedValue: Value

  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// The value with its format, for binding: `visit.$booked`.
  public var projectedValue: Self { self }
}

extension Stored: SQLiteConvertible {
  /// Reads a column in the format. If the property is optional, NULL is read as `nil`.
  public init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    if let absent = Value(presentValue: nil), try row.isNull(at: index) {
      wrappedValue = absent
      return
    }
    guard let value = Value(presentValue: try Format.read(from: row, at: index)) else {
      throw row.unexpectedNull("\(Value.self)", at: index)
    }
    wrappedValue = value
  }

  public var sqliteValue: SQLiteValue {
    get throws(SQLiteError) {
      guard let value = wrappedValue.presentValue else { return .null }
      return try Format.sqliteValue(of: value)
    }
  }
}

extension Stored: Sendable where Value: Sendable {}
extension Stored: Equatable where Value: Equatable {}
extension Stored: Hashable where Value: Hashable {}

extension Stored: Encodable where Value: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension Stored: Decodable where Value: Decodable {
  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.singleValueContainer().decode(Value.self)
  }
}

extension KeyedDecodingContainer {
  /// Decodes an optional property. Its key may be missing, as for a property without a format.
  public func decode<Format: ColumnFormat, Wrapped: Decodable>(
    _ type: Stored<Format, Wrapped?>.Type, forKey key: Key
  ) throws -> Stored<Format, Wrapped?> where Format.Value == Wrapped {
    try decodeIfPresent(type, forKey: key) ?? Stored(wrappedValue: nil)
  }
}

/// A format in which a column stores a type's values.
///
/// A format is a type, so that each property can select its own: see ``Stored``.
///
/// ```swift
/// /// A price in whole cents.
/// enum CentsFormat: ColumnFormat {
///   static func read(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) -> Price {
///     Price(cents: try row.read(at: index))
///   }
///
///   static func sqliteValue(of value: Price) -> SQLiteValue { .integer(Int64(value.cents)) }
/// }
/// ```
public protocol ColumnFormat {
  /// The type that is stored.
  associatedtype Value

  /// Reads a column of the current row. A NULL is an error.
  ///
  /// - Throws: The errors of ``SQLiteReadable/init(from:at:)``.
  static func read(
    from row: borrowing Row, at index: ColumnIndex
  ) throws(SQLiteError) -> Value

  /// The value that SQLite stores.
  ///
  /// - Throws: The errors of ``SQLiteBindable/sqliteValue``.
  static func sqliteValue(of value: Value) throws(SQLiteError) -> SQLiteValue
}

/// The type of a ``Stored`` property: a type that a format stores, or an optional of it.
///
/// Your type only declares the conformance: `extension Price: ColumnValue {}`.
public protocol ColumnValue {
  /// The type itself; for an optional, the type that it wraps.
  associatedtype Present = Self

  /// The value; `nil` if it is an optional without a value.
  var presentValue: Present? { get }

  /// Creates a value from an optional. Fails for `nil` if this type is not optional.
  init?(presentValue: Present?)
}

extension ColumnValue where Present == Self {
  public var presentValue: Self? { self }

  public init?(presentValue: Self?) {
    guard let presentValue else { return nil }
    self = presentValue
  }
}

extension Optional: ColumnValue {
  public var presentValue: Wrapped? { self }

  public init?(presentValue: Wrapped?) { self = presentValue }
}

/// A namespace for the formats in which columns store dates, UUIDs and unsigned integers.
///
/// Property wrappers such as ``UnixDate`` and ``UUIDBlob`` name these formats. Generated code uses
/// them as well.
public enum ColumnFormats {}

/// Storage of integers greater than `Int64.max`, which SQLite can't represent as INTEGER: binding
/// such a plain `UInt64` throws ``SQLiteError/Code/valueOutOfRange``.
extension UInt64: ColumnValue {}
extension UInt: ColumnValue {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: ColumnValue {}

extension ColumnFormats {
  /// The format of ``BitPattern``.
  public enum UnsignedBitPattern: ColumnFormat {
    public static func read(
      from row: borrowing Row, at index: ColumnIndex
    ) throws(SQLiteError) -> UInt64 {
      UInt64(bitPattern: try row.integer(at: index))
    }

    public static func sqliteValue(of value: UInt64) -> SQLiteValue {
      .integer(Int64(bitPattern: value))
    }
  }
}

extension ColumnFormats {
  /// The format of ``BigEndianBlob``.
  public enum BigEndian<Value: FixedWidthInteger & UnsignedInteger>: ColumnFormat {
    public static func read(
      from row: borrowing Row, at index: ColumnIndex
    ) throws(SQLiteError) -> Value {
      let bytes = try row.blob(at: index)
      guard bytes.count * 8 == Value.bitWidth else {
        throw row.unreadable(
          "the blob has \(bytes.count) bytes, not \(Value.bitWidth / 8)", code: .valueOutOfRange,
          at: index)
      }
      return bytes.reduce(0) { $0 << 8 | Value($1) }
    }

    public static func sqliteValue(of value: Value) -> SQLiteValue {
      let shifts = stride(from: Value.bitWidth - 8, through: 0, by: -8)
      return .blob(shifts.map { UInt8(truncatingIfNeeded: value >> $0) })
    }
  }
}

/// A `UInt64` or optional `UInt64` that is stored as the INTEGER with the same 64 bits.
///
/// All values are preserved, and SQL can compare them for equality. In SQL, the values greater than
/// `Int64.max` are negative: they sort before all others and must not be used in calculations.
/// Suitable for identifiers and hashes.
public typealias BitPattern<Value: ColumnValue> = Stored<ColumnFormats.UnsignedBitPattern, Value>
where Value.Present == UInt64

/// An unsigned integer, or an optional one, that is stored as a BLOB of its bytes in big-endian
/// order.
///
/// All values are preserved, and SQL sorts and compares them in numerical order, but can't
/// calculate with them. A `UInt64` uses 8 bytes, a `UInt128` 16.
public typealias BigEndianBlob<Value: ColumnValue> = Stored<
  ColumnFormats.BigEndian<Value.Present>, Value
>
where Value.Present: FixedWidthInteger & UnsignedInteger

/// A property that is stored in a format of its choice.
///
/// It is used under the names of its formats: ``ISO8601Date``, ``UnixDate``,
/// ``UnixMillisecondsDate``, ``JulianDate``, ``UUIDBlob``, ``LowercaseUUID``, ``BitPattern`` and
/// ``BigEndianBlob``. An optional property is NULL where it is `nil`.
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
/// Its `Codable` form is the value's own: the format is for columns.
@propertyWrapper
public struct Stored<Format: ColumnFormat, Value: ColumnValue>
where Value.Present == Format.Value {
  /// The value, as the rest of the program knows it.
  public var wrappedValue: Value

  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// The value with its format, to be bound: `visit.$booked`.
  public var projectedValue: Self { self }
}

extension Stored: SQLiteConvertible {
  /// Reads a column as the format has it; a NULL as `nil` where the property is optional.
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
  /// Decodes an optional property whose key may be missing, as it may for one without a format.
  public func decode<Format: ColumnFormat, Wrapped: Decodable>(
    _ type: Stored<Format, Wrapped?>.Type, forKey key: Key
  ) throws -> Stored<Format, Wrapped?> where Format.Value == Wrapped {
    try decodeIfPresent(type, forKey: key) ?? Stored(wrappedValue: nil)
  }
}

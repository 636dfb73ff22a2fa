/// An encoder that writes `Encodable` values as rows, with a column for each key.
///
/// ```swift
/// try connection.insert(encoding: player, into: "player")
/// try connection.run(
///   "UPDATE player SET name = :name, score = :score WHERE id = :id", of: player)
/// ```
///
/// - The columns are in the order in which the type encodes its keys. A property that is `nil` is written as a NULL
///   column, so that all values of a type have the same columns.
/// - A type that is ``SQLiteBindable`` is written by that conformance: `[UInt8]` and `Data` are BLOBs. A type that
///   encodes a single value, such as an enum with raw values, is written as that value. Other types (structs, arrays,
///   dictionaries) are written as JSON in TEXT, with sorted keys.
/// - A class can write its superclass's properties into the row with `superEncoder()`. If a key is encoded twice, the
///   last value is used.
///
/// A ``RowDecoder`` with the same strategies reads the rows that this encoder writes.
public struct RowEncoder: Sendable {
  /// The conversion of keys to column names.
  public var keyEncodingStrategy = KeyEncodingStrategy.useDefaultKeys
  /// The strategy for writing a `Date`.
  public var dateEncodingStrategy = DateEncodingStrategy.deferredToDate
  /// The `userInfo` of the encoders that are passed to types.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  public init() {}

  /// Returns a value's columns, in the order in which the value encodes them.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unnamedColumns`` if the value encodes itself as a single
  ///   value or a list, or ``SQLiteError/Code/valueOutOfRange`` if it contains an integer greater than `Int64.max`; any
  ///   error that the type or Foundation's JSON encoder throws.
  public func encode(_ value: some Encodable) throws -> [Column] {
    return try encodedRow(value).map { name, content in
      Column(name: name, value: try content.sqliteValue)
    }
  }

  /// Encodes a value as a single column, by the rules for a row's properties: an array or a struct is encoded as JSON.
  ///
  /// - Throws: The errors of ``encode(_:)`` for a property.
  public func encodeColumn(_ value: some Encodable) throws -> SQLiteValue {
    try content(value).sqliteValue
  }

  /// The conversion of keys to column names.
  public enum KeyEncodingStrategy: Sendable {
    /// The column name is the key.
    case useDefaultKeys
    /// The column name of `userName` is `user_name`, and of `myURLKey` is `my_url_key`.
    case convertToSnakeCase
    /// The column name is the closure's result for the key.
    case custom(@Sendable (_ key: String) -> String)
  }
}

extension RowEncoder {
  /// A column of an encoded value.
  public struct Column: Hashable, Sendable {
    /// The column's name, unquoted.
    public let name: String
    /// The column's value.
    public let value: SQLiteValue

    public init(name: String, value: SQLiteValue) {
      self.name = name
      self.value = value
    }
  }
}

extension RowEncoder.KeyEncodingStrategy {
  func column(of key: String) -> String {
    switch self {
    case .useDefaultKeys: key
    case .convertToSnakeCase: key.snakeCased
    case .custom(let convert): convert(key)
    }
  }
}

extension RowEncoder {
  /// Returns a value's columns, with the value to bind for each.
  func encodedRow(_ value: some Encodable) throws -> [(name: String, content: any SQLiteBindable)] {
    let writer = RowWriter(settings: self)
    defer { writer.end() }
    try value.encode(to: writer)
    return try writer.row()
  }

  /// Returns the value to bind for a property.
  func content(_ value: some Encodable) throws -> any SQLiteBindable {
    if let date = try content(date: value) { return date }
    if let bindable = value as? any SQLiteBindable { return bindable }
    let writer = ColumnWriter(settings: self)
    try value.encode(to: writer)
    return try writer.content()
  }
}

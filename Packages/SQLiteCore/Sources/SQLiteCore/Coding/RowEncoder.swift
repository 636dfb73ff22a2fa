/// Writes values of types that are `Encodable` as rows: a column for each key.
///
/// ```swift
/// try connection.insert(encoding: player, into: "player")
/// try connection.run(
///   "UPDATE player SET name = :name, score = :score WHERE id = :id", of: player)
/// ```
///
/// - The columns are in the order in which the type encodes its keys. A property that is `nil` is a
///   column that is NULL, so that all values of a type have the same columns.
/// - A type that is ``SQLiteBindable`` is written as that says: `[UInt8]` and `Data` are BLOBs. One that
///   encodes a single value, as an enum with raw values does, is written as that. Anything else (a
///   struct, an array, a dictionary) is JSON in TEXT, its keys sorted.
/// - A class may write into the row what its superclass has with `superEncoder()`. Of a key that is
///   encoded twice, the last value counts.
///
/// What it writes, a ``RowDecoder`` with the same strategies reads.
public struct RowEncoder: Sendable {
  /// How keys become the names of columns.
  public var keyEncodingStrategy = KeyEncodingStrategy.useDefaultKeys
  /// How a `Date` is written.
  public var dateEncodingStrategy = DateEncodingStrategy.deferredToDate
  /// What the types that are encoded find in their encoder's `userInfo`.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  public init() {}

  /// The columns that a value becomes, in the order in which it encodes them.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unnamedColumns`` where the value encodes
  ///   itself as a single value or a list, with code ``SQLiteError/Code/valueOutOfRange`` where it
  ///   holds an integer past `Int64.max`; what its type or Foundation's JSON encoder throws.
  public func encode(_ value: some Encodable) throws -> [Column] {
    return try encodedRow(value).map { name, content in
      Column(name: name, value: try content.sqliteValue)
    }
  }

  /// Encodes a value as a single column, by the rules for a row's properties: an array or a struct becomes
  /// JSON.
  ///
  /// - Throws: What ``encode(_:)`` throws of a property.
  public func encodeColumn(_ value: some Encodable) throws -> SQLiteValue {
    try content(value).sqliteValue
  }

  /// How keys become the names of columns.
  public enum KeyEncodingStrategy: Sendable {
    /// A key is the name.
    case useDefaultKeys
    /// The key `userName` is the column `user_name`, and `myURLKey` is `my_url_key`.
    case convertToSnakeCase
    /// The name that the closure makes of a key.
    case custom(@Sendable (_ key: String) -> String)
  }
}

extension RowEncoder {
  /// A column that a value was encoded to.
  public struct Column: Hashable, Sendable {
    /// The column's name, unquoted.
    public let name: String
    /// What is written into it.
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
    case .convertToSnakeCase: SnakeCase.snakeCased(key)
    case .custom(let convert): convert(key)
    }
  }
}

extension RowEncoder {
  /// The columns of a value, with the value to bind for each.
  func encodedRow(_ value: some Encodable) throws -> [(name: String, content: any SQLiteBindable)] {
    let writer = RowWriter(settings: self)
    defer { writer.end() }
    try value.encode(to: writer)
    return try writer.row()
  }

  /// The value to bind for a property.
  func content(_ value: some Encodable) throws -> any SQLiteBindable {
    if let date = try content(date: value) { return date }
    if let bindable = value as? any SQLiteBindable { return bindable }
    let writer = ColumnWriter(settings: self)
    try value.encode(to: writer)
    return try writer.content()
  }
}

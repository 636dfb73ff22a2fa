/// A decoder that reads rows as `Decodable` values, with a column for each key.
///
/// ```swift
/// struct Player: Codable, RowDecodable {
///   let id: Int
///   let name: String
///   let score: Double?
/// }
/// let players = try connection.fetchAll(Player.self, "SELECT * FROM player")
/// ```
///
/// - A key is a column name; ASCII letters are compared case-insensitively. If several columns have the same name, the
///   first is read.
/// - A missing column is read as `nil` for an optional property, and is an error with code
///   ``SQLiteError/Code/unknownColumn`` otherwise. A NULL is read as `nil`, or is an error with code
///   ``SQLiteError/Code/unexpectedNull``.
/// - A type that is ``SQLiteReadable`` is read by that conformance: `[UInt8]` and `Data` are BLOBs. A type that decodes
///   a single value, such as an enum with raw values, reads its column. Other types (structs, arrays, dictionaries) are
///   read from JSON in TEXT or a BLOB, or from their own columns if ``nestedColumnSeparator`` is set.
/// - A class can pass the row to its superclass with `superDecoder()`. A type that requests an unkeyed container
///   receives the columns by position; a type that requests a single value receives the first column.
///
/// Errors are of type ``SQLiteError``, and name the column, its table and the statement. An error that a type's own
/// `init(from:)` throws is passed on unchanged.
///
/// The decoder that an `init(from:)` receives is valid until it returns. Using it, or one of its containers, later
/// throws an error with code ``SQLiteError/Code/decoderExpired``.
public struct RowDecoder: Sendable {
  /// The conversion of column names to keys.
  public var keyDecodingStrategy = KeyDecodingStrategy.useDefaultKeys
  /// The strategy for reading a column as a `Date`.
  public var dateDecodingStrategy = DateDecodingStrategy.deferredToDate
  /// The separator between a property's name and the names of its columns, or `nil` if properties have no separate
  /// columns.
  ///
  /// With `"."`, a struct property `team` is read from the columns `team.id`, `team.name` and so on, which a join can
  /// name. A column named `team` takes precedence. An optional property is `nil` if all its columns are NULL.
  ///
  /// ```swift
  /// var decoder = RowDecoder()
  /// decoder.nestedColumnSeparator = "."
  /// let players = try connection.fetchAll(
  ///   decoding: Player.self, with: decoder,
  ///   """
  ///   SELECT player.*, team.id AS "team.id", team.name AS "team.name"
  ///   FROM player LEFT JOIN team ON team.id = player.team
  ///   """)
  /// ```
  public var nestedColumnSeparator: String?
  /// Returns a custom reader for a type, or `nil` if the type is decoded as usual.
  ///
  /// Called for the type of each decoded property except Booleans, the standard library's numbers and `String`; mostly
  /// once per column and type. A property of a replaced type needs no column.
  public var replacement: (@Sendable (_ type: any Decodable.Type) -> Replacement?)?
  /// The `userInfo` of the decoders that are passed to types.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  public init() {}

  /// Reads a row as a value.
  ///
  /// To read many rows, use ``Connection/fetchAll(decoding:with:_:values:)``, which looks the columns up only once.
  ///
  /// - Throws: ``SQLiteError`` if a column does not fit the type; any error that `Value` throws.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from row: borrowing Row
  ) throws -> Value {
    var fetch = DecodingFetch(row, type, self)
    defer { fetch.end() }
    return try fetch.value(type)
  }

  /// Reads one column as a value, by the rules for a row's properties: an array or a struct is read from JSON.
  ///
  /// - Throws: ``SQLiteError`` if there is no such column or it does not fit the type; any error that `Value` throws.
  public func decodeColumn<Value: Decodable>(
    _ type: Value.Type = Value.self, from row: borrowing Row, at index: ColumnIndex
  ) throws -> Value {
    let reader = RowReader(row, settings: self)
    defer { reader.end() }
    // An optional type decodes NULL itself.
    return try reader.value(type, at: Int(index.rawValue), access: reader.access(to: type))
  }

  /// Decodes in-memory rows by the same rules as a statement's rows.
  ///
  /// ```swift
  /// let players = try RowDecoder().decode(
  ///   Player.self, columns: ["id", "name"], rows: [[1, "Ada"], [2, "Bob"]])
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type that each row is decoded as.
  ///   - columns: The column names.
  ///   - rows: The rows, each with a value for each column.
  /// - Throws: The same errors as ``decode(_:from:)``.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, columns: [String], rows: some Collection<[SQLiteValue]>
  ) throws -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(rows.count)
    var fetch: DecodingFetch?
    defer { fetch?.end() }
    try Row.forEach(columns: columns, in: rows) { row in
      if fetch == nil { fetch = DecodingFetch(row, type, self) }
      if let value = try fetch?.value(type) { values.append(value) }
    }
    return values
  }

  /// Reads a property as a value of the given type. The key is the property's or the column's name; the column is `nil`
  /// if there is none.
  public typealias Replacement =
    @Sendable (
      _ type: any Decodable.Type, _ key: String, _ row: borrowing Row, _ column: ColumnIndex?
    ) throws -> Any

  /// The conversion of column names to keys.
  public enum KeyDecodingStrategy: Sendable {
    /// The key is the column's name.
    case useDefaultKeys
    /// The key of `user_name` is `userName`. Leading and trailing underscores are kept.
    case convertFromSnakeCase
    /// The key is the closure's result for the column's name. If several columns have the same key, the first is read.
    case custom(@Sendable (_ column: String) -> String)
  }
}

extension Row {
  /// Reads one column as a type without its own conversion from SQLite, as ``RowDecoder`` does: a list or a struct is
  /// read from JSON.
  ///
  /// Overload resolution prefers the conversion of a type that has one. Macro-generated code, which has no type
  /// information, therefore calls `read` for each column.
  ///
  /// - Throws: The same errors as ``RowDecoder/decodeColumn(_:from:at:)``.
  @_disfavoredOverload
  public func read<Value: Decodable>(
    _ type: Value.Type = Value.self, at index: ColumnIndex
  ) throws -> Value {
    try RowDecoder().decodeColumn(type, from: self, at: index)
  }
}

extension RowDecoder.KeyDecodingStrategy {
  /// Returns the key of a column, or `nil` if it is the column's name.
  func key(of column: String) -> String? {
    switch self {
    case .useDefaultKeys: nil
    case .convertFromSnakeCase: column.camelCased
    case .custom(let convert): convert(column)
    }
  }

  var isDefault: Bool { if case .useDefaultKeys = self { true } else { false } }
}

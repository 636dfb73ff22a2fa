/// Reads rows as values of types that are `Decodable`: a column for each key.
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
/// - A key is the name of a column; letters of ASCII may differ in case. Of columns that share a name,
///   the first is read.
/// - A column that is not there reads as `nil` where the property is optional, and is an error of code
///   ``SQLiteError/Code/unknownColumn`` where it is not. A NULL reads as `nil`, and is an error of
///   code ``SQLiteError/Code/unexpectedNull`` likewise.
/// - A type that is ``SQLiteReadable`` is read as that says: `[UInt8]` and `Data` are BLOBs. One that
///   decodes a single value, as an enum with raw values does, reads its column by that. Anything else
///   (a struct, an array, a dictionary) is read from JSON, in TEXT or a BLOB, or from columns of its own
///   where ``nestedColumnSeparator`` is set.
/// - A class may hand the row to its superclass with `superDecoder()`. A type that asks for an unkeyed
///   container gets the columns by their position, one that asks for a single value the first column.
///
/// Errors are of type ``SQLiteError``, and name the column, its table and the statement. What a type's
/// own `init(from:)` throws comes out as it is.
///
/// The decoder that an `init(from:)` gets is good until it returns: whoever keeps it, or a container
/// of it, finds errors of code ``SQLiteError/Code/decoderExpired`` there.
public struct RowDecoder: Sendable {
  /// How the names of columns become keys.
  public var keyDecodingStrategy = KeyDecodingStrategy.useDefaultKeys
  /// How a column is read as a `Date`.
  public var dateDecodingStrategy = DateDecodingStrategy.deferredToDate
  /// What stands between a property's name and the names of its own columns; `nil` for no such columns.
  ///
  /// With `"."`, a property `team` that is a struct is read from the columns `team.id`, `team.name` and
  /// so on, as a join may name them. A column named `team` comes first. An optional one is `nil`
  /// where all its columns are NULL.
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
  /// What takes the place of decoding some types: asked with a type, it gives what reads that type's
  /// columns, or `nil` where they are to be read as usual.
  ///
  /// It is asked for each type that is decoded as a property, but for Booleans, the library's numbers
  /// and `String`; once for a column and type, mostly. A property of such a type needs no column.
  public var replacement: (@Sendable (_ type: any Decodable.Type) -> Replacement?)?
  /// What the types that are decoded find in their decoder's `userInfo`.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  public init() {}

  /// Reads a row as a value.
  ///
  /// To read many rows, use ``Connection/fetchAll(decoding:with:_:values:)``, which finds the columns only
  /// once.
  ///
  /// - Throws: ``SQLiteError`` where a column does not suit the type; what `Value` itself throws.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from row: borrowing Row
  ) throws -> Value {
    var fetch = DecodingFetch(row, type, self)
    defer { fetch.end() }
    return try fetch.value(type)
  }

  /// Reads one column as a value, by the rules for a row's properties: an array or a struct is read from
  /// JSON.
  ///
  /// - Throws: ``SQLiteError`` if there is no such column, or it does not suit the type; what `Value` itself
  ///   throws.
  public func decodeColumn<Value: Decodable>(
    _ type: Value.Type = Value.self, from row: borrowing Row, at index: ColumnIndex
  ) throws -> Value {
    let reader = RowReader(row, settings: self)
    defer { reader.end() }
    // An optional type decodes NULL itself.
    return try reader.value(type, at: Int(index.rawValue), access: reader.access(to: type))
  }

  /// Reads rows in memory as values, by the rules by which a statement's rows are read.
  ///
  /// ```swift
  /// let players = try RowDecoder().decode(
  ///   Player.self, columns: ["id", "name"], rows: [[1, "Ada"], [2, "Bob"]])
  /// ```
  ///
  /// - Parameters:
  ///   - type: What each row is read as.
  ///   - columns: The names of the columns.
  ///   - rows: The rows: for each, a value for each column.
  /// - Throws: As ``decode(_:from:)``.
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

  /// Reads a property: a value of the type that is asked for, by the property's key or its column's
  /// name, and by the number of the column where there is one.
  public typealias Replacement =
    @Sendable (
      _ type: any Decodable.Type, _ key: String, _ row: borrowing Row, _ column: ColumnIndex?
    ) throws -> Any

  /// How the names of columns become keys.
  public enum KeyDecodingStrategy: Sendable {
    /// A column's name is the key.
    case useDefaultKeys
    /// `user_name` is the key `userName`. Underscores at the beginning and the end stay.
    case convertFromSnakeCase
    /// The key that the closure makes of a column's name. Of columns that become one key, the first
    /// is read.
    case custom(@Sendable (_ column: String) -> String)
  }
}

extension Row {
  /// Reads one column, as ``read(_:at:)`` does.
  ///
  /// Code that is written by a macro, which knows no types, calls `decode` for each column: the compiler
  /// chooses the conversion.
  @inlinable
  public func decode<Value: SQLiteReadable>(
    _ type: Value.Type = Value.self, at index: ColumnIndex
  ) throws(SQLiteError) -> Value {
    try Value(from: self, at: index)
  }

  /// Reads one column as a type that has no conversion from SQLite of its own, as ``RowDecoder`` does: a list
  /// or a struct from JSON.
  ///
  /// - Throws: As ``RowDecoder/decodeColumn(_:from:at:)``.
  @_disfavoredOverload
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, at index: ColumnIndex
  ) throws -> Value {
    try RowDecoder().decodeColumn(type, from: self, at: index)
  }
}

extension RowDecoder.KeyDecodingStrategy {
  /// The key of a column; `nil` where it is the column's name.
  func key(of column: String) -> String? {
    switch self {
    case .useDefaultKeys: nil
    case .convertFromSnakeCase: SnakeCase.camelCased(column)
    case .custom(let convert): convert(column)
    }
  }

  var isDefault: Bool { if case .useDefaultKeys = self { true } else { false } }
}

/// Reads `Decodable` values from rows, with a column for each key.
///
/// A property of a type that is ``PostgreSQLReadable`` is read as that type. Any other property is decoded from a column of
/// type `json` or `jsonb`, or as a single value. An optional property without a column is `nil`.
///
/// ```swift
/// var decoder = PostgreSQLRowDecoder()
/// decoder.keyDecodingStrategy = .convertFromSnakeCase
/// try await database.forEach("SELECT * FROM player") { row in
///   let player = try decoder.decode(Player.self, from: row)
/// }
/// ```
///
/// A type that is ``PostgreSQLRowDecodable`` uses the default settings.
public struct PostgreSQLRowDecoder: Sendable {
  /// The conversion of column names to keys.
  public var keyDecodingStrategy = KeyDecodingStrategy.useDefaultKeys
  /// The `userInfo` of the decoders that are passed to types.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  public init() {}

  /// The conversion of column names to keys.
  public enum KeyDecodingStrategy: Sendable {
    /// The key is the column's name.
    case useDefaultKeys
    /// The key of `user_name` is `userName`.
    case convertFromSnakeCase
  }

  /// Reads a row as a value.
  ///
  /// - Throws: ``PostgreSQLError`` if a column does not fit the type; any error that `Value` throws.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from row: borrowing PostgreSQLRow
  ) throws -> Value {
    let reader = RowReader(row, settings: self)
    // A decoder that outlives the row must not read it.
    defer { reader.end() }
    return try Value(from: reader)
  }
}

extension PostgreSQLRowDecodable where Self: Decodable {
  /// Reads the columns of the current row as ``PostgreSQLRowDecoder`` does, by the names of the keys.
  ///
  /// - Throws: The same errors as ``PostgreSQLRowDecoder/decode(_:from:)``.
  public init(row: borrowing PostgreSQLRow) throws {
    self = try PostgreSQLRowDecoder().decode(Self.self, from: row)
  }
}

/// The decoder that is passed to types: reads a row by keys.
final class RowReader: Decoder {
  private let row: PostgreSQLRow
  private let settings: PostgreSQLRowDecoder
  private var isLive = true
  /// The column after the last one that was read: types mostly request their keys in the order of the columns.
  private var next = 0

  init(_ row: borrowing PostgreSQLRow, settings: PostgreSQLRowDecoder) {
    self.row = PostgreSQLRow(copy: row)
    self.settings = settings
  }

  func end() { isLive = false }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { settings.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try checkLive()
    return KeyedDecodingContainer(KeyedColumns<Key>(reader: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw PostgreSQLError(
      code: .typeMismatch, message: "a row is decoded by keys, not as a list", sql: row.columns.sql)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    try checkLive()
    return ColumnDecoder(reader: self, column: 0)
  }

  func checkLive() throws(PostgreSQLError) {
    guard isLive else {
      throw PostgreSQLError(
        code: .accessEnded, message: "the decoder was used after its row was decoded")
    }
  }

  var columnKeys: [String] {
    switch settings.keyDecodingStrategy {
    case .useDefaultKeys: row.columns.names
    case .convertFromSnakeCase: row.columns.names.map { $0.camelCased }
    }
  }

  /// Returns the column of a key, or `nil` if there is none.
  func column(_ key: String) -> Int? {
    guard case .useDefaultKeys = settings.keyDecodingStrategy else {
      return columnKeys.firstIndex(of: key)
    }
    let names = row.columns.names
    if next < names.count, names[next] == key {
      next += 1
      return next - 1
    }
    guard let index = row.columns.index(named: key) else { return nil }
    next = index + 1
    return index
  }

  func requiredColumn(_ key: String) throws(PostgreSQLError) -> Int {
    guard let column = column(key) else { throw row.columns.unknownColumn("for the key \(key)") }
    return column
  }

  func isNull(_ column: Int) throws(PostgreSQLError) -> Bool {
    try checkLive()
    return try row.isNull(at: column)
  }

  @inline(__always)
  func read<Value: PostgreSQLReadable>(_ column: Int) throws(PostgreSQLError) -> Value {
    try checkLive()
    return try Value(from: row.field(at: column))
  }

  /// Reads a column as any type.
  func decode<Value: Decodable>(_ type: Value.Type, _ column: Int) throws -> Value {
    try checkLive()
    let field = try row.field(at: column)
    if field.kind.isJSON, !(type is any ReadsJSONText.Type) {
      return try field.decodedJSON(as: type)
    }
    if let value = try field.commonValue(as: type) { return value }
    if let readable = type as? any PostgreSQLReadable.Type {
      func read<Readable: PostgreSQLReadable>(_ type: Readable.Type) throws(PostgreSQLError) -> Any
      {
        try Readable(from: field)
      }
      if let value = try read(readable) as? Value { return value }
    }
    do {
      return try Value(from: ColumnDecoder(reader: self, column: column))
    } catch let error as DecodingError {
      guard case .dataCorrupted = error, type is any RawRepresentable.Type else { throw error }
      throw field.outOfRange(for: "\(type)")
    }
  }
}

extension TypeKind {
  var isJSON: Bool { self == .json || self == .jsonb }
}

/// A type that reads the text of a JSON column itself.
protocol ReadsJSONText {}

extension String: ReadsJSONText {}
extension PostgreSQLValue: ReadsJSONText {}
extension DataValue: ReadsJSONText {}
extension Optional: ReadsJSONText where Wrapped: ReadsJSONText {}

extension String {
  /// The key of a column named `user_name`: `userName`. Underscores at the start are kept.
  fileprivate var camelCased: String {
    let start = prefix { $0 == "_" }
    let words = dropFirst(start.count).split(separator: "_")
    guard let first = words.first else { return self }
    return start + first
      + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}

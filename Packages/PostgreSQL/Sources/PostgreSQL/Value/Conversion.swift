/// A type that can be read from a field of a row.
///
/// Reading is lossless: a value of another type, or one that is out of range, throws an error with the column's name. A
/// NULL is an error for every type but `Optional`, ``PostgreSQLValue`` and `DataValue`.
///
/// | type | reads | binds to |
/// |---|---|---|
/// | integers | `int2`, `int4`, `int8`, `oid`; `numeric` without a fraction | the same; `float4` and `float8` if exact |
/// | `Double` | `float8`, `float4`; integers if exact | `float8`, `numeric`; `float4`, rounded; integers if exact |
/// | `Float` | as `Double`, rounded | as `Double` |
/// | `Bool` | `bool` | `bool` |
/// | `String` | text types, enumerations, `json`, `jsonb`, `xml` | the same |
/// | `[UInt8]`, `Data` | `bytea`; any type without a known format | the same |
/// | `Decimal` | `numeric`, integers | `numeric`; integers if exact |
/// | `UUID` | `uuid` | `uuid` |
/// | `Date` | `timestamptz`; `timestamp` as UTC | the same, rounded to microseconds |
/// | ``PostgreSQLInterval`` | `interval` | `interval` |
/// | ``PostgreSQLRange`` | ranges | ranges |
/// | `Array` | arrays of one dimension | arrays |
/// | `RawRepresentable` | its raw value, which must be valid | the raw value |
/// | `Optional` | NULL as `nil` | `nil` as NULL |
/// | ``PostgreSQLValue``, `DataValue` | any value | the value |
///
/// An enumeration with raw values only declares the conformance:
/// `enum Mood: String, PostgreSQLConvertible { … }`.
public protocol PostgreSQLReadable {
  /// Reads a field.
  ///
  /// - Throws: ``PostgreSQLError``, which the field's methods create.
  init(from field: borrowing PostgreSQLField) throws(PostgreSQLError)
}

/// A type whose values can be bound to parameters.
///
/// Your type only has to implement ``postgreSQLValue``:
///
/// ```swift
/// struct Price { var cents: Int }
///
/// extension Price: PostgreSQLBindable {
///   var postgreSQLValue: PostgreSQLValue { .integer(Int64(cents)) }
/// }
/// ```
///
/// The server infers the type of each parameter from the statement, and values are converted to it without loss: an
/// integer that does not fit, or a value of another type, is an error before the statement runs.
public protocol PostgreSQLBindable {
  /// The value that is bound.
  ///
  /// - Throws: ``PostgreSQLError`` if PostgreSQL can't represent the value.
  var postgreSQLValue: PostgreSQLValue { get throws(PostgreSQLError) }

  /// Writes this value to one parameter, in the binary format of the parameter's type.
  ///
  /// The default implementation writes ``postgreSQLValue``. Implement it only if writing can avoid a copy that
  /// ``postgreSQLValue`` makes; it must write the same value.
  ///
  /// - Throws: ``PostgreSQLError`` if the value does not fit the parameter's type.
  func bind(to parameters: inout PostgreSQLParameters) throws(PostgreSQLError)
}

extension PostgreSQLBindable {
  public func bind(to parameters: inout PostgreSQLParameters) throws(PostgreSQLError) {
    try parameters.write(postgreSQLValue)
  }
}

/// A type that converts from and to PostgreSQL's values.
public typealias PostgreSQLConvertible = PostgreSQLReadable & PostgreSQLBindable

/// A type that can be read from a row.
///
/// A `Decodable` type only declares the conformance. A ``PostgreSQLRowDecoder`` then reads its rows, with a column for
/// each key:
///
/// ```swift
/// struct Player: Codable, PostgreSQLRowDecodable {
///   var id: Int
///   var name: String?
/// }
/// let players = try await database.fetchAll(Player.self, "SELECT * FROM player")
/// ```
///
/// An initializer that reads the columns by index is several times faster:
///
/// ```swift
/// init(row: borrowing PostgreSQLRow) throws(PostgreSQLError) {
///   self.init(id: try row.read(at: 0), name: try row.read(at: 1))
/// }
/// ```
public protocol PostgreSQLRowDecodable {
  /// Reads the columns of the current row.
  ///
  /// - Throws: ``PostgreSQLError`` if a column can't be read: see ``PostgreSQLReadable``. Errors of a `Decodable` type's
  ///   own `init(from:)` are passed on.
  init(row: borrowing PostgreSQLRow) throws
}

/// A type that provides the values of a statement's parameters, or of a row of `COPY`.
///
/// ```swift
/// extension Player: PostgreSQLRowEncodable {
///   func bind(to parameters: inout PostgreSQLParameters) throws(PostgreSQLError) {
///     try parameters.bind(id)
///     try parameters.bind(name)
///   }
/// }
/// try await database.run("INSERT INTO player (id, name) VALUES ($1, $2)", of: player)
/// ```
public protocol PostgreSQLRowEncodable {
  /// Binds a value to each parameter, in their order.
  ///
  /// - Throws: ``PostgreSQLError`` if a value can't be bound.
  func bind(to parameters: inout PostgreSQLParameters) throws(PostgreSQLError)
}

extension PostgreSQLRow {
  /// Reads one column, counting from 0.
  ///
  /// - Throws: ``PostgreSQLError``, with the column's name, if the value can't be read as `type`: see
  ///   ``PostgreSQLReadable``.
  @inlinable
  public func read<Value: PostgreSQLReadable>(
    _ type: Value.Type = Value.self, at index: Int
  ) throws(PostgreSQLError) -> Value {
    try Value(from: publicField(at: index))
  }

  /// Reads the first column of this name.
  ///
  /// - Throws: ``PostgreSQLError`` with code ``PostgreSQLError/Code/unknownColumn`` if there is no such column; the
  ///   errors of ``read(_:at:)``.
  public func read<Value: PostgreSQLReadable>(
    _ type: Value.Type = Value.self, named name: String
  ) throws(PostgreSQLError) -> Value {
    guard let index = columns.index(named: name) else { throw columns.unknownColumn(name) }
    return try Value(from: field(at: index))
  }

  @usableFromInline
  func publicField(at index: Int) throws(PostgreSQLError) -> PostgreSQLField {
    try field(at: index)
  }
}

extension Optional: PostgreSQLReadable where Wrapped: PostgreSQLReadable {
  @inlinable
  public init(from field: borrowing PostgreSQLField) throws(PostgreSQLError) {
    self = field.isNull ? nil : try Wrapped(from: field)
  }
}

extension Optional: PostgreSQLBindable where Wrapped: PostgreSQLBindable {
  public var postgreSQLValue: PostgreSQLValue {
    get throws(PostgreSQLError) {
      switch self {
      case .some(let value): try value.postgreSQLValue
      case .none: .null
      }
    }
  }

  @inlinable
  public func bind(to parameters: inout PostgreSQLParameters) throws(PostgreSQLError) {
    switch self {
    case .some(let value): try value.bind(to: &parameters)
    case .none: parameters.writeNull()
    }
  }
}

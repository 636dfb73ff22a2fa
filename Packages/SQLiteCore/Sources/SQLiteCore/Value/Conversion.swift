/// A type that can be read from a result column.
///
/// Reading is lossless: a value of another storage class, or one that is out of range, throws an
/// error with the column's name. A NULL is an error for every type but `Optional` and
/// ``SQLiteValue``.
///
/// | type | reads | binds |
/// |---|---|---|
/// | integers | INTEGER in the type's range; see ``Row/integer(at:)`` for `RETURNING` | INTEGER; an error if greater than `Int64.max` |
/// | `Double` | REAL; INTEGER that a `Double` represents exactly | REAL; NaN as NULL |
/// | `Float` | as `Double`, rounded to the nearest `Float` | REAL |
/// | `Bool` | INTEGER: 0 is false, all others are true, as in SQL | INTEGER 0 or 1 |
/// | `String` | TEXT that is valid UTF-8 | TEXT |
/// | `[UInt8]`, `Data` | BLOB | BLOB |
/// | `Date` | TEXT as ``DateStorage/iso8601`` | the same, in UTC |
/// | `Decimal` | TEXT that is a decimal number; INTEGER | TEXT with all digits |
/// | ``JSONDocument`` | TEXT, or a BLOB, that is valid JSON; a number | TEXT |
/// | `UUID` | TEXT of 36 characters; BLOB of 16 bytes | TEXT in upper case |
/// | `URL` | TEXT that is a valid URL | TEXT, the absolute URL |
/// | `RawRepresentable` | its raw value, which must be valid | the raw value |
/// | `Optional` | NULL as `nil` | `nil` as NULL |
/// | ``SQLiteValue`` | any value | the value |
///
/// An enumeration with raw values only declares the conformance:
/// `enum State: String, SQLiteConvertible { … }`.
///
/// A property wrapper selects another format:
///
/// | wrapper | type | stored as |
/// |---|---|---|
/// | ``ISO8601Date`` | `Date` | TEXT: `2026-11-21 14:37:29` |
/// | ``DateOnly`` | `Date` | TEXT: `2026-11-21`, for the beginning of the day in UTC |
/// | ``UnixDate`` | `Date` | INTEGER or REAL: seconds since 1970 |
/// | ``UnixMillisecondsDate`` | `Date` | INTEGER: milliseconds since 1970 |
/// | ``JulianDate`` | `Date` | REAL: days since noon of 24 November 4714 BC |
/// | ``UUIDBlob`` | `UUID` | BLOB of 16 bytes |
/// | ``LowercaseUUID`` | `UUID` | TEXT in lower case |
/// | ``BitPattern`` | `UInt64` | INTEGER of the same 64 bits |
/// | ``BigEndianBlob`` | `UInt64`, `UInt128` and others | BLOB in big-endian order |
/// | ``Stored`` | a custom type | in a custom ``ColumnFormat`` |
public protocol SQLiteReadable {
  /// Reads a column of the current row.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/columnTypeMismatch``,
  ///   ``SQLiteError/Code/unexpectedNull``, ``SQLiteError/Code/valueOutOfRange``,
  ///   ``SQLiteError/Code/invalidText`` or ``SQLiteError/Code/unknownColumn``.
  init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError)

  /// Reads a column of the current row; `nil` if the column is NULL.
  ///
  /// A default implementation is provided. Implement it only if a single read is faster than
  /// checking for NULL first.
  ///
  /// - Throws: The same errors as ``init(from:at:)``, except for NULL.
  static func optional(
    from row: borrowing Row, at index: ColumnIndex
  ) throws(SQLiteError) -> Self?
}

extension SQLiteReadable {
  @inlinable
  public static func optional(
    from row: borrowing Row, at index: ColumnIndex
  ) throws(SQLiteError) -> Self? {
    try row.isNull(at: index) ? nil : Self(from: row, at: index)
  }
}

/// A type whose values SQLite can store.
///
/// Your type only has to implement ``sqliteValue``:
///
/// ```swift
/// struct Price { var cents: Int }
///
/// extension Price: SQLiteBindable {
///   var sqliteValue: SQLiteValue { .integer(Int64(cents)) }
/// }
/// ```
public protocol SQLiteBindable {
  /// The value that SQLite stores.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/valueOutOfRange`` if SQLite can't
  ///   represent the value. A NaN is not an error: SQLite stores NULL instead.
  var sqliteValue: SQLiteValue { get throws(SQLiteError) }

  /// Binds this value to one parameter.
  ///
  /// The default implementation binds ``sqliteValue``. Implement it only if binding can avoid a copy
  /// that ``sqliteValue`` makes; it must bind the same value.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/range`` if the statement has no such
  ///   parameter; the errors of ``sqliteValue``.
  func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError)
}

extension SQLiteBindable {
  public func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    let value: SQLiteValue
    do throws(SQLiteError) {
      value = try sqliteValue
    } catch {
      throw error.inStatement(statement.sql)
    }
    try value.bind(to: statement, at: index)
  }
}

/// A type that converts from and to SQLite values.
public typealias SQLiteConvertible = SQLiteReadable & SQLiteBindable

/// A type that can be read from a row.
///
/// A `Decodable` type only declares the conformance. A ``RowDecoder`` then reads its rows, with a
/// column for each key:
///
/// ```swift
/// struct Player: Codable, RowDecodable {
///   var id: Int
///   var name: String?
/// }
/// let players = try connection.fetchAll(Player.self, "SELECT * FROM player")
/// ```
///
/// An initializer that reads the columns by index is several times faster. Generated code and the
/// `@Table` macro provide one:
///
/// ```swift
/// init(row: borrowing Row) throws(SQLiteError) {
///   self.init(id: try row.read(at: 0), name: try row.read(at: 1))
/// }
/// ```
///
/// Properties can also be assigned one by one. Passing all of them to another initializer, as
/// above, avoids a copy of the whole value for each row.
public protocol RowDecodable {
  /// Reads the columns of the current row.
  ///
  /// - Throws: ``SQLiteError`` if a column can't be read: see ``SQLiteReadable``. Errors of a
  ///   `Decodable` type's own `init(from:)` are passed on.
  init(row: borrowing Row) throws
}

/// A type that provides the values of a statement's parameters.
///
/// An `Encodable` type only declares the conformance. Its columns are then bound to the parameters
/// with the same names: see ``Statement/bindAll(encoding:with:)``.
///
/// ```swift
/// try connection.run("UPDATE player SET name = :name WHERE id = :id", of: player)
/// ```
///
/// A custom implementation binds the parameters by number, which is faster:
///
/// ```swift
/// extension Player: RowEncodable {
///   func bind(to statement: Statement) throws(SQLiteError) {
///     try statement.bind(id, at: 1)
///     try statement.bind(name, at: 2)
///   }
/// }
/// try connection.run("INSERT INTO player (id, name) VALUES (?, ?)", of: player)
/// ```
public protocol RowEncodable: ~Copyable {
  /// Binds each property of this value to one parameter. Every parameter of the statement must be
  /// bound exactly once.
  ///
  /// - Throws: ``SQLiteError`` if a property can't be bound: see ``SQLiteBindable``. Errors of an
  ///   `Encodable` type's own `encode(to:)` are passed on.
  borrowing func bind(to statement: Statement) throws
}

extension Optional: SQLiteReadable where Wrapped: SQLiteReadable {
  @inlinable
  public init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    self = try Wrapped.optional(from: row, at: index)
  }
}

extension Optional: SQLiteBindable where Wrapped: SQLiteBindable {
  @inlinable
  public var sqliteValue: SQLiteValue {
    get throws(SQLiteError) {
      switch self {
      case .some(let value): try value.sqliteValue
      case .none: .null
      }
    }
  }

  @inlinable
  public func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    switch self {
    case .some(let value): try value.bind(to: statement, at: index)
    case .none: try statement.bindNull(at: index)
    }
  }
}

extension SQLiteValue: SQLiteConvertible {
  public init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    self = try row.value(at: index)
  }

  /// The value itself.
  public var sqliteValue: SQLiteValue { self }

  public func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    switch self {
    case .null: try statement.bindNull(at: index)
    case .integer(let value): try statement.bindInteger(value, at: index)
    case .real(let value): try statement.bindReal(value, at: index)
    case .text(let value): try statement.bindText(value, at: index)
    case .blob(let bytes): try statement.bindBlob(bytes, at: index)
    }
  }
}

/// The way to read a column as a type.
enum ColumnAccess {
  /// By the type's conformance to ``SQLiteReadable``.
  case readable(any SQLiteReadable.Type)
  /// As a date, by the decoder's strategy.
  case date
  /// By ``RowDecoder/replacement``.
  case replaced
  /// By the type's `init(from:)`, which decodes a single value or JSON.
  case coded

  init(_ type: Any.Type, _ settings: RowDecoder) {
    if let type = type as? any Decodable.Type, settings.replacement?(type) != nil {
      self = .replaced
    } else {
      self.init(type, dates: settings.dateDecodingStrategy)
    }
  }

  init(_ type: Any.Type, dates: RowDecoder.DateDecodingStrategy) {
    if let strategy = ColumnAccess(date: type, dates: dates) {
      self = strategy
    } else if let readable = type as? any SQLiteReadable.Type {
      self = .readable(readable)
    } else {
      self = .coded
    }
  }

  /// Returns the wrapped type of an optional type, or the type itself.
  static func unwrapped(_ type: Any.Type) -> Any.Type {
    (type as? any OptionalType.Type)?.wrapped ?? type
  }
}

/// An optional type, for checks of a type that is only known at run time.
protocol OptionalType {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
  static var wrapped: Any.Type { Wrapped.self }
}

extension RowReader {
  /// Reads a column as any type.
  func value<T: Decodable>(
    _ type: T.Type, at column: Int, access: ColumnAccess
  ) throws -> T {
    switch access {
    case .readable(let readable): return try read(readable, as: type, at: column)
    case .date: return try date(as: type, at: column)
    case .replaced:
      return try replaced(type, key: row.columns.names[column], at: ColumnIndex(column))
    case .coded:
      hasOpenedJSON = false
      do {
        return try T(from: ColumnDecoder(reader: self, column: column))
      } catch {
        throw translated(error, of: type, at: column)
      }
    }
  }

  /// Reads a column as any type. Returns `nil` if the column is NULL.
  func optional<T: Decodable>(
    _ type: T.Type, at column: Int, access: ColumnAccess
  ) throws -> T? {
    if try row.isNull(at: ColumnIndex(column)) { return nil }
    return try value(type, at: column, access: access)
  }

  /// Returns the custom reader of a type, or `nil` if the type is decoded.
  @inline(never)
  func replacement<T: Decodable>(of type: T.Type) -> RowDecoder.Replacement? {
    settings.replacement?(type)
  }

  /// Reads a value with the type's custom reader.
  @inline(never)
  func replaced<T: Decodable>(_ type: T.Type, key: String, at index: ColumnIndex?) throws -> T {
    guard let replacement = replacement(of: type),
      let value = try replacement(type, key, row, index) as? T
    else {
      throw SQLiteError(
        code: .internalError, message: "the replacement for \(type) returned another type")
    }
    return value
  }

  /// `Readable` and `T` are the same type, which the compiler can't prove; the check is one
  /// comparison.
  @inline(__always)
  private func read<Readable: SQLiteReadable, T>(
    _ readable: Readable.Type, as type: T.Type, at column: Int
  ) throws(SQLiteError) -> T {
    try checkedCast(Readable(from: row, at: ColumnIndex(column)), as: type)
  }

  @inline(__always)
  func checkedCast<Value, T>(_ value: Value, as type: T.Type) throws(SQLiteError) -> T {
    guard Value.self == T.self else {
      throw SQLiteError(
        code: .internalError, message: "expected \(type), read \(Value.self)")
    }
    return identityCast(value, as: type)
  }
}

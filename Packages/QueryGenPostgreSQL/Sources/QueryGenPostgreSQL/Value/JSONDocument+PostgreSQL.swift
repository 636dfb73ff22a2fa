#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
public import SQLiteCore

extension JSONDocument: @retroactive PostgreSQLReadable, @retroactive PostgreSQLBindable {
  /// Reads `json` or `jsonb`.
  public init(from field: borrowing PostgreSQLField) throws(PostgreSQLError) {
    let text = try field.text()
    do {
      self = try JSONDocument(text)
    } catch {
      throw field.unreadable("the value is not valid JSON", code: .invalidJSON)
    }
  }

  public var postgreSQLValue: PostgreSQLValue { .scalar(.json(text)) }
}

/// A format of values in PostgreSQL, for types that don't conform to `PostgreSQLConvertible` themselves.
public protocol PostgreSQLColumnFormat: ColumnFormat {
  /// Reads a field. A NULL is an error.
  static func read(from field: borrowing PostgreSQLField) throws(PostgreSQLError) -> Value

  /// The value that is bound.
  static func postgreSQLValue(of value: Value) throws(PostgreSQLError) -> PostgreSQLValue
}

extension Queries.Formatted: @retroactive PostgreSQLReadable where Format: PostgreSQLColumnFormat {
  public init(from field: borrowing PostgreSQLField) throws(PostgreSQLError) {
    self.init(try Format.read(from: field))
  }
}

extension Queries.Formatted: @retroactive PostgreSQLBindable where Format: PostgreSQLColumnFormat {
  public var postgreSQLValue: PostgreSQLValue {
    get throws(PostgreSQLError) { try Format.postgreSQLValue(of: value) }
  }
}

extension Queries.RawValueFormat: PostgreSQLColumnFormat
where Value.RawValue: PostgreSQLConvertible {
  public static func read(from field: borrowing PostgreSQLField) throws(PostgreSQLError) -> Value {
    guard let value = Value(rawValue: try Value.RawValue(from: field)) else {
      throw field.outOfRange(for: "\(Value.self)")
    }
    return value
  }

  public static func postgreSQLValue(of value: Value) throws(PostgreSQLError) -> PostgreSQLValue {
    try value.rawValue.postgreSQLValue
  }
}

extension Queries.JSONFormat: PostgreSQLColumnFormat {
  public static func read(from field: borrowing PostgreSQLField) throws(PostgreSQLError) -> Value {
    let text = try field.text()
    do {
      return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    } catch {
      throw field.unreadable(
        "the value can't be decoded from JSON as \(Value.self)", code: .invalidJSON)
    }
  }

  public static func postgreSQLValue(of value: Value) throws(PostgreSQLError) -> PostgreSQLValue {
    do {
      return .scalar(.json(try JSONDocument(encoding: value).text))
    } catch {
      throw PostgreSQLError(
        code: .valueOutOfRange, message: "a value of \(Value.self) can't be encoded as JSON")
    }
  }
}

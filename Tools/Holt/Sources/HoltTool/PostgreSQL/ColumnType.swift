import Primitives
import SQLiteCore

/// The type of a column that is copied between SQLite and PostgreSQL.
///
/// The table in Docs/holt.md lists all types.
enum ColumnType: Hashable, Sendable {
  case boolean
  case smallint, integer, bigint
  case float4, float8
  case numeric(precision: Int?, scale: Int)
  case text
  case varchar(Int)
  case bytea
  case date, time, timestamp, timestamptz
  case uuid, json, jsonb
  /// An array, which is JSON in SQLite.
  case array(String)
  /// A type of PostgreSQL that is copied as the text that the server writes.
  case textual(String)

  // MARK: PostgreSQL

  /// - Parameters:
  ///   - name: The type as PostgreSQL's `format_type` writes it.
  ///   - base: The base type of a domain; otherwise `nil`.
  init(postgreSQL name: String, base: String? = nil) {
    let name = base ?? name
    let open = name.firstIndex(of: "(")
    let arguments = open.map { name[$0...].dropFirst().prefix { $0 != ")" } } ?? ""
    let numbers = arguments.split(separator: ",").compactMap {
      Int($0.filter { $0.isNumber || $0 == "-" })
    }
    // The arguments of times precede the rest of the name: `timestamp(3) without time zone`.
    let rest = open.map { name[$0...].drop { $0 != ")" }.dropFirst() } ?? ""
    if name.hasSuffix("[]") {
      self = .array(name)
      return
    }
    switch String(open.map { name[..<$0] } ?? name[...]) + rest {
    case "boolean", "bool": self = .boolean
    case "smallint", "int2": self = .smallint
    case "integer", "int", "int4": self = .integer
    case "bigint", "int8": self = .bigint
    case "real", "float4": self = .float4
    case "double precision", "float8": self = .float8
    case "numeric", "decimal":
      self = .numeric(precision: numbers.first, scale: numbers.count > 1 ? numbers[1] : 0)
    case "text": self = .text
    case "character varying", "varchar": self = numbers.first.map { .varchar($0) } ?? .text
    case "bytea": self = .bytea
    case "date": self = .date
    case "time without time zone", "time": self = .time
    case "timestamp without time zone", "timestamp": self = .timestamp
    case "timestamp with time zone", "timestamptz": self = .timestamptz
    case "uuid": self = .uuid
    case "json": self = .json
    case "jsonb": self = .jsonb
    default: self = .textual(name)
    }
  }

  /// The type's name in PostgreSQL.
  var postgreSQLName: String {
    switch self {
    case .boolean: "boolean"
    case .smallint: "smallint"
    case .integer: "integer"
    case .bigint: "bigint"
    case .float4: "real"
    case .float8: "double precision"
    case .numeric(nil, _): "numeric"
    case .numeric(let precision?, let scale): "numeric(\(precision),\(scale))"
    case .text: "text"
    case .varchar(let count): "character varying(\(count))"
    case .bytea: "bytea"
    case .date: "date"
    case .time: "time without time zone"
    case .timestamp: "timestamp without time zone"
    case .timestamptz: "timestamp with time zone"
    case .uuid: "uuid"
    case .json: "json"
    case .jsonb: "jsonb"
    case .array(let name), .textual(let name): name
    }
  }

  // MARK: SQLite

  /// The declared type with which SQLite stores the values.
  var sqliteDeclaration: String {
    switch self {
    case .boolean: "BOOLEAN"
    case .smallint: "SMALLINT"
    case .integer, .bigint: "INTEGER"
    case .float4, .float8: "REAL"
    case .numeric(let precision?, let scale) where isExactInSQLite: "DECIMAL(\(precision),\(scale))"
    case .numeric: "DECIMAL TEXT"
    case .text, .textual: "TEXT"
    case .varchar(let count): "VARCHAR(\(count))"
    case .bytea: "BLOB"
    case .date: "DATE"
    case .time: "TIME"
    case .timestamp: "DATETIME"
    case .timestamptz: "TIMESTAMPTZ"
    case .uuid: "UUID"
    case .json, .jsonb, .array: "JSON"
    }
  }

  /// Indicates whether SQLite's numbers represent each value of a decimal type. `Double` keeps 15 digits.
  var isExactInSQLite: Bool {
    guard case .numeric(let precision?, let scale) = self else { return false }
    return precision <= 15 && scale >= 0 && scale <= precision
  }

  /// Returns the type for a declared type of SQLite.
  ///
  /// - Parameter storageClasses: Returns the storage classes of the column's values, for a declared type that allows
  ///   values of any class.
  /// - Returns: The type; `nil` if the column has values that no type of PostgreSQL has in common.
  static func sqlite(
    _ declared: String, storageClasses: () throws -> Set<String>
  ) rethrows -> ColumnType? {
    let folded = SQLName.folded(declared).split(whereSeparator: \.isWhitespace).joined(
      separator: " ")
    let open = folded.firstIndex(of: "(")
    let numbers = (open.map { folded[$0...].dropFirst().prefix { $0 != ")" } } ?? "")
      .split(separator: ",").compactMap { Int($0.filter { $0.isNumber || $0 == "-" }) }
    let base = (open.map { folded[..<$0] } ?? folded[...]).trimmingSuffix { $0 == " " }
    switch base {
    case "boolean", "bool": return .boolean
    case "smallint", "int2": return .smallint
    case "text": return .text
    case "varchar", "character varying", "nvarchar", "char", "character", "nchar",
      "varying character", "native character":
      return numbers.first.map { $0 > 0 && $0 <= 10_485_760 ? .varchar($0) : .text } ?? .text
    case "blob", "bytea", "spon blob": return .bytea
    case "date": return .date
    case "time": return .time
    case "datetime", "timestamp": return .timestamp
    case "timestamptz", "timestamp with time zone", "spon instant text": return .timestamptz
    case "uuid": return .uuid
    case "json", "json text": return .json
    case "jsonb": return .jsonb
    case "decimal text", "spon decimal text": return .numeric(precision: nil, scale: 0)
    case "decimal", "numeric":
      guard let precision = numbers.first, (1...1_000).contains(precision) else {
        return .numeric(precision: nil, scale: 0)
      }
      let scale = numbers.count > 1 ? numbers[1] : 0
      return .numeric(precision: precision, scale: scale)
    case "spon float": return .float8
    default: break
    }
    switch ColumnAffinity(declaredType: declared) {
    case .integer: return .bigint
    case .real: return .float8
    case .text: return .text
    default: return try ofStorageClasses(storageClasses())
    }
  }

  private static func ofStorageClasses(_ classes: Set<String>) -> ColumnType? {
    switch classes {
    case []: .text
    case ["integer"]: .bigint
    case ["real"], ["integer", "real"]: .float8
    case ["text"]: .text
    case ["blob"]: .bytea
    default: nil
    }
  }

  // MARK: Comparison

  /// Types with the same family can be compared and can reference each other.
  enum Family: Hashable {
    case boolean, number, exactText, text, blob, date, time, timestamp, timestamptz, uuid, json
    case other(String)
  }

  var family: Family {
    switch self {
    case .boolean: .boolean
    case .smallint, .integer, .bigint, .float4, .float8: .number
    // SQLite compares a `DECIMAL TEXT` as text.
    case .numeric: isExactInSQLite ? .number : .exactText
    case .text, .varchar: .text
    case .bytea: .blob
    case .date: .date
    case .time: .time
    case .timestamp: .timestamp
    case .timestamptz: .timestamptz
    case .uuid: .uuid
    case .json, .jsonb: .json
    case .array(let name), .textual(let name): .other(name)
    }
  }

  var isInteger: Bool { self == .smallint || self == .integer || self == .bigint }

  /// Indicates whether a value can be written to PostgreSQL.
  var isWritable: Bool {
    switch self {
    case .array, .textual: false
    default: true
    }
  }

  /// The expression that reads a column of PostgreSQL.
  func postgreSQLExpression(_ column: String) -> String {
    switch self {
    case .array: "to_json(\(column))::text"
    case .textual: "\(column)::text"
    default: column
    }
  }
}

extension Substring {
  fileprivate func trimmingSuffix(while condition: (Character) -> Bool) -> String {
    var text = self
    while let last = text.last, condition(last) { text.removeLast() }
    return String(text)
  }
}

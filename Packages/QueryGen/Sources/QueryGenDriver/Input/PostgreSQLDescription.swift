internal import Foundation
public import SQLSyntax

/// What a PostgreSQL server says of a project: the tables and types that its migrations create, and the parameters and
/// columns of its queries.
///
/// `querygen-postgresql` writes it to `Queries/postgresql.json`. Code is generated from this file, without a server.
public struct PostgreSQLDescription: Codable, Hashable, Sendable {
  /// The name of the file, in the folder of the queries.
  public static let fileName = "postgresql.json"
  /// The version of the file's format and of the analysis. A file of another version is out of date.
  public static let currentFormat = 1

  public var format = PostgreSQLDescription.currentFormat
  /// The version of the server.
  public var server: String
  /// The hash of the migrations.
  public var migrations: String
  /// The tables and views, sorted by name.
  public var tables: [Table]
  /// The enumerations and composite types, sorted by name.
  public var types: [DeclaredType]
  /// The queries, by ``key(file:query:)``.
  public var queries: [String: Query]

  public init(
    server: String, migrations: String, tables: [Table] = [], types: [DeclaredType] = [],
    queries: [String: Query] = [:]
  ) {
    self.server = server
    self.migrations = migrations
    self.tables = tables
    self.types = types
    self.queries = queries
  }

  /// The type of a value.
  public struct ValueType: Codable, Hashable, Sendable {
    /// The name: `int4` for a type of PostgreSQL, otherwise with its schema, unless that is the default schema.
    public var name: String
    /// The object identifier, or that of the array; `nil` if the type is not one of PostgreSQL's own.
    public var oid: UInt32?
    /// Indicates whether the value is an array of the type.
    public var isArray: Bool?
    /// Indicates whether elements of the array are never NULL.
    public var hasElements: Bool?
    /// The element type of a range.
    public var bound: String?
    /// The name of the domain, if the column has one. ``name`` is its base type.
    public var domain: String?

    public init(
      name: String, oid: UInt32? = nil, isArray: Bool = false, hasElements: Bool = false,
      bound: String? = nil, domain: String? = nil
    ) {
      self.name = name
      self.oid = oid
      self.isArray = isArray ? true : nil
      self.hasElements = hasElements ? true : nil
      self.bound = bound
      self.domain = domain
    }

    enum CodingKeys: String, CodingKey {
      case name, oid, isArray = "array", hasElements = "elements_not_null", bound, domain
    }
  }

  /// A column of a table, a composite type or a query.
  public struct Column: Codable, Hashable, Sendable {
    public var name: String
    public var type: ValueType
    public var isNullable: Bool
    /// The table column whose values the column returns unchanged.
    public var origin: Origin?
    public var comment: String?

    public init(
      name: String, type: ValueType, isNullable: Bool, origin: Origin? = nil,
      comment: String? = nil
    ) {
      self.name = name
      self.type = type
      self.isNullable = isNullable
      self.origin = origin
      self.comment = comment
    }

    enum CodingKeys: String, CodingKey {
      case name, type, isNullable = "nullable", origin, comment
    }
  }

  /// A column of a table.
  public struct Origin: Codable, Hashable, Sendable {
    public var table: String
    public var column: String

    public init(table: String, column: String) {
      self.table = table
      self.column = column
    }
  }

  /// A table or a view.
  public struct Table: Codable, Hashable, Sendable {
    /// The name, with its schema unless that is the default schema.
    public var name: String
    public var isView: Bool
    public var columns: [Column]
    /// The names of the primary key's columns.
    public var primaryKey: [String]
    public var comment: String?

    public init(
      name: String, isView: Bool = false, columns: [Column], primaryKey: [String] = [],
      comment: String? = nil
    ) {
      self.name = name
      self.isView = isView
      self.columns = columns
      self.primaryKey = primaryKey
      self.comment = comment
    }

    enum CodingKeys: String, CodingKey {
      case name, isView = "view", columns, primaryKey = "primary_key", comment
    }
  }

  /// A type that the migrations create.
  public struct DeclaredType: Codable, Hashable, Sendable {
    public var name: String
    /// The values of an enumeration; `nil` for a composite type.
    public var values: [String]?
    /// The attributes of a composite type; `nil` for an enumeration.
    public var attributes: [Column]?
    public var comment: String?

    public init(
      name: String, values: [String]? = nil, attributes: [Column]? = nil, comment: String? = nil
    ) {
      self.name = name
      self.values = values
      self.attributes = attributes
      self.comment = comment
    }
  }

  /// The number of rows that a statement returns.
  public enum Rows: String, Codable, Hashable, Sendable {
    case none, one, optional, many
  }

  /// A parameter of a query.
  public struct Parameter: Codable, Hashable, Sendable {
    /// The name; for a parameter that has none, one derived from its use.
    public var name: String
    public var type: ValueType
    public var isNullable: Bool
    /// Indicates whether the statement stores the value in a column.
    public var isStored: Bool
    /// The column that the value is stored in or compared with.
    public var origin: Origin?

    public init(
      name: String, type: ValueType, isNullable: Bool, isStored: Bool = false,
      origin: Origin? = nil
    ) {
      self.name = name
      self.type = type
      self.isNullable = isNullable
      self.isStored = isStored
      self.origin = origin
    }

    enum CodingKeys: String, CodingKey {
      case name, type, isNullable = "nullable", isStored = "stored", origin
    }
  }

  /// A query.
  public struct Query: Codable, Hashable, Sendable {
    /// The hash of the statement.
    public var hash: String
    public var parameters: [Parameter]
    public var columns: [Column]
    public var rows: Rows
    public var isReadOnly: Bool
    /// The table or view if the columns are all of its columns, in order.
    public var table: String?

    public init(
      hash: String, parameters: [Parameter], columns: [Column], rows: Rows, isReadOnly: Bool,
      table: String? = nil
    ) {
      self.hash = hash
      self.parameters = parameters
      self.columns = columns
      self.rows = rows
      self.isReadOnly = isReadOnly
      self.table = table
    }

    enum CodingKeys: String, CodingKey {
      case hash, parameters, columns, rows, isReadOnly = "read_only", table
    }
  }
}

extension PostgreSQLDescription {
  /// The key of a query in ``queries``.
  public static func key(file: String, query: String) -> String { "\(file): \(query)" }

  /// Reads a description.
  ///
  /// - Throws: An error if the file is not such a description.
  public init(json: [UInt8]) throws {
    self = try JSONDecoder().decode(PostgreSQLDescription.self, from: Data(json))
  }

  /// The description as JSON, with sorted keys, so that differences can be reviewed.
  public func json() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(self)) + [UInt8(ascii: "\n")]
  }

  /// The hash of migrations: their names and their SQL.
  public static func hash(ofMigrations migrations: [(name: String, sql: SourceText)]) -> String {
    var hash = FNVHash()
    for migration in migrations {
      hash.add(Array(migration.name.utf8))
      hash.add(PostgreSQLNamedQuery.canonicalText(of: migration.sql))
    }
    return hash.text
  }

  /// The hash of a statement.
  public static func hash(of query: PostgreSQLNamedQuery) -> String {
    var hash = FNVHash()
    hash.add(PostgreSQLNamedQuery.canonicalText(of: SourceText(query.sql)))
    for parameter in query.parameters { hash.add(Array((parameter.name ?? "").utf8)) }
    return hash.text
  }
}

/// A hash that detects changes, but no manipulation: FNV-1a with 64 bits.
private struct FNVHash {
  private var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Adds bytes, and their end.
  mutating func add(_ bytes: [UInt8]) {
    for byte in bytes + [0xFF] { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
  }

  var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

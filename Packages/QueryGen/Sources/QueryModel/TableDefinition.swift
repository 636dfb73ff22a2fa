/// A table or view of the final schema.
public struct TableDefinition: Hashable, Sendable {
  /// The kinds of relations in a schema.
  public enum Kind: Hashable, Sendable { case table, view, virtual }

  /// The name as spelled in the schema, after the name of the schema and a period unless that is
  /// `main`: `archive.book`.
  public var name: String
  /// The schema, `temp` or that of an attached database; `nil` for `main`.
  public var schema: String?
  public var kind: Kind
  /// The columns that `SELECT *` returns, in that order.
  public var columns: [ColumnDefinition]
  /// The names of the primary key's columns, in key order; empty if there is no primary key.
  public var primaryKey: [String]
  /// The comment above the definition, without its markers.
  public var documentation: String?

  public init(
    name: String, schema: String? = nil, kind: Kind, columns: [ColumnDefinition],
    primaryKey: [String], documentation: String? = nil
  ) {
    self.name = name
    self.schema = schema
    self.kind = kind
    self.columns = columns
    self.primaryKey = primaryKey
    self.documentation = documentation
  }
}

extension TableDefinition {
  /// The name without the schema.
  public var baseName: String {
    schema.map { String(name.dropFirst($0.count + 1)) } ?? name
  }
}

/// A column of a table, or of a query's result.
public struct ColumnDefinition: Hashable, Sendable {
  /// The name as SQLite reports it.
  public var name: String
  public var type: ValueType
  public var isNullable: Bool
  public var documentation: String?
  /// The declared type as written, if there is one.
  public var declaredType: String?
  /// The Swift type that a comment of the schema specifies.
  public var annotation: ColumnAnnotation?
  /// The values that a `CHECK` constraint allows; `nil` if there is no such constraint.
  public var allowed: AllowedValues?
  /// For a column of a query or a view, the table columns whose values it returns unchanged; empty
  /// if it is computed. Sorted.
  public var origins: [TableColumn]
  /// For a column of a query, the entry of `FROM` that it belongs to, if an outer join may find no
  /// row for that entry.
  public var outerJoined: OuterJoinInfo?

  public init(
    name: String, type: ValueType, isNullable: Bool, documentation: String? = nil,
    declaredType: String? = nil, annotation: ColumnAnnotation? = nil,
    allowed: AllowedValues? = nil, origins: [TableColumn] = [], outerJoined: OuterJoinInfo? = nil
  ) {
    self.name = name
    self.type = type
    self.isNullable = isNullable
    self.documentation = documentation
    self.declaredType = declaredType
    self.annotation = annotation
    self.allowed = allowed
    self.origins = origins
    self.outerJoined = outerJoined
  }
}

/// An entry of `FROM` for which an outer join may find no row, in relation to one of its columns.
public struct OuterJoinInfo: Hashable, Sendable {
  /// An identifier of the entry within the statement.
  public var source: Int
  /// A Boolean value that indicates whether the column is NULL only if there is no row.
  public var isCertain: Bool

  public init(source: Int, isCertain: Bool) {
    self.source = source
    self.isCertain = isCertain
  }
}

/// The values that a column may contain in addition to NULL.
public struct AllowedValues: Hashable, Sendable {
  /// The allowed values, by type.
  public enum Values: Hashable, Sendable {
    case texts([String])
    case integers([Int64])
  }

  /// The values, in the order of the constraint.
  public var values: Values
  /// The names of the values, in the same order, as specified by a comment; empty if there are
  /// none.
  public var names: [String]

  public init(_ values: Values, names: [String] = []) {
    self.values = values
    self.names = names
  }

  /// The number of values.
  public var count: Int {
    switch values {
    case .texts(let texts): texts.count
    case .integers(let integers): integers.count
    }
  }
}

/// A type that a comment of the schema or of a query specifies: `AS Type` or
/// `AS Type USING Format`.
public struct ColumnAnnotation: Hashable, Sendable {
  /// The type as written.
  public var type: String
  /// The format, which converts the type, as written.
  public var format: String?

  public init(type: String, format: String? = nil) {
    self.type = type
    self.format = format
  }
}

/// A column of a table in the schema.
public struct TableColumn: Hashable, Comparable, Sendable {
  /// The name of the table, as in ``TableDefinition/name``.
  public var table: String
  public var column: String

  public init(table: String, column: String) {
    self.table = table
    self.column = column
  }

  public static func < (a: TableColumn, b: TableColumn) -> Bool {
    (a.table, a.column) < (b.table, b.column)
  }
}

/// The type of a value: its storage class in SQLite, and its interpretation.
///
/// A type holds for *every* non-null value. If it can't be determined, it is ``any``.
public enum ValueType: Hashable, Sendable {
  case integer
  case real
  case text
  case blob
  /// An integer that represents a Boolean: 0 or 1.
  case boolean
  /// An integer or a real.
  case numeric
  /// A value of any storage class.
  case any
  /// A value of a Swift type, for an engine with static types. The name of a ``TypeDefinition`` in
  /// braces represents the type that is generated for it: `[{mood}?]`.
  case swift(String)

  /// The name of the type as SQLite spells it.
  public var nameInSQL: String {
    switch self {
    case .integer: "INTEGER"
    case .real: "REAL"
    case .text: "TEXT"
    case .blob: "BLOB"
    case .boolean: "BOOLEAN"
    case .numeric: "NUMERIC"
    case .any, .swift: "ANY"
    }
  }
}

/// A table, a view, or a virtual table, as the database describes it.
public struct TableSchema: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    case table
    case view
    /// A table that a module provides: full-text search, say.
    case virtual
    /// A table in which a virtual table keeps its data.
    case shadow
  }

  public let name: TableName
  public let kind: Kind
  public let columns: [ColumnSchema]
  public let isWithoutRowID: Bool
  public let isStrict: Bool
  /// The statement that made it.
  public let sql: String?

  /// The primary key's columns, in the key's order; empty where none is declared.
  public var primaryKey: [ColumnSchema] {
    columns.filter { $0.primaryKeyPosition != nil }
      .sorted { ($0.primaryKeyPosition ?? 0) < ($1.primaryKeyPosition ?? 0) }
  }
}

/// A column of a table or view.
public struct ColumnSchema: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case stored
    /// Not part of `SELECT *`: a parameter of a virtual table.
    case hidden
    /// Computed when it is read.
    case virtualGenerated
    /// Computed when the row is written.
    case storedGenerated
  }

  public let name: String
  /// The type as it was declared; empty where none was.
  public let declaredType: String
  public let isNotNull: Bool
  /// The default, as an SQL expression.
  public let defaultSQL: String?
  /// Its place in the primary key, counting from 1.
  public let primaryKeyPosition: Int?
  public let kind: Kind
}

/// An index of a table.
public struct IndexSchema: Hashable, Sendable {
  public enum Origin: String, Hashable, Sendable {
    /// `CREATE INDEX`.
    case statement = "c"
    /// A `UNIQUE` constraint.
    case uniqueConstraint = "u"
    /// A `PRIMARY KEY` constraint.
    case primaryKey = "pk"
  }

  public let name: String
  public let isUnique: Bool
  public let origin: Origin
  public let isPartial: Bool
  /// The key's columns; `nil` for one that is an expression.
  public let columns: [String?]
}

/// A reference from columns of one table to columns of another.
public struct ForeignKeySchema: Hashable, Sendable {
  /// Which of the table's references it is.
  public let id: Int
  public let columns: [String]
  public let parentTable: String
  /// Empty where the parent's primary key is meant.
  public let parentColumns: [String]
  public let onUpdate: String
  public let onDelete: String
}

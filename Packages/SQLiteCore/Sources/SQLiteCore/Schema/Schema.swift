public import Primitives

/// The schema of a table, a view, or a virtual table.
public struct TableSchema: Hashable, Sendable {
  /// The kind of a table.
  public enum Kind: String, Hashable, Sendable {
    case table
    case view
    /// A table that a module provides, such as full-text search.
    case virtual
    /// A table in which a virtual table stores its data.
    case shadow
  }

  /// The table's name and schema.
  public let name: TableName
  /// The table's kind.
  public let kind: Kind
  /// The columns, in order.
  public let columns: [Column]
  /// Indicates whether the table is `WITHOUT ROWID`.
  public let isWithoutRowID: Bool
  /// Indicates whether the table is `STRICT`.
  public let isStrict: Bool
  /// The column that is an alias of the rowid, or `nil` if there is none.
  ///
  /// This is the only column of the primary key, declared with exactly the type `INTEGER`, in any case. `INT` does not
  /// make a column an alias, nor does `INTEGER PRIMARY KEY DESC`, a historical bug of SQLite; a table constraint
  /// `PRIMARY KEY (id DESC)` does. Tables `WITHOUT ROWID` have no such column.
  /// https://sqlite.org/lang_createtable.html#rowid
  ///
  /// Views and virtual tables do not have one.
  public let rowIDColumn: String?
  /// The statement that created the table.
  public let sql: String?

  /// The module of a virtual table with its arguments, or `nil` for other tables.
  public var module: VirtualTableModule? { sql.flatMap(VirtualTableModule.init(sql:)) }

  /// The `CHECK`, `UNIQUE`, `PRIMARY KEY` and foreign key constraints, in the order of the statement: first the column
  /// constraints, then the table constraints.
  ///
  /// - Complexity: The statement is parsed at each call.
  public var constraints: [Constraint] {
    sql.flatMap { TableDefinition($0) }?.constraints ?? []
  }

  /// Returns the column with a name, ignoring the case of ASCII letters, or `nil` if there is none.
  public func column(named name: String) -> Column? {
    columns.first { $0.name.isEqualIgnoringASCIICase(name) }
  }

  /// The primary key's columns in the key's order, or empty if no key is declared.
  public var primaryKey: [Column] {
    columns.filter { $0.primaryKeyPosition != nil }
      .sorted { ($0.primaryKeyPosition ?? 0) < ($1.primaryKeyPosition ?? 0) }
  }
}

extension TableSchema {
  /// A column of a table or view.
  public struct Column: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
      case stored
      /// A hidden column, which is not part of `SELECT *`: a parameter of a virtual table.
      case hidden
      /// A generated column that is computed when it is read.
      case virtualGenerated
      /// A generated column that is computed when the row is written.
      case storedGenerated
    }

    public let name: String
    /// The declared type, or empty if there is none.
    public let declaredType: String
    /// Indicates whether the column is declared `NOT NULL`.
    public let isNotNull: Bool
    /// The default, as an SQL expression.
    public let defaultSQL: String?
    /// The position in the primary key, counted from 1.
    public let primaryKeyPosition: Int?
    public let kind: Kind
    /// The collation: `BINARY` by default, or `nil` for a view's column.
    public let collation: String?
    /// Indicates whether the column is declared `INTEGER PRIMARY KEY AUTOINCREMENT`.
    public let isAutoincrement: Bool
    /// The SQL expression of a generated column.
    public let generatedSQL: String?

    /// The column's type affinity, derived from its declared type.
    ///
    /// In a `STRICT` table, the type `ANY` prevents any conversion instead.
    public var affinity: ColumnAffinity { ColumnAffinity(declaredType: declaredType) }
  }
}

extension TableSchema {
  /// A constraint of a table.
  public struct Constraint: Hashable, Sendable {
    public enum Kind: Hashable, Sendable { case primaryKey, unique, check, foreignKey }

    public let kind: Kind
    /// The name in the `CONSTRAINT` clause.
    public let name: String?
    /// The columns that the constraint names, or the column of a column constraint.
    public let columns: [String]
    /// The constraint's SQL in the table's statement, without its name.
    public let sql: String
    var isDeferred: Bool
    var isDeferrable: Bool

    /// The name in a foreign key's `MATCH` clause.
    var match: String? {
      let tokens = SQLTokens(sql)
      let place = (0..<tokens.count).first { tokens.is($0, "MATCH") }
      return place.map { tokens.name($0 + 1).uppercased() }
    }
  }
}

extension TableSchema {
  /// An index of a table.
  public struct Index: Hashable, Sendable {
    public enum Origin: String, Hashable, Sendable {
      /// A `CREATE INDEX` statement.
      case statement = "c"
      /// A `UNIQUE` constraint.
      case uniqueConstraint = "u"
      /// A `PRIMARY KEY` constraint.
      case primaryKey = "pk"
    }

    public let name: String
    /// Indicates whether the index is unique.
    public let isUnique: Bool
    /// The origin of the index.
    public let origin: Origin
    /// Indicates whether the index is partial: see ``whereSQL``.
    public let isPartial: Bool
    /// The key's columns, with `nil` for an expression.
    public let columns: [String?]
    /// The table that the index belongs to.
    public let table: String
    /// The key's columns and expressions, with their order and collation.
    public let keys: [Key]
    /// The condition of a partial index, as an SQL expression.
    public let whereSQL: String?
    /// The statement that created the index, or `nil` for the index of a constraint.
    public let sql: String?

    /// A column or expression of an index's key.
    public struct Key: Hashable, Sendable {
      /// The column, or `nil` for an expression.
      public let column: String?
      /// The SQL of the expression, or `nil` for a column or if the index has no statement.
      public let expressionSQL: String?
      /// The collation, such as `BINARY`.
      public let collation: String
      /// Indicates whether the order is descending.
      public let isDescending: Bool
    }
  }
}

extension TableSchema {
  /// A foreign key.
  public struct ForeignKey: Hashable, Sendable {
    /// SQLite's identifier of the foreign key, unique in the table.
    public let id: Int
    public let columns: [String]
    /// The referenced table.
    public let parentTable: String
    /// The referenced columns, or empty for the parent's primary key.
    public let parentColumns: [String]
    /// The action when the parent's key changes: `CASCADE`, `NO ACTION` and so on.
    public let onUpdate: String
    /// The action when the parent's row is deleted.
    public let onDelete: String
    /// The name in the `MATCH` clause, which SQLite parses but ignores, or `NONE` if there is none.
    public let match: String
    /// Indicates whether the check can be deferred to the commit.
    public let isDeferrable: Bool
    /// Indicates whether the check is deferred by default.
    public let isDeferred: Bool
  }
}

extension TableSchema {
  /// Returns a column's definition in the table's statement, or `nil` if there is no such column.
  ///
  /// - Complexity: The statement is parsed at each call.
  public func columnDefinition(_ name: String) -> String? {
    sql.flatMap { TableDefinition($0) }?.column(name)?.sql
  }
}

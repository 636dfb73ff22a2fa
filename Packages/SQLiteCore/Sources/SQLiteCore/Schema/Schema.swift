public import Primitives

/// A table, a view, or a virtual table, as the database describes it.
public struct TableSchema: Hashable, Sendable {
  /// What holds a table's rows.
  public enum Kind: String, Hashable, Sendable {
    case table
    case view
    /// A table that a module provides: full-text search, say.
    case virtual
    /// A table in which a virtual table keeps its data.
    case shadow
  }

  /// Its name, and the database that it is in.
  public let name: TableName
  /// What holds its rows.
  public let kind: Kind
  /// Its columns, in their order.
  public let columns: [Column]
  /// Whether it is `WITHOUT ROWID`.
  public let isWithoutRowID: Bool
  /// Whether it is `STRICT`.
  public let isStrict: Bool
  /// The column that is the rowid by another name, and so the number of each row; `nil` where none is.
  ///
  /// It is the only column of the primary key, declared as `INTEGER`, in whatever case, and as nothing else. `INT` makes none,
  /// nor does a table `WITHOUT ROWID`, nor `INTEGER PRIMARY KEY DESC`, for reasons of SQLite's past; a constraint of the table
  /// that says `PRIMARY KEY (id DESC)` does. https://sqlite.org/lang_createtable.html#rowid
  ///
  /// Views and virtual tables have none.
  public let rowIDColumn: String?
  /// The statement that made it.
  public let sql: String?

  /// The module of a virtual table, and what it was given; `nil` for any other table.
  public var module: VirtualTableModule? { sql.flatMap(VirtualTableModule.init(sql:)) }

  /// What `CHECK`, `UNIQUE`, `PRIMARY KEY` and references demand, in the order of the statement:
  /// first the columns' own, then the table's.
  ///
  /// - Complexity: The statement is taken apart at each call.
  public var constraints: [Constraint] {
    sql.flatMap { TableDefinition($0) }?.constraints ?? []
  }

  /// The column of a name, in which letters of ASCII may differ in case; `nil` if there is none.
  public func column(named name: String) -> Column? {
    columns.first { $0.name.isEqualIgnoringASCIICase(name) }
  }

  /// The primary key's columns, in the key's order; empty where none is declared.
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
    /// Whether it is declared `NOT NULL`.
    public let isNotNull: Bool
    /// The default, as an SQL expression.
    public let defaultSQL: String?
    /// Its place in the primary key, counting from 1.
    public let primaryKeyPosition: Int?
    public let kind: Kind
    /// How its texts are compared: `BINARY` where nothing else is declared; `nil` for a view's column.
    public let collation: String?
    /// Whether it is an `INTEGER PRIMARY KEY AUTOINCREMENT`.
    public let isAutoincrement: Bool
    /// What a generated column is computed from, as an SQL expression.
    public let generatedSQL: String?

    /// What SQLite makes of the values that are stored in the column, by its declared type.
    ///
    /// In a `STRICT` table, the type `ANY` means instead that nothing is converted.
    public var affinity: ColumnAffinity { ColumnAffinity(declaredType: declaredType) }
  }
}

extension TableSchema {
  /// What a table demands of its rows.
  public struct Constraint: Hashable, Sendable {
    public enum Kind: Hashable, Sendable { case primaryKey, unique, check, foreignKey }

    public let kind: Kind
    /// What `CONSTRAINT` called it.
    public let name: String?
    /// The columns that it names; the column that it belongs to where it is a column's own.
    public let columns: [String]
    /// Its text in the table's statement, without its name.
    public let sql: String
    var isDeferred: Bool
    var isDeferrable: Bool

    /// What a reference's `MATCH` says.
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
      /// `CREATE INDEX`.
      case statement = "c"
      /// A `UNIQUE` constraint.
      case uniqueConstraint = "u"
      /// A `PRIMARY KEY` constraint.
      case primaryKey = "pk"
    }

    public let name: String
    /// Whether a key may stand in one row alone.
    public let isUnique: Bool
    /// What made it.
    public let origin: Origin
    /// Whether it holds some rows alone: see ``whereSQL``.
    public let isPartial: Bool
    /// The key's columns; `nil` for one that is an expression.
    public let columns: [String?]
    /// The table that it belongs to.
    public let table: String
    /// The key's parts, with the order and the collation of each.
    public let keys: [Key]
    /// Which rows a partial index holds, as an SQL expression.
    public let whereSQL: String?
    /// The statement that made it; `nil` for the index of a constraint.
    public let sql: String?

    /// One part of an index's key.
    public struct Key: Hashable, Sendable {
      /// The column; `nil` for an expression.
      public let column: String?
      /// The expression as SQL; `nil` for a column, and where the index has no statement.
      public let expressionSQL: String?
      /// How texts are compared: `BINARY`, say.
      public let collation: String
      /// Whether the highest comes first.
      public let isDescending: Bool
    }
  }
}

extension TableSchema {
  /// A reference from columns of one table to columns of another.
  public struct ForeignKey: Hashable, Sendable {
    /// Which of the table's references it is.
    public let id: Int
    public let columns: [String]
    /// The table that is referred to.
    public let parentTable: String
    /// Empty where the parent's primary key is meant.
    public let parentColumns: [String]
    /// What happens as the parent's key changes: `CASCADE`, `NO ACTION` and so on.
    public let onUpdate: String
    /// What happens as the parent's row is deleted.
    public let onDelete: String
    /// What `MATCH` says, which SQLite reads and ignores; `NONE` where nothing is said.
    public let match: String
    /// Whether the check may wait until the transaction commits.
    public let isDeferrable: Bool
    /// Whether it waits until then unless told otherwise.
    public let isDeferred: Bool
  }
}

extension TableSchema {
  /// The text that declares a column in the statement that made the table; `nil` where it has no such column.
  ///
  /// - Complexity: The statement is taken apart at each call.
  public func columnDefinition(_ name: String) -> String? {
    sql.flatMap { TableDefinition($0) }?.column(name)?.sql
  }
}

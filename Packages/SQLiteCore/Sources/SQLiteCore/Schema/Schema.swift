public import Primitives

/// The schema of a table, view or virtual table: its columns, keys and indexes.
///
/// ``Connection/table(_:in:)`` reads a table's schema from a database. A schema can also be declared in code, to build
/// the statements that write the table's rows:
///
/// ```swift
/// let book = TableSchema(
///   name: "book",
///   columns: [
///     TableSchema.Column("id", "INTEGER", primaryKeyPosition: 1),
///     TableSchema.Column("title", "TEXT", isNotNull: true),
///   ])
/// try connection.run(book.insertSQL, 1, "Dune")
/// ```
public struct TableSchema: Hashable, Sendable {
  /// The kind of table, which determines how its rows are stored.
  public enum Kind: String, Hashable, Sendable {
    case table
    case view
    /// A table that a module implements, such as an FTS5 table.
    case virtual
    /// A table in which a virtual table stores its data.
    case shadow
  }

  /// The table's name and the schema that contains it.
  public let name: TableName
  /// The table's kind.
  public let kind: Kind
  /// The columns, in table order.
  public let columns: [Column]
  /// The primary key's columns, in key order; empty if the table declares no primary key.
  public let primaryKey: [Column]
  /// The foreign keys, in declaration order.
  public let foreignKeys: [ForeignKey]
  /// The indexes, including the indexes of constraints, sorted by name.
  public let indexes: [Index]
  /// A Boolean value that indicates whether the table is `WITHOUT ROWID`.
  public let isWithoutRowID: Bool
  /// A Boolean value that indicates whether the table is `STRICT`.
  public let isStrict: Bool
  /// The column that is an alias of the rowid; `nil` if there is no such column.
  ///
  /// The alias is the only column of the primary key, and its declared type is exactly `INTEGER`, in either case. A
  /// column of type `INT` is not an alias, nor is a column of a `WITHOUT ROWID` table. For historical reasons, a column
  /// declared as `INTEGER PRIMARY KEY DESC` is not an alias either, but the table constraint `PRIMARY KEY (id DESC)`
  /// makes one. See https://sqlite.org/lang_createtable.html#rowid
  ///
  /// `nil` for views and virtual tables.
  public let rowIDColumn: String?
  /// The statement that created the table; `nil` if the schema was declared in code without it.
  public let sql: String?

  /// Creates a table's schema from its parts.
  ///
  /// The primary key and ``rowIDColumn`` are derived from the columns' ``Column/primaryKeyPosition``. A schema that is
  /// read from a database has an index for each key other than the rowid. A declared schema may omit the indexes.
  ///
  /// - Parameters:
  ///   - name: The table's name and schema.
  ///   - kind: The table's kind.
  ///   - columns: The columns, in table order. Their names must be distinct: see ``duplicateColumnName``.
  ///   - foreignKeys: The table's foreign keys.
  ///   - indexes: The table's indexes.
  ///   - isWithoutRowID: Whether the table is `WITHOUT ROWID`.
  ///   - isStrict: Whether the table is `STRICT`.
  ///   - sql: The statement that creates the table.
  public init(
    name: TableName, kind: Kind = .table, columns: [Column], foreignKeys: [ForeignKey] = [],
    indexes: [Index] = [], isWithoutRowID: Bool = false, isStrict: Bool = false, sql: String? = nil
  ) {
    self.name = name
    self.kind = kind
    self.columns = columns
    self.foreignKeys = foreignKeys
    self.indexes = indexes
    self.isWithoutRowID = isWithoutRowID
    self.isStrict = isStrict
    self.sql = sql
    primaryKey = columns.filter { $0.primaryKeyPosition != nil }
      .sorted { ($0.primaryKeyPosition ?? 0) < ($1.primaryKeyPosition ?? 0) }
    // A key other than the rowid has an index, including the key of INTEGER PRIMARY KEY DESC.
    let isRowID =
      (kind == .table || kind == .shadow) && !isWithoutRowID && primaryKey.count == 1
      && primaryKey[0].declaredType.isEqualIgnoringASCIICase("INTEGER")
      && !indexes.contains { $0.origin == .primaryKey }
    rowIDColumn = isRowID ? primaryKey[0].name : nil
  }

  /// A virtual table's module and its arguments; `nil` for other tables.
  public var module: VirtualTableModule? { sql.flatMap(VirtualTableModule.init(sql:)) }

  /// The `CHECK`, `UNIQUE`, `PRIMARY KEY` and foreign key constraints, in statement order: first the column
  /// constraints, then the table constraints. Empty if ``sql`` is `nil`.
  ///
  /// - Complexity: Parses the statement each time.
  public var constraints: [Constraint] {
    sql.flatMap { TableDefinition($0) }?.constraints ?? []
  }

  /// Returns the column with a name, ignoring ASCII case; `nil` if there is no such column.
  public func column(named name: String) -> Column? {
    columns.first { $0.name.isEqualIgnoringASCIICase(name) }
  }
}

extension TableSchema {
  /// A column of a table or view.
  public struct Column: Hashable, Sendable {
    /// The kind of column.
    public enum Kind: Hashable, Sendable {
      case stored
      /// A virtual table's hidden column, which `SELECT *` omits.
      case hidden
      /// A generated column that is computed when it is read.
      case virtualGenerated
      /// A generated column that is computed when the row is written.
      case storedGenerated
    }

    public let name: String
    /// The declared type; empty if none is declared.
    public let declaredType: String
    /// A Boolean value that indicates whether the column is declared `NOT NULL`.
    public let isNotNull: Bool
    /// The default value, as an SQL expression; `nil` if none is declared.
    public let defaultSQL: String?
    /// The column's position in the primary key, counting from 1; `nil` if the column is not part of the key.
    public let primaryKeyPosition: Int?
    public let kind: Kind
    /// The collation that compares the column's text values: `BINARY` unless another is declared; `nil` for a view's
    /// column.
    public let collation: String?
    /// A Boolean value that indicates whether the column is an `INTEGER PRIMARY KEY AUTOINCREMENT`.
    public let isAutoincrement: Bool
    /// The SQL expression of a generated column; `nil` for other columns.
    public let generatedSQL: String?

    /// Creates a column from its parts.
    ///
    /// - Parameters:
    ///   - name: The column's name.
    ///   - declaredType: The declared type.
    ///   - isNotNull: Whether the column is declared `NOT NULL`.
    ///   - defaultSQL: The default value, as an SQL expression.
    ///   - primaryKeyPosition: The column's position in the primary key, counting from 1.
    ///   - kind: The column's kind: stored, hidden or generated.
    ///   - collation: The collation that compares the column's text values.
    ///   - isAutoincrement: Whether the column is an `INTEGER PRIMARY KEY AUTOINCREMENT`.
    ///   - generatedSQL: The SQL expression of a generated column.
    public init(
      _ name: String, _ declaredType: String = "", isNotNull: Bool = false,
      defaultSQL: String? = nil, primaryKeyPosition: Int? = nil, kind: Kind = .stored,
      collation: String? = "BINARY", isAutoincrement: Bool = false, generatedSQL: String? = nil
    ) {
      self.name = name
      self.declaredType = declaredType
      self.isNotNull = isNotNull
      self.defaultSQL = defaultSQL
      self.primaryKeyPosition = primaryKeyPosition
      self.kind = kind
      self.collation = collation
      self.isAutoincrement = isAutoincrement
      self.generatedSQL = generatedSQL
    }

    /// The affinity of the declared type, which determines how SQLite converts stored values.
    ///
    /// The type `ANY` of a `STRICT` table is an exception: its values are not converted.
    public var affinity: ColumnAffinity { ColumnAffinity(declaredType: declaredType) }
  }
}

extension TableSchema {
  /// A `CHECK`, `UNIQUE`, `PRIMARY KEY` or foreign key constraint.
  public struct Constraint: Hashable, Sendable {
    /// The kind of constraint.
    public enum Kind: Hashable, Sendable { case primaryKey, unique, check, foreignKey }

    public let kind: Kind
    /// The name in the `CONSTRAINT` clause; `nil` if there is none.
    public let name: String?
    /// The columns of a table constraint, or the column of a column constraint. Empty for a table's `CHECK`.
    public let columns: [String]
    /// The constraint's SQL in the table's statement, without the `CONSTRAINT` clause.
    public let sql: String
    var isDeferred: Bool
    var isDeferrable: Bool

    /// The name in a foreign key's `MATCH` clause, in upper case.
    var match: String? {
      let tokens = SQLTokens(sql)
      let index = (0..<tokens.count).first { tokens.is($0, "MATCH") }
      return index.map { tokens.name($0 + 1).uppercased() }
    }
  }
}

extension TableSchema {
  /// An index of a table.
  public struct Index: Hashable, Sendable {
    /// The declaration that created an index.
    public enum Origin: String, Hashable, Sendable {
      /// A `CREATE INDEX` statement.
      case statement = "c"
      /// A `UNIQUE` constraint.
      case uniqueConstraint = "u"
      /// A `PRIMARY KEY` constraint.
      case primaryKey = "pk"
    }

    public let name: String
    /// A Boolean value that indicates whether rows must have distinct keys.
    public let isUnique: Bool
    /// The statement or constraint that created the index.
    public let origin: Origin
    /// A Boolean value that indicates whether the index contains only some rows: see ``whereSQL``.
    public let isPartial: Bool
    /// The name of the indexed table.
    public let table: String
    /// The terms of the key, each with its order and collation.
    public let keys: [Key]
    /// The `WHERE` clause of a partial index, as an SQL expression.
    public let whereSQL: String?
    /// The statement that created the index; `nil` for a constraint's index.
    public let sql: String?

    /// The key's columns, with `nil` for an expression.
    public var columns: [String?] { keys.map(\.column) }

    /// Creates an index from its parts.
    ///
    /// - Parameters:
    ///   - name: The index's name.
    ///   - table: The name of the indexed table.
    ///   - keys: The terms of the key.
    ///   - isUnique: Whether rows must have distinct keys.
    ///   - origin: The statement or constraint that creates the index.
    ///   - isPartial: Whether the index contains only some rows.
    ///   - whereSQL: The `WHERE` clause of a partial index, as an SQL expression.
    ///   - sql: The statement that creates the index.
    public init(
      name: String, table: String, keys: [Key], isUnique: Bool = false,
      origin: Origin = .statement, isPartial: Bool = false, whereSQL: String? = nil,
      sql: String? = nil
    ) {
      self.name = name
      self.table = table
      self.keys = keys
      self.isUnique = isUnique
      self.origin = origin
      self.isPartial = isPartial
      self.whereSQL = whereSQL
      self.sql = sql
    }

    /// A term of an index's key.
    public struct Key: Hashable, Sendable {
      /// The column; `nil` for an expression.
      public let column: String?
      /// The expression, as SQL; `nil` for a column, and if the index has no statement.
      public let expressionSQL: String?
      /// The collation that compares text values, such as `BINARY`.
      public let collation: String
      /// A Boolean value that indicates whether the term is `DESC`.
      public let isDescending: Bool

      /// Creates a key term from a column or an expression.
      public init(
        column: String?, expressionSQL: String? = nil, collation: String = "BINARY",
        isDescending: Bool = false
      ) {
        self.column = column
        self.expressionSQL = expressionSQL
        self.collation = collation
        self.isDescending = isDescending
      }
    }
  }
}

extension TableSchema {
  /// A foreign key: a reference from a table's columns to a parent table's columns.
  public struct ForeignKey: Hashable, Sendable {
    /// The number of the foreign key in its table.
    public let id: Int
    public let columns: [String]
    /// The referenced table.
    public let parentTable: String
    /// The referenced columns; empty for the parent table's primary key.
    public let parentColumns: [String]
    /// The action when the parent key changes, such as `CASCADE` or `NO ACTION`.
    public let onUpdate: String
    /// The action when the parent row is deleted.
    public let onDelete: String
    /// The name in the `MATCH` clause, which SQLite parses and ignores; `NONE` if there is no such clause.
    public let match: String
    /// A Boolean value that indicates whether the check can be deferred until the transaction commits.
    public let isDeferrable: Bool
    /// A Boolean value that indicates whether the check is deferred by default.
    public let isDeferred: Bool

    /// Creates a foreign key from its parts.
    ///
    /// - Parameters:
    ///   - id: The number of the foreign key in its table.
    ///   - columns: The referencing columns.
    ///   - parentTable: The referenced table.
    ///   - parentColumns: The referenced columns; empty for the parent table's primary key.
    ///   - onUpdate: The action when the parent key changes.
    ///   - onDelete: The action when the parent row is deleted.
    ///   - match: The name in the `MATCH` clause.
    ///   - isDeferrable: Whether the check can be deferred until the transaction commits.
    ///   - isDeferred: Whether the check is deferred by default.
    public init(
      id: Int = 0, columns: [String], parentTable: String, parentColumns: [String] = [],
      onUpdate: String = "NO ACTION", onDelete: String = "NO ACTION", match: String = "NONE",
      isDeferrable: Bool = false, isDeferred: Bool = false
    ) {
      self.id = id
      self.columns = columns
      self.parentTable = parentTable
      self.parentColumns = parentColumns
      self.onUpdate = onUpdate
      self.onDelete = onDelete
      self.match = match
      self.isDeferrable = isDeferrable
      self.isDeferred = isDeferred
    }
  }
}

extension TableSchema {
  /// Returns a column's definition in the statement that created the table; `nil` if there is no such column or
  /// statement.
  ///
  /// - Complexity: Parses the statement each time.
  public func columnDefinition(_ name: String) -> String? {
    sql.flatMap { TableDefinition($0) }?.column(name)?.sql
  }
}

public import Primitives

/// A table, a view, or a virtual table: its columns, its keys and its indexes.
///
/// ``Connection/table(_:in:)`` reads it from a database. A table can also be declared, for the statements that write its rows:
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
  /// The primary key's columns, in the key's order; empty if none is declared.
  public let primaryKey: [Column]
  /// The references that it declares, in the order of their declaration.
  public let foreignKeys: [ForeignKey]
  /// Its indexes, those of its constraints among them, sorted by name.
  public let indexes: [Index]
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

  /// Creates a table's metadata from its parts.
  ///
  /// The primary key and ``rowIDColumn`` follow from the columns' ``Column/primaryKeyPosition``. A table that is read from a database
  /// has an index for each key that is not the rowid; the indexes of a declared one may be left out.
  ///
  /// - Parameters:
  ///   - name: The table's name, and the database that it is in.
  ///   - kind: What holds its rows.
  ///   - columns: Its columns, in their order. No two have the same name: see ``duplicateColumnName``.
  ///   - foreignKeys: The references that it declares.
  ///   - indexes: Its indexes.
  ///   - isWithoutRowID: Whether it is `WITHOUT ROWID`.
  ///   - isStrict: Whether it is `STRICT`.
  ///   - sql: The statement that made it.
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
    // Any other key has an index, the key of INTEGER PRIMARY KEY DESC among them.
    let isRowID =
      (kind == .table || kind == .shadow) && !isWithoutRowID && primaryKey.count == 1
      && primaryKey[0].declaredType.isEqualIgnoringASCIICase("INTEGER")
      && !indexes.contains { $0.origin == .primaryKey }
    rowIDColumn = isRowID ? primaryKey[0].name : nil
  }

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

    /// Creates a column's metadata from its parts.
    ///
    /// - Parameters:
    ///   - name: The column's name.
    ///   - declaredType: The type as it is declared.
    ///   - isNotNull: Whether it is declared `NOT NULL`.
    ///   - defaultSQL: The default, as an SQL expression.
    ///   - primaryKeyPosition: The column's place in the primary key, counting from 1.
    ///   - kind: Whether its values are stored or computed.
    ///   - collation: The collation that compares its texts.
    ///   - isAutoincrement: Whether it is an `INTEGER PRIMARY KEY AUTOINCREMENT`.
    ///   - generatedSQL: The expression that a generated column is computed from.
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
    /// The table that it belongs to.
    public let table: String
    /// The key's parts, with the order and the collation of each.
    public let keys: [Key]
    /// Which rows a partial index holds, as an SQL expression.
    public let whereSQL: String?
    /// The statement that made it; `nil` for the index of a constraint.
    public let sql: String?

    /// The key's columns; `nil` for one that is an expression.
    public var columns: [String?] { keys.map(\.column) }

    /// Creates an index's metadata from its parts.
    ///
    /// - Parameters:
    ///   - name: The index's name.
    ///   - table: The table that it belongs to.
    ///   - keys: The key's parts.
    ///   - isUnique: Whether no two rows may have the same key.
    ///   - origin: What made it.
    ///   - isPartial: Whether it holds only some rows.
    ///   - whereSQL: Which rows a partial index holds, as an SQL expression.
    ///   - sql: The statement that made it.
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

      /// Creates a part of a key: a column, or an expression.
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

    /// Creates a reference's metadata from its parts.
    ///
    /// - Parameters:
    ///   - id: The reference's number among those of its table.
    ///   - columns: The columns that refer to the other table.
    ///   - parentTable: The table that is referred to.
    ///   - parentColumns: The columns that are referred to; empty for the parent's primary key.
    ///   - onUpdate: What happens if the parent's key changes.
    ///   - onDelete: What happens if the parent's row is deleted.
    ///   - match: What `MATCH` says.
    ///   - isDeferrable: Whether the check may wait until the transaction commits.
    ///   - isDeferred: Whether it does by default.
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
  /// The text that declares a column in the statement that made the table; `nil` where it has no such column.
  ///
  /// - Complexity: The statement is taken apart at each call.
  public func columnDefinition(_ name: String) -> String? {
    sql.flatMap { TableDefinition($0) }?.column(name)?.sql
  }
}

internal import QueryModel
internal import SQLSyntax

/// A table, view, virtual table, table-valued function or system table.
struct Table: Sendable {
  /// The name in the spelling of the table's definition.
  var name: String
  /// The table's schema: `main`, `temp` or an attached database.
  var database: NameKey
  var kind: Kind
  /// All columns in order, including hidden ones.
  var columns: [Column]
  /// The definitions of the columns that `ALTER TABLE` has added to the statement of ``kind``.
  var addedColumns: [String] = []
  /// The indices of the primary key's columns, in key order.
  var primaryKey: [Int] = []
  /// The index of the column that is an alias for the rowid: `INTEGER PRIMARY KEY`.
  var rowIDAlias: Int?
  /// Indicates whether rows have a rowid that can be named.
  var hasRowID = true
  var isStrict = false
  var isAutoincrement = false
  /// Indicates whether a constraint has `ON CONFLICT IGNORE`, so that an insert may skip rows.
  var ignoresConflicts = false
  /// Indicates whether statements may modify the table's rows.
  var isWritable = true
  /// The unique keys, apart from the rowid.
  var keys: [UniqueKey] = []
  var foreignKeys: [ForeignKey] = []
  var documentation: String?

  enum Kind: Sendable {
    case table(StoredStatement<CreateTable>)
    case view(StoredStatement<CreateView>)
    /// A virtual table and its module's name, in lowercase.
    case virtual(module: String, StoredStatement<CreateVirtualTable>)
    /// A system table, such as `sqlite_schema`.
    case system
    /// A shadow table, in which a virtual table stores its data.
    case shadow
    /// A table-valued function. Its hidden columns are its arguments.
    case function(maximumArguments: Int)
  }

  var isView: Bool {
    if case .view = kind { true } else { false }
  }

  var isVirtual: Bool {
    switch kind {
    case .virtual, .function: true
    case .table, .view, .system, .shadow: false
    }
  }

  /// Indicates whether the table is a full-text index, whose columns typically contain only text.
  var isFullText: Bool {
    if case .virtual(let module, _) = kind { module.hasPrefix("fts") } else { false }
  }

  /// Indicates whether the schema defines the table, so that generated code has a row type for it.
  var isInSchema: Bool {
    switch kind {
    case .table, .view, .virtual: true
    case .system, .shadow, .function: false
    }
  }

  var isWithoutRowID: Bool {
    if case .table = kind { !hasRowID } else { false }
  }

  /// The columns of `SELECT *`.
  var visibleColumns: [Column] { columns.filter { !$0.isHidden } }

  func index(of name: NameKey) -> Int? { columns.firstIndex { $0.key == name } }
}

/// A column of a table.
struct Column: Sendable {
  var name: String
  /// The name in the form used for comparison.
  var key: NameKey
  /// The declared type; empty if there is none.
  var declaredType: String
  var affinity: Affinity
  var type: ValueType
  /// Indicates whether the column never contains `NULL`.
  var isNotNull: Bool
  var collation = "BINARY"
  var isHidden = false
  var isGenerated = false
  /// Indicates whether the generated column depends on itself, so that rows can be neither read nor
  /// written.
  var isInGeneratedColumnLoop = false
  /// Indicates whether the column has a default value other than `NULL`.
  var hasDefault = false
  /// An unknown function called by the default value. Storing the default is an error.
  var unknownDefaultFunction: String?
  var documentation: String?
  /// The column's Swift type, set by a comment.
  var annotation: ColumnAnnotation?
  /// The values that a `CHECK` constraint lists, if any.
  var allowed: AllowedValues?

  init(
    _ name: String, declaredType: String = "", affinity: Affinity? = nil, type: ValueType? = nil,
    isNotNull: Bool = false, isHidden: Bool = false
  ) {
    self.name = name
    key = NameKey(name)
    self.declaredType = declaredType
    self.affinity = affinity ?? Affinity(declaredType: declaredType)
    self.type = type ?? ValueType(declaredType: declaredType)
    self.isNotNull = isNotNull
    self.isHidden = isHidden
  }
}

extension Column {
  /// Creates a column of a declared module's tables.
  init(_ declared: ModuleDefinition.Column) {
    let column = declared.column
    self.init(
      column.name, declaredType: column.declaredType ?? "", type: column.type,
      isNotNull: !column.isNullable, isHidden: declared.isHidden)
    annotation = column.annotation
    documentation = column.documentation
  }
}

/// A unique key: a primary key, a `UNIQUE` constraint or a unique index.
struct UniqueKey: Sendable {
  struct Part: Sendable {
    /// The index of the column; `nil` for an expression.
    var column: Int?
    var collation: String
    /// The indexed expression, unless a column is indexed.
    var expression: Expression?
  }

  var parts: [Part]
  var isPrimary = false
  /// The condition of a partial index.
  var condition: Expression?
  /// The name of the index that enforces the key, if `CREATE INDEX` created one.
  var index: NameKey?
}

/// A foreign key.
struct ForeignKey: Sendable {
  var columns: [NameKey]
  /// The parent table, in the same schema.
  var parent: NameKey
  /// The parent columns; empty for the parent's primary key.
  var parentColumns: [NameKey]
}

/// A statement stored in the schema, with the text that its spans refer to.
///
/// A class, because a table is copied into each source of a statement and its definition is many
/// times its own size. All copies share the immutable definition.
final class StoredStatement<Node: Sendable>: Sendable {
  let node: Node
  let source: SourceText

  init(node: Node, source: SourceText) {
    self.node = node
    self.source = source
  }
}

/// An index.
struct Index: Sendable {
  var name: String
  var table: NameKey
  /// The definition; `nil` for the index of a constraint.
  var definition: StoredStatement<CreateIndex>?
}

/// A trigger.
struct Trigger: Sendable {
  var name: String
  /// The table whose changes fire the trigger, and that table's schema.
  var table: NameKey
  var database: NameKey
  /// The schema that contains the trigger: the table's schema or `temp`.
  let home: NameKey
  var definition: StoredStatement<CreateTrigger>
}

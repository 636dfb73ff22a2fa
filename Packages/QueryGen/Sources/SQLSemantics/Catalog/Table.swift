internal import QueryModel
internal import SQLSyntax

/// What a name in a `FROM` clause can stand for: a table, a view, a virtual table, or one of
/// SQLite's own.
struct Table: Sendable {
  /// The name as it was written when the table was made.
  var name: String
  /// The schema it is in: `main`, `temp` or an attached one.
  var database: NameKey
  var kind: Kind
  /// All columns, hidden ones too, in order.
  var columns: [Column]
  /// The columns of the primary key, in key order.
  var primaryKey: [Int] = []
  /// The column that is another name for the rowid: `INTEGER PRIMARY KEY`.
  var rowIDAlias: Int?
  /// Whether rows have a rowid that can be named.
  var hasRowID = true
  var isStrict = false
  var isAutoincrement = false
  /// Whether a constraint says `ON CONFLICT IGNORE`, so that an insert may do nothing.
  var ignoresConflicts = false
  /// Whether statements may change its rows.
  var isWritable = true
  /// What no two rows have in common, apart from the rowid.
  var keys: [UniqueKey] = []
  var foreignKeys: [ForeignKey] = []
  var documentation: String?

  enum Kind: Sendable {
    case table(StoredStatement<CreateTable>)
    case view(StoredStatement<CreateView>)
    /// A virtual table and its module's name, in lower case.
    case virtual(module: String, StoredStatement<CreateVirtualTable>)
    /// `sqlite_schema` and the like.
    case system
    /// A table in which a virtual table keeps its rows.
    case shadow
    /// A table that is also a function; its hidden columns are the arguments.
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

  /// Whether it is a full-text index, whose columns people fill with text alone.
  var isFullText: Bool {
    if case .virtual(let module, _) = kind { module.hasPrefix("fts") } else { false }
  }

  /// Whether the schema has it, so that generated code has a type for its rows.
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
  /// The name as it is compared.
  var key: NameKey
  /// The declared type, empty where there is none.
  var declaredType: String
  var affinity: Affinity
  var type: ValueType
  /// Whether no row holds `NULL` here.
  var isNotNull: Bool
  var collation = "BINARY"
  var isHidden = false
  var isGenerated = false
  /// Whether it is generated of itself, so that rows can be neither read nor written.
  var isLoop = false
  /// A function in the default value that SQLite does not have: storing the default is an error.
  var unknownDefaultFunction: String?
  var documentation: String?
  /// What a comment says the column is in the language of the program.
  var annotation: ColumnAnnotation?
  /// The values that a `CHECK` allows, where one lists them.
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

/// Columns of which no two rows have the same values: a primary key, a `UNIQUE` or a unique index.
struct UniqueKey: Sendable {
  struct Part: Sendable {
    /// The column; `nil` for an expression.
    var column: Int?
    var collation: String
    /// What is indexed, where it is no column.
    var expression: Expression?
  }

  var parts: [Part]
  var isPrimary = false
  /// The condition of a partial index, which does not hold for all rows.
  var condition: Expression?
  /// The name of the index that keeps it, where one was created for it.
  var index: NameKey?
}

/// Columns whose values have to be those of a row of another table.
struct ForeignKey: Sendable {
  var columns: [NameKey]
  /// The other table, in the same schema.
  var parent: NameKey
  /// Its columns; empty for its primary key.
  var parentColumns: [NameKey]
}

/// A statement kept by the schema, with the text that its spans refer to.
///
/// It never changes, and all copies of a table share it: a table is copied into each source of a
/// statement, and its definition is many times its size.
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
  /// `nil` for one that a constraint made.
  var definition: StoredStatement<CreateIndex>?
}

/// A trigger.
struct Trigger: Sendable {
  var name: String
  /// The table it watches, and that table's schema.
  var table: NameKey
  var database: NameKey
  var definition: StoredStatement<CreateTrigger>
}

/// One named query: what it takes, what it gives, and what it touches.
public struct QueryDefinition: Hashable, Sendable {
  /// The name that the author gave it.
  public var name: String
  /// The comment above the query, without its markers.
  public var documentation: String?
  /// The statement's text as SQLite is to prepare it, without the name's header.
  ///
  /// Where a parameter is a list, ``ParameterDefinition/listRanges`` says which parts of this text
  /// the values' placeholders replace at run time.
  public var sql: String
  /// The parameters, one for each distinct name or number, in the order of their first use.
  public var parameters: [ParameterDefinition]
  public var result: ResultShape
  public var cardinality: Cardinality
  /// What a statement that gives no rows answers.
  public var change: ChangeAnswer
  /// Whether SQLite would call the statement read-only.
  public var isReadOnly: Bool
  /// The tables and columns that the result depends on, views and triggers seen through; sorted.
  public var reads: [TableAccess]
  /// The tables that the statement writes, triggers not included; sorted.
  public var writes: [String]
  /// The lists that its rows nest, as the comment above the query asks for them.
  public var lists: [NestedList]
  /// What that comment says of columns of the result and of parameters, by their names in lower case;
  /// a parameter's is without its first character.
  public var columnTypes: [String: ColumnAnnotation]
  public var parameterTypes: [String: ColumnAnnotation]

  public init(
    name: String, documentation: String? = nil, sql: String, parameters: [ParameterDefinition],
    result: ResultShape, cardinality: Cardinality, isReadOnly: Bool, reads: [TableAccess],
    writes: [String], change: ChangeAnswer = .rowCount, lists: [NestedList] = [],
    columnTypes: [String: ColumnAnnotation] = [:], parameterTypes: [String: ColumnAnnotation] = [:]
  ) {
    self.name = name
    self.documentation = documentation
    self.sql = sql
    self.parameters = parameters
    self.result = result
    self.cardinality = cardinality
    self.change = change
    self.isReadOnly = isReadOnly
    self.reads = reads
    self.writes = writes
    self.lists = lists
    self.columnTypes = columnTypes
    self.parameterTypes = parameterTypes
  }
}

/// How many rows a query gives.
public enum Cardinality: Hashable, Sendable {
  /// The statement returns no rows; its answer is a ``ChangeAnswer``.
  case none
  /// Exactly one row, always.
  case one
  /// One row or none.
  case optional
  /// Any number of rows.
  case many
}

/// What a statement answers that gives no rows.
public enum ChangeAnswer: Hashable, Sendable {
  /// The number of rows that it changed.
  case rowCount
  /// The key of the row that it inserted last.
  case lastRowID
}

/// What a row of the result is.
public enum ResultShape: Hashable, Sendable {
  /// No columns: the statement is run for its effect.
  case none
  /// Every column of this table or view, in its order: the table's own struct.
  case table(String)
  /// Columns of the query's own. One column is given bare, several as a struct.
  case columns([ColumnDefinition])
  /// Columns of the query's own beside whole tables: `SELECT album.*, artist.*, count(*)`.
  case fields([ResultField])
}

/// A part of a row: one column, or all those of a table.
public enum ResultField: Hashable, Sendable {
  case column(ColumnDefinition)
  case table(EmbeddedTable)

  /// The name as it stands in the query.
  public var name: String {
    switch self {
    case .column(let column): column.name
    case .table(let table): table.name
    }
  }
}

/// All columns of one table or view within a row: what `album.*` stands for.
public struct EmbeddedTable: Hashable, Sendable {
  /// The name before `.*`.
  public var name: String
  /// Whether that is an alias, and not the table's own name.
  public var isAlias: Bool
  /// The table's name as the schema spells it.
  public var table: String
  /// Whether an outer join may have found no row.
  public var isOptional: Bool

  public init(name: String, isAlias: Bool = false, table: String, isOptional: Bool) {
    self.name = name
    self.isAlias = isAlias
    self.table = table
    self.isOptional = isOptional
  }
}

/// A value that the caller supplies.
public struct ParameterDefinition: Hashable, Sendable {
  /// The number that SQLite binds it by, counting from 1.
  public var index: Int
  /// A name for it in camel or snake case: its own, or one derived from its use; unique in its query.
  public var name: String
  public var type: ValueType
  public var isNullable: Bool
  /// For `x IN ?`: how many values there are is known only at run time.
  public var isList: Bool
  /// For a list, the byte ranges in the query's SQL of each of its uses.
  public var listRanges: [Range<Int>]
  /// For any other parameter of a query that has a list, the byte ranges of each of its uses: its
  /// number is written there, since a list's placeholders would shift what a bare `?` counts.
  public var ranges: [Range<Int>]
  /// The columns of tables that its value is compared with or stored in; empty where some use says
  /// something else. Sorted.
  public var origins: [TableColumn]

  public init(
    index: Int, name: String, type: ValueType, isNullable: Bool, isList: Bool = false,
    listRanges: [Range<Int>] = [], ranges: [Range<Int>] = [], origins: [TableColumn] = []
  ) {
    self.index = index
    self.name = name
    self.type = type
    self.isNullable = isNullable
    self.isList = isList
    self.listRanges = listRanges
    self.ranges = ranges
    self.origins = origins
  }
}

/// A table and those of its columns that matter; no columns stand for all of them.
public struct TableAccess: Hashable, Sendable {
  public var table: String
  public var columns: [String]
  /// What holds for every row that matters; `nil` where all rows may.
  public var rows: RowCondition?

  public init(table: String, columns: [String], rows: RowCondition? = nil) {
    self.table = table
    self.columns = columns
    self.rows = rows
  }
}

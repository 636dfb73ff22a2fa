/// A named query: its input, its result, and the tables that it accesses.
///
/// A query of several statements executes them in one transaction. Its result is that of the last
/// one.
public struct QueryDefinition: Hashable, Sendable {
  /// The name in the query file.
  public var name: String
  /// The comment above the query, without its markers.
  public var documentation: String?
  /// The statement's text as SQLite prepares it, without the query's header; or the text of several
  /// statements, from the start of the first to the end of the last.
  ///
  /// If a parameter is a list, ``ParameterDefinition/listRanges`` contains the parts of this text
  /// that are replaced by placeholders at run time. If it supplies the values of an `INSERT`,
  /// ``ParameterDefinition/rowRanges`` contains the placeholders, which are still to be numbered.
  public var sql: String
  /// The byte ranges of the statements in the query's SQL, in execution order; never empty.
  public var statementRanges: [Range<Int>]
  /// The parameters, one for each distinct name or number, in the order of first use. Several
  /// statements share the parameters with the same name.
  public var parameters: [ParameterDefinition]
  public var result: ResultLayout
  public var cardinality: Cardinality
  /// The result of a statement that returns no rows.
  public var change: ChangeResult
  /// A Boolean value that indicates whether all statements are read-only, as SQLite defines it.
  public var isReadOnly: Bool
  /// The tables and columns that the result depends on, directly or through views and triggers;
  /// sorted.
  public var reads: [TableAccess]
  /// The tables that the statements write, except through triggers; sorted.
  public var writes: [String]
  /// The lists that the rows contain, as specified by the comment above the query.
  public var lists: [NestedList]
  /// The types that the comment above the query specifies for result columns and for parameters, by
  /// lowercased name. A parameter's name does not include its prefix character.
  public var columnTypes: [String: ColumnAnnotation]
  public var parameterTypes: [String: ColumnAnnotation]
  /// The clauses with terms that depend on the input; in the order of their starts, so that a clause
  /// precedes those of its subqueries.
  public var dynamicClauses: [DynamicClause]
  /// The object identifiers of the types of the parameters, by number, and of the columns, for an
  /// engine that has them; 0 for a type that a database declares.
  public var parameterTypeIDs: [UInt32] = []
  public var columnTypeIDs: [UInt32] = []

  public init(
    name: String, documentation: String? = nil, sql: String, statementRanges: [Range<Int>] = [],
    parameters: [ParameterDefinition], result: ResultLayout, cardinality: Cardinality,
    isReadOnly: Bool, reads: [TableAccess],
    writes: [String], change: ChangeResult = .rowCount, lists: [NestedList] = [],
    columnTypes: [String: ColumnAnnotation] = [:], parameterTypes: [String: ColumnAnnotation] = [:],
    dynamicClauses: [DynamicClause] = []
  ) {
    self.name = name
    self.documentation = documentation
    self.sql = sql
    self.statementRanges = statementRanges.isEmpty ? [0..<sql.utf8.count] : statementRanges
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
    self.dynamicClauses = dynamicClauses
  }
}

/// The number of rows that a query returns.
public enum Cardinality: Hashable, Sendable {
  /// The statement returns no rows; its result is a ``ChangeResult``.
  case none
  /// Exactly one row.
  case one
  /// At most one row.
  case optional
  /// Any number of rows.
  case many
}

/// The result of a statement that returns no rows.
public enum ChangeResult: Hashable, Sendable {
  /// The number of rows that the statement changed.
  case rowCount
  /// The key of the last row that the statement inserted.
  case lastRowID
}

/// The layout of a result row.
public enum ResultLayout: Hashable, Sendable {
  /// No columns: the statement is run for its effect.
  case none
  /// All columns of this table or view, in order: the table's own struct. The name is as in
  /// ``TableDefinition/name``.
  case table(String)
  /// Columns of the query. A single column is returned as a value, several as a struct.
  case columns([ColumnDefinition])
  /// Columns of the query together with whole tables: `SELECT album.*, artist.*, count(*)`.
  case fields([ResultField])
}

/// A part of a row: one column, or all columns of a table.
public enum ResultField: Hashable, Sendable {
  case column(ColumnDefinition)
  case table(EmbeddedTable)

  /// The name in the query.
  public var name: String {
    switch self {
    case .column(let column): column.name
    case .table(let table): table.name
    }
  }
}

/// All columns of one table or view within a row, as selected by `album.*`.
public struct EmbeddedTable: Hashable, Sendable {
  /// The name before `.*`.
  public var name: String
  /// A Boolean value that indicates whether the name is an alias, rather than the table's own name.
  public var isAlias: Bool
  /// The table's name, as in ``TableDefinition/name``.
  public var table: String
  /// A Boolean value that indicates whether an outer join may find no row of the table.
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
  /// The number that SQLite binds it by, counting from 1. In several statements, it is the number
  /// that SQLite would use if they were one.
  public var index: Int
  /// The parameter's name, or one derived from its use, in camel or snake case; unique in the
  /// query.
  public var name: String
  public var type: ValueType
  public var isNullable: Bool
  /// A Boolean value that indicates whether the parameter is a list, as in `x IN ?` and
  /// `VALUES :rows`. The number of elements is known only at run time.
  public var isList: Bool
  /// For row values, as in `(x, y) IN ?` and `VALUES (:row.*)`, the columns of the parameter or its
  /// elements; empty for any other parameter.
  public var columns: [ElementColumn]
  /// The table whose struct the row is, or the elements are; `nil` if they have a type of their own.
  public var table: String?
  /// For a list in the place of `(?, ?)`, the byte ranges of its uses in the query's SQL.
  public var listRanges: [Range<Int>]
  /// For the values of an `INSERT`, the byte ranges of the placeholders of one row: `(?, ?)`. If the
  /// parameter is a list, the statement is executed for each element.
  public var rowRanges: [Range<Int>]
  /// For any other parameter of a query with a list, the byte ranges of its uses. Its number is
  /// written there, since a list's placeholders would change the numbering of bare `?` parameters.
  public var ranges: [Range<Int>]
  /// The table columns that the value is compared with or stored in; empty if any use does not
  /// involve such a column. Sorted.
  public var origins: [TableColumn]
  /// A Boolean value that indicates whether the statement stores the value in a column, also if it
  /// is `NULL`. Such an argument can't be omitted.
  public var isStored: Bool
  /// The terms of `ORDER BY` that the parameter is a list of, instead of a value; empty for any
  /// other parameter.
  public var orderChoices: [OrderChoice] = []
  /// The values with which the parameter, a condition instead of a value, is composed; empty for any
  /// other parameter.
  public var filterColumns: [FilterColumn] = []
  /// A Boolean value that indicates whether the parameter may be omitted, and terms with it.
  public var isConditional = false

  public init(
    index: Int, name: String, type: ValueType, isNullable: Bool, isList: Bool = false,
    columns: [ElementColumn] = [], table: String? = nil, listRanges: [Range<Int>] = [],
    rowRanges: [Range<Int>] = [], ranges: [Range<Int>] = [],
    origins: [TableColumn] = [], isStored: Bool = false
  ) {
    self.index = index
    self.name = name
    self.type = type
    self.isNullable = isNullable
    self.isList = isList
    self.columns = columns
    self.table = table
    self.rowRanges = rowRanges
    self.listRanges = listRanges
    self.ranges = ranges
    self.origins = origins
    self.isStored = isStored
  }
}

/// A column of a parameter that consists of row values.
public struct ElementColumn: Hashable, Sendable {
  /// The name, unique in the row.
  public var name: String
  public var type: ValueType
  public var isNullable: Bool
  /// The table columns that the value is compared with or stored in.
  public var origins: [TableColumn]
  /// A Boolean value that indicates whether the statement stores the value in a column, also if it
  /// is `NULL`.
  public var isStored: Bool

  public init(
    name: String, type: ValueType, isNullable: Bool, origins: [TableColumn] = [],
    isStored: Bool = false
  ) {
    self.name = name
    self.type = type
    self.isNullable = isNullable
    self.origins = origins
    self.isStored = isStored
  }
}

/// A table and the columns of it that are accessed. An empty list means all columns.
public struct TableAccess: Hashable, Sendable {
  /// The schema, `temp` or that of an attached database; `nil` for `main`.
  public var schema: String?
  public var table: String
  public var columns: [String]
  /// A condition that every accessed row satisfies; `nil` if any row may be accessed.
  public var rows: RowCondition?

  public init(
    schema: String? = nil, table: String, columns: [String], rows: RowCondition? = nil
  ) {
    self.schema = schema
    self.table = table
    self.columns = columns
    self.rows = rows
  }
}

internal import Primitives
internal import QueryModel
internal import SQLSyntax

/// An entry of a `FROM` clause, or a special row such as `NEW` or `excluded`.
struct Source: Sendable {
  let id: SourceID
  /// The qualifier of the columns: the alias, or else the table's name.
  var name: NameKey?
  /// The name in its original spelling.
  var label: String
  /// The table's schema.
  var database: NameKey?
  var columns: [SourceColumn]
  var hasRowID = false
  var rowIDAlias: Int?
  /// Indicates whether an outer join may find no row of the source.
  var isOptional = false
  /// The columns that `USING` or `NATURAL` joins to columns on the left, in order.
  var joined: [JoinedColumn] = []
  /// Indicates whether the source's join preserves unmatched rows of the source: a right or full
  /// join.
  var preservesOwnRows = false
  var preservesLeftRows = false
  /// The sources inside the parentheses of a group; empty for any other source.
  var members: [Source] = []
  /// The details of a group's columns, by index.
  var groupColumns: [GroupColumn] = []
  /// Indicates whether the source has an explicit alias.
  var hasAlias = false
  /// The position in the text at which a subquery without a name can be given one.
  var aliasPosition: ByteOffset?
  /// The table, if the source is one.
  var table: Table?
  /// The columns by which the subquery or view groups, if it returns them.
  var groupKey: [Int]?
  /// The number of tables that the source adds to a join, as for ``ResolvedSelect/tableCount``.
  var tableCount = 1
  /// The select whose rows the source has, as for ``ResolvedSelect/mergedSelect``.
  var mergedSelect: ScopeID?
  /// Indicates whether the source has at most one row.
  var isSingleRow = false
  /// Indicates whether the source is a subquery or view. In SQLite 3.40, it has a rowid that is
  /// always `NULL`, which makes another table's unqualified rowid ambiguous.
  var hasNullRowID = false
  /// Indicates whether the source is `NEW` or `OLD`.
  var isTriggerRow = false
  /// Indicates whether an error was reported for the source, so that its columns are unknown.
  var isUnknown = false

  /// Marks the source and its members as optional.
  mutating func makeOptional() {
    isOptional = true
    for index in members.indices { members[index].makeOptional() }
    for index in groupColumns.indices { groupColumns[index].expression.makeOptional() }
  }

  /// Indicates whether the source is a join in parentheses.
  var isGroup: Bool { !members.isEmpty }

  /// The sources without members in this source, or the source itself.
  var leaves: [Source] { members.isEmpty ? [self] : members.flatMap(\.leaves) }
}

extension [Source] {
  /// The number of tables in a join of the sources without right or full joins. A parenthesized join
  /// is flattened, unless it is optional as a whole.
  var tableCount: Int {
    reduce(0) { $0 + ($1.isOptional ? 1 : $1.leaves.reduce(0) { $0 + $1.tableCount }) }
  }
}

/// A column that `USING` or `NATURAL` joins.
struct JoinedColumn: Sendable {
  let key: NameKey
  /// The name in the spelling of `USING`.
  let text: String
  let span: ByteSpan
}

/// A column of a source.
struct SourceColumn: Sendable {
  var name: String
  var key: NameKey
  var type: ValueType?
  var affinity: Affinity?
  var isNullable: Bool
  var collation: String
  var isHidden = false
  var origin: ColumnOrigin?
  /// The path through selects to the origin, as for ``ResolvedColumn/path``; `nil` for a table's own
  /// column.
  var path: ScanPath?
  var provenance = Provenance.computed
  /// Indicates whether an inserted `NULL` is replaced by a value that SQLite chooses.
  var replacesNull = false
  /// Indicates whether the values may be numbers with a fraction.
  var hasFraction = false
  /// The bound of the values, as for ``TypedExpression/exponentBound``.
  var exponentBound: Int?
  var storage = ColumnStorage.checked
}

extension SourceColumn {
  /// Creates a column of a table.
  init(_ table: Table, _ index: Int) {
    StepCounter.step()
    let column = table.columns[index]
    let origin = ColumnOrigin(database: table.database, table: table.name, column: column.name)
    self.init(
      name: column.name, key: column.key, type: column.type, affinity: column.affinity,
      isNullable: !column.isNotNull, collation: column.collation, isHidden: column.isHidden,
      origin: origin, provenance: .columns([origin]),
      hasFraction: column.type == .real || column.type == .numeric,
      exponentBound: column.type.exponentBound)
    // An INTEGER PRIMARY KEY rejects other values even if the table is not STRICT.
    if case .table = table.kind, !table.isStrict, index != table.rowIDAlias, !column.isGenerated {
      storage = column.annotation == nil ? .plain : .annotated
    }
  }
}

extension Source {
  /// Creates a source from a table.
  init(id: SourceID, table: Table, alias: String?) {
    self.init(
      id: id, name: NameKey(alias ?? table.name), label: alias ?? table.name,
      database: table.database,
      columns: table.columns.indices.map { SourceColumn(table, $0) })
    hasAlias = alias != nil
    hasRowID = table.hasRowID && !table.isView
    rowIDAlias = table.rowIDAlias
    self.table = table
  }

  /// Returns the index of the column with the given name.
  func index(of key: NameKey) -> Int? { columns.firstIndex { $0.key == key } }

  /// Returns whether `USING` or `NATURAL` joins a column to a column on the left.
  func joins(_ key: NameKey) -> Bool { joined.contains { $0.key == key } }

  /// Returns a column of the source as an expression. A negative index is the rowid.
  func expression(_ index: Int, in scope: ScopeID, _ span: ByteSpan) -> TypedExpression {
    var result: TypedExpression
    if isGroup {
      result = groupColumns[index].expression
      result.setGroupName(columns[index].name)
      result.span = span
    } else if index >= 0 {
      let column = columns[index]
      result = TypedExpression(
        kind: .column(resolved(index)), type: column.type, affinity: column.affinity, span: span)
    } else {
      result = TypedExpression(
        kind: .column(resolved(index)), type: .integer, affinity: .integer, span: span)
    }
    result.scopes = [scope]
    return result
  }

  /// Returns a column of the source as part of an expression. A negative index is the rowid.
  func resolved(_ index: Int) -> ResolvedColumn {
    guard index >= 0 else {
      return ResolvedColumn(
        source: id, column: ResolvedColumn.rowID, name: "rowid", isDeclaredNullable: false,
        isOptional: isOptional, collation: "BINARY",
        origin: table.map {
          ColumnOrigin(database: $0.database, table: $0.name, column: "rowid")
        }, exponentBound: ValueType.integer.exponentBound, isTableColumn: table != nil)
    }
    let column = columns[index]
    return ResolvedColumn(
      source: id, column: index, name: column.name, isDeclaredNullable: column.isNullable,
      isOptional: isOptional, collation: column.collation, origin: column.origin,
      path: table == nil || table?.isView == true ? column.path : ScanPath(scan: id),
      provenance: column.provenance, hasFraction: column.hasFraction,
      exponentBound: column.exponentBound,
      isTableColumn: table != nil || isTriggerRow)
  }
}

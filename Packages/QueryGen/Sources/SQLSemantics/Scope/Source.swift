internal import QueryModel

/// One entry of a `FROM` clause, or a row that a statement names, like `NEW` and `excluded`.
struct Source: Sendable {
  let id: SourceID
  /// The name by which columns are qualified: the alias, else the table's name.
  var name: NameKey?
  /// The name as it was written.
  var label: String
  /// The schema that the table is in.
  var database: NameKey?
  var columns: [SourceColumn]
  var hasRowID = false
  var rowIDAlias: Int?
  /// Whether an outer join can leave it without a row.
  var isOptional = false
  /// The columns that `USING` or `NATURAL` joins to those on the left.
  var joined: Set<NameKey> = []
  /// Whether rows of it, or of those on the left, can stand alone in its join.
  var keepsOwnRows = false
  var keepsLeftRows = false
  /// The sources inside parentheses.
  var members: [Source] = []
  /// The table that it is, where it is one.
  var table: Table?
  /// Columns that determine at most one row of it.
  var uniqueColumns: [UniqueKey] = []
  /// Whether it has one row at most.
  var isSingleRow = false
  /// Whether it is a subquery or a view, which SQLite 3.40 gives a rowid that is always `NULL`:
  /// nobody means that one, but another table's rowid is ambiguous beside it.
  var hasEmptyRowID = false
  /// Whether it is `NEW` or `OLD`.
  var isTriggerRow = false
  /// Whether an error was reported about it, so that nothing is known of its columns.
  var isUnknown = false

  /// The columns of `*`, in order, with the source that each belongs to.
  var starColumns: [(source: Source, index: Int)] {
    guard !members.isEmpty else {
      return columns.indices.filter { !columns[$0].isHidden }.map { (self, $0) }
    }
    var result: [(source: Source, index: Int)] = []
    for member in members {
      for entry in member.starColumns
      where !member.joined.contains(entry.source.columns[entry.index].key) {
        result.append(entry)
      }
    }
    return result
  }

  /// Marks the source, and what is inside it, as one that may have no row.
  mutating func makeOptional() {
    isOptional = true
    for index in members.indices { members[index].makeOptional() }
  }

  /// All the sources in it that hold rows.
  var leaves: [Source] { members.isEmpty ? [self] : members.flatMap(\.leaves) }
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
  var provenance = Provenance.computed
}

extension Source {
  /// A table's columns as a source.
  init(id: SourceID, table: Table, alias: String?) {
    self.init(
      id: id, name: NameKey(alias ?? table.name), label: alias ?? table.name,
      database: table.database,
      columns: table.columns.map { column in
        let origin = ColumnOrigin(
          database: table.database, table: table.name, column: column.name)
        return SourceColumn(
          name: column.name, key: column.key, type: column.type, affinity: column.affinity,
          isNullable: !column.isNotNull, collation: column.collation, isHidden: column.isHidden,
          origin: origin, provenance: .columns([origin]))
      })
    hasRowID = table.hasRowID && !table.isView
    rowIDAlias = table.rowIDAlias
    self.table = table
    uniqueColumns = table.keys.filter { $0.condition == nil }
  }

  /// A column of it as an expression's leaf.
  func resolved(_ index: Int) -> ResolvedColumn {
    guard index >= 0 else {
      return ResolvedColumn(
        source: id, column: ResolvedColumn.rowID, name: "rowid", isDeclaredNullable: false,
        isOptional: isOptional, collation: "BINARY",
        origin: table.map {
          ColumnOrigin(database: $0.database, table: $0.name, column: "rowid")
        }, isOfTable: table != nil)
    }
    let column = columns[index]
    return ResolvedColumn(
      source: id, column: index, name: column.name, isDeclaredNullable: column.isNullable,
      isOptional: isOptional, collation: column.collation, origin: column.origin,
      provenance: column.provenance, isOfTable: table != nil || isTriggerRow)
  }
}

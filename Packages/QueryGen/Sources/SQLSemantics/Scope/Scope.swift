internal import QueryModel
internal import SQLSyntax

/// What the names in an expression can mean: the sources around it, and those around them.
///
/// Scopes never change. A clause that sees more than the one before it gets a scope of its own with
/// the same identity.
final class Scope: Sendable {
  let id: ScopeID
  /// The scope of the statement around a subquery.
  let parent: Scope?
  let sources: [Source]
  /// Rows that can only be named with their qualifier: `NEW`, `OLD`, `excluded`.
  let pseudoSources: [Source]
  /// The result columns, where the clause may use their aliases.
  let aliases: [Alias]
  let windows: [NameKey: WindowDefinition]
  let commonTables: CommonTables?
  let rules: Rules

  /// A result column's name, as later clauses may use it.
  struct Alias: Sendable {
    let name: NameKey
    let expression: TypedExpression
  }

  /// What an expression may hold.
  struct Rules: Sendable {
    var allowsAggregates = false
    var allowsWindows = false
    /// Whether an aggregate of the scope itself would come too late: in `WHERE`.
    var isBeforeGrouping = false
    /// Where the expression is part of a definition, what it then must not hold.
    var definition: Definition?
  }

  /// The parts of the schema that hold expressions.
  enum Definition: String, Sendable {
    case check = "CHECK constraints"
    case generatedColumn = "generated columns"
    case index = "index expressions"
    case partialIndex = "partial index WHERE clauses"
  }

  init(
    id: ScopeID, parent: Scope?, sources: [Source] = [], pseudoSources: [Source] = [],
    aliases: [Alias] = [], windows: [NameKey: WindowDefinition] = [:],
    commonTables: CommonTables? = nil, rules: Rules = Rules()
  ) {
    self.id = id
    self.parent = parent
    self.sources = sources
    self.pseudoSources = pseudoSources
    self.aliases = aliases
    self.windows = windows
    self.commonTables = commonTables
    self.rules = rules
  }

  /// The same scope as another clause sees it.
  func with(aliases: [Alias]? = nil, rules: Rules? = nil) -> Scope {
    Scope(
      id: id, parent: parent, sources: sources, pseudoSources: pseudoSources,
      aliases: aliases ?? self.aliases, windows: windows, commonTables: commonTables,
      rules: rules ?? self.rules)
  }

  /// The same scope for `ORDER BY` and `GROUP BY`, which do not see the statements around.
  func withoutParent(aliases: [Alias], rules: Rules) -> Scope {
    Scope(
      id: id, parent: triggerRoot, sources: sources, pseudoSources: pseudoSources,
      aliases: aliases, windows: windows, commonTables: commonTables, rules: rules)
  }

  /// The scope itself, where it is the one in which the rows of a trigger are known.
  var asTriggerRoot: Scope? { parent == nil && !pseudoSources.isEmpty ? self : nil }

  /// The outermost scope, where the rows of a trigger are known.
  var triggerRoot: Scope? {
    var level = self
    while let parent = level.parent { level = parent }
    return level === self || level.pseudoSources.isEmpty ? nil : level
  }

  /// The same scope with other common tables in sight.
  func with(commonTables: CommonTables?) -> Scope {
    Scope(
      id: id, parent: parent, sources: sources, pseudoSources: pseudoSources, aliases: aliases,
      windows: windows, commonTables: commonTables, rules: rules)
  }

  /// The names that a column could have been meant by, for suggestions.
  var columnNames: [String] {
    sources.flatMap(\.leaves).flatMap { $0.columns.map(\.name) } + (parent?.columnNames ?? [])
  }
}

/// The common tables in sight: those of a `WITH` clause, and those of the clauses around it.
final class CommonTables: Sendable {
  /// What tells one `WITH` clause from another within an analysis.
  let id: ScopeID
  let tables: [CommonTable]
  let parent: CommonTables?
  /// The scope that their selects are resolved in.
  let scope: Scope?
  /// Tables that are being resolved, and what stands for them until they are.
  let pending: [NameKey: Pending]

  enum Pending: Sendable {
    /// Any use is an error, with this message.
    case refused(String)
    /// The rows known so far of a recursive table.
    case rows([SourceColumn])
  }

  init(
    id: ScopeID, tables: [CommonTable], parent: CommonTables?, scope: Scope?,
    pending: [NameKey: Pending] = [:]
  ) {
    self.id = id
    self.tables = tables
    self.parent = parent
    self.scope = scope
    self.pending = pending
  }

  /// The same tables while one of them is being resolved.
  func with(_ name: NameKey, _ state: Pending) -> CommonTables {
    var pending = pending
    pending[name] = state
    return CommonTables(
      id: id, tables: tables, parent: parent, scope: scope, pending: pending)
  }

  /// Whether a recursive table of this clause, or of one around it, is being resolved.
  var isWithinRecursion: Bool {
    pending.values.contains { if case .rows = $0 { true } else { false } }
      || parent?.isWithinRecursion ?? false
  }

  /// The table of that name, with the clause that it stands in.
  func find(_ name: NameKey) -> (table: CommonTable, home: CommonTables)? {
    if let table = tables.first(where: { NameKey($0.name.text) == name }) { return (table, self) }
    return parent?.find(name)
  }
}

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

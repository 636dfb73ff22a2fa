internal import QueryModel
internal import SQLSyntax

/// A scope for the names in an expression: the sources of its statement and of the enclosing
/// statements.
///
/// Scopes are immutable. A clause in which more names are visible than in the previous one gets a
/// new scope with the same identity.
final class Scope: Sendable {
  let id: ScopeID
  /// The scope of the statement that contains the subquery.
  let parent: Scope?
  let sources: [Source]
  /// The rows whose columns must be qualified: `NEW`, `OLD`, `excluded`.
  let pseudoSources: [Source]
  /// The result columns' aliases, if the clause may use them.
  let aliases: [Alias]
  let windows: [NameKey: WindowDefinition]
  let commonTables: CommonTables?
  let rules: Rules

  /// An alias of a result column, which later clauses may use.
  struct Alias: Sendable {
    let name: NameKey
    let expression: TypedExpression
  }

  /// The restrictions on an expression.
  struct Rules: Sendable {
    var allowsAggregates = false
    var allowsWindows = false
    /// Indicates whether the clause is evaluated before grouping, so that it can't contain an
    /// aggregate of the scope: `WHERE`.
    var isBeforeGrouping = false
    /// The definition that contains the expression, if any, which restricts its content.
    var definition: Definition?
  }

  /// The kinds of definition that contain expressions.
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

  /// Returns the scope with other aliases and rules, for another clause.
  func with(aliases: [Alias]? = nil, rules: Rules? = nil) -> Scope {
    Scope(
      id: id, parent: parent, sources: sources, pseudoSources: pseudoSources,
      aliases: aliases ?? self.aliases, windows: windows, commonTables: commonTables,
      rules: rules ?? self.rules)
  }

  /// Returns the scope for `ORDER BY` and `GROUP BY`, in which enclosing statements are not
  /// visible.
  func withoutParent(aliases: [Alias], rules: Rules) -> Scope {
    Scope(
      id: id, parent: triggerRoot, sources: sources, pseudoSources: pseudoSources,
      aliases: aliases, windows: windows, commonTables: commonTables, rules: rules)
  }

  /// The scope itself if it contains a trigger's rows; otherwise `nil`.
  var selfIfTriggerRoot: Scope? { parent == nil && !pseudoSources.isEmpty ? self : nil }

  /// The outermost scope if it contains a trigger's rows; otherwise `nil`.
  var triggerRoot: Scope? {
    var level = self
    while let parent = level.parent { level = parent }
    return level === self || level.pseudoSources.isEmpty ? nil : level
  }

  /// Returns the scope with other common tables.
  func with(commonTables: CommonTables?) -> Scope {
    Scope(
      id: id, parent: parent, sources: sources, pseudoSources: pseudoSources, aliases: aliases,
      windows: windows, commonTables: commonTables, rules: rules)
  }

  /// The names of all visible columns, for suggestions.
  var columnNames: [String] {
    sources.flatMap(\.leaves).flatMap { $0.columns.map(\.name) } + (parent?.columnNames ?? [])
  }
}

/// The common tables of a `WITH` clause and of the enclosing `WITH` clauses.
final class CommonTables: Sendable {
  /// The identity of the `WITH` clause within an analysis.
  let id: ScopeID
  let tables: [CommonTable]
  let parent: CommonTables?
  /// The scope in which the tables' selects are resolved.
  let scope: Scope?
  /// The tables that are being resolved, with their intermediate states.
  let pending: [NameKey: ResolutionState]

  enum ResolutionState: Sendable {
    /// Any use is an error with this message.
    case prohibited(String)
    /// The current columns of a recursive table, which only the `FROM` of its recursive arms can use.
    case rows([SourceColumn])
  }

  init(
    id: ScopeID, tables: [CommonTable], parent: CommonTables?, scope: Scope?,
    pending: [NameKey: ResolutionState] = [:]
  ) {
    self.id = id
    self.tables = tables
    self.parent = parent
    self.scope = scope
    self.pending = pending
  }

  /// Returns the tables with one of them marked as being resolved.
  func with(_ name: NameKey, _ state: ResolutionState) -> CommonTables {
    var pending = pending
    pending[name] = state
    return CommonTables(
      id: id, tables: tables, parent: parent, scope: scope, pending: pending)
  }

  /// The tables for everything but the `FROM` of a recursive arm, where another reference to the
  /// recursive table is an error.
  var withoutRecursion: CommonTables {
    let states = pending.map { name, state in
      if case .rows = state {
        (name, ResolutionState.prohibited("multiple recursive references: `\(name.folded)`"))
      } else {
        (name, state)
      }
    }
    return CommonTables(
      id: id, tables: tables, parent: parent?.withoutRecursion, scope: scope,
      pending: Dictionary(uniqueKeysWithValues: states))
  }

  /// Returns the table with the given name and the clause that contains it.
  func find(_ name: NameKey) -> (table: CommonTable, home: CommonTables)? {
    if let table = tables.first(where: { NameKey($0.name.text) == name }) { return (table, self) }
    return parent?.find(name)
  }
}

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
  /// The columns that `USING` or `NATURAL` joins to columns on the left.
  var joined: Set<NameKey> = []
  /// Indicates whether the source's join preserves unmatched rows of the source: a right or full
  /// join.
  var preservesOwnRows = false
  var preservesLeftRows = false
  /// The sources inside the parentheses of a group; empty for any other source.
  var members: [Source] = []
  /// The table, if the source is one.
  var table: Table?
  /// The unique keys. Each determines at most one row.
  var uniqueColumns: [UniqueKey] = []
  /// The number of tables that the source adds to a join, as for ``ResolvedSelect/tableCount``.
  var tableCount = 1
  /// Indicates whether the source has at most one row.
  var isSingleRow = false
  /// Indicates whether the source is a subquery or view. In SQLite 3.40, it has a rowid that is
  /// always `NULL`, which makes another table's unqualified rowid ambiguous.
  var hasNullRowID = false
  /// Indicates whether the source is `NEW` or `OLD`.
  var isTriggerRow = false
  /// Indicates whether an error was reported for the source, so that its columns are unknown.
  var isUnknown = false

  /// The columns of `*` in order, each with its source.
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

  /// Marks the source and its members as optional.
  mutating func makeOptional() {
    isOptional = true
    for index in members.indices { members[index].makeOptional() }
  }

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
  /// The bound of the values, as for ``TypedExpression/exponentBound``.
  var exponentBound: Int?
}

extension Source {
  /// Creates a source from a table.
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
          origin: origin, provenance: .columns([origin]),
          exponentBound: column.type.exponentBound)
      })
    hasRowID = table.hasRowID && !table.isView
    rowIDAlias = table.rowIDAlias
    self.table = table
    uniqueColumns = table.keys.filter { $0.condition == nil }
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
      provenance: column.provenance, exponentBound: column.exponentBound,
      isTableColumn: table != nil || isTriggerRow)
  }
}

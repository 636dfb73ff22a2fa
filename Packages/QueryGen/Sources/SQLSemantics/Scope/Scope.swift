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
  /// The tables by name.
  private let tables: [NameKey: CommonTable]
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
    id: ScopeID, tables: [NameKey: CommonTable], parent: CommonTables?, scope: Scope?,
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
    if let table = tables[name] { return (table, self) }
    return parent?.find(name)
  }
}

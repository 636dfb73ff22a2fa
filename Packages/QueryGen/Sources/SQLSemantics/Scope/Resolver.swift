internal import Primitives
internal import QueryModel
internal import SQLSyntax

/// Resolves the names of one statement and types its expressions.
///
/// The resolver collects what it finds wrong and goes on; after an error an expression is
/// ``TypedExpression/Kind/unknown``, about which nothing more is said.
struct Resolver {
  let catalog: Catalog
  /// The text that spans refer to.
  let source: SourceText
  var diagnostics: [Diagnostic] = []
  var parameters = ParameterTable()
  var access = AccessLog()
  /// Views whose definitions are being resolved, against circles.
  var openViews: [NameKey] = []
  /// Triggers whose bodies are being resolved, against circles.
  var openTriggers: Set<NameKey> = []
  /// Why parameters cannot stand here; `nil` where they can.
  var parameterRefusal: String?
  /// Whether a view must have as many columns as names for them: not where it is only looked at.
  var countsViewColumns = true
  /// Whether the statement is part of a trigger.
  var isInTrigger = false
  /// The schema whose objects alone a stored definition may name.
  var homeDatabase: NameKey?
  /// Where names that resolve to objects of the schema stand, when an `ALTER` asks for it.
  var references: ReferenceLog?
  /// What is resolved already.
  var memory = Memory()
  private var nextID = 0

  /// The selects that were resolved once and need not be again, and how many there were.
  struct Memory {
    var commonTables: [CommonTableKey: ResolvedSelect] = [:]
    var views: [AccessLog.TableKey: ResolvedSelect] = [:]
    var selectCount = 0

    /// More selects than any statement that people write has, and few enough to be done soon: a
    /// recursive table within another multiplies.
    static let limit = 20_000
  }

  init(catalog: Catalog, source: SourceText) {
    self.catalog = catalog
    self.source = source
  }

  mutating func makeScopeID() -> ScopeID {
    nextID += 1
    return ScopeID(value: nextID)
  }

  mutating func makeSourceID() -> SourceID {
    nextID += 1
    return SourceID(value: nextID)
  }

  /// Adds an error.
  mutating func report(_ identity: Diagnostic.Identity, at span: ByteSpan, _ message: String) {
    diagnostics.append(Diagnostic(identity, at: span, message))
  }

  /// Refuses what only a newer release of SQLite than the target has.
  mutating func require(_ version: SQLiteVersion, for what: String, at span: ByteSpan) {
    let target = catalog.functions.target
    guard target < version else { return }
    diagnostics.append(.newerThanTarget(what, needs: version, target: target, at: span))
  }

  /// Adds an error about a name that is not there, with the nearest that is.
  mutating func reportUnknown(
    _ identity: Diagnostic.Identity, _ kind: String, _ name: String, at span: ByteSpan,
    candidates: some Sequence<String>
  ) {
    let last = name.split(separator: ".").last.map(String.init) ?? name
    var diagnostic = Diagnostic(identity, at: span, "no such \(kind): `\(name)`")
    if let nearest = Suggestion.nearest(to: last, among: candidates) {
      diagnostic.message += "; did you mean `\(nearest)`?"
      diagnostic.fixIt = source.fixIt(replacing: last, atEndOf: span, with: nearest)
    }
    diagnostics.append(diagnostic)
  }

  /// A resolver for text that belongs to the schema and not to the statement.
  func forStored(_ text: SourceText) -> Resolver {
    var inner = Resolver(catalog: catalog, source: text)
    inner.nextID = nextID
    inner.openViews = openViews
    inner.openTriggers = openTriggers
    inner.memory = memory
    inner.countsViewColumns = countsViewColumns
    return inner
  }

  /// Takes over what a resolver of stored text has learnt, apart from its errors.
  mutating func adopt(_ inner: Resolver) {
    nextID = max(nextID, inner.nextID)
    access.merge(inner.access)
    memory = inner.memory
  }
}

/// A common table of one `WITH` clause.
struct CommonTableKey: Hashable {
  let clause: ScopeID
  let name: NameKey
}

/// Where the tables and columns of the schema are named, so that a rename can rewrite them.
struct ReferenceLog: Sendable {
  struct Entry: Sendable {
    let database: NameKey
    let table: NameKey
    /// The column; `nil` where the table itself is named.
    let column: NameKey?
    let span: ByteSpan
  }

  var entries: [Entry] = []
}

extension Resolver {
  /// Resolves a select inside an expression.
  mutating func resolveSubquery(_ select: Select, in scope: Scope) -> ResolvedSelect {
    resolveSelect(select, parent: scope, commonTables: scope.commonTables)
  }

  mutating func resolve(_ node: SubqueryExpression, in scope: Scope) -> TypedExpression {
    guard allowsSubquery(at: node.span, in: scope) else { return .unknown(node.span) }
    let rows = resolveSubquery(node.select, in: scope)
    guard !rows.isUnknown, let column = rows.columns.first else { return .unknown(node.span) }
    let isNullable = !rows.rowCount.isAtLeastOne || column.isNullable
    var result = TypedExpression(
      kind: .subquery(
        isNullable: isNullable, isCorrelated: !rows.outerScopes.isEmpty, origin: column.origin),
      type: column.type, affinity: column.affinity, span: node.span)
    result.width = rows.columns.count
    result.selected = column.provenance
    result.absorb(rows)
    return result
  }

  mutating func resolve(_ node: ExistsExpression, in scope: Scope) -> TypedExpression {
    guard allowsSubquery(at: node.span, in: scope) else { return .unknown(node.span) }
    let rows = resolveSubquery(node.select, in: scope)
    var result = TypedExpression(kind: .exists, type: .boolean, span: node.span)
    result.absorb(rows)
    return result
  }

  private mutating func allowsSubquery(at span: ByteSpan, in scope: Scope) -> Bool {
    guard let place = scope.innermostDefinition else { return true }
    report(.prohibitedHere, at: span, "subqueries prohibited in \(place.rawValue)")
    return false
  }

  /// The rows of a table named after `IN`.
  mutating func resolveTable(
    _ name: QualifiedName, arguments: [Expression]?, span: ByteSpan, in scope: Scope
  ) -> ResolvedSelect {
    guard allowsSubquery(at: span, in: scope) else { return .unknown }
    var from = ResolvedFrom()
    let source = resolveNamed(
      name, alias: nil, arguments: arguments, &from, commonTables: scope.commonTables)
    guard !source.isUnknown else { return .unknown }
    from.sources = [source]
    let inner = Scope(
      id: makeScopeID(), parent: scope, sources: from.sources, commonTables: scope.commonTables)
    from.resolveArguments(&self, in: inner)
    let items = expand(from.sources, of: nil, span, in: inner)
    let facts = NullFacts()
    return ResolvedSelect(
      columns: items.map { SelectColumn($0, facts: facts, source: self.source) })
  }
}

extension TypedExpression {
  /// Takes over what a subquery reads outside of itself.
  mutating func absorb(_ rows: ResolvedSelect) {
    scopes.formUnion(rows.outerScopes)
    aggregateScopes.formUnion(rows.outerAggregateScopes)
    hasSubquery = true
  }
}

extension Resolver {
  /// The rows of a view, resolved anew wherever it is used, or `nil` where an error was reported.
  mutating func resolveView(
    _ table: Table, _ definition: StoredStatement<CreateView>, at span: ByteSpan
  ) -> ResolvedSelect? {
    let key = NameKey(table.name)
    guard !openViews.contains(key) else {
      report(.circularReference, at: span, "view `\(table.name)` is circularly defined")
      return nil
    }
    let memoryKey = AccessLog.TableKey(database: table.database, name: table.name)
    if let known = memory.views[memoryKey] { return known }
    var inner = forStored(definition.source)
    inner.openViews = openViews + [key]
    inner.homeDatabase = table.database
    let rows = inner.resolveSelect(definition.node.select, parent: nil, commonTables: nil)
    adopt(inner)
    if let first = inner.diagnostics.first {
      report(
        .brokenObject, at: span, "view `\(table.name)` cannot be used: \(first.message)")
      return nil
    }
    let names = definition.node.columns
    if countsViewColumns, !names.isEmpty, names.count != rows.columns.count {
      report(
        .columnCount, at: span,
        "expected \(names.count) columns for '\(table.name)' but got \(rows.columns.count)")
      return nil
    }
    guard !rows.isUnknown else { return nil }
    memory.views[memoryKey] = rows
    return rows
  }
}

extension ReferenceLog {
  /// Notes that a column of the schema is named.
  mutating func note(_ origin: ColumnOrigin, column: ByteSpan, table: ByteSpan?) {
    entries.append(
      Entry(
        database: origin.database, table: NameKey(origin.table),
        column: NameKey(origin.column), span: column))
    if let table {
      entries.append(
        Entry(
          database: origin.database, table: NameKey(origin.table), column: nil, span: table))
    }
  }

  /// Notes that a table of the schema is named.
  mutating func note(_ table: Table, span: ByteSpan) {
    entries.append(
      Entry(database: table.database, table: NameKey(table.name), column: nil, span: span))
  }
}

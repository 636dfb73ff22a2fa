internal import Primitives
internal import QueryModel
internal import SQLSyntax

/// A resolver of the names and types in one statement.
///
/// The resolver collects errors and continues. An erroneous expression becomes
/// ``TypedExpression/Kind/unknown``, for which no further errors are reported.
struct Resolver {
  let catalog: Catalog
  /// The text that spans refer to.
  let source: SourceText
  var diagnostics: [Diagnostic] = []
  /// The warnings about likely mistakes. They are not errors of a view or trigger that the
  /// statement uses.
  var warnings: [Diagnostic] = []
  var parameters = ParameterTable()
  var access = AccessLog()
  /// The views that are being resolved, to detect circular definitions.
  var viewsInProgress: [AccessLog.TableKey] = []
  /// The triggers that were already visited, so that each is resolved only once.
  var visitedTriggers: Set<NameKey> = []
  /// The depth of the recursion: 1 for each expression, and 2 for each select and trigger, that is
  /// being resolved within another.
  var depth = 0
  /// The triggers that are checked after those in progress, to limit the depth.
  var deferredTriggers: [(trigger: Trigger, table: Table)] = []
  /// The error message for parameters; `nil` if parameters are allowed.
  var parameterErrorMessage: String?
  /// Indicates whether the number of a view's column names is checked, which SQLite does only when
  /// the view is used.
  var checksViewColumnCount = true
  /// Indicates whether the triggers that a statement fires are resolved.
  var checksTriggers = true
  /// Indicates whether views are resolved from ``ordinaryDepth`` on, rather than being errors.
  var resolvesDeepViews = true
  /// Indicates whether the statement is part of a trigger.
  var isInTrigger = false
  /// Indicates whether the statement is the select of a view in a file.
  var isInView = false
  /// The only schema whose objects a stored definition may refer to.
  var homeDatabase: NameKey?
  /// The positions of references to schema objects, collected for `ALTER TABLE`.
  var references: ReferenceLog?
  /// The replacements with which each star in the text becomes explicit columns.
  var starTexts: [ByteSpan: String] = [:]
  /// The names that subqueries without one are given for this, by position.
  var sourceAliases: [ByteOffset: String] = [:]
  /// The collector of resolved names; `nil` unless an editor needs them.
  var trace: ResolutionTrace?
  /// The parts of a named query's statement that its caller may choose.
  var dynamicParts = DynamicParts()
  /// The cache of resolved selects.
  var cache = ResolutionCache()
  private var nextID = 0

  /// A cache of resolved common tables and views, with the number of resolved selects.
  struct ResolutionCache {
    var commonTables: [CommonTableKey: ResolvedSelect] = [:]
    /// The first errors of the common tables that can't be resolved.
    var commonTableErrors: [CommonTableKey: Diagnostic] = [:]
    var views: [AccessLog.TableKey: ResolvedSelect] = [:]
    /// The errors of the views that can't be resolved.
    var viewErrors: [AccessLog.TableKey: Diagnostic] = [:]
    /// The triggers of each table, sorted by name.
    var triggers: [AccessLog.TableKey: [Trigger]] = [:]
    var selectCount = 0

    /// The maximum number of selects to resolve. It is higher than any realistic statement needs,
    /// and bounds nested recursive tables, whose number of selects multiplies.
    static let limit = 20_000
  }

  /// The maximum depth, which bounds the stack. The parser limits the nesting within a statement, but
  /// its expressions can contain subqueries that use views, whose expressions use other views. SQLite
  /// has no such limit.
  static let maximumDepth = 200

  /// The depth from which on views and common tables are resolved in the order of their
  /// dependencies, and triggers one after the other, rather than recursively. Chains of them can
  /// therefore have any length.
  static let ordinaryDepth = 32

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

  /// Reports expressions and selects that are nested too deeply.
  mutating func checkDepth(at span: ByteSpan) -> Bool {
    guard depth > Self.maximumDepth else { return true }
    if !diagnostics.contains(where: { $0.identity == .nestingTooDeep }) {
      report(
        .nestingTooDeep, at: span,
        "expressions and selects are nested too deeply in the statement or the views that it uses")
    }
    return false
  }

  /// Reports an error in the stored text of a view or trigger, which makes the statement invalid.
  mutating func reportBroken(_ object: String, _ fault: Diagnostic, at span: ByteSpan) {
    // The message about the depth applies to the whole statement, and each level would extend it.
    let isDepth = fault.identity == .nestingTooDeep
    report(
      isDepth ? .nestingTooDeep : .brokenObject, at: span,
      isDepth ? fault.message : "\(object): \(fault.message)")
  }

  /// Reports an error if the target is older than the SQLite release that introduced a feature.
  mutating func require(_ version: SQLiteVersion, for what: String, at span: ByteSpan) {
    let target = catalog.functions.target
    guard target < version else { return }
    diagnostics.append(.newerThanTarget(what, needs: version, target: target, at: span))
  }

  /// Adds an error about an unknown name, with the most similar candidate as a suggestion.
  mutating func reportUnknown(
    _ identity: Diagnostic.Identity, _ kind: String, _ name: String, at span: ByteSpan,
    candidates: some Sequence<String>
  ) {
    let last = name.split(separator: ".").last.map(String.init) ?? name
    var diagnostic = Diagnostic(identity, at: span, "no such \(kind): `\(name)`")
    if let nearest = EditDistance.nearest(to: last, among: candidates) {
      diagnostic.message += "; did you mean `\(nearest)`?"
      diagnostic.fixIt = source.fixIt(replacing: last, atEndOf: span, with: nearest)
    }
    diagnostics.append(diagnostic)
  }

  /// Runs `body` on a resolver for a text stored in the schema, such as a view's definition. Both
  /// share the cache, but not the diagnostics.
  ///
  /// - Returns: The resolver after it has run.
  mutating func withResolver(
    for text: SourceText, _ body: (inout Resolver) -> Void
  ) -> Resolver {
    var inner = Resolver(catalog: catalog, source: text)
    inner.nextID = nextID
    inner.depth = depth
    inner.viewsInProgress = viewsInProgress
    inner.visitedTriggers = visitedTriggers
    inner.checksViewColumnCount = checksViewColumnCount
    inner.resolvesDeepViews = resolvesDeepViews
    // Moved, because a copy would be made as soon as one of them changes.
    swap(&inner.cache, &cache)
    body(&inner)
    swap(&inner.cache, &cache)
    nextID = inner.nextID
    return inner
  }

  /// Returns the message of the first error that `body` causes in a text stored in the schema.
  mutating func firstError(in text: SourceText, _ body: (inout Resolver) -> Void) -> String? {
    cache.selectCount = 0
    // A view may be nested too deeply in one text, but not in another.
    cache.viewErrors = cache.viewErrors.filter { $0.value.identity != .nestingTooDeep }
    let inner = withResolver(for: text, body)
    return inner.diagnostics.first { $0.severity == .error }?.message
  }
}

/// The identity of a common table in a `WITH` clause.
struct CommonTableKey: Hashable {
  let clause: ScopeID
  let name: NameKey

  init(_ table: CommonTable, _ home: CommonTables) {
    clause = home.id
    name = NameKey(table.name.text)
  }
}

/// A log of the references to tables and columns of the schema, which a rename rewrites.
struct ReferenceLog: Sendable {
  struct Entry: Sendable {
    let database: NameKey
    let table: NameKey
    /// The column; `nil` for a reference to the table itself.
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
    result.exponentBound = column.exponentBound
    result.width = rows.columns.count
    result.subqueryProvenance = column.provenance
    result.subqueryHasFraction = column.hasFraction
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

  /// Resolves a table or function named after `IN`.
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
    let nullability = Nullability()
    return ResolvedSelect(
      columns: items.map { SelectColumn($0, nullability: nullability, source: self.source) })
  }
}

extension TypedExpression {
  /// Adds the outer scopes that a subquery reads.
  mutating func absorb(_ rows: ResolvedSelect) {
    scopes.formUnion(rows.outerScopes)
    aggregateScopes.formUnion(rows.outerAggregateScopes)
    hasSubquery = true
  }
}

extension ReferenceLog {
  /// Records a reference to a column of the schema.
  mutating func record(_ origin: ColumnOrigin, column: ByteSpan, table: ByteSpan?) {
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

  /// Records a reference to a table of the schema.
  mutating func record(_ table: Table, span: ByteSpan) {
    entries.append(
      Entry(database: table.database, table: NameKey(table.name), column: nil, span: span))
  }
}

internal import QueryModel
internal import SQLSyntax

extension Resolver {
  /// Resolves the sources of a `FROM` clause. `parent` is the scope around the statement. Sources
  /// are only visible to each other in join conditions and in the arguments of functions.
  mutating func resolveFrom(
    _ clause: FromClause, parent: Scope?, commonTables: CommonTables?
  ) -> ResolvedFrom {
    var from = ResolvedFrom()
    let (opening, joins) = clause.flattened
    let first = resolveSource(
      opening, &from, parent: parent, commonTables: commonTables, isOptional: false)
    from.sources.append(first)
    let hasRightOrFullJoin = joins.contains { $0.kind == .right || $0.kind == .full }
    for join in joins {
      let isOptional = join.kind == .left || join.kind == .full
      var source = resolveSource(
        join.source, &from, parent: parent, commonTables: commonTables, isOptional: isOptional)
      if isOptional { source.makeOptional() }
      if join.kind == .right || join.kind == .full {
        for index in from.sources.indices { from.sources[index].makeOptional() }
        from.recordRightJoin()
        source.preservesOwnRows = true
        source.preservesLeftRows = join.kind == .full
      }
      resolveJoin(join, &source, &from, inRightOrFullJoin: hasRightOrFullJoin)
      from.sources.append(source)
    }
    checkTableCount(from.tableCount, at: clause.span)
    return from
  }

  /// Reports a join with more tables than SQLite supports.
  mutating func checkTableCount(_ count: Int, at span: ByteSpan) {
    if count > Self.maximumJoinedTables {
      report(.tooComplex, at: span, "at most \(Self.maximumJoinedTables) tables in a join")
    }
  }

  /// The maximum number of tables in a join. See https://www.sqlite.org/limits.html.
  static var maximumJoinedTables: Int { 64 }

  private mutating func resolveJoin(
    _ join: Join, _ source: inout Source, _ from: inout ResolvedFrom,
    inRightOrFullJoin hasRightOrFullJoin: Bool
  ) {
    let isOuter = join.kind == .left || join.kind == .right || join.kind == .full
    var names: [JoinedColumn] = []
    if join.isNatural {
      names = source.columns.filter { column in
        !column.isHidden && from.sources.contains { $0.hasVisibleColumn(column.key) }
      }.map { JoinedColumn(key: $0.key, text: $0.name, span: join.operatorSpan) }
    }
    switch join.constraint {
    case .using(let columns):
      names = columns.map { JoinedColumn(key: NameKey($0.text), text: $0.text, span: $0.span) }
    case .on(let condition):
      from.add(condition: condition, right: source, left: from.sources, isOuter: isOuter)
    case nil:
      if join.lacksConstraint {
        from.unconstrainedJoins.append((operatorSpan: join.operatorSpan, right: source))
      }
    }
    guard !source.isUnknown, !from.sources.contains(where: \.isUnknown) else { return }
    for name in names {
      guard
        let left = joinedValue(name, from.sources, merges: hasRightOrFullJoin, join.isNatural),
        let index = source.index(of: name.key)
      else {
        report(
          .invalidJoin, at: name.span,
          "cannot join using column `\(name.text)` - column not present in both tables")
        continue
      }
      source.joined.append(name)
      let right = source.expression(index, in: ScopeID(value: 0), name.span)
      recordJoinedColumns(left.columns + right.columns, name.span)
      let equality = combine(.comparison("=", left, right), .boolean, [left, right], name.span)
      from.add(equality: equality, right: source, isOuter: isOuter)
    }
  }

  private mutating func recordJoinedColumns(_ columns: [ResolvedColumn], _ span: ByteSpan) {
    for column in columns {
      guard let origin = column.origin else { continue }
      access.read(column, origin)
      if column.isTableColumn { references?.record(origin, column: span, table: nil) }
    }
  }

  /// Returns the value on the left with which `USING` compares a column: the column of the first
  /// source that has it, or, if the clause has a right or full join, the first value that is not
  /// `NULL`. SQLite reports an ambiguous name only in the second case.
  private mutating func joinedValue(
    _ name: JoinedColumn, _ sources: [Source], merges: Bool, _ isNatural: Bool
  ) -> TypedExpression? {
    let candidates = sources.compactMap { source in
      source.index(of: name.key).flatMap { index in
        isNatural && source.columns[index].isHidden ? nil : (source: source, index: index)
      }
    }
    let values = candidates.map {
      $0.source.expression($0.index, in: ScopeID(value: 0), name.span)
    }
    guard merges, values.count > 1 else { return values.first }
    if candidates.dropFirst().contains(where: { !$0.source.joins(name.key) }) {
      report(
        .ambiguousColumn, at: name.span, "ambiguous reference to `\(name.text)` in USING()")
      return values.first
    }
    return .merged(values, name.span)
  }

  private mutating func resolveSource(
    _ source: TableSource, _ from: inout ResolvedFrom, parent: Scope?,
    commonTables: CommonTables?, isOptional: Bool
  ) -> Source {
    switch source {
    case .table(let node):
      return resolveNamed(
        node.name, alias: node.alias, arguments: nil, indexing: node.indexing, &from,
        commonTables: commonTables)
    case .function(let node):
      return resolveNamed(
        node.name, alias: node.alias, arguments: node.arguments, &from,
        commonTables: commonTables)
    case .subquery(let node):
      let rows = resolveSelect(
        node.select, parent: parent, commonTables: commonTables?.withoutRecursion)
      from.outerScopes.formUnion(rows.outerScopes)
      var source = makeSource(rows, label: node.alias?.text)
      trace?.source(source.id, node.select, alias: node.alias)
      source.hasNullRowID = true
      if node.alias == nil { source.aliasPosition = node.span.end }
      return source
    case .parenthesized(let node):
      let inner = resolveFrom(
        node.from, parent: parent,
        commonTables: node.from.joins.isEmpty ? commonTables : commonTables?.withoutRecursion)
      return makeGroup(
        inner, node, &from, parent: parent, commonTables, isOptional: isOptional, at: node.span)
    }
  }

  /// Creates a source from a select's rows.
  mutating func makeSource(
    _ rows: ResolvedSelect, label: String?, names: [String]? = nil, id: SourceID
  ) -> Source {
    var source = Source(
      id: id, name: label.map { NameKey($0) }, label: label ?? "",
      columns: rows.sourceColumns(names: names))
    source.isUnknown = rows.isUnknown
    source.isSingleRow = rows.rowCount.isAtMostOne
    source.tableCount = rows.tableCount
    source.groupKey = rows.groupKey
    use(rows.mergedSelect, in: &source)
    return source
  }

  /// Records that a source has the rows of a select.
  private mutating func use(_ select: ScopeID?, in source: inout Source) {
    source.mergedSelect = select
    if let select { access.use(select) }
  }

  mutating func makeSource(
    _ rows: ResolvedSelect, label: String?, names: [String]? = nil
  ) -> Source {
    makeSource(rows, label: label, names: names, id: makeSourceID())
  }

  /// Creates a placeholder for a source that could not be resolved.
  mutating func unknownSource(_ label: String) -> Source {
    var source = Source(id: makeSourceID(), name: NameKey(label), label: label, columns: [])
    source.isUnknown = true
    return source
  }

  /// Resolves a named table, view, common table or table-valued function.
  mutating func resolveNamed(
    _ name: QualifiedName, alias: Identifier?, arguments: [Expression]?,
    indexing: TableReference.Indexing? = nil, _ from: inout ResolvedFrom,
    commonTables: CommonTables?
  ) -> Source {
    let label = alias?.text ?? name.name.text
    if name.schema == nil, let (common, home) = commonTables?.find(NameKey(name.name.text)) {
      if arguments != nil {
        report(.notAFunction, at: name.span, "'\(name.name.text)' is not a function")
        return unknownSource(label)
      }
      if case .indexedBy(let index) = indexing {
        report(.unknownObject, at: index.span, "no such index: `\(index.text)`")
      }
      guard let rows = resolveCommonTable(common, home: home, at: name.span) else {
        return unknownSource(label)
      }
      var source = makeSource(rows, label: label)
      // A common table that is used several times is materialized.
      if common.materialization != .notMaterialized { source.tableCount = 1 }
      trace?.source(source.id, common, name: name.name, alias: alias)
      return source
    }
    guard let table = findTable(name) else { return unknownSource(label) }
    if case .indexedBy(let index) = indexing { checkIndex(index, of: table) }
    if let arguments {
      let hidden = table.columns.count(where: \.isHidden)
      guard table.isVirtual else {
        report(.notAFunction, at: name.span, "'\(name.name.text)' is not a function")
        return unknownSource(label)
      }
      if arguments.count > hidden {
        report(
          .argumentCount, at: name.span,
          "too many arguments on \(table.name)() - max \(hidden)")
      }
      from.add(arguments: arguments, of: table)
    }
    let source = makeSource(table, alias: alias?.text, at: name.span)
    trace?.source(source.id, table, alias: alias)
    return source
  }

  /// Creates a source from a table, or from the resolved select of a view.
  ///
  /// - Parameter isRead: Whether the statement reads the table's rows, rather than only writing
  ///   them.
  mutating func makeSource(
    _ table: Table, alias: String?, at span: ByteSpan, isRead: Bool = true
  ) -> Source {
    var source = Source(id: makeSourceID(), table: table, alias: alias)
    if isRead { checkGeneratedColumnLoops(of: table, at: span) }
    guard case .view(let definition) = table.kind else {
      if isRead { access.read(table, as: source.id) }
      return source
    }
    guard let rows = resolveView(table, definition, at: span) else {
      return unknownSource(alias ?? table.name)
    }
    let names = definition.node.columns.map(\.text)
    source.hasNullRowID = true
    source.columns = rows.sourceColumns(names: names.isEmpty ? nil : names, isStored: true)
    source.isSingleRow = rows.rowCount.isAtMostOne
    source.tableCount = rows.tableCount
    source.groupKey = rows.groupKey
    use(rows.mergedSelect, in: &source)
    return source
  }

  /// Reports a table with a generated column that depends on itself.
  mutating func checkGeneratedColumnLoops(of table: Table, at span: ByteSpan) {
    guard let column = table.columns.first(where: \.isInGeneratedColumnLoop) else { return }
    report(.generatedColumn, at: span, "generated column loop on \"\(column.name)\"")
  }

  /// Returns the table with the given name, or reports an error and returns `nil`.
  mutating func findTable(_ name: QualifiedName) -> Table? {
    let database = name.schema.map { NameKey($0.text) }
    if let table = catalog.table(NameKey(name.name.text), in: database ?? lookupDatabaseFor(name)) {
      references?.record(table, span: name.name.span)
      return table
    }
    if let since = TableFunctions.since(NameKey(name.name.text)) {
      require(since, for: "`\(name.name.text)()`", at: name.span)
      return nil
    }
    let full = [name.schema?.text, name.name.text].compactMap(\.self).joined(separator: ".")
    reportUnknown(
      .unknownTable, "table", full, at: name.span, candidates: catalog.tableNames)
    return nil
  }

  /// Returns the schema to search. Definitions in a schema other than `temp` can only refer to
  /// objects of that schema.
  private func lookupDatabaseFor(_ name: QualifiedName) -> NameKey? {
    guard let homeDatabase, homeDatabase != "temp" else { return nil }
    let key = NameKey(name.name.text)
    // Table-valued functions belong to no schema.
    return catalog.storedTable(key, in: homeDatabase) == nil && catalog.tableFunction(key) != nil
      ? nil : homeDatabase
  }

  /// Reports `INDEXED BY` with a partial index in a query without a condition.
  mutating func checkPartialIndex(_ from: FromClause?) {
    guard let from, from.joins.isEmpty, case .table(let table) = from.first,
      case .indexedBy(let name) = table.indexing
    else { return }
    let isPartial = catalog.databases.contains { database in
      database.indexes[NameKey(name.text)]?.definition?.node.where != nil
    }
    if isPartial { report(.unknownObject, at: name.span, "no query solution") }
  }

  private mutating func checkIndex(_ name: Identifier, of table: Table) {
    let indexes = catalog[database: table.database]?.indexes ?? [:]
    let index = indexes[NameKey(name.text)]
    guard index?.table != NameKey(table.name),
      !isAutomaticIndex(NameKey(name.text), in: table.database)
    else { return }
    reportUnknown(
      .unknownObject, "index", name.text, at: name.span,
      candidates: indexes.values.filter { $0.table == NameKey(table.name) }.map(\.name))
  }
}

extension Source {
  /// Returns whether `NATURAL JOIN` finds the column.
  fileprivate func hasVisibleColumn(_ key: NameKey) -> Bool {
    index(of: key).map { !columns[$0].isHidden } ?? false
  }
}

internal import QueryGenDriver

/// The number of rows of a statement.
extension StatementAnalyzer {
  /// Returns the number of rows that a statement returns at least and at most.
  func rows(of query: NodeTree.Node) -> PostgreSQLDescription.Rows {
    switch query.integer("commandType") {
    case 1:
      if hasOneRow(query) { return .one }
      return hasAtMostOneRow(query, in: nil) ? .optional : .many
    case 3: return insertedRows(of: query)
    case 2, 4:
      guard !query["returningList"].elements.isEmpty else { return .none }
      let scope = makeScope(query, parent: nil)
      return !target(of: query).hasRules && hasAtMostOneRow(scope) ? .optional : .many
    default: return query["returningList"].elements.isEmpty ? .none : .many
    }
  }

  private func target(of query: NodeTree.Node) -> ServerCatalog.Relation {
    let position = query.integer("resultRelation") ?? 0
    let table = query.children("rtable")
    let oid = table.indices.contains(position - 1) ? table[position - 1].identifier("relid") : 0
    return catalog.relations[oid]
      ?? ServerCatalog.Relation(
        oid: oid, name: "", schema: "", kind: "", hasRowTriggers: true, hasRules: true,
        isFromExtension: false)
  }

  private func insertedRows(of query: NodeTree.Node) -> PostgreSQLDescription.Rows {
    guard !query["returningList"].elements.isEmpty else { return .none }
    let target = target(of: query)
    guard !target.hasRules, let source = query.child("jointree") else { return .many }
    if !source["fromlist"].elements.isEmpty {
      // INSERT … SELECT, or several rows of VALUES.
      let scope = makeScope(query, parent: nil)
      return hasAtMostOneRow(scope) ? .optional : .many
    }
    // A trigger of the table, of a partition, or of a view's table can ignore the row.
    guard !target.hasRowTriggers, target.kind == "r", source["quals"].isNone else {
      return .optional
    }
    guard let conflict = query.child("onConflict") else { return .one }
    return conflict.integer("action") == 2 && conflict["onConflictWhere"].isNone ? .one : .optional
  }

  /// Indicates whether a query always returns exactly one row.
  func hasOneRow(_ query: NodeTree.Node) -> Bool {
    guard query.integer("commandType") == 1, query["setOperations"].isNone,
      query["limitCount"].isNone, query["limitOffset"].isNone, query["havingQual"].isNone,
      !query.flag("hasTargetSRFs"), query["groupClause"].elements.isEmpty,
      query["groupingSets"].elements.isEmpty, let source = query.child("jointree")
    else { return false }
    return query.flag("hasAggs")
      || source["fromlist"].elements.isEmpty && source["quals"].isNone
  }

  private func hasAtMostOneRow(_ query: NodeTree.Node, in parent: Scope?) -> Bool {
    guard query.integer("commandType") == 1 else { return false }
    var count = query.child("limitCount")
    // A number is converted to bigint.
    if count?.label == "FUNCEXPR" { count = count?.children("args").first }
    if let limit = count, limit.label == "CONST",
      limit["constisnull"].text == "false", query.integer("limitOption") != 1
    {
      let bytes = limit["constvalue"].elements.map(\.text)
      if bytes.dropFirst().allSatisfy({ $0 == "0" }), ["0", "1"].contains(bytes.first ?? nil) {
        return true
      }
    }
    guard query["setOperations"].isNone, !query.flag("hasTargetSRFs"),
      query["groupingSets"].elements.isEmpty
    else { return false }
    if query.flag("hasAggs"), query["groupClause"].elements.isEmpty { return true }
    let scope = makeScope(query, parent: parent)
    return hasAtMostOneRow(scope)
  }

  /// Indicates whether the joined rows of a query are at most one: each table has a unique key, the columns of which
  /// are compared with values or with columns of the others.
  private func hasAtMostOneRow(_ scope: Scope) -> Bool {
    guard let tree = scope.query.child("jointree") else { return false }
    var search = SingleRowSearch(scope: scope, analyzer: self)
    for item in tree.children("fromlist") { search.add(item) }
    search.addCondition(tree["quals"], restrictedTo: nil)
    return search.run { entry in
      guard let query = entry.child("subquery") else { return false }
      return self.hasOneRow(query) || self.hasAtMostOneRow(query, in: scope)
    }
  }
}

/// Finds out whether the rows of all tables of a query are determined by comparisons.
private struct SingleRowSearch {
  let scope: StatementAnalyzer.Scope
  let analyzer: StatementAnalyzer
  private var entries: Set<Int> = []
  /// The columns that equal a value which depends on other entries only.
  private var equalities: [(column: StatementAnalyzer.Column, depends: Set<Int>)] = []

  init(scope: StatementAnalyzer.Scope, analyzer: StatementAnalyzer) {
    self.scope = scope
    self.analyzer = analyzer
  }

  /// Adds the entries of an item of `FROM`, and its conditions.
  ///
  /// - Returns: The entries.
  @discardableResult
  mutating func add(_ item: NodeTree.Node) -> Set<Int> {
    if item.label == "RANGETBLREF" {
      let entry = item.integer("rtindex") ?? 0
      entries.insert(entry)
      return [entry]
    }
    guard let left = item.child("larg"), let right = item.child("rarg") else { return [] }
    let leftEntries = add(left)
    let rightEntries = add(right)
    switch item.integer("jointype") {
    case 0: addCondition(item["quals"], restrictedTo: nil)
    // The condition of an outer join selects rows of the side that may be absent.
    case 1: addCondition(item["quals"], restrictedTo: rightEntries)
    case 3: addCondition(item["quals"], restrictedTo: leftEntries)
    // A full join can return a row of each side.
    default: entries.insert(0)
    }
    return leftEntries.union(rightEntries)
  }

  mutating func addCondition(_ condition: NodeTree, restrictedTo allowed: Set<Int>?) {
    guard let node = condition.node else { return }
    if node.label == "BOOLEXPR", node["boolop"].text == "and" {
      for operand in node["args"].elements { addCondition(operand, restrictedTo: allowed) }
      return
    }
    guard node.label == "OPEXPR", let entry = analyzer.catalog.operators[node.identifier("opno")],
      entry.isBuiltIn, entry.name == "="
    else { return }
    let operands = node["args"].elements
    guard operands.count == 2 else { return }
    add(operands[0], equals: operands[1], allowed)
    add(operands[1], equals: operands[0], allowed)
  }

  private mutating func add(_ left: NodeTree, equals right: NodeTree, _ allowed: Set<Int>?) {
    guard let column = column(left), allowed?.contains(column.entry) ?? true,
      let value = right.node
    else { return }
    var depends: Set<Int> = []
    var isKnown = true
    value.forEachNode { node in
      switch node.label {
      case "VAR" where node.integer("varlevelsup") == 0:
        if let joined = variableColumn(node) {
          depends.insert(joined.entry)
        } else {
          isKnown = false
        }
      case "SUBLINK": isKnown = false
      case "FUNCEXPR":
        if analyzer.catalog.functions[node.identifier("funcid")]?.isVolatile != false {
          isKnown = false
        }
      default: break
      }
    }
    if isKnown { equalities.append((column, depends)) }
  }

  /// Returns the column of a table that an expression is, also if its type is converted to an equal one.
  private func column(_ expression: NodeTree) -> StatementAnalyzer.Column? {
    guard let node = expression.node else { return nil }
    if node.label == "RELABELTYPE" { return column(node["arg"]) }
    guard node.label == "VAR", node.integer("varlevelsup") == 0 else { return nil }
    return variableColumn(node)
  }

  private func variableColumn(_ node: NodeTree.Node) -> StatementAnalyzer.Column? {
    guard let entry = node.integer("varno"), let number = node.integer("varattno"), number > 0
    else { return nil }
    if let joined = analyzer.joinedValue(entry, number, in: scope) { return column(joined.value) }
    return StatementAnalyzer.Column(entry: entry, number: number)
  }

  /// - Parameter hasSingleRow: Returns whether a subquery has at most one row.
  func run(_ hasSingleRow: (NodeTree.Node) -> Bool) -> Bool {
    guard !entries.contains(0) else { return false }
    var single: Set<Int> = []
    var isChanged = true
    while isChanged {
      isChanged = false
      for position in entries.subtracting(single) {
        guard let entry = scope.entry(position) else { return false }
        let isSingle: Bool
        switch entry.integer("rtekind") {
        case 0:
          let keys = analyzer.catalog.relations[entry.identifier("relid")]
          // A key of a table does not apply to the tables that inherit from it.
          let isWhole = keys?.kind == "p" || keys?.children.isEmpty == true || !entry.flag("inh")
          isSingle =
            isWhole
            && keys?.uniqueKeys.contains { key in
              key.allSatisfy { number in
                equalities.contains {
                  $0.column == .init(entry: position, number: number)
                    && $0.depends.isSubset(of: single)
                }
              }
            } ?? false
        case 1: isSingle = hasSingleRow(entry)
        case 8: isSingle = true
        default: isSingle = false
        }
        if isSingle {
          single.insert(position)
          isChanged = true
        }
      }
    }
    return single.isSuperset(of: entries)
  }
}

/// Indicates whether a statement changes the database.
extension StatementAnalyzer {
  /// Functions that are volatile, but have no lasting effect.
  private static let harmless: Set<String> = [
    "clock_timestamp", "currval", "gen_random_uuid", "lastval", "pg_sleep", "random", "timeofday",
  ]

  /// Indicates whether a statement can run in a transaction that can't write.
  func isReadOnly(_ query: NodeTree.Node) -> Bool {
    var result = true
    query.forEachNode { node in
      switch node.label {
      case "QUERY":
        if node.integer("commandType") != 1 || !node["rowMarks"].elements.isEmpty { result = false }
      case "FUNCEXPR":
        let function = catalog.functions[node.identifier("funcid")]
        if function.map({ $0.isVolatile && !($0.isBuiltIn && Self.harmless.contains($0.name)) })
          ?? true
        {
          result = false
        }
      case "NEXTVALUEEXPR": result = false
      default: break
      }
    }
    return result
  }
}

/// Determines the columns of an analyzed statement that can't be NULL, and the number of its rows.
///
/// Everything is derived from the server's own analysis of the statement: names are resolved, functions and operators
/// chosen, and conversions inserted. What is not known to return a value is assumed to return NULL.
final class StatementAnalyzer {
  /// The known properties of a value.
  struct Facts: Hashable {
    /// Indicates whether the value is never NULL.
    var isPresent = false
    /// Indicates whether no element of the array is NULL.
    var hasElements = false

    static let unknown = Facts()
    static let present = Facts(isPresent: true)
  }

  /// A query of the statement, with the facts about its parts that have been determined.
  final class Scope {
    let query: NodeTree.Node
    let parent: Scope?
    let table: [NodeTree.Node]
    /// The sides of outer joins that are absent in some rows, by the position of an entry of `FROM`.
    fileprivate(set) var absences: [Int: Set<Side>] = [:]
    /// The columns that conditions of the query compare, so that they are not NULL in any row.
    fileprivate(set) var compared: Set<Column> = []
    fileprivate var entries: [Int: [Facts]] = [:]
    let hasGroupingSets: Bool

    fileprivate init(_ query: NodeTree.Node, parent: Scope?) {
      self.query = query
      self.parent = parent
      table = query.children("rtable")
      hasGroupingSets = !query["groupingSets"].elements.isEmpty
    }

    /// Returns the entry of `FROM` at a position, counting from 1.
    func entry(_ position: Int) -> NodeTree.Node? {
      table.indices.contains(position - 1) ? table[position - 1] : nil
    }
  }

  /// A side of an outer join.
  struct Side: Hashable {
    var join: Int
    var isLeft: Bool
  }

  /// A column of an entry of `FROM`.
  struct Column: Hashable {
    var entry: Int
    var number: Int
  }

  let catalog: ServerCatalog
  /// The numbers of the parameters that are never NULL.
  let presentParameters: Set<Int>
  /// The facts about the columns of views.
  private var views: [UInt32: [Facts]] = [:]
  private var viewsInProgress: Set<UInt32> = []
  /// The facts that are assumed of recursive common tables while they are analyzed.
  private var assumed: [ObjectIdentifier: [Facts]] = [:]
  /// The sides of the full join, the merged columns of which are being analyzed.
  private var ignoredSides: Set<Side> = []
  private var depth = 0

  init(catalog: ServerCatalog, presentParameters: Set<Int>) {
    self.catalog = catalog
    self.presentParameters = presentParameters
  }

  /// Returns the facts about the columns of a statement.
  func columns(of query: NodeTree.Node) -> [Facts] { columns(of: query, in: nil) }

  // MARK: Queries

  func columns(of query: NodeTree.Node, in parent: Scope?) -> [Facts] {
    depth += 1
    defer { depth -= 1 }
    guard depth < 200 else { return [] }
    // Positions of joins belong to one query.
    let ignored = ignoredSides
    ignoredSides = []
    defer { ignoredSides = ignored }
    let scope = makeScope(query, parent: parent)
    if scope.hasGroupingSets {
      // A grouped expression is NULL in the rows of other sets, also as a part of another expression.
      return targets(query.children("targetList")).map { isCount($0) ? .present : .unknown }
    }
    if query.integer("commandType") == 1 {
      if let operation = query.child("setOperations") {
        return columns(ofOperation: operation, in: scope)
      }
      return targets(query.children("targetList")).map { facts($0, in: scope) }
    }
    // The rows of MERGE belong to one of several actions.
    guard query.integer("commandType") != 5 else {
      return targets(query.children("returningList")).map { _ in .unknown }
    }
    return targets(query.children("returningList")).map { facts($0, in: scope) }
  }

  private func isCount(_ expression: NodeTree) -> Bool {
    guard let node = expression.node else { return false }
    return node.label == "GROUPINGFUNC"
      || node.label == "AGGREF"
        && catalog.functions[node.identifier("aggfnoid")].map {
          $0.isBuiltIn && KnownFunctions.counts.contains($0.name)
        } ?? false
  }

  /// Returns the expressions of a list of result columns.
  func targets(_ entries: [NodeTree.Node]) -> [NodeTree] {
    entries.filter { !$0.flag("resjunk") }.map { $0["expr"] }
  }

  private func columns(ofOperation operation: NodeTree.Node, in scope: Scope) -> [Facts] {
    if operation.label == "RANGETBLREF" {
      return columns(ofEntry: operation.integer("rtindex") ?? 0, in: scope)
    }
    guard let left = operation.child("larg"), let right = operation.child("rarg") else { return [] }
    let first = columns(ofOperation: left, in: scope)
    let second = columns(ofOperation: right, in: scope)
    return first.indices.map { index in
      let other = second.indices.contains(index) ? second[index] : .unknown
      switch operation.integer("op") {
      // INTERSECT and EXCEPT return rows of the first operand; rows of INTERSECT equal one of the second.
      case 2:
        return Facts(
          isPresent: first[index].isPresent || other.isPresent,
          hasElements: first[index].hasElements || other.hasElements)
      case 3: return first[index]
      default: return first[index].and(other)
      }
    }
  }

  // MARK: Scopes

  func makeScope(_ query: NodeTree.Node, parent: Scope?) -> Scope {
    let scope = Scope(query, parent: parent)
    guard let tree = query.child("jointree") else { return scope }
    for item in tree.children("fromlist") { addAbsences(item, to: scope) }
    addCompared(tree["quals"], to: scope)
    for item in tree.children("fromlist") { addComparedByInnerJoins(item, to: scope) }
    // A column that is not NULL belongs to a row, so that the join found it, and with it all other rows of that side.
    let found = scope.compared.reduce(into: Set<Side>()) {
      $0.formUnion(scope.absences[$1.entry] ?? [])
    }
    for entry in scope.absences.keys { scope.absences[entry]?.subtract(found) }
    return scope
  }

  /// Adds the outer joins in an item of `FROM`.
  ///
  /// - Returns: The positions of the entries in the item.
  @discardableResult
  private func addAbsences(_ item: NodeTree.Node, to scope: Scope) -> Set<Int> {
    if item.label == "RANGETBLREF" { return [item.integer("rtindex") ?? 0] }
    guard item.label == "JOINEXPR", let left = item.child("larg"), let right = item.child("rarg")
    else { return [] }
    let join = item.integer("rtindex") ?? 0
    let leftEntries = addAbsences(left, to: scope)
    let rightEntries = addAbsences(right, to: scope)
    func add(_ entries: Set<Int>, isLeft: Bool) {
      for entry in entries {
        scope.absences[entry, default: []].insert(Side(join: join, isLeft: isLeft))
      }
    }
    switch item.integer("jointype") {
    case 0: break
    case 1: add(rightEntries, isLeft: false)
    case 3: add(leftEntries, isLeft: true)
    default:
      add(leftEntries, isLeft: true)
      add(rightEntries, isLeft: false)
    }
    return leftEntries.union(rightEntries)
  }

  /// Adds the conditions of inner joins that apply to every row of the query.
  private func addComparedByInnerJoins(_ item: NodeTree.Node, to scope: Scope) {
    guard item.label == "JOINEXPR", item.integer("jointype") == 0 else { return }
    addCompared(item["quals"], to: scope)
    for side in ["larg", "rarg"] {
      if let child = item.child(side) { addComparedByInnerJoins(child, to: scope) }
    }
  }

  private func addCompared(_ condition: NodeTree, to scope: Scope) {
    scope.compared.formUnion(columnsPresent(ifTrue: condition, in: scope))
  }

  /// Returns the columns that are not NULL if a condition is true.
  private func columnsPresent(ifTrue condition: NodeTree, in scope: Scope) -> Set<Column> {
    guard let node = condition.node else { return [] }
    switch node.label {
    case "BOOLEXPR":
      let operands = node["args"].elements
      switch node["boolop"].text {
      case "and":
        return operands.reduce(into: []) { $0.formUnion(columnsPresent(ifTrue: $1, in: scope)) }
      case "or":
        guard let first = operands.first else { return [] }
        return operands.dropFirst().reduce(columnsPresent(ifTrue: first, in: scope)) {
          $0.intersection(columnsPresent(ifTrue: $1, in: scope))
        }
      default: return operands.first.map { columnsPresent(ifPresent: $0, in: scope) } ?? []
      }
    case "NULLTEST":
      guard node.integer("nulltesttype") == 1, !node.flag("argisrow") else { return [] }
      return columnsPresent(ifPresent: node["arg"], in: scope)
    case "BOOLEANTEST":
      guard [0, 2, 5].contains(node.integer("booltesttype")) else { return [] }
      return columnsPresent(ifPresent: node["arg"], in: scope)
    case "SCALARARRAYOPEXPR":
      guard node.flag("useOr"), catalog.operators[node.identifier("opno")]?.isStrict == true,
        let value = node["args"].elements.first
      else { return [] }
      return columnsPresent(ifPresent: value, in: scope)
    case "SUBLINK":
      guard node.integer("subLinkType") == 2, let test = node.child("testexpr"),
        test.label == "OPEXPR", catalog.operators[test.identifier("opno")]?.isStrict == true,
        let value = test["args"].elements.first
      else { return [] }
      return columnsPresent(ifPresent: value, in: scope)
    default: return columnsPresent(ifPresent: condition, in: scope)
    }
  }

  /// Returns the columns that are not NULL if the value of an expression is not NULL.
  private func columnsPresent(ifPresent value: NodeTree, in scope: Scope) -> Set<Column> {
    guard let node = value.node else { return [] }
    switch node.label {
    case "VAR":
      guard node.integer("varlevelsup") == 0, let entry = node.integer("varno"),
        let number = node.integer("varattno"), number > 0
      else { return [] }
      if let joined = joinedValue(entry, number, in: scope) {
        return columnsPresent(ifPresent: joined.value, in: scope)
      }
      return [Column(entry: entry, number: number)]
    case "OPEXPR":
      guard !node.flag("opretset"), catalog.operators[node.identifier("opno")]?.isStrict == true
      else { return [] }
      return union(node["args"].elements, in: scope)
    case "FUNCEXPR":
      guard !node.flag("funcretset"),
        catalog.functions[node.identifier("funcid")]?.isStrict == true
      else { return [] }
      return union(node["args"].elements, in: scope)
    case "RELABELTYPE", "COERCEVIAIO", "ARRAYCOERCEEXPR", "COERCETODOMAIN", "COLLATE",
      "COLLATEEXPR", "NAMEDARGEXPR":
      return columnsPresent(ifPresent: node["arg"], in: scope)
    case "BOOLEXPR" where node["boolop"].text == "not":
      return union(node["args"].elements, in: scope)
    default: return []
    }
  }

  private func union(_ values: [NodeTree], in scope: Scope) -> Set<Column> {
    values.reduce(into: []) { $0.formUnion(columnsPresent(ifPresent: $1, in: scope)) }
  }

  /// Returns the value of a column of a join; `nil` if the entry is not a join.
  func joinedValue(
    _ entry: Int, _ number: Int, in scope: Scope
  ) -> (value: NodeTree, isFull: Bool)? {
    guard let join = scope.entry(entry), join.integer("rtekind") == 2 else { return nil }
    let values = join["joinaliasvars"].elements
    let value = values.indices.contains(number - 1) ? values[number - 1] : .null
    return (value, join.integer("jointype") == 2)
  }

  /// Determines facts in another query, whose joins have other positions.
  func withoutIgnoredSides(_ body: () -> Facts) -> Facts {
    let ignored = ignoredSides
    ignoredSides = []
    defer { ignoredSides = ignored }
    return body()
  }

  // MARK: Entries

  /// Returns the facts about a column of an entry of `FROM`, in the rows of the query.
  func facts(column number: Int, ofEntry entry: Int, in scope: Scope) -> Facts {
    if let joined = joinedValue(entry, number, in: scope) {
      guard joined.isFull, joined.value.node?.label == "COALESCEEXPR" else {
        return facts(joined.value, in: scope)
      }
      // In a merged column of a full join, one of the two sides is always there.
      let sides = [Side(join: entry, isLeft: true), Side(join: entry, isLeft: false)]
      let outer = ignoredSides
      ignoredSides.formUnion(sides)
      defer { ignoredSides = outer }
      let arguments = joined.value.node?["args"].elements ?? []
      return arguments.map { facts($0, in: scope) }.reduce(
        Facts(isPresent: true, hasElements: true)
      ) {
        $0.and($1)
      }
    }
    if scope.hasGroupingSets { return .unknown }
    let isUpdated =
      scope.query.integer("commandType") == 2 && scope.query.integer("resultRelation") == entry
    let known = number > 0 ? columns(ofEntry: entry, in: scope) : []
    var result = known.indices.contains(number - 1) ? known[number - 1] : .unknown
    if number == 0, scope.entry(entry)?.integer("rtekind") == 0 { result.isPresent = true }
    let isAbsent = !(scope.absences[entry] ?? []).subtracting(ignoredSides).isEmpty
    if isAbsent { result.isPresent = false }
    // After an update, the row has other values than the compared ones.
    if !isUpdated, scope.compared.contains(Column(entry: entry, number: number)) {
      result.isPresent = true
    }
    return result
  }

  /// Returns the facts about the columns of an entry of `FROM`, as if there were no outer joins.
  private func columns(ofEntry position: Int, in scope: Scope) -> [Facts] {
    if let known = scope.entries[position] { return known }
    guard let entry = scope.entry(position) else { return [] }
    let ignored = ignoredSides
    ignoredSides = []
    defer { ignoredSides = ignored }
    var result: [Facts] = []
    switch entry.integer("rtekind") {
    case 0: result = columns(ofRelation: entry, isTarget: isTarget(position, in: scope))
    case 1: result = entry.child("subquery").map { columns(of: $0, in: scope) } ?? []
    case 3: result = columns(ofFunctions: entry, in: scope)
    case 5:
      let rows = entry["values_lists"].elements.map(\.elements)
      let count = rows.map(\.count).min() ?? 0
      result = (0..<count).map { column in
        rows.reduce(Facts(isPresent: true, hasElements: true)) {
          $0.and(facts($1[column], in: scope))
        }
      }
    case 6: return columns(ofCommonTable: entry, in: scope)
    // The expressions of GROUP BY, from PostgreSQL 18 on.
    case 9: result = entry["groupexprs"].elements.map { facts($0, in: scope) }
    default: break
    }
    scope.entries[position] = result
    return result
  }

  private func isTarget(_ position: Int, in scope: Scope) -> Bool {
    scope.query.integer("commandType") != 1
      && scope.query.integer("resultRelation") == position
  }

  private func columns(ofRelation entry: NodeTree.Node, isTarget: Bool) -> [Facts] {
    let oid = entry.identifier("relid")
    guard let relation = catalog.relations[oid], let last = relation.attributes.last else {
      return []
    }
    // A rule determines the rows that the changed table returns.
    if isTarget, relation.hasRules { return [] }
    if relation.kind == "v" {
      // An INSTEAD OF trigger determines the rows that a changed view returns.
      return isTarget ? [] : columns(ofView: relation)
    }
    return (1...last.number).map {
      Facts(isPresent: catalog.isNotNull($0, of: oid, isWhole: entry.flag("inh")))
    }
  }

  func columns(ofView relation: ServerCatalog.Relation) -> [Facts] {
    if let known = views[relation.oid] { return known }
    guard viewsInProgress.insert(relation.oid).inserted, let text = relation.view,
      let query = NodeTree(text)?.firstQuery
    else { return [] }
    let result = columns(of: query, in: nil)
    viewsInProgress.remove(relation.oid)
    views[relation.oid] = result
    return result
  }

  private func columns(ofFunctions entry: NodeTree.Node, in scope: Scope) -> [Facts] {
    let functions = entry.children("functions")
    guard functions.count == 1, let call = functions[0].child("funcexpr") else { return [] }
    let count = functions[0].integer("funccolcount") ?? 0
    var result = Array(repeating: Facts.unknown, count: count)
    if count == 1, call.label == "FUNCEXPR",
      let function = catalog.functions[call.identifier("funcid")], function.isBuiltIn
    {
      if KnownFunctions.rowsWithoutNull.contains(function.name) {
        result[0] = .present
      } else if function.name == "unnest", let array = call["args"].elements.first {
        result[0] = Facts(isPresent: facts(array, in: scope).hasElements)
      }
    }
    if entry.flag("funcordinality") { result.append(.present) }
    return result
  }

  private func columns(ofCommonTable entry: NodeTree.Node, in scope: Scope) -> [Facts] {
    guard let (table, owner) = commonTable(of: entry, in: scope),
      let query = table.child("ctequery")
    else { return [] }
    let key = ObjectIdentifier(table)
    if let known = assumed[key] { return known }
    guard table.flag("cterecursive") else {
      let result = columns(of: query, in: owner)
      assumed[key] = result
      return result
    }
    // The largest assumption that the query confirms: rows come from the first operand, or from rows before them.
    var assumption = targets(query.children("targetList")).map { _ in
      Facts(isPresent: true, hasElements: true)
    }
    while true {
      assumed[key] = assumption
      let next = zip(columns(of: query, in: owner), assumption).map { $0.and($1) }
      if next == assumption { return assumption }
      assumption = next
      guard !assumption.isEmpty else { return [] }
    }
  }

  /// Returns the common table that an entry refers to, and the scope of its definition.
  func commonTable(
    of entry: NodeTree.Node, in scope: Scope
  ) -> (table: NodeTree.Node, scope: Scope)? {
    var owner: Scope? = scope
    for _ in 0..<(entry.integer("ctelevelsup") ?? 0) { owner = owner?.parent }
    guard let owner, let name = entry["ctename"].text,
      let table = owner.query.children("cteList").first(where: { $0["ctename"].text == name })
    else { return nil }
    return (table, owner)
  }
}

extension StatementAnalyzer.Facts {
  /// The facts that hold for both values.
  func and(_ other: Self) -> Self {
    Self(
      isPresent: isPresent && other.isPresent, hasElements: hasElements && other.hasElements)
  }
}

extension NodeTree {
  /// The first query in the value.
  var firstQuery: Node? {
    switch self {
    case .node(let node): return node.label == "QUERY" ? node : nil
    case .list(let elements):
      for element in elements { if let query = element.firstQuery { return query } }
      return nil
    case .null, .token: return nil
    }
  }
}

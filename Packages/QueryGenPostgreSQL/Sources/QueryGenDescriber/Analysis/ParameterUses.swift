/// The uses of a statement's parameters, from which their nullability and names follow.
struct ParameterUses {
  struct Use {
    /// The column that the value is stored in or compared with.
    var column: (relation: UInt32, number: Int)?
    /// A name for a parameter that has neither a name nor a column.
    var word: String?
    /// Indicates whether the value is stored in a column that can be NULL.
    var isStoredNullable = false
    /// Indicates whether the value is stored in a column that can't be NULL.
    var isStoredRequired = false
    /// Indicates whether the statement handles NULL: `$1 IS NULL`, `coalesce($1, …)`.
    var isTested = false

    var isNullable: Bool { (isStoredNullable || isTested) && !isStoredRequired }
  }

  private(set) var uses: [Int: Use] = [:]
  private let catalog: ServerCatalog

  init(of query: NodeTree.Node, catalog: ServerCatalog) {
    self.catalog = catalog
    var nodes: [NodeTree.Node] = []
    query.forEachNode { nodes.append($0) }
    for node in nodes { add(node) }
    for node in nodes where node.label == "QUERY" { addQuery(node) }
  }

  /// Returns the number of a parameter, also if its type is converted.
  private func parameter(_ expression: NodeTree) -> Int? {
    guard let node = expression.node else { return nil }
    switch node.label {
    case "PARAM": return node.integer("paramkind") == 0 ? node.integer("paramid") : nil
    default: return Self.converted(node).flatMap(parameter)
    }
  }

  /// Returns the expression that a conversion or a collation applies to; `nil` for any other expression.
  private static func converted(_ node: NodeTree.Node) -> NodeTree? {
    switch node.label {
    case "RELABELTYPE", "COERCEVIAIO", "ARRAYCOERCEEXPR", "COERCETODOMAIN", "COLLATE",
      "COLLATEEXPR":
      node["arg"]
    case "FUNCEXPR" where [1, 2].contains(node.integer("funcformat")): node["args"].elements.first
    default: nil
    }
  }

  private mutating func add(_ node: NodeTree.Node) {
    switch node.label {
    case "NULLTEST":
      if let number = parameter(node["arg"]) { uses[number, default: .init()].isTested = true }
    case "DISTINCTEXPR":
      for number in node["args"].elements.compactMap(parameter) {
        uses[number, default: .init()].isTested = true
      }
    case "COALESCE", "COALESCEEXPR":
      for number in node["args"].elements.dropLast().compactMap(parameter) {
        uses[number, default: .init()].isTested = true
      }
    default: break
    }
  }

  private mutating func addQuery(_ query: NodeTree.Node) {
    let table = query.children("rtable")
    let target = query.integer("resultRelation").flatMap {
      table.indices.contains($0 - 1) ? table[$0 - 1].identifier("relid") : nil
    }
    if let target, [2, 3].contains(query.integer("commandType")) {
      addStored(query.children("targetList"), in: target, of: query)
      if let conflict = query.child("onConflict") {
        addStored(conflict.children("onConflictSet"), in: target, of: query)
      }
    }
    for (field, word) in [("limitCount", "limit"), ("limitOffset", "offset")] {
      if let number = parameter(query[field]) { uses[number, default: .init()].word = word }
    }
    addComparisons(query, table)
  }

  private mutating func addStored(
    _ entries: [NodeTree.Node], in relation: UInt32, of query: NodeTree.Node
  ) {
    for entry in entries where !entry.flag("resjunk") {
      guard let number = entry.integer("resno") else { continue }
      let isRequired = catalog.attribute(number, of: relation)?.isNotNull ?? false
      for parameter in storedParameters(entry["expr"], in: query) {
        var use = uses[parameter] ?? Use()
        use.column = use.column ?? (relation, number)
        if isRequired { use.isStoredRequired = true } else { use.isStoredNullable = true }
        uses[parameter] = use
      }
    }
  }

  /// Returns the parameters that are the value of a stored expression: also through the rows of `VALUES`, a `SELECT`,
  /// and the branches of `CASE`.
  private func storedParameters(_ expression: NodeTree, in query: NodeTree.Node) -> [Int] {
    if let number = parameter(expression) { return [number] }
    guard let node = expression.node else { return [] }
    if let converted = Self.converted(node) { return storedParameters(converted, in: query) }
    switch node.label {
    case "CASE", "CASEEXPR":
      return (node.children("args").map { $0["result"] } + [node["defresult"]])
        .flatMap { storedParameters($0, in: query) }
    case "VAR":
      let table = query.children("rtable")
      guard let position = node.integer("varno"), let number = node.integer("varattno"),
        table.indices.contains(position - 1), number > 0
      else { return [] }
      let entry = table[position - 1]
      if let subquery = entry.child("subquery") {
        let targets = subquery.children("targetList")
        return targets.indices.contains(number - 1)
          ? storedParameters(targets[number - 1]["expr"], in: subquery) : []
      }
      return entry["values_lists"].elements.compactMap { row in
        row.elements.indices.contains(number - 1) ? parameter(row.elements[number - 1]) : nil
      }
    default: return []
    }
  }

  /// Adds the columns that parameters are compared with in the clauses of a query, except of its subqueries.
  private mutating func addComparisons(_ query: NodeTree.Node, _ table: [NodeTree.Node]) {
    guard let tree = query.child("jointree") else { return }
    tree.forEachNode { node in
      guard ["OPEXPR", "SCALARARRAYOPEXPR", "DISTINCTEXPR"].contains(node.label) else { return }
      let operands = node["args"].elements
      guard operands.count == 2 else { return }
      for (value, other) in [(operands[0], operands[1]), (operands[1], operands[0])] {
        guard let number = parameter(value), let column = column(other, table) else { continue }
        var use = uses[number] ?? Use()
        use.column = use.column ?? column
        uses[number] = use
      }
    }
  }

  private func column(
    _ expression: NodeTree, _ table: [NodeTree.Node]
  ) -> (relation: UInt32, number: Int)? {
    guard let node = expression.node else { return nil }
    switch node.label {
    case "RELABELTYPE", "COLLATEEXPR", "COLLATE": return column(node["arg"], table)
    case "VAR" where node.integer("varlevelsup") == 0:
      guard let position = node.integer("varno"), let number = node.integer("varattno"),
        number > 0, table.indices.contains(position - 1)
      else { return nil }
      let entry = table[position - 1]
      if entry.integer("rtekind") == 0 { return (entry.identifier("relid"), number) }
      let values = entry["joinaliasvars"].elements
      return values.indices.contains(number - 1) ? column(values[number - 1], table) : nil
    default: return nil
    }
  }
}

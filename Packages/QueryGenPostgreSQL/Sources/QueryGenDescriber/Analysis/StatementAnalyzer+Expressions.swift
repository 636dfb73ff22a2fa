/// Facts about the values of expressions.
extension StatementAnalyzer {
  func facts(_ expression: NodeTree, in scope: Scope) -> Facts {
    guard let node = expression.node else { return .unknown }
    switch node.label {
    case "VAR": return facts(variable: node, in: scope)
    case "CONST": return Facts(isPresent: node["constisnull"].text == "false")
    case "PARAM":
      let isPresent =
        node.integer("paramkind") == 0
        && presentParameters.contains(node.integer("paramid") ?? 0)
      // The caller supplies an array without NULL.
      return Facts(isPresent: isPresent, hasElements: node.integer("paramkind") == 0)
    case "FUNCEXPR": return facts(call: node, in: scope)
    case "OPEXPR":
      let arguments = node["args"].elements
      return Facts(
        isPresent: !node.flag("opretset") && isTotal(node.identifier("opno"))
          && arePresent(arguments, in: scope))
    case "AGGREF": return facts(aggregate: node, in: scope)
    case "WINDOWFUNC": return facts(window: node, in: scope)
    case "SUBLINK": return facts(subquery: node, in: scope)
    case "SCALARARRAYOPEXPR":
      let arguments = node["args"].elements
      guard arguments.count == 2, isTotal(node.identifier("opno")) else { return .unknown }
      let array = facts(arguments[1], in: scope)
      return Facts(
        isPresent: array.isPresent && array.hasElements
          && facts(arguments[0], in: scope).isPresent)
    case "BOOLEXPR": return Facts(isPresent: arePresent(node["args"].elements, in: scope))
    case "NULLTEST", "BOOLEANTEST", "DISTINCTEXPR", "GROUPINGFUNC", "ROW", "ROWEXPR",
      "NEXTVALUEEXPR":
      return .present
    case "COALESCE", "COALESCEEXPR":
      let arguments = node["args"].elements.map { facts($0, in: scope) }
      return Facts(
        isPresent: arguments.contains(where: \.isPresent),
        hasElements: arguments.allSatisfy(\.hasElements))
    case "MINMAX", "MINMAXEXPR":
      return Facts(
        isPresent: node["args"].elements.contains { facts($0, in: scope).isPresent })
    case "CASE", "CASEEXPR":
      let branches = node.children("args").map { $0["result"] } + [node["defresult"]]
      return branches.map { facts($0, in: scope) }
        .reduce(Facts(isPresent: true, hasElements: true)) { $0.and($1) }
    case "ARRAY", "ARRAYEXPR":
      return Facts(
        isPresent: true,
        hasElements: !node.flag("multidims") && arePresent(node["elements"].elements, in: scope))
    case "RELABELTYPE", "COLLATE", "COLLATEEXPR", "COERCETODOMAIN", "NAMEDARGEXPR",
      "CONVERTROWTYPEEXPR":
      return facts(node["arg"], in: scope)
    case "ARRAYCOERCEEXPR":
      // The conversion of an element may return NULL.
      return Facts(isPresent: facts(node["arg"], in: scope).isPresent)
    case "COERCEVIAIO": return Facts(isPresent: facts(node["arg"], in: scope).isPresent)
    case "SQLVALUEFUNCTION":
      // The current date and time; the current schema may be NULL.
      return Facts(
        isPresent: [1082, 1083, 1114, 1184, 1266].contains(node.identifier("type")))
    default: return .unknown
    }
  }

  private func arePresent(_ values: [NodeTree], in scope: Scope) -> Bool {
    values.allSatisfy { facts($0, in: scope).isPresent }
  }

  private func facts(variable node: NodeTree.Node, in scope: Scope) -> Facts {
    // From PostgreSQL 18 on, RETURNING may refer to the row before the change.
    if let kind = node.integer("varreturningtype"), kind != 0 { return .unknown }
    var owner: Scope? = scope
    for _ in 0..<(node.integer("varlevelsup") ?? 0) { owner = owner?.parent }
    guard let owner, let entry = node.integer("varno"), let number = node.integer("varattno")
    else { return .unknown }
    if owner !== scope {
      return withoutIgnoredSides { facts(column: number, ofEntry: entry, in: owner) }
    }
    return facts(column: number, ofEntry: entry, in: owner)
  }

  /// Indicates whether an operator returns a value if its operands are not NULL.
  private func isTotal(_ oid: UInt32) -> Bool {
    guard let entry = catalog.operators[oid], entry.isBuiltIn else { return false }
    return KnownFunctions.isTotal(entry)
  }

  private func facts(call node: NodeTree.Node, in scope: Scope) -> Facts {
    guard !node.flag("funcretset"), let function = catalog.functions[node.identifier("funcid")],
      function.isBuiltIn
    else { return .unknown }
    let arguments = node["args"].elements
    // An array that is passed as VARIADIC may be NULL.
    if KnownFunctions.neverNull.contains(function.name), !node.flag("funcvariadic") {
      return .present
    }
    if KnownFunctions.nullOnlyForFirst.contains(function.name), let first = arguments.first {
      return Facts(isPresent: facts(first, in: scope).isPresent)
    }
    guard KnownFunctions.isTotal(function), arePresent(arguments, in: scope) else {
      return .unknown
    }
    return Facts(
      isPresent: true,
      hasElements: ["string_to_array", "regexp_split_to_array"].contains(function.name)
        && arguments.count == 2)
  }

  private func facts(aggregate node: NodeTree.Node, in scope: Scope) -> Facts {
    guard let function = catalog.functions[node.identifier("aggfnoid")], function.isBuiltIn else {
      return .unknown
    }
    if KnownFunctions.counts.contains(function.name) { return .present }
    let arguments = node.children("args").map { $0["expr"] }
    let query = scope.query
    let isFirstPresent = arguments.first.map { facts($0, in: scope).isPresent } ?? false
    let hasElements = function.name == "array_agg" && isFirstPresent
    guard node.integer("agglevelsup") == 0, !query["groupClause"].elements.isEmpty,
      !scope.hasGroupingSets, node["aggfilter"].isNone
    else { return Facts(hasElements: hasElements && node.integer("agglevelsup") == 0) }
    // A group has rows.
    if KnownFunctions.presentForRows.contains(function.name) {
      return Facts(isPresent: true, hasElements: hasElements)
    }
    return Facts(
      isPresent: KnownFunctions.presentForValues.contains(function.name) && isFirstPresent)
  }

  private func facts(window node: NodeTree.Node, in scope: Scope) -> Facts {
    guard let function = catalog.functions[node.identifier("winfnoid")], function.isBuiltIn else {
      return .unknown
    }
    if KnownFunctions.ranks.contains(function.name) || KnownFunctions.counts.contains(function.name)
    {
      return .present
    }
    // With the default frame, the current row is part of it.
    let clause = scope.query.children("windowClause").first {
      $0.integer("winref") == node.integer("winref")
    }
    guard clause?.integer("frameOptions") == 1_058, node["aggfilter"].isNone,
      let argument = node["args"].elements.first
    else { return .unknown }
    let known = KnownFunctions.presentForValues.union(["first_value", "last_value"])
    return Facts(
      isPresent: known.contains(function.name) && facts(argument, in: scope).isPresent)
  }

  private func facts(subquery node: NodeTree.Node, in scope: Scope) -> Facts {
    guard let query = node.child("subselect") else { return .unknown }
    switch node.integer("subLinkType") {
    case 0: return .present
    case 6:
      let column = columns(of: query, in: scope).first ?? .unknown
      return Facts(isPresent: true, hasElements: column.isPresent)
    case 4:
      guard hasOneRow(query) else { return .unknown }
      return columns(of: query, in: scope).first ?? .unknown
    case 1, 2:
      guard let test = node.child("testexpr"), test.label == "OPEXPR",
        isTotal(test.identifier("opno")), let value = test["args"].elements.first,
        facts(value, in: scope).isPresent
      else { return .unknown }
      return Facts(isPresent: columns(of: query, in: scope).first?.isPresent == true)
    default: return .unknown
    }
  }
}

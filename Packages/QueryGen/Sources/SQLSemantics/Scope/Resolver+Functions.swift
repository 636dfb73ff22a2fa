internal import QueryModel
internal import SQLSyntax

extension Resolver {
  mutating func resolve(_ node: FunctionCall, in scope: Scope) -> TypedExpression {
    let name = NameKey(node.name.text)
    let written = node.arguments.expressions
    var function: FunctionSignature?
    switch catalog.functions.find(name, argumentCount: written.count) {
    case .found(let match):
      function = match
      trace?.function(node.name)
    case .wrongArgumentCount:
      report(
        .argumentCount, at: node.name.span,
        "wrong number of arguments to function `\(node.name.text)()`")
    case .newer(let version):
      diagnostics.append(
        .newerThanTarget(
          "`\(node.name.text)()`", needs: version, target: catalog.functions.target,
          at: node.name.span))
    case .unknown: reportUnknownFunction(node)
    }
    let isValidUse = function.map { checkFunctionUse($0, node, in: scope) } ?? false
    let arguments = resolveArguments(written, of: function, node, in: scope)
    let inner = scope.forArguments(of: function, isWindow: node.over != nil)
    let terms = node.orderBy.map { resolveScalar($0.expression, in: inner) }
    if let first = node.orderBy.first, let function, function.kind != .aggregate {
      report(
        .aggregateMisuse, at: first.span,
        "ORDER BY may not be used with non-aggregate `\(node.name.text)()`")
    }
    let filter = node.filter.map {
      resolveScalar($0, in: scope.forArguments(of: function, isWindow: node.over != nil))
    }
    // A window that contains the function itself would be resolved again and again.
    let over = scope.rules.allowsWindows ? node.over.map { resolveOver($0, in: scope) } : nil
    guard let function, isValidUse else { return .unknown(node.span) }
    guard function.kind != .scalar else {
      return build(function, arguments, node.span)
    }
    checkDistinct(node, function)
    check(arguments, of: function)
    hintArguments(arguments, of: function)
    let type = resultType(function, arguments)
    var result: TypedExpression
    let parts = arguments + terms + (filter.map { [$0] } ?? [])
    if node.over != nil {
      result = combine(
        .window(
          function, arguments,
          frameMayBeEmpty: over?.frameMayBeEmpty ?? false || node.filter != nil),
        type, parts + (over?.parts ?? []), node.span)
      result.hasWindow = true
    } else {
      let owner = owner(of: parts, in: scope)
      result = combine(
        .aggregate(function, arguments, owner: owner.id, isFiltered: filter != nil), type, parts,
        node.span)
      result.aggregateScopes.insert(owner.id)
      if owner.rules.isBeforeGrouping || (owner.id != scope.id && !owner.rules.allowsAggregates) {
        report(
          .aggregateMisuse, at: node.name.span, "misuse of aggregate: `\(node.name.text)()`")
        return .unknown(node.span)
      }
    }
    return result
  }

  /// Resolves an operator that calls a function.
  mutating func call(
    _ name: NameKey, _ arguments: [TypedExpression], _ nameSpan: ByteSpan, _ span: ByteSpan,
    in scope: Scope, spelling: String? = nil
  ) -> TypedExpression {
    guard case .found(let function) = catalog.functions.find(name, argumentCount: arguments.count)
    else {
      report(.unknownFunction, at: nameSpan, "no such function: `\(spelling ?? name.folded)`")
      if spelling != nil {
        hintDeclaration(
          "function", "\(name.folded)(pattern TEXT NOT NULL, text TEXT) -> BOOLEAN NOT NULL")
      }
      return .unknown(span)
    }
    checkDeterminism(function, nameSpan, in: scope)
    checkSchemaUse(function, name.folded, nameSpan, in: scope)
    return build(function, arguments, span)
  }

  private mutating func build(
    _ function: FunctionSignature, _ arguments: [TypedExpression], _ span: ByteSpan
  ) -> TypedExpression {
    check(arguments, of: function)
    hintArguments(arguments, of: function)
    var result = combine(
      .function(function, arguments), resultType(function, arguments), arguments, span)
    if function.name == "likelihood" { checkLikelihood(arguments) }
    if ["likely", "unlikely", "likelihood"].contains(function.name) {
      result.affinity = arguments.first?.affinity
    }
    return result
  }

  /// Reports functions that are not allowed at their position.
  private mutating func checkFunctionUse(
    _ function: FunctionSignature, _ node: FunctionCall, in scope: Scope
  ) -> Bool {
    let name = node.name.text
    checkDeterminism(function, node.name.span, in: scope)
    checkSchemaUse(function, name, node.name.span, in: scope)
    let isWindow = node.over != nil
    if function.kind == .scalar {
      if isWindow {
        report(
          .windowMisuse, at: node.name.span, "`\(name)()` may not be used as a window function")
        return false
      }
      if node.filter != nil {
        report(
          .aggregateMisuse, at: node.name.span,
          "FILTER may not be used with non-aggregate `\(name)()`")
        return false
      }
      return true
    }
    if isWindow, !function.allowsWindow {
      report(
        .windowMisuse, at: node.name.span, "`\(name)()` may not be used as a window function")
      return false
    }
    if isWindow ? !scope.rules.allowsWindows : function.kind == .window {
      report(.windowMisuse, at: node.name.span, "misuse of window function `\(name)()`")
      return false
    }
    if !isWindow, !scope.rules.allowsAggregates {
      report(.aggregateMisuse, at: node.name.span, "misuse of aggregate function `\(name)()`")
      return false
    }
    if isWindow, function.kind == .window, node.filter != nil {
      report(
        .windowMisuse, at: node.name.span,
        "FILTER clause may only be used with aggregate window functions")
      return false
    }
    return true
  }

  private mutating func checkDeterminism(
    _ function: FunctionSignature, _ span: ByteSpan, in scope: Scope
  ) {
    guard !function.isDeterministic, let place = scope.innermostDefinition, place != .check,
      function.kind == .scalar
    else { return }
    report(
      .prohibitedHere, at: span, "non-deterministic functions prohibited in \(place.rawValue)")
  }

  private mutating func checkDistinct(_ node: FunctionCall, _ function: FunctionSignature) {
    guard node.arguments.isDistinct else { return }
    if node.over != nil {
      report(
        .windowMisuse, at: node.name.span, "DISTINCT is not supported for window functions")
    } else if node.arguments.expressions.count != 1 {
      report(
        .aggregateMisuse, at: node.name.span,
        "DISTINCT aggregates must have exactly one argument")
    }
  }

  private mutating func checkLikelihood(_ arguments: [TypedExpression]) {
    guard let probability = arguments.dropFirst().first else { return }
    if case .literal(.real(let value)) = probability.kind, value >= 0, value <= 1 { return }
    report(
      .argumentCount, at: probability.span,
      "second argument to likelihood() must be a constant between 0.0 and 1.0")
  }

  private mutating func resolveArguments(
    _ written: [Expression], of function: FunctionSignature?, _ node: FunctionCall, in scope: Scope
  ) -> [TypedExpression] {
    let inner = scope.forArguments(of: function, isWindow: node.over != nil)
    return written.map { resolveScalar($0, in: inner) }
  }

  /// Returns the scope over whose rows an aggregate ranges: the innermost scope that its arguments
  /// read, or the aggregate's own scope if they read none.
  private func owner(of arguments: [TypedExpression], in scope: Scope) -> Scope {
    let read = arguments.reduce(into: Set<ScopeID>()) { $0.formUnion($1.scopes) }
    guard !read.isEmpty else { return scope }
    var level: Scope? = scope
    while let current = level {
      if read.contains(current.id) { return current }
      level = current.parent
    }
    return scope
  }

  private func resultType(
    _ function: FunctionSignature, _ arguments: [TypedExpression]
  ) -> ValueType? {
    let types = arguments.map(\.type)
    func argument(_ index: Int) -> ValueType? { index < types.count ? types[index] : nil }
    switch function.type {
    case .fixed(let type): return type
    case .argument(let index): return argument(index)
    case .union(let start):
      let used =
        function.null == .neighbour
        ? [argument(0), argument(2)]
        : Array(types.dropFirst(start))
      return used.reduce(nil) { union($0, $1) }
    case .absolute:
      guard let type = argument(0) else { return nil }
      return type.isInteger ? .integer : type == .real || type == .text ? .real : .numeric
    case .rounded:
      guard let type = argument(0) else { return nil }
      return type.isInteger ? .integer : type == .real ? .real : .numeric
    case .sum:
      guard let type = argument(0) else { return nil }
      return type.isInteger ? .integer : type == .real ? .real : .numeric
    case .slice:
      guard let type = argument(0) else { return nil }
      return type == .blob ? .blob : type == .any ? .any : .text
    case .document: return replacesWithinDocument(arguments) ? .text : .any
    case .replacement:
      guard let type = argument(0) else { return nil }
      if type == .text { return .text }
      if arguments.count > 1, case .literal(.text(let pattern)) = arguments[1].kind,
        !pattern.isEmpty
      {
        return .text
      }
      return .any
    }
  }

  /// Infers the types of parameters among a call's arguments.
  private mutating func hintArguments(
    _ arguments: [TypedExpression], of function: FunctionSignature
  ) {
    if let declaration = function.declaration {
      hint(arguments, of: declaration)
      return
    }
    if function.name == "nullif", arguments.count == 2 {
      recordComparison(arguments[0], arguments[1])
      return
    }
    if function.returnsArgument {
      let returned = function.returned(arguments)
      hintAlternatives(returned, acceptsNull: function.null == .allArguments ? true : nil)
      for argument in returned {
        for other in returned { hintName(argument, from: other) }
      }
      hintAll(function.conditions(arguments), type: .boolean)
      return
    }
    let textual: Set<String> = [
      "lower", "upper", "trim", "ltrim", "rtrim", "replace", "instr", "like", "glob", "date",
      "datetime", "time", "strftime", "julianday", "unixepoch", "format", "printf", "match",
      "json", "json_extract", "json_valid", "unicode", "soundex",
    ]
    guard let first = arguments.first else { return }
    if textual.contains(function.name) {
      let formatted = function.name == "format" || function.name == "printf"
      // The module of a virtual table may match its BLOBs, such as vectors.
      let isVector = function.name == "match" && arguments.contains { $0.type == .blob }
      hintAll(formatted ? [first] : arguments, type: isVector ? .blob : .text)
    } else if function.name.hasPrefix("substr") {
      hint(first, type: .text)
      hintAll(Array(arguments.dropFirst()), type: .integer)
    } else if function.name == "char" || function.name == "zeroblob" {
      hintAll(arguments, type: .integer)
    } else if case .fixed(.real) = function.type, function.kind == .scalar {
      hintAll(arguments, type: .real)
    }
  }
}

extension Scope {
  /// Returns the scope for a function's arguments. Neither aggregates nor windows may contain a
  /// window, and an aggregate may not contain an aggregate.
  func forArguments(of function: FunctionSignature?, isWindow: Bool) -> Scope {
    guard let function, function.kind != .scalar else { return self }
    var rules = rules
    rules.allowsWindows = false
    if !isWindow { rules.allowsAggregates = false }
    return with(rules: rules)
  }
}

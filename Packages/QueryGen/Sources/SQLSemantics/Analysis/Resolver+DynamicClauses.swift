internal import Primitives
internal import QueryModel
internal import SQLSyntax

extension Resolver {
  /// Returns the definitions of a query's parameters, with the terms of its orders, and checks the
  /// uses of the orders.
  mutating func parameterDefinitions(
    _ annotations: QueryAnnotations, in text: ExpandedText
  ) -> [ParameterDefinition] {
    var definitions = parameters.definitions(in: text)
    for order in annotations.orders {
      guard let place = place(of: order, in: definitions) else { continue }
      definitions[place].orderChoices = order.choices.map { choice in
        OrderChoice(
          name: choice.name.text, sql: source[choice.term.expression.span],
          isDescending: choice.term.direction == .descending,
          nulls: choice.term.nulls.map { $0 == .first ? .first : .last })
      }
    }
    for filter in annotations.filters {
      guard let place = place(of: filter, in: definitions) else { continue }
      definitions[place].isConditional = true
      definitions[place].filterColumns = filterColumns(filter, definitions[place].index)
    }
    for parameter in annotations.clauses.lazy.flatMap(\.terms).flatMap(\.condition) {
      guard let number = checkedNumber(of: parameter),
        let place = definitions.firstIndex(where: { $0.index == number })
      else { continue }
      definitions[place].isConditional = true
      if dynamicParts.order(parameter) != nil {
        report(.malformedAnnotation, at: parameter.span, "an order is never absent")
      } else if !definitions[place].rowRanges.isEmpty {
        report(.malformedAnnotation, at: parameter.span, "the values of an INSERT are never absent")
      }
    }
    for clause in annotations.clauses {
      checkCertainTerm(of: clause)
      checkFilters(of: clause)
    }
    return definitions
  }

  /// Returns the index of the parameter of an order or a filter, and checks the annotation.
  private mutating func place(
    of annotation: ChoiceAnnotation, in definitions: [ParameterDefinition]
  ) -> Int? {
    for choice in annotation.choices {
      guard let span = firstParameterSpan(in: choice.term.span) else { continue }
      report(.malformedAnnotation, at: span, "the terms of an annotation can't contain parameters")
    }
    guard let number = checkedNumber(of: annotation.parameter) else { return nil }
    for span in parameters.entries[number]?.spans ?? []
    where !dynamicParts.uses.contains(span.start) {
      let rule =
        dynamicParts.order(annotation.parameter) != nil
        ? "an order, which can only be a term of a SELECT's ORDER BY"
        : "a filter, which can only be a term of WHERE, HAVING or ON that is joined by AND"
      report(.malformedAnnotation, at: span, "\"\(source[span])\" is declared as \(rule)")
    }
    return definitions.firstIndex { $0.index == number }
  }

  /// Returns the values of a filter, whose types are those of its first use.
  private mutating func filterColumns(
    _ filter: ChoiceAnnotation, _ number: Int
  ) -> [FilterColumn] {
    let uses = (parameters.entries[number]?.spans ?? []).compactMap { span in
      dynamicParts.filterColumns[span.start]
    }
    return filter.choices.enumerated().map { index, choice in
      let term = choice.term
      if term.direction != nil || term.nulls != nil {
        report(.malformedAnnotation, at: term.span, "a value of a filter has no direction")
      }
      let columns = uses.map { $0[index] }
      let text = source[term.expression.span]
      var isColumn = false
      if case .column = term.expression { isColumn = true }
      return FilterColumn(
        name: choice.name.text, sql: isColumn ? text : "(\(text))",
        type: columns.reduce(nil) { union($0, $1.type) } ?? .any,
        origins: columns.reduce(Provenance.empty) { $0.union($1.provenance) }.references)
    }
  }

  /// Reports a clause that needs a term that is always present, but has none.
  private mutating func checkCertainTerm(of clause: AnnotatedClause) {
    guard clause.kind == .on || clause.kind == .changeWhere, let first = clause.terms.first,
      !clause.terms.contains(where: { presence(of: $0) == .always })
    else { return }
    let name = clause.kind == .on ? "ON" : "WHERE of an UPDATE or DELETE"
    report(
      .malformedAnnotation, at: first.condition.first?.span ?? first.span,
      "\(name) needs a term that is always present; if none is intended, add \"TRUE AND\"")
  }

  /// Returns the clauses with terms that depend on the input.
  func dynamicClauses(
    _ annotations: QueryAnnotations, in text: ExpandedText
  ) -> [DynamicClause] {
    annotations.clauses.compactMap { clause -> DynamicClause? in
      let terms = clause.terms.map { term in
        DynamicClause.Term(
          range: text.range(of: term.span), presence: presence(of: term))
      }
      guard terms.contains(where: { $0.presence != .always }) else { return nil }
      return DynamicClause(start: text.range(of: clause.span).lowerBound, terms: terms)
    }.sorted { $0.start < $1.start }
  }

  /// Reports an annotation of a filter's term, which would have no effect.
  private mutating func checkFilters(of clause: AnnotatedClause) {
    for term in clause.terms {
      guard let condition = term.condition.first, case .filter = presence(of: term) else {
        continue
      }
      report(
        .malformedAnnotation, at: condition.span,
        "a filter is absent if it is nil, and can't have another condition")
    }
  }

  private func presence(of term: AnnotatedClause.Term) -> DynamicClause.Presence {
    if let parameter = term.parameter, let number = number(of: parameter) {
      if dynamicParts.order(parameter) != nil { return .order(number) }
      if dynamicParts.filter(parameter) != nil { return .filter(number) }
    }
    guard !term.condition.isEmpty else { return .always }
    return .ifPresent(Set(term.condition.compactMap(number)).sorted())
  }

  /// Returns the number of a parameter that an annotation names, and reports an error if the
  /// statement does not contain the parameter.
  mutating func checkedNumber(of parameter: Parameter) -> Int? {
    if let number = number(of: parameter) { return number }
    let name = source[parameter.span]
    let known = parameters.entries.values.compactMap(\.spelling)
    var diagnostic = Diagnostic(
      .malformedAnnotation, at: parameter.span, "the statement has no parameter \"\(name)\"")
    if let nearest = EditDistance.nearest(to: name, among: known.sorted()) {
      diagnostic.message += "; did you mean \"\(nearest)\"?"
      diagnostic.fixIt = .init(replace: parameter.span, with: nearest)
    }
    diagnostics.append(diagnostic)
    return nil
  }

  /// Returns the number of a parameter that an annotation names, if the statement contains it.
  func number(of parameter: Parameter) -> Int? {
    let spelling: String? =
      switch parameter.kind {
      case .anonymous: nil
      case .numbered(let number): "?\(number)"
      case .named(let name): name
      }
    return parameters.entries.first { $0.value.spelling == spelling }?.key
  }
}

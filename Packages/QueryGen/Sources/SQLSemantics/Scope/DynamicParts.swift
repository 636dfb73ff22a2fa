internal import QueryModel
internal import SQLSyntax

/// The parts of a named query's statement that its caller may choose.
struct DynamicParts: Sendable {
  /// The declared orders.
  private let orders: [ChoiceAnnotation]
  /// The declared filters.
  private let filters: [ChoiceAnnotation]
  /// The parameters without which a term is absent, by the term's span.
  private var conditions: [ByteSpan: [Parameter]] = [:]
  /// The positions at which the parameter of an order or a filter is a term.
  fileprivate(set) var uses: Set<ByteOffset> = []
  /// The typed expressions of each filter, by the parameter's position.
  fileprivate(set) var filterColumns: [ByteOffset: [TypedExpression]] = [:]

  init(_ annotations: QueryAnnotations = QueryAnnotations()) {
    orders = annotations.orders
    filters = annotations.filters
    for clause in annotations.clauses where clause.kind != .orderBy {
      for term in clause.terms {
        if !term.condition.isEmpty { conditions[term.span] = term.condition }
        if let parameter = term.parameter, filter(parameter) != nil {
          conditions[term.span, default: []].append(parameter)
        }
      }
    }
  }

  /// Returns the parameters without which an expression is absent; empty if it always is present.
  func condition(of expression: Expression) -> [Parameter] {
    conditions.isEmpty ? [] : conditions[expression.span] ?? []
  }

  /// Indicates whether the query declares an order.
  var declaresOrder: Bool { !orders.isEmpty }

  /// Returns the order that a parameter chooses, if it is declared as one.
  func order(_ parameter: Parameter) -> ChoiceAnnotation? {
    orders.first { $0.parameter == parameter }
  }

  /// Returns the filter that a parameter chooses, if it is declared as one.
  func filter(_ parameter: Parameter) -> ChoiceAnnotation? {
    filters.first { $0.parameter == parameter }
  }
}

extension Resolver {
  /// Replaces each declared order in `ORDER BY` by all of its terms.
  ///
  /// The terms of `ORDER BY` do not depend on each other, so they are valid in every selection if
  /// they are valid together.
  mutating func expandOrder(of select: Select) -> Select {
    guard select.orderBy.contains(where: { order(in: $0) != nil }) else { return select }
    var expanded = select
    expanded.orderBy = []
    for term in select.orderBy {
      guard let order = order(in: term) else {
        expanded.orderBy.append(term)
        continue
      }
      if term.direction != nil || term.nulls != nil {
        report(
          .malformedAnnotation, at: term.span,
          "the order \"\(source[term.expression.span])\" has no direction of its own; its terms do")
      }
      dynamicParts.uses.insert(term.expression.span.start)
      expanded.orderBy += order.choices.map(\.term)
    }
    return expanded
  }

  private func order(in term: OrderingTerm) -> ChoiceAnnotation? {
    guard case .parameter(let parameter) = term.expression else { return nil }
    return dynamicParts.order(parameter)
  }
}

extension Resolver {
  /// Resolves a parameter that is declared as a filter and is a term of a condition: all expressions
  /// of which the filter may consist.
  ///
  /// - Returns: `nil` for any other expression.
  mutating func resolveFilter(_ term: Expression, in scope: Scope) -> TypedExpression? {
    guard case .parameter(let parameter) = term, let filter = dynamicParts.filter(parameter),
      !dynamicParts.condition(of: term).isEmpty
    else { return nil }
    let columns = filter.choices.map { resolveScalar($0.term.expression, in: scope) }
    dynamicParts.uses.insert(term.span.start)
    dynamicParts.filterColumns[term.span.start] = columns
    var result = TypedExpression(kind: .unknown, type: .boolean, span: term.span)
    for column in columns { result.absorb(column) }
    return result
  }
}

internal import Primitives
internal import QueryGenDriver
internal import SQLSemantics
internal import SQLSyntax
internal import SQLiteCore

/// Rules that depend on the conditions and the clauses of a statement.
extension PlanCheck {
  /// Returns the finding for a condition that prevents the use of an index.
  func specificFinding(
    _ conditions: [PlanCondition], _ table: TableSchema, _ place: Place
  ) -> PlanFinding? {
    for condition in conditions {
      switch condition {
      case .pattern(let column, let node): return patternFinding(node, column, table)
      case .expression(let expression, let column, let span)
      where objects.isIndexed(column, of: table):
        let key = IndexCandidate.Key(expression: place.facts.source.unqualified(expression))
        return PlanFinding(
          .functionOnIndexedColumn, at: expression.span,
          "all rows of `\(table.name.name)` are read, since an index on "
            + "`\(place.facts.source.unquoted(span))` does not find values of `\(key.sql)`",
          notes: ["compare the column itself, if possible"],
          index: proposal([IndexCandidate([key], of: table)], on: table))
      default: continue
      }
    }
    return nil
  }

  private func patternFinding(
    _ node: MatchExpression, _ column: String, _ table: TableSchema
  ) -> PlanFinding {
    let operation = node.op.rawValue
    var message = "all rows of `\(table.name.name)` are read, since "
    var notes: [String] = []
    var keys: [IndexCandidate.Key] = []
    switch node.start {
    case .wildcard:
      message += "no index finds a pattern that begins with a wildcard"
      notes = ["an FTS5 table finds words, and with the trigram tokenizer any part of a text"]
    case .computed:
      message += "\(operation) uses an index only if the pattern is a literal or a parameter"
      notes = ["add the wildcards to the parameter's value"]
    case .prefix:
      let isLike = node.op == .like
      message +=
        "no index on `\(column)` has "
        + (isLike ? "the collation NOCASE, with which LIKE compares" : "the collation BINARY")
      keys = [.init(column, of: table, suffix: isLike ? " COLLATE NOCASE" : "")].compactMap(\.self)
    }
    return PlanFinding(
      .likeWithoutIndex, at: node.span, message, notes: notes,
      index: proposal([IndexCandidate(keys, of: table)], on: table))
  }

  // MARK: LIMIT

  func limitFindings() -> [PlanFinding] {
    var found: [PlanFinding] = []
    var seen: Set<ByteSpan> = []
    for select in facts.selects {
      guard let limit = select.limit, seen.insert(limit.span).inserted else { continue }
      if let offset = limit.offset, !offset.isZero {
        found.append(
          PlanFinding(
            .offsetPaging, at: limit.span, "OFFSET reads the rows before a page, and skips them",
            notes: ["begin after the last row of the previous page: WHERE (key) > (:last)"]))
      }
      if select.orderBy.isEmpty, !select.isBounded, !select.sources.isEmpty, !isSingle(select) {
        found.append(
          PlanFinding(
            .limitWithoutOrder, at: limit.span,
            "LIMIT without ORDER BY returns arbitrary rows, which can change with the plan"))
      }
    }
    return found
  }

  /// Returns whether a select has at most one row even without `LIMIT`.
  private func isSingle(_ select: StatementFacts.Select) -> Bool {
    if select.isCompound { return false }
    if select.callsAggregate, select.groupBy.isEmpty { return true }
    return select.sources.allSatisfy { source in
      guard let table = source.table.flatMap({ objects.tables[$0] }) else { return false }
      var columns: Set<String> = []
      for condition in facts.conditions(on: source.label, in: select) {
        if case .equality(let column) = condition { columns.insert(column) }
      }
      return objects.isUnique(columns, of: table)
    }
  }
}

extension StatementFacts.Select {
  private static let aggregates: Set<String> = [
    "avg", "count", "group_concat", "json_group_array", "json_group_object", "max", "min",
    "string_agg", "sum", "total",
  ]

  /// Indicates whether rows are combined by `GROUP BY`, `DISTINCT` or an aggregate function.
  var combinesRows: Bool { isDistinct || !groupBy.isEmpty || callsAggregate }

  /// Indicates whether a result column calls an aggregate function.
  var callsAggregate: Bool {
    columns.contains { column in
      if case .expression(let expression, _) = column.kind {
        Self.callsAggregate(expression)
      } else {
        false
      }
    }
  }

  private static func callsAggregate(_ expression: Expression) -> Bool {
    if case .function(let node) = expression, node.over == nil,
      aggregates.contains(node.name.folded),
      !["max", "min"].contains(node.name.folded) || node.arguments.expressions.count == 1
    {
      return true
    }
    return expression.children.contains(where: callsAggregate)
  }

  /// Returns the result column that a term of `ORDER BY` refers to by its number or alias.
  func resultColumn(_ term: Expression) -> Expression? {
    var expressions: [(expression: Expression, alias: Identifier?)] = []
    for column in columns {
      guard case .expression(let expression, let alias) = column.kind else { return nil }
      expressions.append((expression, alias))
    }
    switch term {
    case .literal(let node):
      guard let number = node.value.integerValue, number >= 1, number <= expressions.count else {
        return nil
      }
      return expressions[Int(number) - 1].expression
    case .column(let node) where node.table == nil:
      return expressions.first { $0.alias?.folded == node.column.folded }?.expression
    default: return nil
    }
  }
}

extension MatchExpression {
  enum Start { case wildcard, computed, prefix }

  /// The beginning of the pattern, as far as it is known.
  fileprivate var start: Start {
    var expression = pattern.unparenthesized
    var isComputed = false
    while true {
      switch expression {
      case .literal(let node):
        guard case .string(let text) = node.value, let first = text.first else { return .computed }
        if (op == .like ? "%_" : "*?[").contains(first) { return .wildcard }
        return isComputed ? .computed : .prefix
      case .parameter: return isComputed ? .computed : .prefix
      case .binary(let node) where node.op == .concatenate:
        isComputed = true
        expression = node.left.unparenthesized
      default: return .computed
      }
    }
  }
}

extension Expression {
  /// Indicates whether the expression is the number zero.
  fileprivate var isZero: Bool {
    if case .literal(let node) = unparenthesized { node.value.integerValue == 0 } else { false }
  }
}

extension SourceText {
  /// Returns an expression as SQL, without the names of tables before the columns.
  fileprivate func unqualified(_ expression: Expression) -> String {
    var columns: [ColumnReference] = []
    var pending = [expression]
    while let next = pending.popLast() {
      if case .column(let node) = next { columns.append(node) }
      pending += next.children
    }
    var text = ""
    var start = expression.span.start
    for column in columns.sorted(by: { $0.span.start < $1.span.start }) {
      text += self[ByteSpan(start, column.span.start)] + self[column.column.span]
      start = column.span.end
    }
    return text + self[ByteSpan(start, expression.span.end)]
  }
}

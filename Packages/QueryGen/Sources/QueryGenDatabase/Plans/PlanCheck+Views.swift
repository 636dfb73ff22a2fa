internal import Primitives
internal import QueryGenDriver
internal import SQLSyntax
internal import SQLiteCore

/// Selects of views, whose tables SQLite reads as part of the statement's plan.
extension PlanCheck {
  /// The select that a part of a plan belongs to: one of the statement, or of a view that it uses.
  struct Place {
    var facts: StatementFacts
    var select: StatementFacts.Select
    /// The innermost view, in lowercase.
    var view: String?
    /// The name of the outermost view in the statement.
    var viewSpan: ByteSpan?
    /// The select of the statement that uses the outermost view.
    var outer: StatementFacts.Select?
    /// The columns of the view's tables by the name of the view's column.
    var origins: [String: (label: String, name: String)] = [:]

    /// Returns the place to which a problem with a source refers.
    func span(of label: String) -> ByteSpan? { viewSpan ?? select.span(of: label) }

    /// Returns the column of a table that a column of the view returns.
    func origin(of column: (label: String, name: String)) -> (label: String, name: String)? {
      guard outer?.sources.contains(where: { $0.label == column.label && $0.view == view }) == true
      else { return nil }
      return origins[column.name]
    }
  }

  /// Returns the select with the given labels, one of which is `label`. SQLite merges the sources of a
  /// view with those of the select that uses it.
  func place(of label: String, among labels: [String]) -> Place? {
    place(of: label, among: labels, in: facts, facts.selects, depth: 0)
  }

  private func place(
    of label: String, among labels: [String], in facts: StatementFacts,
    _ selects: [StatementFacts.Select], depth: Int
  ) -> Place? {
    guard !labels.isEmpty else { return nil }
    let whole = selects.first { select in labels.allSatisfy { select.span(of: $0) != nil } }
    if let whole { return Place(facts: facts, select: whole) }
    guard depth < 8 else { return nil }
    for select in selects {
      let rest = labels.filter { select.span(of: $0) == nil }
      guard let first = rest.first else { continue }
      for source in select.sources {
        guard let view = source.view, let inner = objects.views[view] else { continue }
        let arms = inner.selects.map { arm in
          arm.isResult ? pushConditions(on: source, of: select, facts, into: arm, inner) : arm
        }
        let wanted = rest.contains(label) ? label : first
        guard
          var found = place(of: wanted, among: rest, in: inner, arms, depth: depth + 1)
        else { continue }
        // Another source of the same select.
        guard wanted == label else { return Place(facts: facts, select: select) }
        if found.view == nil {
          found.view = view
          found.origins = origins(of: found.select, inner)
        }
        found.viewSpan = source.span
        found.outer = select
        return found
      }
    }
    return nil
  }

  /// Adds the conditions on a view's columns to one of the view's selects, as SQLite does.
  private func pushConditions(
    on source: StatementFacts.Source, of select: StatementFacts.Select, _ facts: StatementFacts,
    into arm: StatementFacts.Select, _ inner: StatementFacts
  ) -> StatementFacts.Select {
    guard arm.limit == nil, arm.window.isEmpty else { return arm }
    var arm = arm
    let origins = origins(of: arm, inner)
    for condition in facts.conditions(on: source.label, in: select) {
      switch condition {
      case .equality(let name):
        if let origin = origins[name] { arm.pushed.append((origin.label, .equality(origin.name))) }
      case .range(let name):
        if let origin = origins[name] { arm.pushed.append((origin.label, .range(origin.name))) }
      case .pattern(let name, let node):
        if let origin = origins[name] {
          arm.pushed.append((origin.label, .pattern(origin.name, node)))
        }
      case .expression: break
      }
    }
    if select.conditions.isEmpty, select.sources.count == 1, !select.isCompound,
      !select.combinesRows
    {
      arm.limit = select.limit
    }
    return arm
  }

  /// Returns the columns of its tables that a view's select returns, by the names of the view's
  /// columns.
  private func origins(
    of arm: StatementFacts.Select, _ facts: StatementFacts
  ) -> [String: (label: String, name: String)] {
    var origins: [String: (label: String, name: String)] = [:]
    var position = 0
    func add(_ name: String?, _ origin: (label: String, name: String)?) {
      let names = facts.viewColumns
      let name = position < names.count ? names[position].folded : name?.asciiLowercased
      position += 1
      if let name, let origin, origins[name] == nil { origins[name] = origin }
    }
    for column in arm.columns {
      switch column.kind {
      case .expression(let expression, let alias):
        let origin = facts.column(expression)
        add(alias?.text ?? expression.columnName, origin)
      case .star, .tableStar:
        for source in arm.sources {
          if case .tableStar(let name) = column.kind, !name.matches(source.label) { continue }
          // The positions of the following columns are not known.
          guard let table = source.table.flatMap({ objects.tables[$0] }), source.joined.isEmpty
          else { return origins }
          for column in table.columns {
            add(column.name, (source.label, column.name.asciiLowercased))
          }
        }
      }
    }
    return origins
  }
}

extension StatementFacts.Select {
  /// Returns the span of a source.
  func span(of label: String) -> ByteSpan? { sources.first { $0.label == label }?.span }
}

extension Expression {
  /// The name, if the expression is only a column.
  fileprivate var columnName: String? {
    if case .column(let node) = unparenthesized { node.column.text } else { nil }
  }
}

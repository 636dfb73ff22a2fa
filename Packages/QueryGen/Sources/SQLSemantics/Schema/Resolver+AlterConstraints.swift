internal import QueryModel
internal import SQLSyntax

/// Changes of a table's constraints by `ALTER TABLE`, since SQLite 3.53.
extension Resolver {
  mutating func changeConstraints(of table: Table, _ node: AlterTable) -> [SchemaChange] {
    guard case .table = table.kind else {
      report(
        .notAlterable, at: node.table.span,
        "cannot edit constraints of \(table.isView ? "view" : "virtual table") "
          + "\"\(table.name)\"")
      return []
    }
    let text = table.definitionText(catalog.parserOptions)
    switch node.action {
    case .addConstraint(let constraint):
      if let name = constraint.name, text?.definition.constraint(named: name) != nil {
        report(.alreadyExists, at: name.span, "constraint `\(name.text)` already exists")
        return []
      }
      if case .check(let condition, _) = constraint.kind {
        let known = diagnostics.count
        _ = resolveScalar(
          condition, in: definitionScope(of: table, .check))
        guard diagnostics.count == known else { return [] }
      }
      let written = source[constraint.span]
      return rebuilding(table, at: constraint.span) { $0.appendingConstraint(written) }
    case .dropConstraint(let name):
      guard let found = text?.definition.constraint(named: name) else {
        let names = text?.definition.constraintNames ?? []
        reportUnknown(
          .unknownObject, "constraint", name.text, at: name.span, candidates: names)
        return []
      }
      guard found.isDroppable else {
        report(
          .notAlterable, at: name.span, "constraint may not be dropped: `\(name.text)`")
        return []
      }
      return rebuilding(table, at: name.span) { $0.removing(found) }
    case .setNotNull(let name, let conflict):
      guard let index = column(name, of: table) else { return [] }
      let words = "NOT NULL" + (conflict.map { " ON CONFLICT \($0.rawValue)" } ?? "")
      return rebuilding(table, at: name.span) { $0.settingNotNull(index, words) }
    case .dropNotNull(let name):
      guard let index = column(name, of: table) else { return [] }
      return rebuilding(table, at: name.span) { $0.settingNotNull(index, nil) }
    case .rename, .renameColumn, .addColumn, .dropColumn: return []
    }
  }

  private mutating func column(_ name: Identifier, of table: Table) -> Int? {
    if let index = table.index(of: NameKey(name.text)) { return index }
    reportUnknown(
      .unknownColumn, "column", name.text, at: name.span, candidates: table.columns.map(\.name))
    return nil
  }

  private mutating func rebuilding(
    _ table: Table, at span: ByteSpan, _ change: (CreateTableText) -> [UInt8]
  ) -> [SchemaChange] {
    guard let changed = table.rebuilt(catalog, change) else {
      report(.notAlterable, at: span, "error in table `\(table.name)` after the change")
      return []
    }
    return [.replaceTable(changed)]
  }
}

/// A named constraint in a table's definition.
struct NamedConstraint {
  /// The span to remove when the constraint is dropped.
  let span: ByteSpan
  let isDroppable: Bool
  /// Indicates whether it is a table constraint, separated by commas.
  let isTableConstraint: Bool
}

extension SQLSyntax.TableDefinition {
  /// The names of all constraints, in source order.
  fileprivate var constraintNames: [String] {
    columns.flatMap(\.constraints).compactMap(\.name?.text)
      + constraints.compactMap(\.name?.text)
  }

  /// Returns the first constraint with the given name.
  fileprivate func constraint(named name: Identifier) -> NamedConstraint? {
    for constraint in columns.lazy.flatMap(\.constraints) {
      guard let own = constraint.name, own.matches(name.text) else { continue }
      switch constraint.kind {
      case .check, .notNull:
        return NamedConstraint(span: constraint.span, isDroppable: true, isTableConstraint: false)
      case .primaryKey, .unique, .references, .null, .deferral:
        return NamedConstraint(span: constraint.span, isDroppable: false, isTableConstraint: false)
      case .default, .collate, .generated, .nameOnly:
        // Only the name is removed.
        return NamedConstraint(
          span: ByteSpan(constraint.span.start, own.span.end), isDroppable: true,
          isTableConstraint: false)
      }
    }
    for constraint in constraints {
      guard let own = constraint.name, own.matches(name.text) else { continue }
      let isDroppable =
        switch constraint.kind {
        case .check, .nameOnly: true
        case .primaryKey, .unique, .foreignKey: false
        }
      return NamedConstraint(
        span: constraint.span, isDroppable: isDroppable, isTableConstraint: true)
    }
    return nil
  }
}

extension CreateTableText {
  /// Returns the text with a constraint appended after all others.
  fileprivate func appendingConstraint(_ text: String) -> [UInt8] {
    guard let end = definition.constraints.last?.span.end ?? definition.columns.last?.span.end
    else { return bytes }
    var result = bytes
    result.insert(contentsOf: Array(", \(text)".utf8), at: end.value)
    return result
  }

  /// Returns the text without the given constraint.
  fileprivate func removing(_ constraint: NamedConstraint) -> [UInt8] {
    var result = bytes
    var range = constraint.span.range
    if constraint.isTableConstraint {
      let spans = definition.constraints.map(\.span)
      if let next = spans.first(where: { $0.start >= constraint.span.end }) {
        // Also removes the comma after the constraint, if there is one.
        range = range.lowerBound..<next.range.lowerBound
      } else if let before = (definition.columns.map(\.span) + spans)
        .last(where: { $0.end <= constraint.span.start })
      {
        range = before.range.upperBound..<range.upperBound
      }
    }
    result.removeSubrange(range)
    return result
  }

  /// Returns the text with a column's `NOT NULL` replaced by `words`, or removed if `words` is
  /// `nil`.
  fileprivate func settingNotNull(_ index: Int, _ words: String?) -> [UInt8] {
    guard definition.columns.indices.contains(index) else { return bytes }
    let column = definition.columns[index]
    var result = bytes
    if let words {
      result.insert(contentsOf: Array(" \(words)".utf8), at: column.span.end.value)
    }
    let old = column.constraints.first {
      if case .notNull = $0.kind { true } else { false }
    }
    if let old { result.removeSubrange(old.span.range) }
    return result
  }
}

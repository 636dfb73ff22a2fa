internal import QueryModel
internal import SQLSyntax

/// `*` and `table.*` written as explicit columns, so that the text of a query keeps its columns if a
/// table gains another one, and in every release of SQLite.
extension Resolver {
  /// Records the text that replaces each star of a result list. A star whose columns have no
  /// unambiguous name is kept.
  mutating func recordExpansions(
    of stars: [(span: ByteSpan, columns: Range<Int>)], among items: [ResultItem], in scope: Scope
  ) {
    guard !stars.isEmpty else { return }
    var names: Set<NameKey> = []
    var repeated: Set<NameKey> = []
    for case let name? in items.map({ $0.alias?.text ?? $0.starName })
    where !names.insert(NameKey(name)).inserted {
      repeated.insert(NameKey(name))
    }
    for star in stars {
      let texts = items[star.columns].map { explicitText(of: $0, repeated, in: scope) }
      guard !texts.isEmpty, !texts.contains(nil) else { continue }
      starTexts[star.span] = texts.compactMap(\.self).joined(separator: ", ")
    }
  }

  /// Keeps the name of a result column that is named after its text, if a star in a subquery changes
  /// the text.
  mutating func keepName(of expression: Expression) {
    let span = expression.span
    let isChanged = starTexts.keys.contains { span.start <= $0.start && $0.end <= span.end }
    guard isChanged else { return }
    starTexts[ByteSpan(span.end, span.end)] = " AS \(source.columnText(span).quotedName)"
  }

  /// Returns a column with the name that it has as part of the star.
  private mutating func explicitText(
    of item: ResultItem, _ repeated: Set<NameKey>, in scope: Scope
  ) -> String? {
    guard let name = item.starName, !ResolvedSelect.isNumberedAtRandom(name),
      let reference = reference(to: item.expression, in: scope)
    else { return nil }
    // `ORDER BY` finds a column of the star by its name, even if another source or another result
    // column has the same name.
    let found = find(ColumnName(column: NameKey(name)), in: scope, item.span)
    let isFound =
      found?.columns == item.expression.columns && !repeated.contains(NameKey(name))
    return reference.name == name && isFound
      ? reference.text : "\(reference.text) AS \(name.nameInSQL)"
  }

  /// Returns an expression for a column, and its name if it is the same in all releases of SQLite.
  private mutating func reference(
    to expression: TypedExpression, in scope: Scope
  ) -> (text: String, name: String?)? {
    switch expression.kind {
    case .merged(let parts, _):
      var texts: [String] = []
      for part in parts {
        guard let text = reference(to: part, in: scope)?.text else { return nil }
        texts.append(text)
      }
      return ("coalesce(\(texts.joined(separator: ", ")))", nil)
    case .column(let column):
      let leaves = scope.sources.flatMap(\.leaves)
      guard let source = leaves.first(where: { $0.id == column.source }) else { return nil }
      guard leaves.count > 1 else { return (column.name.nameInSQL, column.name) }
      let name = scope.sources.contains { $0.id == source.id } ? column.name : nil
      if let position = source.aliasPosition {
        return ("\(alias(at: position)).\(column.name.nameInSQL)", name)
      }
      let schemas = [nil, source.database]
      for schema in schemas where source.name != nil {
        let wanted = ColumnName(
          schema: schema, table: source.name, column: NameKey(column.name), description: column.name
        )
        guard find(wanted, in: scope, expression.span)?.columns == [column] else { continue }
        let parts = [schema?.folded, source.label, column.name].compactMap(\.self)
        return (parts.map(\.nameInSQL).joined(separator: "."), name)
      }
      return nil
    default: return nil
    }
  }

  /// Returns the name that a subquery without one is given in the text.
  private mutating func alias(at position: ByteOffset) -> String {
    if let known = sourceAliases[position] { return known }
    var number = sourceAliases.count + 1
    while source.containsWord("source\(number)") { number += 1 }
    let alias = "source\(number)"
    sourceAliases[position] = alias
    starTexts[ByteSpan(position, position)] = " AS \(alias)"
    return alias
  }

  private func find(_ wanted: ColumnName, in scope: Scope, _ span: ByteSpan) -> TypedExpression? {
    var search = ColumnSearch(wanted: wanted, scope: scope.id, span: span)
    search.visit(scope.sources)
    return search.result
  }
}

extension SourceText {
  /// Returns whether the text contains a word, in any letter case.
  fileprivate func containsWord(_ word: String) -> Bool {
    self[ByteSpan(0..<byteCount)].lowercased().contains(word)
  }
}

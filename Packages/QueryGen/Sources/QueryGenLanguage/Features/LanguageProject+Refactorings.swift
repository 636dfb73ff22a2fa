internal import Primitives
internal import SQLSemantics
internal import SQLSyntax

/// Rewritings of a whole statement.
extension LanguageProject {
  /// Returns the rewritings that are possible at an offset: an alias for a table, and a common table
  /// for a subquery.
  func refactorings(
    _ entry: FileTrace.Entry, at offset: ByteOffset, _ source: SourceText
  ) -> [CodeAction] {
    guard case .select(let select) = entry.trace.statement, case .query(let query) = select.first,
      let from = query.from
    else { return [] }
    return ([from.first] + from.joins.map(\.source)).compactMap { item -> CodeAction? in
      guard item.span.start <= offset, offset <= item.span.end else { return nil }
      switch item {
      case .table(let table) where table.alias == nil:
        return addingAlias(to: table, entry, source)
      case .subquery(let subquery): return extracting(subquery, from: select, entry, source)
      case .table, .function, .parenthesized: return nil
      }
    }
  }

  /// Gives a table an alias, by which the statement then qualifies its columns.
  private func addingAlias(
    to table: TableReference, _ entry: FileTrace.Entry, _ source: SourceText
  ) -> CodeAction? {
    let words = table.name.name.text.split { !$0.isLetter && !$0.isNumber }
    let initials = String(words.compactMap(\.first)).asciiLowercased
    let taken = Set(entry.trace.scopes.flatMap(\.sources).map(\.label.asciiLowercased))
      .union(entry.trace.commonTables.map(\.name.folded))
    let candidates = [initials] + (2...9).map { "\(initials)\($0)" }
    guard let alias = candidates.first(where: { !taken.contains($0) && $0.isPlainName }) else {
      return nil
    }
    var changes = [
      TextChange(
        replace: ByteSpan(table.name.span.end, table.name.span.end), with: " AS \(alias)")
    ]
    for reference in entry.trace.references {
      guard case .table(let name) = reference.target, table.name.name.matches(name),
        source.bytes.indices.contains(reference.span.end.value),
        source.bytes[reference.span.end.value] == UInt8(ascii: ".")
      else { continue }
      changes.append(TextChange(replace: reference.span, with: alias))
    }
    // `table.*` is not a reference to a column.
    for column in entry.trace.statement.starQualifiers where column.matches(table.name.name.text) {
      changes.append(TextChange(replace: column.span, with: alias))
    }
    changes.sort { $0.span.start < $1.span.start }
    return CodeAction(title: "Add the alias `\(alias)`", kind: .rewrite, changes: changes)
  }

  /// Moves a subquery of `FROM` to a common table.
  private func extracting(
    _ subquery: SubquerySource, from select: Select, _ entry: FileTrace.Entry,
    _ source: SourceText
  ) -> CodeAction? {
    guard let alias = subquery.alias, subquery.select.with == nil,
      !catalog.isNameTaken(alias.text),
      !entry.trace.commonTables.contains(where: { $0.name.matches(alias.text) })
    else { return nil }
    let name = source[alias.span]
    let definition = "\(name) AS (\(source[subquery.select.span]))"
    let first: TextChange
    if let last = select.with?.tables.last {
      first = TextChange(
        replace: ByteSpan(last.span.end, last.span.end), with: ", \(definition)")
    } else {
      first = TextChange(
        replace: ByteSpan(select.span.start, select.span.start), with: "WITH \(definition) ")
    }
    return CodeAction(
      title: "Extract the common table `\(alias.text)`", kind: .rewrite,
      changes: [first, TextChange(replace: subquery.span, with: name)])
  }
}

extension Statement {
  /// The names before `.*` in the result list of a select.
  fileprivate var starQualifiers: [Identifier] {
    guard case .select(let select) = self, case .query(let query) = select.first else { return [] }
    return query.columns.compactMap { column in
      if case .tableStar(let name) = column.kind { name } else { nil }
    }
  }
}

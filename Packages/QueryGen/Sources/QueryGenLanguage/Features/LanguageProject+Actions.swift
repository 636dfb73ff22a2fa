internal import QueryGenDriver
internal import SQLSemantics
public import SQLSyntax

/// A change that an editor offers.
public struct CodeAction: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    case quickFix = "quickfix"
    case rewrite = "refactor.rewrite"
    case fixAll = "source.fixAll"
  }

  public var title: String
  public var kind: Kind
  public var changes: [TextChange]
  /// A new migration.
  public var newFile: NewFile?
  /// The diagnostic that the change resolves.
  public var diagnostic: Diagnostic?
}

extension LanguageProject {
  /// Returns the changes that are possible in a span: the fix-its of its diagnostics, and
  /// rewritings of the names and stars in it.
  public mutating func actions(_ path: String, in span: ByteSpan) -> [CodeAction] {
    guard let source = file(path)?.source else { return [] }
    let all = diagnostics(of: path)
    let fixable = all.filter { $0.fixIt != nil }
    var actions: [CodeAction] = []
    for diagnostic in fixable
    where diagnostic.span.start <= span.end && span.start <= diagnostic.span.end {
      guard let fixIt = diagnostic.fixIt else { continue }
      actions.append(
        CodeAction(
          title: Self.title(of: fixIt, source), kind: .quickFix, changes: [fixIt],
          diagnostic: diagnostic))
    }
    for diagnostic in all
    where diagnostic.span.start <= span.end && span.start <= diagnostic.span.end {
      guard let index = planReport.indexes[diagnostic] else { continue }
      actions.append(addition(of: index, for: diagnostic))
    }
    // Released migrations must not change.
    if !fixable.isEmpty, !isLocked(path) {
      var changes: [TextChange] = []
      for fixIt in fixable.compactMap(\.fixIt) where changes.allSatisfy({ !$0.overlaps(fixIt) }) {
        changes.append(fixIt)
      }
      actions.append(
        CodeAction(
          title: "Apply all \(changes.count) fixes", kind: .fixAll, changes: changes))
    }
    return actions + rewritings(path, at: span.start, source)
  }

  /// Returns the creation of an index that improves a plan, in a new migration.
  private func addition(of index: IndexProposal, for diagnostic: Diagnostic) -> CodeAction {
    let number = MigrationName.number(after: input.folder.migrations.map(\.name))
    let slug = MigrationName.slug("add \(index.name)") ?? "add_index"
    return CodeAction(
      title: "Add the index `\(index.name)` by a new migration", kind: .quickFix, changes: [],
      newFile: NewFile(
        path: Paths.join(input.migrations, "\(number)_\(slug).sql"), text: index.sql + ";\n"),
      diagnostic: diagnostic)
  }

  private static func title(of fixIt: TextChange, _ source: SourceText) -> String {
    let old = source[fixIt.span]
    if old.isEmpty { return "Insert `\(fixIt.replacement)`" }
    return fixIt.replacement.isEmpty
      ? "Remove `\(old)`" : "Replace `\(old)` with `\(fixIt.replacement)`"
  }

  private mutating func rewritings(
    _ path: String, at offset: ByteOffset, _ source: SourceText
  ) -> [CodeAction] {
    guard let entry = trace(path).entry(at: offset), let (_, tokens) = tokens(path) else {
      return []
    }
    var actions: [CodeAction] = []
    let star = tokens.tokens.firstIndex {
      $0.kind == .star && $0.span.start <= offset && offset <= $0.span.end
    }
    if let star, let action = expansion(star, tokens, entry, source) { actions.append(action) }
    actions += refactorings(entry, at: offset, source)
    actions += typeAnnotations(path, entry, at: offset, source)
    guard let reference = entry.trace.reference(at: offset), !reference.isDeclaration else {
      return actions
    }
    let isQualified =
      reference.span.start.value > 0 && source.bytes[reference.span.start.value - 1] == 0x2E
    if reference.role == .column, !isQualified, let qualifier = reference.qualifier,
      !qualifier.isEmpty, !reference.isWrite
    {
      let name = qualifier.isPlainName ? qualifier : qualifier.doubleQuoted
      actions.append(
        CodeAction(
          title: "Qualify with `\(name)`", kind: .rewrite,
          changes: [
            TextChange(
              replace: ByteSpan(reference.span.start, reference.span.start), with: name + ".")
          ]))
    }
    let text = source[reference.span]
    if reference.role != .function, source.unquoted(reference.span) == text {
      actions.append(
        CodeAction(
          title: "Quote the name", kind: .rewrite,
          changes: [TextChange(replace: reference.span, with: text.doubleQuoted)]))
    }
    return actions
  }

  /// Returns the replacement of `*` or `table.*` by its columns.
  private func expansion(
    _ index: Int, _ tokens: StatementTokens, _ entry: FileTrace.Entry, _ source: SourceText
  ) -> CodeAction? {
    let token = tokens.tokens[index]
    guard token.kind == .star, index > 0 else { return nil }
    var span = token.span
    var qualifier: String?
    let before = tokens.tokens[index - 1]
    if before.kind == .dot, index > 1 {
      qualifier = source.unquoted(tokens.tokens[index - 2].span)
      span = tokens.tokens[index - 2].span.union(span)
    } else if ![.select, .comma, .distinct, .all].contains(before.kind) {
      return nil
    }
    guard
      let scope = entry.trace.scopes.filter({
        $0.span.start <= span.start && span.end <= $0.span.end
      })
      .min(by: { $0.span.count < $1.span.count })
    else { return nil }
    let sources = scope.sources.prefix(scope.ownSourceCount).filter {
      qualifier.map($0.matches) ?? true
    }
    let needsQualifier = scope.ownSourceCount > 1
    let names = sources.flatMap { source -> [String] in
      let label = source.label.isPlainName ? source.label : source.label.doubleQuoted
      return source.columns.filter { qualifier != nil || !$0.isJoined }.map { column in
        let name = column.name.isPlainName ? column.name : column.name.doubleQuoted
        return needsQualifier && !source.label.isEmpty ? "\(label).\(name)" : name
      }
    }
    guard !names.isEmpty else { return nil }
    return CodeAction(
      title: "Expand `\(source[span])` to \(names.count) columns", kind: .rewrite,
      changes: [TextChange(replace: span, with: names.joined(separator: ", "))])
  }
}

extension StatementTrace.VisibleSource {
  fileprivate func matches(_ name: String) -> Bool {
    Identifier(name, span: ByteSpan(0..<0)).matches(label)
  }
}

extension TextChange {
  fileprivate func overlaps(_ other: TextChange) -> Bool {
    span.start < other.span.end && other.span.start < span.end || span.start == other.span.start
  }
}

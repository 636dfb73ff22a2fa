internal import SQLSemantics
public import SQLSyntax

extension LanguageProject {
  /// Returns the common tables, aliases of tables and windows of a query file that its queries do
  /// not use. They are no mistakes, so they are only shown for open documents.
  public mutating func unusedNames(_ path: String) -> [Diagnostic] {
    guard case .queries = kind(of: path) else { return [] }
    let trace = trace(path)
    let errors = diagnostics(of: path).filter { $0.severity == .error }
    return trace.entries.flatMap { entry -> [Diagnostic] in
      // After an error, uses of a name may not be known.
      guard !errors.contains(where: { entry.span.contains($0.span.start) }) else { return [] }
      let used = Set(
        entry.trace.references.filter { !$0.isDeclaration }.map(\.target))
      return entry.trace.references.compactMap { reference in
        guard reference.isDeclaration, !used.contains(reference.target) else { return nil }
        let name = trace.source.unquoted(reference.span)
        switch reference.role {
        case .commonTable:
          return Diagnostic(
            .unusedCommonTable, severity: .warning, at: reference.span,
            "the common table `\(name)` is not used")
        case .alias:
          // A subquery needs an alias in other databases, and `table.*` is not a reference.
          guard !trace.source.containsStar(of: name, in: entry.span) else { return nil }
          return Diagnostic(
            .unusedAlias, severity: .warning, at: reference.span,
            "the alias `\(name)` is not used")
        case .window:
          return Diagnostic(
            .unusedWindow, severity: .warning, at: reference.span,
            "the window `\(name)` is not used")
        default: return nil
        }
      }
    }
  }
}

extension SourceText {
  /// Returns whether a span contains `name.*`.
  fileprivate func containsStar(of name: String, in span: ByteSpan) -> Bool {
    let text = SourceText(bytes: Array(bytes[span.range]))
    let tokens = Lexer.tokenize(text).tokens
    return tokens.indices.dropLast(2).contains { index in
      tokens[index + 1].kind == .dot && tokens[index + 2].kind == .star
        && Identifier(text.unquoted(tokens[index].span), span: tokens[index].span).matches(name)
    }
  }
}

extension Diagnostic.Identity {
  static let unusedCommonTable = Self(rawValue: "unused-common-table")
  static let unusedAlias = Self(rawValue: "unused-alias")
  static let unusedWindow = Self(rawValue: "unused-window")
}

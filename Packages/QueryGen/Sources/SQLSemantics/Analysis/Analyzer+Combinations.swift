internal import QueryModel
internal import SQLSyntax

extension Analyzer {
  /// The largest number of parameters for which all combinations are analyzed.
  private static let parameterLimit = 6

  /// Analyzes the statement's texts for combinations of parameters that are present, and reports the
  /// first one that is invalid.
  ///
  /// The terms of a clause do not depend on each other, so almost any error is found by analyzing the
  /// whole statement. Exceptions are rules about clauses, such as the `WHERE` that must separate the
  /// select of an `INSERT` from `ON CONFLICT`.
  ///
  /// - Returns: `false` if a text is invalid.
  func checkCombinations(
    of query: QueryDefinition, at span: ByteSpan, _ diagnostics: inout DiagnosticList
  ) -> Bool {
    guard !query.dynamicClauses.isEmpty else { return true }
    for present in combinations(query.parameters.filter(\.isConditional).map(\.index)) {
      guard let error = firstError(in: query.texts(.init(present: present))) else { continue }
      let names = query.parameters.filter { $0.isConditional && !present.contains($0.index) }
        .map { "\"\($0.name)\"" }
      let absent = names.isEmpty ? "an order" : names.joined(separator: ", ")
      diagnostics.append(
        Diagnostic(
          .malformedAnnotation, at: span,
          "the statement is invalid without \(absent): \(error.message)"))
      return false
    }
    return true
  }

  /// Returns the first error of statements.
  private func firstError(in texts: [String]) -> Diagnostic? {
    for text in texts {
      let source = SourceText(text)
      var list = DiagnosticList()
      let options = ParserOptions(allowsListParameters: true, target: catalog.functions.target)
      if let statement = Parser.parseStatement(source, options: options, diagnostics: &list) {
        var resolver = Resolver(catalog: catalog, source: source)
        _ = resolver.resolve(statement)
        for diagnostic in resolver.diagnostics { list.append(diagnostic) }
      }
      if let error = list.diagnostics.first(where: { $0.severity == .error }) { return error }
    }
    return nil
  }

  /// Returns the sets of parameters: all of them if there are few, or else the empty set and each
  /// parameter by itself.
  private func combinations(_ parameters: [Int]) -> [Set<Int>] {
    guard parameters.count <= Self.parameterLimit else { return [[]] + parameters.map { [$0] } }
    return (0..<1 << parameters.count).map { bits in
      Set(parameters.indices.filter { bits >> $0 & 1 == 1 }.map { parameters[$0] })
    }
  }
}

internal import Primitives
internal import QueryGenDriver
internal import QueryModel
internal import SQLSemantics
internal import SQLSyntax
internal import SQLiteCore

/// The plans of the statements in triggers.
extension SchemaCheck {
  /// Applies the rules to the statements of a trigger, each as a statement of its own in which values
  /// of the changed row are parameters.
  func statements(ofTrigger name: String, _ catalog: Catalog) -> [SchemaFinding] {
    guard let sql = objects.triggers[name] else { return [] }
    let source = SourceText(sql)
    var diagnostics = DiagnosticList()
    let parsed = Parser.parseStatement(source, diagnostics: &diagnostics)
    guard case .createTrigger(let trigger)? = parsed else { return [] }
    let references = catalog.trace(.createTrigger(trigger), source: source).references
    let types = Dictionary(
      references.map { ($0.span.start, $0.type) }, uniquingKeysWith: { first, _ in first })
    return trigger.body.flatMap { body -> [SchemaFinding] in
      let statement = PlannedStatement(
        sql: source.standalone(body.span, types), connection: connection)
      guard let plan = try? statement.plan() else { return [] }
      let check = PlanCheck(
        statement: statement, nodes: plan.steps.map(PlanNode.init),
        facts: StatementFacts(body, source: source, references: references), objects: objects,
        isFirst: true)
      return check.findings().map { finding in
        var finding = finding
        finding.span = finding.span ?? body.span
        return SchemaFinding(.trigger(trigger.name.name.text, sql: sql), finding)
      }
    }
  }
}

extension SourceText {
  /// Returns a statement of a trigger with parameters instead of `NEW.column` and `OLD.column`,
  /// which have the affinity of the column, and with `NULL` instead of `RAISE(…)`.
  fileprivate func standalone(
    _ span: ByteSpan, _ types: [ByteOffset: ValueType?]
  ) -> String {
    let tokens = Lexer.tokenize(self).tokens.filter {
      span.start <= $0.span.start && $0.span.end <= span.end
    }
    var text = ""
    var end = span.start
    func copy(upTo place: ByteOffset) { text += self[ByteSpan(end, place)] }
    var index = 0
    while index < tokens.count {
      let token = tokens[index]
      if token.kind == .raise {
        copy(upTo: token.span.start)
        // The text of an error is a literal without parentheses, except for computed messages.
        var depth = 0
        repeat {
          index += 1
          guard index < tokens.count else { return text }
          if tokens[index].kind == .leftParenthesis { depth += 1 }
          if tokens[index].kind == .rightParenthesis { depth -= 1 }
        } while depth > 0
        text += "NULL"
        end = tokens[index].span.end
      } else if index + 2 < tokens.count, tokens[index + 1].kind == .dot,
        ["new", "old"].contains(unquoted(token.span).asciiLowercased)
      {
        let column = tokens[index + 2]
        copy(upTo: token.span.start)
        switch (types[column.span.start] ?? nil) ?? .any {
        case .integer, .boolean: text += "CAST(? AS INTEGER)"
        case .real: text += "CAST(? AS REAL)"
        case .text: text += "CAST(? AS TEXT)"
        case .numeric: text += "CAST(? AS NUMERIC)"
        case .blob, .any, .swift: text += "?"
        }
        end = column.span.end
        index += 2
      }
      index += 1
    }
    copy(upTo: span.end)
    return text
  }
}

/// Annotations that let a query's caller choose parts of its statement.
extension Parser {
  /// Reads the annotations in comments within `span` that begin with a keyword, such as
  /// `order: :name = term, term AS name`.
  mutating func parseChoices(_ keyword: String, in span: ByteSpan) -> [ChoiceAnnotation] {
    var annotations: [ChoiceAnnotation] = []
    for index in commentIndices(from: span.start, to: span.end) {
      for line in source.annotationLines(comments[index]) {
        guard let content = source.annotation(keyword, in: line),
          let annotation = parseChoices(content)
        else { continue }
        let known = annotations.firstIndex { $0.parameter == annotation.parameter }
        if let known {
          annotations[known].choices += annotation.choices
        } else {
          annotations.append(annotation)
        }
      }
    }
    for index in annotations.indices { removeDuplicates(&annotations[index]) }
    return annotations
  }

  /// Reads the text after the keyword, or returns `nil` if it has no parameter.
  private mutating func parseChoices(_ content: ByteSpan) -> ChoiceAnnotation? {
    var parser = parser(for: content)
    defer { diagnostics = parser.diagnostics }
    do throws(SyntaxError) {
      let parameter = try parser.parseAnnotationParameter()
      var annotation = ChoiceAnnotation(parameter: parameter, choices: [], span: content)
      do throws(SyntaxError) {
        try parser.expect(.equal)
        repeat {
          if let choice = try parser.parseChoice() { annotation.choices.append(choice) }
        } while parser.accept(.comma)
        if parser.kind != .endOfText { throw parser.unexpected(.eitherToken(.comma, .as)) }
      } catch {}
      return annotation
    } catch {
      return nil
    }
  }

  /// Reads a term with its name. Reports a term without a name, and returns `nil`.
  private mutating func parseChoice() throws(SyntaxError) -> ChoiceAnnotation.Choice? {
    let start = start
    let expression = try parseExpression()
    let direction = parseDirection()
    let nulls = try parseNullsPlacement()
    let term = OrderingTerm(
      expression: expression, direction: direction, nulls: nulls, span: span(from: start))
    if accept(.as) { return ChoiceAnnotation.Choice(name: try parseName(), term: term) }
    guard let name = expression.orderedColumn else {
      diagnostics.append(
        Diagnostic(
          .malformedAnnotation, at: term.span,
          "this term needs a name; put \"AS name\" after it"))
      return nil
    }
    return ChoiceAnnotation.Choice(name: name, term: term)
  }

  /// Reads a parameter with a name or a number.
  private mutating func parseAnnotationParameter() throws(SyntaxError) -> Parameter {
    guard kind == .parameter, current.span.count > 1 else { throw unexpected(.expression) }
    return try parseParameter()
  }

  private mutating func removeDuplicates(_ order: inout ChoiceAnnotation) {
    var names: [String: Identifier] = [:]
    order.choices.removeAll { choice in
      guard let first = names[choice.name.folded] else {
        names[choice.name.folded] = choice.name
        return false
      }
      diagnostics.append(
        Diagnostic(
          .malformedAnnotation, at: choice.name.span,
          "there already is a term named \"\(choice.name.text)\"; put \"AS name\" after one",
          notes: [.init("first named here", at: first.span)]))
      return true
    }
  }

  /// Creates a parser for a part of the text, such as the text of a comment.
  private func parser(for part: ByteSpan) -> Parser {
    Parser(
      source, tokens: Self.tokens(of: source, in: part, options: options), options: options,
      diagnostics: diagnostics)
  }

  /// Records an `ORDER BY` clause with a parameter, which may be declared as an order.
  ///
  /// - Parameter keyword: The index of the token `ORDER`.
  mutating func recordOrder(_ terms: [OrderingTerm], keyword: Int) {
    guard terms.contains(where: { $0.expression.wholeParameter != nil }) else { return }
    let clause = terms.map { term in
      AnnotatedClause.Term(
        condition: [], parameter: term.expression.wholeParameter, span: term.span)
    }
    annotatedClauses.append(
      AnnotatedClause(
        kind: .orderBy, terms: clause, span: span(from: tokens[keyword - 1].span.end)))
  }
}

/// Annotations of terms that are absent if a parameter is `nil`: `if :name` in a comment.
extension Parser {
  /// Reads the condition after `WHERE`, `HAVING` or `ON`, whose terms may have annotations.
  mutating func parseCondition(
    _ kind: AnnotatedClause.Kind, symbols: Int
  ) throws(SyntaxError) -> Expression {
    let keyword = index - 1
    let condition = try parseExpression(symbols: symbols)
    if isNamedQuery { recordTerms(of: condition, kind, keyword: keyword) }
    return condition
  }

  /// Records a clause with annotations before its terms: the operands of `AND`.
  private mutating func recordTerms(
    of condition: Expression, _ kind: AnnotatedClause.Kind, keyword: Int
  ) {
    let start = tokens[keyword - 1].span.end
    let conjuncts = condition.conjuncts
    let hasComment = !commentIndices(from: start, to: condition.span.end).isEmpty
    guard hasComment || conjuncts.contains(where: { $0.wholeParameter != nil }) else { return }
    var terms: [AnnotatedClause.Term] = []
    var end = start
    for conjunct in conjuncts {
      let term = conjunct.span
      var parameters: [Parameter] = []
      for comment in commentIndices(from: end, to: term.start) {
        guard let content = source.termAnnotation(in: comments[comment]) else { continue }
        termAnnotations.insert(comment)
        parameters += parseTermAnnotation(content)
      }
      terms.append(
        AnnotatedClause.Term(
          condition: parameters, parameter: conjunct.wholeParameter, span: term))
      end = term.end
    }
    guard terms.contains(where: { !$0.condition.isEmpty || $0.parameter != nil }) else { return }
    annotatedClauses.append(
      AnnotatedClause(kind: kind, terms: terms, span: ByteSpan(start, condition.span.end)))
  }

  /// Reads the parameters of an annotation, separated by commas.
  private mutating func parseTermAnnotation(_ content: ByteSpan) -> [Parameter] {
    var parser = parser(for: content)
    defer { diagnostics = parser.diagnostics }
    var parameters: [Parameter] = []
    do throws(SyntaxError) {
      repeat {
        parameters.append(try parser.parseAnnotationParameter())
      } while parser.accept(.comma)
      if parser.kind != .endOfText { throw parser.unexpected(.token(.comma)) }
    } catch {}
    return parameters
  }

  /// Reports the annotations of the current statement that do not precede a term.
  mutating func checkTermAnnotations(from start: ByteOffset) {
    for comment in commentIndices(from: start, to: self.start)
    where !termAnnotations.contains(comment) && source.termAnnotation(in: comments[comment]) != nil
    {
      diagnostics.append(.misplacedTermAnnotation(at: comments[comment]))
    }
  }
}

extension Diagnostic {
  fileprivate static func misplacedTermAnnotation(at span: ByteSpan) -> Diagnostic {
    Diagnostic(
      .malformedAnnotation, at: span,
      "this annotation must be directly before a term of WHERE, HAVING or ON; terms are separated "
        + "by AND outside parentheses")
  }
}

extension Expression {
  /// The parameter, if the expression consists of one.
  fileprivate var wholeParameter: Parameter? {
    if case .parameter(let parameter) = self { parameter } else { nil }
  }

  /// The operands of a chain of `AND`, in order.
  public var conjuncts: [Expression] {
    var operands: [Expression] = []
    var rest = [self]
    while let next = rest.popLast() {
      if case .binary(let node) = next, node.op == .and {
        rest.append(node.right)
        rest.append(node.left)
      } else {
        operands.append(next)
      }
    }
    return operands
  }

  /// The column by which an expression orders, ignoring collations and parentheses.
  fileprivate var orderedColumn: Identifier? {
    switch self {
    case .column(let node): node.column
    case .collate(let node): node.operand.orderedColumn
    case .parenthesized(let node): node.inner.orderedColumn
    default: nil
    }
  }
}

extension SourceText {
  /// Returns the lines of a comment, without comment markers and leading spaces.
  func annotationLines(_ comment: ByteSpan) -> [ByteSpan] {
    var end = comment.end.value
    var start = comment.start.value + 2
    let isBlock = bytes[comment.start.value] == UInt8(ascii: "/")
    if isBlock, end - start >= 2, bytes[end - 2] == UInt8(ascii: "*"),
      bytes[end - 1] == UInt8(ascii: "/")
    {
      end -= 2
    }
    var lines: [ByteSpan] = []
    let marker = isBlock ? UInt8(ascii: "*") : UInt8(ascii: "-")
    while start < end {
      let next = bytes[start..<end].firstIndex(of: UInt8(ascii: "\n")) ?? end
      let isMargin: (UInt8) -> Bool = { Lexer.isSpace($0) || $0 == marker }
      var first = bytes[start..<next].firstIndex { !isMargin($0) }
      if let arrow = first, arrow > start, bytes[arrow] == UInt8(ascii: ">"),
        bytes[arrow - 1] == UInt8(ascii: "-")
      {
        first = arrow - 1
      }
      if let first { lines.append(ByteSpan(first..<next)) }
      start = next + 1
    }
    return lines
  }

  /// Returns the text after `if` if a comment begins with it and a parameter follows.
  fileprivate func termAnnotation(in comment: ByteSpan) -> ByteSpan? {
    guard let line = annotationLines(comment).first else { return nil }
    return annotation("if", in: line)
  }

  /// Returns the text after a keyword if the line begins with it and a parameter follows.
  fileprivate func annotation(_ keyword: String, in line: ByteSpan) -> ByteSpan? {
    let word = keyword.utf8
    guard bytes[line.range].starts(with: word),
      let start = bytes[line.range].dropFirst(word.count).firstIndex(where: {
        !Lexer.isSpace($0)
      }), ":@$?".utf8.contains(bytes[start])
    else { return nil }
    return ByteSpan(ByteOffset(start), line.end)
  }
}

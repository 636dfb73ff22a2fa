internal import Primitives

/// The grammar of declarations.
extension Parser {
  /// Reads a declaration without its keyword.
  mutating func parseDeclaration(_ kind: Declaration.Kind) -> Declaration? {
    let start = start
    do throws(SyntaxError) {
      var declaration = Declaration(
        kind: kind, name: try parseName(), parameters: [], result: nil, attributes: [:],
        takesColumns: false, documentation: [], span: span(from: start))
      if kind != .collation { try parseParameters(of: &declaration) }
      if kind != .collation, kind != .module {
        guard self.kind == .arrow else { throw expectedResult() }
        advance()
        declaration.result = try parseResultType()
      }
      try parseAttributes(of: &declaration)
      declaration.span = span(from: start)
      if accept(.semicolon), self.kind != .endOfText {
        declaration.documentation = [
          source[ByteSpan(self.start, tokens[tokens.count - 1].span.start)]
        ]
      }
      return declaration
    } catch {
      return nil
    }
  }

  private mutating func expectedResult() -> SyntaxError {
    fail(
      Diagnostic(
        .malformedDeclaration, at: current.span,
        "expected the type of the result after the parameters, such as \"-> TEXT NOT NULL\""))
  }

  private mutating func parseParameters(of declaration: inout Declaration) throws(SyntaxError) {
    try expect(.leftParenthesis)
    if accept(.rightParenthesis) { return }
    repeat {
      if declaration.kind == .module, accept(.star) {
        declaration.takesColumns = true
        continue
      }
      declaration.parameters.append(try parseDeclaredParameter(of: declaration))
    } while accept(.comma)
    guard accept(.rightParenthesis) else {
      throw unexpected(.eitherToken(.comma, .rightParenthesis))
    }
  }

  private mutating func parseDeclaredParameter(
    of declaration: Declaration
  ) throws(SyntaxError) -> Declaration.Parameter {
    let start = start
    let isModule = declaration.kind == .module
    var isVariadic = false
    if !isModule, isAtWord, word == "variadic", Parser.isName(kind(ahead: 1)) {
      advance()
      isVariadic = true
    }
    let name = try parseName()
    let type = try parseDeclaredType()
    var parameter = Declaration.Parameter(
      column: ColumnDefinition(name: name, type: type, constraints: [], span: span(from: start)),
      annotation: nil, isVariadic: isVariadic)
    while kind != .comma, kind != .rightParenthesis {
      if kind == .as {
        parameter.annotation = try parseSwiftType()
      } else if isModule, word == "hidden" {
        advance()
        parameter.isHidden = true
      } else {
        let place = current.span
        guard let constraint = try parseColumnConstraint() else {
          throw unexpected(.eitherToken(.comma, .rightParenthesis))
        }
        switch constraint.kind {
        case .notNull, .null: break
        case .primaryKey where isModule: break
        case .default where !isModule && !isVariadic: break
        default:
          throw fail(
            Diagnostic(
              .malformedDeclaration, at: ByteSpan(place.start, previousEnd),
              isModule
                ? "a column of a module can only be PRIMARY KEY, NOT NULL or HIDDEN"
                : isVariadic
                  ? "a variadic parameter can only be NOT NULL"
                  : "a parameter can only be NOT NULL or have a DEFAULT"))
        }
        parameter.column.constraints.append(constraint)
      }
    }
    parameter.column.span = span(from: start)
    return parameter
  }

  private mutating func parseResultType() throws(SyntaxError) -> Declaration.ResultType {
    guard let type = try parseDeclaredType() else { throw expectedResult() }
    var result = Declaration.ResultType(type: type, isNotNull: false)
    while true {
      if kind == .not {
        advance()
        try expect(.null)
        result.isNotNull = true
      } else if kind == .as {
        result.annotation = try parseSwiftType()
      } else {
        return result
      }
    }
  }

  /// The words of types with several words, after the first.
  private static let furtherTypeWords: Set<String> = [
    "big", "character", "int", "integer", "precision", "varchar", "varying",
  ]

  /// Reads a type name, which has one word, unless it is a usual name such as `DOUBLE PRECISION`: other
  /// words are attributes.
  private mutating func parseDeclaredType() throws(SyntaxError) -> TypeName? {
    guard isAtWord, word != "hidden" else { return nil }
    let start = start
    var type = TypeName(words: [consumeIdentifier()], arguments: [], span: current.span)
    while isAtWord, Self.furtherTypeWords.contains(word) { type.words.append(consumeIdentifier()) }
    if accept(.leftParenthesis) {
      type.arguments.append(try parseSignedNumber())
      if accept(.comma) { type.arguments.append(try parseSignedNumber()) }
      try expect(.rightParenthesis)
    }
    type.span = span(from: start)
    return type
  }

  /// Reads `AS Type` or `AS Type USING Format`, and returns the text after `AS`. A type may contain
  /// tokens that are unknown to SQL.
  private mutating func parseSwiftType() throws(SyntaxError) -> ByteSpan {
    advance()
    let start = start
    let limit = tokens[tokens.count - 1].span.start.value
    var end = source.endOfSwiftType(from: start.value, limit: limit)
    let rest = source.bytes[end..<limit]
    if let next = rest.firstIndex(where: { !Lexer.isSpace($0) }),
      source.bytes[next...].starts(with: "USING ".utf8),
      let format = source.bytes[(next + 6)..<limit].firstIndex(where: { !Lexer.isSpace($0) })
    {
      end = source.endOfSwiftType(from: format, limit: limit)
    }
    guard end > start.value else { throw unexpected(.name) }
    while kind != .endOfText, self.start.value < end { advance() }
    return ByteSpan(start.value..<end)
  }

  private mutating func parseAttributes(of declaration: inout Declaration) throws(SyntaxError) {
    let known = declaration.kind.attributes
    while kind != .endOfText, kind != .semicolon {
      let span = current.span
      guard let attribute = known.first(where: { $0.rawValue == word && $0 != .eponymousOnly })
      else { throw unknownAttribute(known) }
      advance()
      var found = attribute
      switch attribute {
      case .returnsNull:
        try expect(.null)
        try expect(.on)
        try expect(.null)
        guard word == "input" else { throw unexpected(.name) }
        advance()
      case .eponymous where word == "only":
        advance()
        found = .eponymousOnly
      default: break
      }
      declaration.attributes[found] = ByteSpan(span.start, previousEnd)
    }
    if let directOnly = declaration.attributes[.directonly],
      declaration.attributes[.innocuous] != nil
    {
      throw fail(
        Diagnostic(
          .malformedDeclaration, at: directOnly,
          "a declaration is either innocuous, so that the schema may use it, or directonly"))
    }
  }

  private mutating func unknownAttribute(_ known: [Declaration.Attribute]) -> SyntaxError {
    let spellings = known.filter { $0 != .eponymousOnly }.map(\.spelling)
    var diagnostic = Diagnostic(
      .malformedDeclaration, at: current.span,
      "unexpected \"\(source[current.span])\"; expected "
        + spellings.map { "\"\($0)\"" }.joined(separator: ", ") + " or the end")
    if let nearest = EditDistance.nearest(to: source[current.span], among: spellings) {
      diagnostic.message = "unexpected \"\(source[current.span])\"; did you mean \"\(nearest)\"?"
      diagnostic.fixIt = .init(replace: current.span, with: nearest)
    }
    return fail(diagnostic)
  }

  /// The current token in lowercase.
  private var word: String { source[current.span].asciiLowercased }
}

extension Declaration.Kind {
  /// The attributes that a declaration of this kind may have.
  fileprivate var attributes: [Declaration.Attribute] {
    switch self {
    case .function: [.deterministic, .innocuous, .directonly, .extension, .returnsNull]
    case .aggregate, .window: [.deterministic, .innocuous, .directonly, .extension]
    case .collation: [.extension]
    case .module: [.innocuous, .directonly, .extension, .eponymous, .eponymousOnly, .readonly]
    }
  }
}

extension Declaration.Attribute {
  fileprivate var spelling: String {
    self == .returnsNull ? "returns null on null input" : rawValue
  }
}

extension SourceText {
  /// Returns the end of a type in Swift: of a name with brackets, within which spaces are allowed.
  fileprivate func endOfSwiftType(from start: Int, limit: Int) -> Int {
    var depth = 0
    for offset in start..<limit {
      switch bytes[offset] {
      case UInt8(ascii: "["), UInt8(ascii: "<"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: ">"): depth -= 1
      case UInt8(ascii: ","), UInt8(ascii: ")"), UInt8(ascii: ";"):
        if depth <= 0 { return offset }
      case let byte where Lexer.isSpace(byte):
        if depth <= 0 { return offset }
      default: break
      }
    }
    return limit
  }
}

extension Diagnostic.Identity {
  /// A malformed declaration of a function, collation or module.
  public static let malformedDeclaration = Self(rawValue: "malformed-declaration")
}

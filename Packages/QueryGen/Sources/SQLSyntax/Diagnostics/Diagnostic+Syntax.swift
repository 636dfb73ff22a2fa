extension Diagnostic.Identity {
  /// A token that can't stand where it does.
  public static let unexpectedToken = Self(rawValue: "unexpected-token")
  /// A statement that stops before its end.
  public static let unexpectedEnd = Self(rawValue: "unexpected-end")
  /// `'…` without its end.
  public static let unterminatedString = Self(rawValue: "unterminated-string")
  /// A name that is quoted as `"…` or `[…`, or in backticks, without its end.
  public static let unterminatedName = Self(rawValue: "unterminated-name")
  /// `x'…'` with something other than pairs of hexadecimal digits.
  public static let malformedBlob = Self(rawValue: "malformed-blob")
  /// A number that runs into a letter.
  public static let malformedNumber = Self(rawValue: "malformed-number")
  /// `:`, `@` or `$` without a name.
  public static let malformedParameter = Self(rawValue: "malformed-parameter")
  /// A character that SQL has no use for.
  public static let unexpectedCharacter = Self(rawValue: "unexpected-character")
}

extension Diagnostic {
  /// A token where something else must stand.
  static func expected(
    _ expectation: Expectation, found token: Token, in source: SourceText
  ) -> Diagnostic {
    switch token.kind {
    case .illegal:
      return illegal(token, in: source)
    case .endOfText:
      return Diagnostic(
        .unexpectedEnd, at: token.span, "expected \(expectation.words), found the end of the text")
    default:
      var diagnostic = Diagnostic(
        .unexpectedToken, at: token.span,
        "expected \(expectation.words), found \(described(token, in: source))")
      if case .name = expectation, token.kind.isKeyword {
        let text = source[token.span]
        diagnostic.notes = [Note("\(text) is a keyword; in double quotes it is a name")]
        diagnostic.fixIt = FixIt(replace: token.span, with: "\"\(text)\"")
      }
      return diagnostic
    }
  }

  /// Bytes that are no token.
  static func illegal(_ token: Token, in source: SourceText) -> Diagnostic {
    switch Lexer.fault(at: token.span, in: source) {
    case .unterminatedString:
      let quote = ByteSpan(token.span.start, token.span.start.advanced(by: 1))
      return Diagnostic(.unterminatedString, at: quote, "this string has no closing quote")
    case .unterminatedName:
      let quote = ByteSpan(token.span.start, token.span.start.advanced(by: 1))
      return Diagnostic(.unterminatedName, at: quote, "this quoted name has no closing quote")
    case .malformedBlob:
      return Diagnostic(
        .malformedBlob, at: token.span,
        "a blob is written as pairs of hexadecimal digits, such as x'00FF'")
    case .malformedNumber:
      return Diagnostic(.malformedNumber, at: token.span, "a number can't run into a name")
    case .malformedParameter:
      return Diagnostic(
        .malformedParameter, at: token.span,
        "expected the name of a parameter after \(described(token, in: source))")
    case .unexpectedCharacter:
      return Diagnostic(
        .unexpectedCharacter, at: token.span,
        "SQL has no use for the character \(described(token, in: source))")
    }
  }

  private static func described(_ token: Token, in source: SourceText) -> String {
    let longest = 40
    var span = token.span
    let isLong = span.count > longest
    if isLong { span.end = span.start.advanced(by: longest) }
    let text = source[span]
    let shown = String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "\u{FFFD}" : $0 }))
    switch token.kind {
    case .string, .blob: return shown + (isLong ? "…" : "")
    default: return "\"\(shown)\(isLong ? "…" : "")\""
    }
  }
}

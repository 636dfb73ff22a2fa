/// One token: its kind and its bytes.
public struct Token: Hashable, Sendable {
  /// The token's kind.
  public var kind: TokenKind
  /// The token's span in the source text.
  public var span: ByteSpan

  /// Creates a token.
  @inlinable public init(_ kind: TokenKind, _ span: ByteSpan) {
    self.kind = kind
    self.span = span
  }
}

/// A text's tokens and comments.
public struct TokenList: Sendable {
  /// The tokens, in order; the last is ``TokenKind/endOfText``.
  public internal(set) var tokens: [Token] = []
  /// The comments, in order, including their markers.
  public internal(set) var comments: [ByteSpan] = []
}

/// A reason why bytes form no valid token.
public enum LexicalError: Hashable, Sendable {
  /// A string literal, `'…`, without a closing quote.
  case unterminatedString
  /// A quoted name, in `"…`, `[…` or backticks, without a closing quote.
  case unterminatedName
  /// `x'…'` with something other than pairs of hexadecimal digits.
  case malformedBlob
  /// A number followed directly by a letter.
  case malformedNumber
  /// `:`, `@`, `$` or `#` without a name.
  case malformedParameter
  /// A character that SQL's grammar doesn't use.
  case unexpectedCharacter
}

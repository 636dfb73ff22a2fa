/// One token: its kind and its bytes.
public struct Token: Hashable, Sendable {
  /// What it is.
  public var kind: TokenKind
  /// Where it stands.
  public var span: ByteSpan

  /// Creates a token.
  @inlinable public init(_ kind: TokenKind, _ span: ByteSpan) {
    self.kind = kind
    self.span = span
  }
}

/// The tokens of a text, and its comments.
public struct TokenList: Sendable {
  /// The tokens, in order; the last is ``TokenKind/endOfText``.
  public internal(set) var tokens: [Token] = []
  /// The comments, in order, their markers included.
  public internal(set) var comments: [ByteSpan] = []
}

/// Why bytes are no token.
public enum LexicalFault: Hashable, Sendable {
  /// `'…` without its end.
  case unterminatedString
  /// A name that is quoted as `"…` or `[…`, or in backticks, without its end.
  case unterminatedName
  /// `x'…'` with something other than pairs of hexadecimal digits.
  case malformedBlob
  /// A number that runs into a letter.
  case malformedNumber
  /// `:`, `@`, `$` or `#` without a name.
  case malformedParameter
  /// A character that SQL has no use for.
  case unexpectedCharacter
}

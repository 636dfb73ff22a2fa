/// A problem found in a source text, with its severity and position.
public struct Diagnostic: Hashable, Sendable {
  /// The violated rule. The name is stable: tests and configuration refer to it.
  public var identity: Identity
  /// The severity, which decides whether the text can still be compiled.
  public var severity: Severity
  /// The affected bytes. Empty for a position between tokens, such as the end of the text.
  public var span: ByteSpan
  /// The human-readable message: one sentence without a trailing period.
  public var message: String
  /// Additional notes, each with an optional position.
  public var notes: [Note]
  /// A suggested correction, if any.
  public var fixIt: FixIt?

  /// Creates a diagnostic.
  public init(
    _ identity: Identity, severity: Severity = .error, at span: ByteSpan, _ message: String,
    notes: [Note] = [], fixIt: FixIt? = nil
  ) {
    self.identity = identity
    self.severity = severity
    self.span = span
    self.message = message
    self.notes = notes
    self.fixIt = fixIt
  }

  /// The name of a rule, such as `unexpected-token`. Each compiler stage declares its own
  /// identities.
  public struct Identity: RawRepresentable, Hashable, Sendable {
    /// The name, in lowercase with hyphens.
    public let rawValue: String
    /// Creates an identity with the given name.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The severity of a diagnostic.
  public enum Severity: Hashable, Sendable {
    /// The text can't be compiled.
    case error
    /// The text can be compiled, but is probably a mistake.
    case warning
  }

  /// A note attached to a diagnostic.
  public struct Note: Hashable, Sendable {
    /// The span that the note refers to, in the same text.
    public var span: ByteSpan?
    /// The human-readable message.
    public var message: String

    /// Creates a note.
    public init(_ message: String, at span: ByteSpan? = nil) {
      self.message = message
      self.span = span
    }
  }

  /// A suggested replacement of one span of text.
  public struct FixIt: Hashable, Sendable {
    /// The span to replace. An empty span inserts the replacement.
    public var span: ByteSpan
    /// The replacement text.
    public var replacement: String

    /// Creates a fix-it.
    public init(replace span: ByteSpan, with replacement: String) {
      self.span = span
      self.replacement = replacement
    }
  }
}

extension Diagnostic.Identity {
  /// The error limit was reached; the remaining errors are not shown.
  public static let tooManyErrors = Self(rawValue: "too-many-errors")
}

extension Diagnostic {
  /// Creates the last diagnostic of a full list.
  static func tooManyErrors(at span: ByteSpan) -> Diagnostic {
    Diagnostic(.tooManyErrors, at: span, "too many errors; the remaining errors are not shown")
  }
}

extension Diagnostic.Identity {
  /// A statement in a query file without a name.
  public static let unnamedQuery = Self(rawValue: "unnamed-query")
  /// A query name that an earlier query already uses.
  public static let duplicateQuery = Self(rawValue: "duplicate-query")
  /// A header without a statement.
  public static let emptyQuery = Self(rawValue: "empty-query")
  /// A malformed header in a comment.
  public static let malformedQueryHeader = Self(rawValue: "malformed-query-header")
  /// A malformed annotation in a comment.
  public static let malformedAnnotation = Self(rawValue: "malformed-annotation")
}

extension Diagnostic {
  static func unnamedQuery(at span: ByteSpan) -> Diagnostic {
    Diagnostic(
      .unnamedQuery, at: span,
      "this statement has no name; put \"DEFINE QUERY name AS\" or \"name:\" before it")
  }

  static func duplicateQuery(_ name: Identifier, first: Identifier) -> Diagnostic {
    Diagnostic(
      .duplicateQuery, at: name.span, "a query named \"\(name.text)\" already exists",
      notes: [Note("first defined here", at: first.span)])
  }

  static func emptyQuery(_ name: Identifier) -> Diagnostic {
    Diagnostic(.emptyQuery, at: name.span, "the query \"\(name.text)\" has no statement")
  }

  static func malformedQueryHeader(at span: ByteSpan) -> Diagnostic {
    let known = NamedQuery.Cardinality.allCases.map { ":" + $0.rawValue }
    return Diagnostic(
      .malformedQueryHeader, at: span,
      "expected \"-- name: queryName\", optionally followed by \(known.joined(separator: ", "))")
  }
}

extension Diagnostic.Identity {
  /// A token that is not allowed at its position.
  public static let unexpectedToken = Self(rawValue: "unexpected-token")
  /// A statement that ends prematurely.
  public static let unexpectedEnd = Self(rawValue: "unexpected-end")
  /// A string literal, `'…`, without a closing quote.
  public static let unterminatedString = Self(rawValue: "unterminated-string")
  /// A quoted name, in `"…`, `[…` or backticks, without a closing quote.
  public static let unterminatedName = Self(rawValue: "unterminated-name")
  /// `x'…'` with something other than pairs of hexadecimal digits.
  public static let malformedBlob = Self(rawValue: "malformed-blob")
  /// A number followed directly by a letter.
  public static let malformedNumber = Self(rawValue: "malformed-number")
  /// `:`, `@` or `$` without a name.
  public static let malformedParameter = Self(rawValue: "malformed-parameter")
  /// A character that SQL's grammar doesn't use.
  public static let unexpectedCharacter = Self(rawValue: "unexpected-character")
}

extension Diagnostic {
  /// Creates the diagnostic for a token other than the expected one.
  static func expected(
    _ expectation: Expectation, found token: Token, in source: SourceText
  ) -> Diagnostic {
    switch token.kind {
    case .illegal:
      return illegal(token, in: source)
    case .endOfText:
      // An annotation in a comment ends before the text does.
      let part = token.span.end.value < source.byteCount ? "annotation" : "text"
      return Diagnostic(
        .unexpectedEnd, at: token.span,
        "expected \(expectation.words), found the end of the \(part)")
    default:
      var diagnostic = Diagnostic(
        .unexpectedToken, at: token.span,
        "expected \(expectation.words), found \(described(token, in: source))")
      if case .name = expectation, token.kind.isKeyword {
        let text = source[token.span]
        diagnostic.notes = [
          Note("\(text) is a keyword; put it in double quotes to use it as a name")
        ]
        diagnostic.fixIt = FixIt(replace: token.span, with: "\"\(text)\"")
      }
      return diagnostic
    }
  }

  /// Creates the diagnostic for bytes that form no valid token.
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
      return Diagnostic(
        .malformedNumber, at: token.span, "a number must not be followed directly by a letter")
    case .malformedParameter:
      return Diagnostic(
        .malformedParameter, at: token.span,
        "expected the name of a parameter after \(described(token, in: source))")
    case .unexpectedCharacter:
      return Diagnostic(
        .unexpectedCharacter, at: token.span,
        "unexpected character \(described(token, in: source))")
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

extension Diagnostic.Identity {
  /// A feature that only an SQLite release newer than the target supports.
  public static let newerThanTarget = Self(rawValue: "newer-than-target")
}

extension Diagnostic {
  /// Creates the diagnostic for a feature that requires a newer SQLite release than the target.
  public static func newerThanTarget(
    _ what: String, needs version: SQLiteVersion, target: SQLiteVersion, at span: ByteSpan
  ) -> Diagnostic {
    Diagnostic(
      .newerThanTarget, at: span, "\(what) requires SQLite \(version), but the target is \(target)")
  }
}

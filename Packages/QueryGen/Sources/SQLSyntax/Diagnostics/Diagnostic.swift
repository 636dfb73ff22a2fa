/// Something to tell the author of a text: what, how bad, and where.
public struct Diagnostic: Hashable, Sendable {
  /// Which rule speaks. Stable, so that tests and configuration can refer to it.
  public var identity: Identity
  /// Whether the text can be used all the same.
  public var severity: Severity
  /// The bytes concerned. Empty for a place between tokens, such as the end of the text.
  public var span: ByteSpan
  /// The message for a person: one sentence without a final full stop.
  public var message: String
  /// More to know, each with a place of its own where it has one.
  public var notes: [Note]
  /// A change that would put it right.
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

  /// The name of a rule, such as `unexpected-token`. An open set: each stage adds its own.
  public struct Identity: RawRepresentable, Hashable, Sendable {
    /// The name, in lower case with hyphens.
    public let rawValue: String
    /// Names a rule.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// How bad it is.
  public enum Severity: Hashable, Sendable {
    /// The text can't be used.
    case error
    /// The text can be used, and probably does not do what was meant.
    case warning
  }

  /// A remark that goes with a diagnostic.
  public struct Note: Hashable, Sendable {
    /// The place the remark is about, in the same text.
    public var span: ByteSpan?
    /// The remark.
    public var message: String

    /// Creates a remark.
    public init(_ message: String, at span: ByteSpan? = nil) {
      self.message = message
      self.span = span
    }
  }

  /// A suggested replacement of one stretch of text.
  public struct FixIt: Hashable, Sendable {
    /// What to replace; an empty span inserts.
    public var span: ByteSpan
    /// What to put there.
    public var replacement: String

    /// Creates a suggestion.
    public init(replace span: ByteSpan, with replacement: String) {
      self.span = span
      self.replacement = replacement
    }
  }
}

extension Diagnostic.Identity {
  /// So many errors that the rest are not shown.
  public static let tooManyErrors = Self(rawValue: "too-many-errors")
}

extension Diagnostic {
  /// The last diagnostic of a full list.
  static func tooManyErrors(at span: ByteSpan) -> Diagnostic {
    Diagnostic(.tooManyErrors, at: span, "there are too many errors; the rest are not shown")
  }
}

extension Diagnostic.Identity {
  /// A statement in a query file without a name.
  public static let unnamedQuery = Self(rawValue: "unnamed-query")
  /// A name that a query before has.
  public static let duplicateQuery = Self(rawValue: "duplicate-query")
  /// A header without a statement.
  public static let emptyQuery = Self(rawValue: "empty-query")
  /// A header in a comment that can't be read.
  public static let malformedQueryHeader = Self(rawValue: "malformed-query-header")
}

extension Diagnostic {
  static func unnamedQuery(at span: ByteSpan) -> Diagnostic {
    Diagnostic(
      .unnamedQuery, at: span,
      "this statement has no name; put \"DEFINE QUERY name AS\" or \"name:\" before it")
  }

  static func duplicateQuery(_ name: Identifier, first: Identifier) -> Diagnostic {
    Diagnostic(
      .duplicateQuery, at: name.span, "there is already a query called \"\(name.text)\"",
      notes: [Note("the first one is here", at: first.span)])
  }

  static func emptyQuery(_ name: Identifier) -> Diagnostic {
    Diagnostic(.emptyQuery, at: name.span, "the query \"\(name.text)\" has no statement")
  }

  static func malformedQueryHeader(at span: ByteSpan) -> Diagnostic {
    let known = NamedQuery.Cardinality.allCases.map { ":" + $0.rawValue }
    return Diagnostic(
      .malformedQueryHeader, at: span,
      "a header is \"-- name: queryName\" and one of \(known.joined(separator: ", "))")
  }
}

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

extension Diagnostic.Identity {
  /// What only a newer release of SQLite than the target has.
  public static let newerThanTarget = Self(rawValue: "newer-than-target")
}

extension Diagnostic {
  /// Says which release of SQLite something needs.
  public static func newerThanTarget(
    _ what: String, needs version: SQLiteVersion, target: SQLiteVersion, at span: ByteSpan
  ) -> Diagnostic {
    Diagnostic(
      .newerThanTarget, at: span, "\(what) needs SQLite \(version), and the target is \(target)")
  }
}

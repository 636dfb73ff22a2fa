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

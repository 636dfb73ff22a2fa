/// What a text in JSON says next. What belongs to it, the reader holds until the next event.
@_spi(Formats) public enum JSONEvent: UInt8, Sendable {
  case beginObject, endObject, beginArray, endArray
  /// A text: ``JSONEventReader/withText(in:_:)``.
  case string
  /// A number that is a ``JSONEventReader/integer``.
  case integer
  /// A number that is a ``JSONEventReader/double``.
  case double
  /// A number that neither type says: its digits are at ``JSONEventReader/range``.
  case number
  /// A ``JSONEventReader/bool``.
  case bool
  case null
  /// The text is over.
  case end
  /// The bytes at hand end within something; ``JSONEventReader/isComplete`` says that more will come.
  case incomplete
}

/// What a ``JSONEventReader`` takes for JSON.
@_spi(Formats) public struct JSONReadingOptions: Hashable, Sendable {
  /// How many values a text has.
  public enum Mode: Hashable, Sendable {
    case single
    /// Any number of values, each in a line of its own; there may be blank lines.
    case lines
    /// Any number of values, one behind the other, with white space between them or none.
    case concatenated
  }

  /// What becomes of a key that its object has already.
  public enum DuplicateKeys: Hashable, Sendable {
    case refused
    /// ``JSONEventReader/isDuplicateKey`` tells of it.
    case reported
  }

  public var mode: Mode
  public var duplicateKeys: DuplicateKeys
  /// `fields` does not count here.
  public var limits: FormatLimits

  public init(
    mode: Mode = .single, duplicateKeys: DuplicateKeys = .refused, limits: FormatLimits = .init()
  ) {
    self.mode = mode
    self.duplicateKeys = duplicateKeys
    self.limits = limits
  }
}

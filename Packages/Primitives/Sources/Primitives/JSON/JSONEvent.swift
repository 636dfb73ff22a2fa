/// A part of a text in JSON. Its value is in the reader until the next event.
public enum JSONEvent: UInt8, Sendable {
  case beginObject, endObject, beginArray, endArray
  /// A text: ``JSONEventReader/withText(in:_:)``.
  case string
  /// A number that is a ``JSONEventReader/integer``.
  case integer
  /// A number that is a ``JSONEventReader/double``.
  case double
  /// A number that neither type holds without rounding: its text is at ``JSONEventReader/range``.
  case number
  /// A ``JSONEventReader/bool``.
  case bool
  case null
  /// The end of the text.
  case end
  /// The bytes at hand end within something, and more will come: ``JSONEventReader/isComplete`` is `false`.
  case incomplete
}

/// The options of a ``JSONEventReader``.
public struct JSONReadingOptions: Hashable, Sendable {
  /// The number of values in a text.
  public enum Mode: Hashable, Sendable {
    case single
    /// Any number of values, each on a line of its own, and blank lines.
    case lines
    /// Any number of values, with or without white space between them.
    case concatenated
  }

  /// The treatment of a key that the object already has.
  public enum DuplicateKeys: Hashable, Sendable {
    case refused
    /// ``JSONEventReader/isDuplicateKey`` is set.
    case reported
  }

  public var mode: Mode
  public var duplicateKeys: DuplicateKeys
  /// The most containers that are open at a time.
  public var depth: Int
  /// The most bytes of one text, key or number, as it is written.
  public var length: Int

  public init(
    mode: Mode = .single, duplicateKeys: DuplicateKeys = .refused, depth: Int = 512,
    length: Int = 1_000_000_000
  ) {
    self.mode = mode
    self.duplicateKeys = duplicateKeys
    self.depth = depth
    self.length = length
  }
}

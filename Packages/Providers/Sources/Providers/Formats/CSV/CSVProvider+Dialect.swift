extension CSVProvider {
  /// How records of text are written, of which RFC 4180 describes one way.
  public struct Dialect: Hashable, Sendable {
    /// How a quote is written within quotes.
    public enum Escape: Hashable, Sendable {
      /// Twice.
      case doubled
      /// Behind a backslash, as are a backslash and, outside quotes, a delimiter. `\n`, `\r`, `\t` and `\0` are no
      /// characters of their own: a backslash stands for the byte behind it.
      case backslash
    }

    /// What becomes of a record that has another number of fields than the first one.
    public enum RaggedRecords: Hashable, Sendable {
      case refused
      /// One that is too short gets fields that are missing; one that is too long is refused.
      case padded
      /// It is told as it is.
      case kept
    }

    /// What becomes of a line with nothing in it.
    public enum EmptyLines: Hashable, Sendable {
      case skipped
      /// Each is a record of one empty field.
      case records
    }

    /// The byte between fields.
    public var delimiter: UInt8
    /// The byte around a field; `nil` where none has a meaning.
    public var quote: UInt8?
    public var escape: Escape
    /// The byte that makes a line a comment, at its beginning.
    public var comment: UInt8?
    /// Whether the first record names the columns. The reader tells it like any other.
    public var hasHeader: Bool
    /// Whether spaces at the beginning of a field are no part of it.
    public var skipsInitialSpaces: Bool
    public var raggedRecords: RaggedRecords
    public var emptyLines: EmptyLines
    /// Whether text behind a quoted field's last quote belongs to it: `"a"b` is `ab`. Otherwise it is refused.
    public var keepsTextBehindQuotes: Bool

    public init(
      delimiter: UInt8 = UInt8(ascii: ","), quote: UInt8? = UInt8(ascii: "\""),
      escape: Escape = .doubled, comment: UInt8? = nil, hasHeader: Bool = true,
      skipsInitialSpaces: Bool = false, raggedRecords: RaggedRecords = .refused,
      emptyLines: EmptyLines = .skipped, keepsTextBehindQuotes: Bool = false
    ) {
      self.delimiter = delimiter
      self.quote = quote
      self.escape = escape
      self.comment = comment
      self.hasHeader = hasHeader
      self.skipsInitialSpaces = skipsInitialSpaces
      self.raggedRecords = raggedRecords
      self.emptyLines = emptyLines
      self.keepsTextBehindQuotes = keepsTextBehindQuotes
    }
  }
}

extension CSVReader {
  /// A field of a record: where its text is.
  @_spi(Formats) public struct Field: Hashable, Sendable {
    /// Where its text is: in the bytes that are read, or in ``CSVReader/decoded``.
    public internal(set) var range: Range<Int>
    /// Whether it stands in quotes.
    public internal(set) var isQuoted = false
    /// Whether its text is in ``CSVReader/decoded``, since it has escapes.
    public internal(set) var isDecoded = false
    /// Whether its record is too short to have it.
    public internal(set) var isMissing = false

    /// Whether it is empty without quotes, which says `NULL` where `""` says an empty text.
    public var isNull: Bool { !isQuoted && range.isEmpty }
  }
}

extension CSVProvider {
  /// The format of delimited text. RFC 4180 describes the default.
  public struct Dialect: Hashable, Sendable {
    /// The notation of a quote within a quoted field.
    public enum Escape: Hashable, Sendable {
      /// The quote is doubled.
      case doubled
      /// A backslash precedes the quote, a backslash and, outside quotes, a delimiter. `\n`, `\r`,
      /// `\t` and `\0` are not control characters: a backslash escapes exactly the byte after it.
      case backslash
    }

    /// The handling of a record whose number of fields differs from the first record's.
    public enum RaggedRecords: Hashable, Sendable {
      case refused
      /// Missing fields are added to a record that is too short; a record that is too long is
      /// refused.
      case padded
      /// The record is returned unchanged.
      case kept
    }

    /// The handling of an empty line.
    public enum EmptyLines: Hashable, Sendable {
      case skipped
      /// Each empty line is a record with one empty field.
      case records
    }

    /// The byte between fields.
    public var delimiter: UInt8
    /// The quotation mark; `nil` if quotes have no special meaning.
    public var quote: UInt8?
    public var escape: Escape
    /// The byte that marks a line as a comment if it is the first byte.
    public var comment: UInt8?
    /// A Boolean value that indicates whether the first record contains the column names. The
    /// reader returns it as an ordinary record.
    public var hasHeader: Bool
    /// A Boolean value that indicates whether spaces at the beginning of a field are skipped.
    public var skipsInitialSpaces: Bool
    public var raggedRecords: RaggedRecords
    public var emptyLines: EmptyLines
    /// A Boolean value that indicates whether text after a quoted field's closing quote belongs to
    /// the field: `"a"b` is `ab`. Otherwise such a field is refused.
    public var keepsTextAfterQuotes: Bool

    public init(
      delimiter: UInt8 = UInt8(ascii: ","), quote: UInt8? = UInt8(ascii: "\""),
      escape: Escape = .doubled, comment: UInt8? = nil, hasHeader: Bool = true,
      skipsInitialSpaces: Bool = false, raggedRecords: RaggedRecords = .refused,
      emptyLines: EmptyLines = .skipped, keepsTextAfterQuotes: Bool = false
    ) {
      self.delimiter = delimiter
      self.quote = quote
      self.escape = escape
      self.comment = comment
      self.hasHeader = hasHeader
      self.skipsInitialSpaces = skipsInitialSpaces
      self.raggedRecords = raggedRecords
      self.emptyLines = emptyLines
      self.keepsTextAfterQuotes = keepsTextAfterQuotes
    }
  }
}

extension CSVReader {
  /// A field of a record, as the range of its text.
  @_spi(Formats) public struct Field: Hashable, Sendable {
    /// The range of the text in the bytes that are read, or in ``CSVReader/decoded``.
    public internal(set) var range: Range<Int>
    /// A Boolean value that indicates whether the field is quoted.
    public internal(set) var isQuoted = false
    /// A Boolean value that indicates whether the text is in ``CSVReader/decoded``, because it
    /// contains escapes.
    public internal(set) var isDecoded = false
    /// A Boolean value that indicates whether the field was added because its record is too short.
    public internal(set) var isMissing = false

    /// A Boolean value that indicates whether the field is empty and not quoted, which means
    /// `NULL`. `""` is an empty string.
    public var isNull: Bool { !isQuoted && range.isEmpty }
  }
}

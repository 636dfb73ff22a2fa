internal import Primitives

/// Reads records of delimited text (RFC 4180 and its kin), without copies, from bytes that its caller holds.
///
/// Every call is handed the same bytes, all of the text, in UTF-8. A record's fields are ranges of them, but for those
/// with escapes.
///
/// ```swift
/// var reader = CSVReader(CSVProvider.Dialect(delimiter: UInt8(ascii: ";")))
/// while try reader.next(in: bytes) == .record {
///   for index in reader.fields.indices where !reader.fields[index].isNull {
///     reader.withText(of: index, in: bytes) { bind($0, at: index) }
///   }
/// }
/// ```
///
/// - A line ends in LF, CRLF or CR, each as it comes. The last one may lack its end.
/// - A quote within a field that does not begin with one is a character like any other.
/// - A byte order mark is passed over. A zero byte is refused: it shows UTF-16, or a file that is no text.
///
/// A text can also come in parts, as with Primitives' `JSONEventReader`: at ``Outcome/incomplete``, ``discard(_:in:)`` the bytes
/// before ``position``, and call again with at least as many more.
@_spi(Formats) public struct CSVReader: Sendable {
  /// What a call found.
  public enum Outcome: UInt8, Sendable {
    /// A record, whose ``CSVReader/fields`` are there.
    case record
    /// The end of the text.
    case end
    /// The bytes at hand end within a record, and ``CSVReader/isComplete`` says that more will come.
    case incomplete
  }

  public let dialect: CSVProvider.Dialect
  public let limits: SourceSession.FormatLimits
  /// Whether the bytes at hand end where the text does.
  public var isComplete = true
  /// How many fields a record has; `nil` until the first one tells. Set it where that is known before.
  public var fieldCount: Int?
  /// How many of the bytes at hand are read.
  public internal(set) var position = 0
  /// The fields of the record.
  public internal(set) var fields: [Field] = []
  /// The texts of the record's fields that have escapes, one behind the other.
  public internal(set) var decoded: [UInt8] = []
  /// Where the record begins.
  public internal(set) var start = 0
  /// How many records were read.
  public internal(set) var recordCount = 0

  var origin = TextOrigin(carriageReturnsBreak: true)
  var isAtBeginning = true
  /// The bits of all bytes of the record, by which it is seen that it is ASCII.
  var seen: UInt64 = 0
  /// The bytes that mean something outside quotes, each eight times.
  let delimiters: UInt64
  let backslashes: UInt64
  let quotes: UInt64

  /// - Parameter limits: `depth` does not count here.
  public init(
    _ dialect: CSVProvider.Dialect = CSVProvider.Dialect(),
    limits: SourceSession.FormatLimits = SourceSession.FormatLimits()
  ) {
    self.dialect = dialect
    self.limits = limits
    delimiters = ByteWord.filled(dialect.delimiter)
    // Where a backslash has no meaning, the delimiter is looked for twice.
    backslashes = ByteWord.filled(
      dialect.escape == .backslash ? CSVReader.backslash : dialect.delimiter)
    quotes = ByteWord.filled(dialect.quote ?? 0)
  }

  /// The text of a field of the record, for as long as `body` runs.
  @inline(__always)
  public func withText<Result, Failure: Error>(
    of index: Int, in bytes: Span<UInt8>, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let field = fields[index]
    return try field.isDecoded
      ? body(decoded.elementSpan.extracting(field.range)) : body(bytes.extracting(field.range))
  }

  /// The text of a field of the record, as a copy.
  public func text(of index: Int, in bytes: Span<UInt8>) -> String {
    let field = fields[index]
    return field.isDecoded
      ? String(decoding: decoded[field.range], as: UTF8.self)
      : String(decoding: bytes.array(field.range), as: UTF8.self)
  }

  /// Reads the next record.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/malformed`` (text behind a quoted field, a record with too
  ///   many or too few fields, a zero byte), ``ProviderError/Code/truncated`` where a quote is not closed, with the
  ///   place of that quote, ``ProviderError/Code/invalidEncoding`` or ``ProviderError/Code/limitExceeded``.
  public mutating func next(in bytes: Span<UInt8>) throws(ProviderError) -> Outcome {
    if isAtBeginning {
      guard try skipByteOrderMark(bytes) else { return .incomplete }
    }
    var at = position
    while at < bytes.count {
      let byte = bytes[at]
      if byte == 0x0A || byte == 0x0D, dialect.emptyLines == .skipped {
        at &+= 1
        position = at
        continue
      }
      guard byte != dialect.comment else {
        guard let next = lineEnd(bytes, at) else { return .incomplete }
        at = next
        position = at
        continue
      }
      position = at
      return try record(bytes)
    }
    if isComplete { position = bytes.count }
    return isComplete ? .end : .incomplete
  }

  /// Counts bytes from `count` further, since those before are given up.
  public mutating func discard(_ count: Int, in bytes: Span<UInt8>) {
    precondition(count <= position, "bytes that are yet to be read are kept")
    origin.advance(count, in: bytes)
    position -= count
  }

  /// Where a byte of those at hand is in the text.
  public func sourcePosition(of offset: Int, in bytes: Span<UInt8>) -> ProviderError.Position {
    ProviderError.Position(origin.position(of: offset, in: bytes))
  }

  static let backslash = UInt8(ascii: "\\")
}

// Records and fields.
extension CSVReader {
  /// How a field ends.
  enum Ending {
    case delimiter, line
    /// The bytes at hand end before it does.
    case nothing
  }

  /// Reads the record at `position`.
  mutating func record(_ bytes: Span<UInt8>) throws(ProviderError) -> Outcome {
    start = position
    seen = 0
    fields.removeAll(keepingCapacity: true)
    if !decoded.isEmpty { decoded.removeAll(keepingCapacity: true) }
    var at = start
    while true {
      if dialect.skipsInitialSpaces {
        while at < bytes.count, bytes[at] == 0x20 { at &+= 1 }
      }
      let ending: Ending
      if at < bytes.count, bytes[at] == dialect.quote {
        ending = try quotedField(bytes, &at)
      } else {
        ending = try plainField(bytes, &at)
      }
      if ending == .delimiter {
        guard fields.count < limits.fields else { throw tooManyFields(bytes) }
        continue
      }
      if ending == .nothing { return .incomplete }
      break
    }
    if seen & ByteWord.highs != 0 { try checkUTF8(bytes, start..<at) }
    if fields.count != fieldCount { try checkCount(bytes) }
    position = at
    recordCount &+= 1
    return .record
  }

  /// Reads a field without quotes.
  @inline(__always)
  private mutating func plainField(
    _ bytes: Span<UInt8>, _ at: inout Int
  ) throws(ProviderError) -> Ending {
    let first = at
    var stop = plainEnd(bytes, at)
    if stop < bytes.count, bytes[stop] == Self.backslash || bytes[stop] == 0 {
      return try unusualField(bytes, first, stop, &at)
    }
    let end = stop
    let ending = try ending(bytes, &stop)
    guard ending != .nothing else { return .nothing }
    guard end &- first <= limits.length else { throw tooLong(bytes, first) }
    fields.append(Field(range: first..<end))
    at = stop
    return ending
  }

  /// The first byte from `start` that means something, or the end of the bytes.
  @inline(__always)
  private mutating func plainEnd(_ bytes: Span<UInt8>, _ start: Int) -> Int {
    let (delimiters, backslashes) = (delimiters, backslashes)
    return bytes.first(from: start, seen: &seen) { word in
      ByteWord.matches(word, delimiters) | ByteWord.matches(word, backslashes)
        | ByteWord.matches(word, ByteWord.filled(0x0A))
        | ByteWord.matches(word, ByteWord.filled(0x0D)) | ByteWord.matches(word, 0)
    }
  }

  /// Passes over what ends a field: a delimiter, an end of a line, or the end of the text.
  @inline(__always)
  private func ending(_ bytes: Span<UInt8>, _ at: inout Int) throws(ProviderError) -> Ending {
    guard at < bytes.count else { return isComplete ? .line : .nothing }
    let byte = bytes[at]
    if byte == dialect.delimiter {
      at &+= 1
      return .delimiter
    }
    if byte == 0x0D {
      if at &+ 1 < bytes.count {
        at &+= bytes[at &+ 1] == 0x0A ? 2 : 1
        return .line
      }
      guard isComplete else { return .nothing }
    }
    at &+= 1
    return .line
  }

  /// Reads a field in quotes.
  @inline(__always)
  private mutating func quotedField(
    _ bytes: Span<UInt8>, _ at: inout Int
  ) throws(ProviderError) -> Ending {
    let first = at &+ 1
    let stop = quotedEnd(bytes, first)
    // The whole of it is plain, and what ends it follows at once.
    if stop < bytes.count, bytes[stop] == dialect.quote {
      var next = stop &+ 1
      let follows = next < bytes.count ? bytes[next] : 0x0A
      if follows == dialect.delimiter || follows == 0x0A || follows == 0x0D {
        let ending = try ending(bytes, &next)
        guard ending != .nothing else { return .nothing }
        guard stop &- first <= limits.length else { throw tooLong(bytes, first) }
        fields.append(Field(range: first..<stop, isQuoted: true))
        at = next
        return ending
      }
    }
    return try unusualQuotedField(bytes, first, stop, &at)
  }

  /// The first byte from `start` that means something within quotes, or the end of the bytes.
  @inline(__always)
  private mutating func quotedEnd(_ bytes: Span<UInt8>, _ start: Int) -> Int {
    let (quotes, escapes) = (quotes, dialect.escape == .backslash ? backslashes : quotes)
    return bytes.first(from: start, seen: &seen) { word in
      ByteWord.matches(word, quotes) | ByteWord.matches(word, escapes) | ByteWord.matches(word, 0)
    }
  }
}

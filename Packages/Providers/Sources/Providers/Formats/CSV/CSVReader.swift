internal import Primitives

/// Reads records of delimited text (RFC 4180 and similar formats) from bytes held by the caller,
/// without copying.
///
/// The caller passes the same bytes to every call: the whole text, in UTF-8. A record's fields are
/// ranges of these bytes, except for fields with escapes.
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
/// - A line ends with LF, CRLF or CR, in any mixture. The last line break is optional.
/// - A quote within a field that does not begin with one is an ordinary character.
/// - A byte order mark is skipped. A zero byte is refused: it indicates UTF-16 or a binary file.
///
/// The text can also be read in parts, as with Primitives' `JSONEventReader`: at
/// ``Outcome/incomplete``, ``discard(_:in:)`` the bytes before ``position``, and call again after
/// at least doubling the remaining bytes.
@_spi(Formats) public struct CSVReader: Sendable {
  /// The result of a call.
  public enum Outcome: UInt8, Sendable {
    /// A record was read; its ``CSVReader/fields`` are available.
    case record
    /// The end of the text.
    case end
    /// The available bytes end within a record, and ``CSVReader/isComplete`` is `false`.
    case incomplete
  }

  public let dialect: CSVProvider.Dialect
  public let limits: SourceSession.FormatLimits
  /// A Boolean value that indicates whether the available bytes include the end of the text.
  public var isComplete = true
  /// The number of fields of a record; `nil` until the first record was read. Set it if it is known
  /// before.
  public var fieldCount: Int?
  /// The number of available bytes that have been read.
  public internal(set) var position = 0
  /// The fields of the current record.
  public internal(set) var fields: [Field] = []
  /// The decoded strings of the record's fields with escapes, one after another.
  public internal(set) var decoded: [UInt8] = []
  /// The offset of the current record.
  public internal(set) var start = 0
  /// The number of records read.
  public internal(set) var recordCount = 0

  var origin = TextOrigin(carriageReturnsBreak: true)
  var isAtBeginning = true
  /// The bitwise OR of all bytes of the record, used to detect non-ASCII text.
  var seen: UInt8 = 0
  /// Finds the ends of fields.
  var finder: DelimiterFinder

  /// - Parameter limits: The limits; `depth` is ignored.
  public init(
    _ dialect: CSVProvider.Dialect = CSVProvider.Dialect(),
    limits: SourceSession.FormatLimits = SourceSession.FormatLimits()
  ) {
    self.dialect = dialect
    self.limits = limits
    finder = DelimiterFinder(
      delimiter: dialect.delimiter, quote: dialect.quote,
      escape: dialect.escape == .backslash ? Self.backslash : nil)
  }

  /// Calls `body` with the text of a field of the current record.
  @inline(__always)
  public func withText<Result, Failure: Error>(
    of index: Int, in bytes: Span<UInt8>, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let field = fields[index]
    return try field.isDecoded
      ? body(decoded.elementSpan.extracting(field.range)) : body(bytes.extracting(field.range))
  }

  /// Returns a copy of a field's text in the current record.
  public func text(of index: Int, in bytes: Span<UInt8>) -> String {
    let field = fields[index]
    return field.isDecoded
      ? String(decoding: decoded[field.range], as: UTF8.self)
      : String(decoding: bytes.array(field.range), as: UTF8.self)
  }

  /// Reads the next record.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/malformed`` (text after a quoted field,
  ///   a record with too many or too few fields, a zero byte), ``ProviderError/Code/truncated``
  ///   with the position of a quote that is not closed, ``ProviderError/Code/invalidEncoding`` or
  ///   ``ProviderError/Code/limitExceeded``.
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
      if commonRecord(bytes) { return .record }
      let outcome = try record(bytes)
      if outcome == .incomplete { finder.forget() }
      return outcome
    }
    finder.forget()
    if isComplete { position = bytes.count }
    return isComplete ? .end : .incomplete
  }

  /// Shifts all offsets by `count`, because the caller drops that number of bytes.
  public mutating func discard(_ count: Int, in bytes: Span<UInt8>) {
    precondition(count <= position, "bytes that have not been read can't be discarded")
    origin.advance(count, in: bytes)
    position -= count
    finder.forget()
  }

  /// Returns the position in the text of one of the available bytes.
  public func sourcePosition(of offset: Int, in bytes: Span<UInt8>) -> ProviderError.Position {
    ProviderError.Position(origin.position(of: offset, in: bytes))
  }

  static let backslash = UInt8(ascii: "\\")
}

// Records and fields.
extension CSVReader {
  /// Reads the record at `position` if it has the usual number of fields and no escapes. Otherwise
  /// returns `false`: ``record(_:)`` reads the record, or throws.
  private mutating func commonRecord(_ bytes: Span<UInt8>) -> Bool {
    guard fields.count == fieldCount, !fields.isEmpty, !dialect.skipsInitialSpaces else {
      return false
    }
    let (delimiter, quote, limit) = (dialect.delimiter, dialect.quote ?? 0, limits.length)
    let hasQuotes = dialect.quote != nil
    var finder = finder
    defer { self.finder = finder }
    finder.begin(position)
    var at = position
    var output = fields.mutableSpan
    let last = output.count &- 1
    for index in 0...last {
      let first: Int
      var end: Int
      let isQuoted = hasQuotes && at < bytes.count && bytes[at] == quote
      if isQuoted {
        first = at &+ 1
        end = finder.quotedEnd(in: bytes, from: first)
        guard end < bytes.count, bytes[end] == quote else { return false }
        at = end &+ 1
      } else {
        first = at
        end = finder.unquotedEnd(in: bytes, from: at)
        at = end
      }
      guard at < bytes.count, end &- first <= limit else { return false }
      if index < last {
        guard bytes[at] == delimiter else { return false }
      } else if bytes[at] == 0x0D {
        at &+= 1
        guard at < bytes.count, bytes[at] == 0x0A else { return false }
      } else {
        guard bytes[at] == 0x0A else { return false }
      }
      at &+= 1
      output[index] = Field(range: first..<end, isQuoted: isQuoted)
    }
    if !finder.isASCII, bytes.firstInvalidUTF8(in: position..<at) != nil { return false }
    start = position
    position = at
    recordCount &+= 1
    if !decoded.isEmpty { decoded.removeAll(keepingCapacity: true) }
    return true
  }

  /// The end of a field.
  enum Ending {
    case delimiter, line
    /// The available bytes end before the field does.
    case incomplete
  }

  /// Reads the record at `position`.
  @inline(never)
  private mutating func record(_ bytes: Span<UInt8>) throws(ProviderError) -> Outcome {
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
      if ending == .incomplete { return .incomplete }
      break
    }
    if seen >= 0x80 { try checkUTF8(bytes, start..<at) }
    if fields.count != fieldCount { try checkCount(bytes) }
    position = at
    recordCount &+= 1
    return .record
  }

  /// Reads a field without quotes.
  private mutating func plainField(
    _ bytes: Span<UInt8>, _ at: inout Int
  ) throws(ProviderError) -> Ending {
    let first = at
    var end = at
    while end < bytes.count {
      let byte = bytes[end]
      if byte == dialect.delimiter || byte == 0x0A || byte == 0x0D { break }
      if byte == 0 || byte == Self.backslash && dialect.escape == .backslash {
        return try unusualField(bytes, first, &at)
      }
      seen |= byte
      end &+= 1
    }
    at = end
    let ending = try ending(bytes, &at)
    guard ending != .incomplete else { return .incomplete }
    guard end &- first <= limits.length else { throw tooLong(bytes, first) }
    fields.append(Field(range: first..<end))
    return ending
  }

  /// Skips the end of a field: a delimiter, a line break, or the end of the text.
  private func ending(_ bytes: Span<UInt8>, _ at: inout Int) throws(ProviderError) -> Ending {
    guard at < bytes.count else { return isComplete ? .line : .incomplete }
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
      guard isComplete else { return .incomplete }
    }
    at &+= 1
    return .line
  }

  /// Reads a quoted field.
  private mutating func quotedField(
    _ bytes: Span<UInt8>, _ at: inout Int
  ) throws(ProviderError) -> Ending {
    let first = at &+ 1
    var end = first
    while end < bytes.count {
      let byte = bytes[end]
      if byte == dialect.quote || byte == 0 { break }
      if byte == Self.backslash, dialect.escape == .backslash { break }
      seen |= byte
      end &+= 1
    }
    // The field has no escapes, and its end follows immediately.
    if end < bytes.count, bytes[end] == dialect.quote {
      var next = end &+ 1
      let follows = next < bytes.count ? bytes[next] : 0x0A
      if follows == dialect.delimiter || follows == 0x0A || follows == 0x0D {
        let ending = try ending(bytes, &next)
        guard ending != .incomplete else { return .incomplete }
        guard end &- first <= limits.length else { throw tooLong(bytes, first) }
        fields.append(Field(range: first..<end, isQuoted: true))
        at = next
        return ending
      }
    }
    return try unusualQuotedField(bytes, first, &at)
  }
}

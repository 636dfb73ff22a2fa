internal import Primitives

// Escapes, byte order marks, comments and errors.
extension CSVReader {
  /// Reads an unquoted field that contains a backslash or a zero byte.
  @inline(never)
  mutating func unusualField(
    _ bytes: Span<UInt8>, _ first: Int, _ at: inout Int
  ) throws(ProviderError) -> Ending {
    let target = decoded.count
    var index = first
    while index < bytes.count {
      let byte = bytes[index]
      if byte == dialect.delimiter || byte == 0x0A || byte == 0x0D { break }
      guard byte != 0 else { throw zeroByte(bytes, index) }
      if byte == Self.backslash, dialect.escape == .backslash {
        guard try escape(bytes, &index) else { return .incomplete }
        continue
      }
      appendDecoded(byte)
      index &+= 1
    }
    return try end(bytes, first, target..<decoded.count, isQuoted: false, index, &at)
  }

  /// Reads a quoted field that contains an escape, or that is followed by text.
  @inline(never)
  mutating func unusualQuotedField(
    _ bytes: Span<UInt8>, _ first: Int, _ at: inout Int
  ) throws(ProviderError) -> Ending {
    let target = decoded.count
    var index = first
    scan: while true {
      guard index < bytes.count else {
        guard isComplete else { return .incomplete }
        throw failure(.truncated, "a quoted field is not closed", first - 1, bytes)
      }
      let byte = bytes[index]
      guard byte != 0 else { throw zeroByte(bytes, index) }
      switch byte {
      case Self.backslash where dialect.escape == .backslash:
        guard index + 1 < bytes.count || !isComplete else {
          throw failure(.truncated, "a quoted field is not closed", first - 1, bytes)
        }
        guard try escape(bytes, &index) else { return .incomplete }
      case dialect.quote:
        index &+= 1
        guard dialect.escape == .doubled, index < bytes.count, bytes[index] == byte else {
          break scan
        }
        appendDecoded(byte)
        index &+= 1
      default:
        appendDecoded(byte)
        index &+= 1
      }
    }
    while index < bytes.count, bytes[index] != dialect.delimiter, bytes[index] != 0x0A,
      bytes[index] != 0x0D
    {
      guard dialect.keepsTextAfterQuotes else {
        throw failure(.malformed, "unexpected text after a quoted field", index, bytes)
      }
      guard bytes[index] != 0 else { throw zeroByte(bytes, index) }
      appendDecoded(bytes[index])
      index &+= 1
    }
    return try end(bytes, first, target..<decoded.count, isQuoted: true, index, &at)
  }

  private mutating func end(
    _ bytes: Span<UInt8>, _ first: Int, _ range: Range<Int>, isQuoted: Bool, _ stop: Int,
    _ at: inout Int
  ) throws(ProviderError) -> Ending {
    guard range.count <= limits.length else { throw tooLong(bytes, first) }
    fields.append(Field(range: range, isQuoted: isQuoted, isDecoded: true))
    at = stop
    guard at < bytes.count else { return isComplete ? .line : .incomplete }
    if bytes[at] == dialect.delimiter {
      at &+= 1
      return .delimiter
    }
    if bytes[at] == 0x0D {
      guard at &+ 1 < bytes.count || isComplete else { return .incomplete }
      if at &+ 1 < bytes.count, bytes[at &+ 1] == 0x0A { at &+= 1 }
    }
    at &+= 1
    return .line
  }

  private mutating func appendDecoded(_ byte: UInt8) {
    decoded.append(byte)
    seen |= byte
  }

  /// Reads the byte after a backslash; `false` if more input is needed.
  private mutating func escape(
    _ bytes: Span<UInt8>, _ index: inout Int
  ) throws(ProviderError) -> Bool {
    guard index &+ 1 < bytes.count else {
      guard isComplete else { return false }
      // At the end of the text a backslash is an ordinary character.
      appendDecoded(Self.backslash)
      index &+= 1
      return true
    }
    guard bytes[index &+ 1] != 0 else { throw zeroByte(bytes, index &+ 1) }
    appendDecoded(bytes[index &+ 1])
    index &+= 2
    return true
  }

  // MARK: Lines

  /// Skips a byte order mark; `false` if more input is needed.
  mutating func skipByteOrderMark(_ bytes: Span<UInt8>) throws(ProviderError) -> Bool {
    guard bytes.count >= 3 || isComplete else { return false }
    isAtBeginning = false
    guard bytes.count >= 2 else { return true }
    if bytes[0] == 0xFE && bytes[1] == 0xFF || bytes[0] == 0xFF && bytes[1] == 0xFE {
      throw failure(
        .invalidEncoding, "expected UTF-8, found UTF-16 or UTF-32", 0, bytes)
    }
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { position = 3 }
    return true
  }

  /// Skips the line at ``position``, where a record that is not valid begins, and returns its range
  /// without the line break; `nil` if the available bytes end before it.
  mutating func skipLine(_ bytes: Span<UInt8>) -> Range<Int>? {
    guard let end = lineEnd(bytes, position) else { return nil }
    let start = position
    position = end
    var last = end
    while last > start, bytes[last - 1] == 0x0A || bytes[last - 1] == 0x0D { last -= 1 }
    return start..<last
  }

  /// Returns the offset after the line at `start`; `nil` if the available bytes end before it.
  func lineEnd(_ bytes: Span<UInt8>, _ start: Int) -> Int? {
    var at = start
    while at < bytes.count, bytes[at] != 0x0A, bytes[at] != 0x0D { at &+= 1 }
    guard at < bytes.count else { return isComplete ? at : nil }
    guard bytes[at] == 0x0D else { return at + 1 }
    guard at + 1 < bytes.count else { return isComplete ? at + 1 : nil }
    return bytes[at + 1] == 0x0A ? at + 2 : at + 1
  }

  // MARK: Checks

  /// Checks the number of fields against the first record's.
  @inline(never)
  mutating func checkCount(_ bytes: Span<UInt8>) throws(ProviderError) {
    guard let expected = fieldCount else {
      fieldCount = fields.count
      return
    }
    if dialect.raggedRecords == .kept { return }
    guard dialect.raggedRecords == .padded, fields.count < expected else {
      throw failure(
        .malformed, "expected \(expected) fields in the record, got \(fields.count)", start,
        bytes)
    }
    while fields.count < expected {
      fields.append(Field(range: start..<start, isMissing: true))
    }
  }

  @inline(never)
  func checkUTF8(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(ProviderError) {
    if let fault = bytes.firstInvalidUTF8(in: range) {
      throw failure(.invalidEncoding, "the text is not UTF-8", fault, bytes)
    }
  }

  @inline(never)
  func failure(
    _ code: ProviderError.Code, _ message: String, _ at: Int, _ bytes: Span<UInt8>
  ) -> ProviderError {
    ProviderError(
      code, message, position: ProviderError.Position(origin.position(of: at, in: bytes)))
  }

  func zeroByte(_ bytes: Span<UInt8>, _ at: Int) -> ProviderError {
    failure(.malformed, "unexpected zero byte: the file is not a text, or is in UTF-16", at, bytes)
  }

  @inline(never)
  func tooLong(_ bytes: Span<UInt8>, _ at: Int) -> ProviderError {
    failure(.limitExceeded, "a field is longer than \(limits.length) bytes", at, bytes)
  }

  @inline(never)
  func tooManyFields(_ bytes: Span<UInt8>) -> ProviderError {
    failure(.limitExceeded, "the record has more than \(limits.fields) fields", start, bytes)
  }
}

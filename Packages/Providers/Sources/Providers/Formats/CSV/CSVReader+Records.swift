internal import Primitives

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

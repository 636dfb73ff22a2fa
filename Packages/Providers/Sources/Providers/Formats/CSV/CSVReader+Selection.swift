internal import Primitives

// Records with some of their fields only.
extension CSVReader {
  /// A field of a record, as the range of its text, in 8 bytes.
  struct SelectedField: BitwiseCopyable {
    private var start: UInt32 = 0
    /// The length, and whether the field is quoted, decoded or missing.
    private var countAndFlags: UInt32 = 0

    /// A field that its record lacks.
    static let missing = SelectedField(0..<0, flags: 7 << 29)
    static let none = SelectedField(0..<0, flags: 0)

    /// - Parameter range: A range of fewer than 2^29 bytes below 2^32.
    @inline(__always)
    init(_ range: Range<Int>, isQuoted: Bool) { self.init(range, flags: isQuoted ? 1 << 31 : 0) }

    @inline(__always)
    init(decoded range: Range<Int>, isQuoted: Bool) {
      self.init(range, flags: isQuoted ? 3 << 30 : 1 << 30)
    }

    @inline(__always)
    private init(_ range: Range<Int>, flags: UInt32) {
      start = UInt32(truncatingIfNeeded: range.lowerBound)
      countAndFlags = UInt32(truncatingIfNeeded: range.count) | flags
    }

    var range: Range<Int> {
      let start = Int(start)
      return start..<start &+ Int(countAndFlags & (1 << 29 - 1))
    }
    var isQuoted: Bool { countAndFlags >> 31 != 0 }
    var isDecoded: Bool { countAndFlags >> 30 & 1 != 0 }
    var isMissing: Bool { countAndFlags >> 29 & 1 != 0 }
  }

  /// Moves to an offset at which a record begins, in other bytes than before.
  mutating func move(to position: Int) {
    self.position = position
    finder.forget()
  }

  /// Reads records of the usual form, with some of their fields only: without escapes, with the
  /// usual number of fields, and followed by a line break.
  ///
  /// - Parameters:
  ///   - bytes: The available bytes.
  ///   - stop: The offset before which the records begin.
  ///   - slots: For each column, the index of its field in the output's record; -1 to skip it.
  ///   - slotCount: The number of fields of a record in the output.
  ///   - output: Receives the fields.
  ///   - firstRecord: The number of records in the output.
  ///   - capacity: The maximum number of records in the output.
  ///   - checksUTF8: Whether to check that the text is valid UTF-8.
  /// - Returns: The number of records in the output. ``position`` is at the next record, which is of another form
  ///   or incomplete unless the output is full or ``position`` is at or after `stop`.
  mutating func nextUsualRecords(
    in bytes: Span<UInt8>, before stop: Int, _ slots: [Int], _ slotCount: Int,
    into output: inout [SelectedField], from firstRecord: Int, upTo capacity: Int,
    checksUTF8: Bool
  ) throws(ProviderError) -> Int {
    guard let fieldCount, !dialect.skipsInitialSpaces, dialect.comment == nil,
      dialect.escape == .doubled, slots.count == fieldCount
    else { return firstRecord }
    let (delimiter, quote, last) = (dialect.delimiter, dialect.quote ?? 0, fieldCount &- 1)
    let hasQuotes = dialect.quote != nil
    var output = output.mutableElementSpan
    let skipsEmptyLines = dialect.emptyLines == .skipped
    let start = position
    var finder = finder
    defer { self.finder = finder }
    finder.begin(start)
    var at = start
    var record = firstRecord
    records: while record < capacity {
      if skipsEmptyLines {
        while at < stop, bytes[at] == 0x0A || bytes[at] == 0x0D { at &+= 1 }
        position = at
      }
      guard at < stop else { break }
      let base = record &* slotCount
      var column = 0
      while true {
        let first: Int
        let end: Int
        let isQuoted = hasQuotes && at < bytes.count && bytes[at] == quote
        if isQuoted {
          first = at &+ 1
          end = finder.quotedEnd(in: bytes, from: first)
          guard end < bytes.count, bytes[end] == quote else { break records }
          at = end &+ 1
        } else {
          first = at
          end = finder.unquotedEnd(in: bytes, from: at)
          at = end
        }
        guard at < bytes.count else { break records }
        let slot = slots[column]
        if slot >= 0 { output[base &+ slot] = SelectedField(first..<end, isQuoted: isQuoted) }
        let byte = bytes[at]
        at &+= 1
        if byte == delimiter {
          guard column < last else { break records }
          column &+= 1
          continue
        }
        guard column == last else { break records }
        if byte == 0x0D {
          guard at < bytes.count else { break records }
          if bytes[at] == 0x0A { at &+= 1 }
        } else if byte != 0x0A {
          break records
        }
        break
      }
      record &+= 1
      position = at
    }
    if checksUTF8, !finder.isASCII { try checkUTF8(bytes, start..<position) }
    recordCount &+= record &- firstRecord
    return record
  }
}

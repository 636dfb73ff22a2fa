internal import CFiles

/// Finds the ends of fields in delimited text, 64 bytes at a time.
///
/// The special bytes of the last 64 bytes are remembered, so that the fields in them are found
/// without reading the bytes again.
struct DelimiterFinder {
  private let special: holt_delimiters
  /// The offset of the 64 bytes whose special bytes are known; a negative number if there are none.
  private var block = -1
  private var bits = holt_delimiter_bits()
  private var high: UInt64 = 0

  /// - Parameters:
  ///   - delimiter: The byte between fields.
  ///   - quote: The quotation mark, if quotes have a special meaning.
  ///   - escape: The byte before an escaped byte, if there is one.
  init(delimiter: UInt8, quote: UInt8?, escape: UInt8?) {
    special = holt_delimiters(
      delimiter: delimiter, escape: escape ?? delimiter, quote: quote ?? 0,
      quoted_escape: escape ?? quote ?? 0)
  }

  /// Forgets the last 64 bytes, because the bytes change.
  mutating func forget() { block = -1 }

  /// Begins a record.
  @inline(__always)
  mutating func begin(_ start: Int) {
    high = block == start & ~63 ? bits.high &>> UInt64(start & 63) : 0
  }

  /// A Boolean value that indicates whether the record, and the rest of the 64 bytes in which it
  /// ends, are ASCII.
  var isASCII: Bool { high == 0 }

  /// Returns the offset of the first delimiter, line break, escape or zero byte from `start`, or
  /// the end of the bytes.
  @inline(__always)
  mutating func unquotedEnd(in bytes: Span<UInt8>, from start: Int) -> Int {
    end(bytes, start) { $0.unquoted }
  }

  /// Returns the offset of the first quote, escape or zero byte from `start`, or the end of the
  /// bytes.
  @inline(__always)
  mutating func quotedEnd(in bytes: Span<UInt8>, from start: Int) -> Int {
    end(bytes, start) { $0.quoted }
  }

  @inline(__always)
  private mutating func end(
    _ bytes: Span<UInt8>, _ start: Int, _ set: (holt_delimiter_bits) -> UInt64
  ) -> Int {
    guard start < bytes.count else { return bytes.count }
    if block != start & ~63 { read(start & ~63, bytes) }
    var found = set(bits) &>> UInt64(start & 63)
    if found != 0 { return Swift.min(start &+ found.trailingZeroBitCount, bytes.count) }
    while block &+ 64 < bytes.count {
      read(block &+ 64, bytes)
      found = set(bits)
      if found != 0 { return Swift.min(block &+ found.trailingZeroBitCount, bytes.count) }
    }
    return bytes.count
  }

  @inline(__always)
  private mutating func read(_ start: Int, _ bytes: Span<UInt8>) {
    block = start
    if start &+ 64 <= bytes.count {
      unsafe bytes.withUnsafeBufferPointer { bytes in
        guard let address = bytes.baseAddress else { return }
        bits = unsafe holt_find_delimiters(address + start, special)
      }
    } else {
      readLast(start, bytes)
    }
    high |= bits.high
  }

  /// Reads the last bytes. Zero bytes follow them.
  @inline(never)
  private mutating func readLast(_ start: Int, _ bytes: Span<UInt8>) {
    var last = bytes.array(start..<bytes.count)
    last.append(contentsOf: repeatElement(0, count: 64 - last.count))
    unsafe last.withUnsafeBufferPointer { bytes in
      guard let address = bytes.baseAddress else { return }
      bits = unsafe holt_find_delimiters(address, special)
    }
  }
}

/// A line and a column, both 1-based. Columns count UTF-8 bytes.
public struct LineColumn: Hashable, Sendable {
  /// The 1-based line.
  public var line: Int
  /// The 1-based byte position in the line.
  public var column: Int

  /// Creates a position.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// The start offsets of a text's lines.
///
/// A line ends after `\n`. `\r\n` is one line break; a lone `\r` is not a line break.
public struct LineTable: Hashable, Sendable {
  private let starts: [UInt32]
  private let byteCount: Int

  /// Finds the lines of `bytes`.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  public init(_ bytes: [UInt8]) {
    var starts: [UInt32] = [0]
    for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
      starts.append(UInt32(truncatingIfNeeded: index + 1))
    }
    self.starts = starts
    byteCount = bytes.count
  }

  /// The number of lines. An empty text has one line.
  public var lineCount: Int { starts.count }

  /// Returns the line and column of `offset`. An offset past the end is clamped to the end.
  ///
  /// - Complexity: O(log *n*) in the number of lines.
  public func position(of offset: ByteOffset) -> LineColumn {
    let target = UInt32(min(offset.value, byteCount))
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= target { low = middle } else { high = middle }
    }
    return LineColumn(line: low + 1, column: Int(target - starts[low]) + 1)
  }

  /// Returns the bytes of a 1-based line, including its line break, or `nil` if there is no such
  /// line.
  public func span(ofLine line: Int) -> ByteSpan? {
    guard line >= 1, line <= starts.count else { return nil }
    let end = line < starts.count ? Int(starts[line]) : byteCount
    return ByteSpan(Int(starts[line - 1])..<end)
  }
}

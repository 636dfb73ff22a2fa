/// A line and a column, both counted from 1; the column counts UTF-8 bytes.
public struct LineColumn: Hashable, Sendable {
  /// The line, from 1.
  public var line: Int
  /// The byte in its line, from 1.
  public var column: Int

  /// Creates a position.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// Where each line of a text starts.
///
/// A line ends after `\n`; `\r\n` is one end, and a `\r` alone is none.
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

  /// The number of lines; an empty text has one.
  public var lineCount: Int { starts.count }

  /// The line and column of `offset`; an offset past the end is taken as the end.
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

  /// The bytes of a line, counted from 1, with its line end; `nil` where there is no such line.
  public func span(ofLine line: Int) -> ByteSpan? {
    guard line >= 1, line <= starts.count else { return nil }
    let end = line < starts.count ? Int(starts[line]) : byteCount
    return ByteSpan(Int(starts[line - 1])..<end)
  }
}

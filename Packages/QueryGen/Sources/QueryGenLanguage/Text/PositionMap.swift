public import SQLSyntax

/// The unit in which an editor counts columns.
public enum PositionEncoding: String, Hashable, Sendable {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
}

/// A position in a text as an editor counts it: a 0-based line, and a number of code units.
public struct TextPosition: Hashable, Comparable, Sendable {
  public var line: Int
  public var character: Int

  public init(line: Int, character: Int) {
    self.line = line
    self.character = character
  }

  public static func < (left: TextPosition, right: TextPosition) -> Bool {
    (left.line, left.character) < (right.line, right.character)
  }
}

/// A map between offsets in a text and an editor's positions.
///
/// Unlike in a `LineTable`, a lone `\r` ends a line too. A byte that is not part of valid UTF-8
/// counts as one code unit, like the replacement character that editors show for it.
public struct PositionMap: Hashable, Sendable {
  private let bytes: [UInt8]
  private let starts: [Int]
  public let encoding: PositionEncoding

  /// Finds the lines of a text.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  public init(_ bytes: [UInt8], encoding: PositionEncoding) {
    var starts = [0]
    for index in bytes.indices {
      let isEnd =
        bytes[index] == 10
        || bytes[index] == 13 && (index + 1 == bytes.count || bytes[index + 1] != 10)
      if isEnd { starts.append(index + 1) }
    }
    self.bytes = bytes
    self.starts = starts
    self.encoding = encoding
  }

  public var lineCount: Int { starts.count }

  /// Returns the 0-based line of an offset.
  public func line(of offset: Int) -> Int {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }

  /// Returns the bytes of a line, without its line break.
  public func content(ofLine line: Int) -> Range<Int> {
    guard starts.indices.contains(line) else { return bytes.count..<bytes.count }
    let start = starts[line]
    var end = line + 1 < starts.count ? starts[line + 1] : bytes.count
    if line + 1 < starts.count {
      end -= 1
      if end > start, bytes[end] == 10, bytes[end - 1] == 13 { end -= 1 }
    }
    return start..<max(start, end)
  }

  /// Returns the position of an offset, which is clamped to the text.
  public func position(of offset: ByteOffset) -> TextPosition {
    let offset = min(offset.value, bytes.count)
    let line = line(of: offset)
    let content = content(ofLine: line)
    let end = min(offset, content.upperBound)
    var units = 0
    var index = content.lowerBound
    while index < end {
      let length = sequenceLength(at: index)
      units += encoding == .utf8 ? min(length, end - index) : length == 4 ? 2 : 1
      index += length
    }
    return TextPosition(line: line, character: units)
  }

  /// Returns the offset of a position. A position after the end of its line is the line's end, and
  /// one within a character is the character's start.
  public func offset(of position: TextPosition) -> ByteOffset {
    guard position.line < starts.count else { return ByteOffset(bytes.count) }
    guard position.line >= 0 else { return ByteOffset(0) }
    let content = content(ofLine: position.line)
    var units = 0
    var index = content.lowerBound
    while index < content.upperBound {
      let length = sequenceLength(at: index)
      units += encoding == .utf8 ? length : length == 4 ? 2 : 1
      if units > position.character { break }
      index += length
    }
    return ByteOffset(min(index, content.upperBound))
  }

  public func range(of span: ByteSpan) -> Range<TextPosition> {
    let start = position(of: span.start)
    return start..<max(start, position(of: span.end))
  }

  public func span(of range: Range<TextPosition>) -> ByteSpan {
    ByteSpan(offset(of: range.lowerBound), offset(of: range.upperBound))
  }

  /// The number of bytes of the character at an index: 1 for an invalid byte.
  private func sequenceLength(at index: Int) -> Int {
    let first = bytes[index]
    guard first >= 0xC2 else { return 1 }
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 1
    guard length > 1, index + length <= bytes.count else { return 1 }
    for offset in 1..<length where bytes[index + offset] & 0xC0 != 0x80 { return 1 }
    let second = bytes[index + 1]
    // Overlong forms, surrogates, and code points after the last one are invalid.
    switch first {
    case 0xE0 where second < 0xA0, 0xED where second >= 0xA0, 0xF0 where second < 0x90,
      0xF4 where second >= 0x90:
      return 1
    default: return length
    }
  }
}

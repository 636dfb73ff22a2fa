internal import SQLSyntax

extension YAMLReader {
  /// The byte at the position; `nil` at the end.
  var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func byte(ahead count: Int) -> UInt8? {
    position + count < bytes.count ? bytes[position + count] : nil
  }

  var isAtLineEnd: Bool {
    byte == nil || byte == 10 || byte == UInt8(ascii: "#") && isAfterSpace
  }

  private var isAfterSpace: Bool {
    position == 0 || bytes[position - 1] == 32 || bytes[position - 1] == 10
  }

  /// Whether a list's `- ` stands here.
  var isAtDash: Bool {
    byte == UInt8(ascii: "-") && [nil, 32, 10].contains(byte(ahead: 1))
  }

  /// Whether a colon stands here that ends a key.
  var isAtColon: Bool {
    byte == UInt8(ascii: ":") && [nil, 32, 10].contains(byte(ahead: 1))
  }

  func isAtMarker(_ text: StaticString) -> Bool {
    bytes[position...].starts(with: text.description.utf8)
      && [nil, 32, 10].contains(byte(ahead: 3))
  }

  mutating func skipSpaces() {
    while byte == 32 { position += 1 }
  }

  /// The end of a range without the spaces at its end.
  func trimmed(_ range: Range<Int>) -> Int {
    var end = range.upperBound
    while end > range.lowerBound, bytes[end - 1] == 32 { end -= 1 }
    return end
  }

  /// Goes past blank lines and comments.
  ///
  /// - Returns: How far the next thing stands from the start of its line; `nil` at the end.
  mutating func skipToContent() throws(YAMLFailure) -> Int? {
    while true {
      let lineStart = bytes[..<position].lastIndex(of: 10).map { $0 + 1 } ?? 0
      skipSpaces()
      guard let byte else { return nil }
      if byte == 10 {
        position += 1
      } else if byte == UInt8(ascii: "#") {
        position = bytes[position...].firstIndex(of: 10) ?? bytes.count
      } else if byte == 9 {
        throw fail("lines are indented with spaces, not with tabs")
      } else {
        if position == lineStart, isAtMarker("---") || isAtMarker("..."), lineStart > 0 {
          if hasContent(before: lineStart) { throw fail("there is one document in a file") }
        }
        return position - max(lineStart, textStart)
      }
    }
  }

  /// Whether anything but blank lines and comments stands before an offset.
  private func hasContent(before offset: Int) -> Bool {
    bytes[..<offset].split(separator: 10).contains { line in
      line.first { $0 != 32 && $0 != 13 }.map { $0 != UInt8(ascii: "#") } ?? false
    }
  }

  /// Goes to the end of the line, on which nothing but a comment may follow.
  mutating func expectLineEnd() throws(YAMLFailure) {
    skipSpaces()
    guard isAtLineEnd else {
      throw fail("this can't follow on the same line")
    }
    position = bytes[position...].firstIndex(of: 10) ?? bytes.count
  }
}

internal import Primitives

/// The part of the input that the parser has not consumed yet, as UTF-8, and its position in the
/// whole input.
struct XMLWindow {
  var bytes: [UInt8] = []
  /// The number of bytes before the window.
  private(set) var start = 0
  /// The position of the window's beginning.
  private var first = LinePosition(offset: 0, line: 1, lineStart: 0)
  /// The most recently requested position: positions are mostly requested in ascending order.
  private var known = LinePosition(offset: 0, line: 1, lineStart: 0)

  private struct LinePosition {
    var offset: Int
    var line: Int
    var lineStart: Int
  }

  var end: Int { start + bytes.count }

  /// A Boolean value that indicates whether the window begins with a start tag.
  var isAtTag: Bool {
    bytes.count > 1 && bytes[0] == 0x3C && bytes[1] != 0x21 && bytes[1] != 0x3F && bytes[1] != 0x2F
  }

  /// Returns whether markup that begins at a position does not end within the window.
  func isTruncated(from offset: Int) -> Bool {
    let bytes = bytes.dropFirst(offset - start)
    guard bytes.first == 0x3C else { return false }
    let ends: [(beginning: StaticString, end: StaticString)] = [
      ("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"),
    ]
    for (beginning, end) in ends where bytes.starts(with: beginning.description.utf8) {
      return bytes.dropFirst(beginning.utf8CodeUnitCount)
        .firstRange(of: Array(end.description.utf8)) == nil
    }
    if bytes.starts(with: "<!".utf8) { return true }
    // Another `<` in a tag is a different fault.
    return !bytes.dropFirst().contains { $0 == 0x3C || $0 == 0x3E }
  }

  /// Removes the bytes before an offset.
  mutating func remove(before offset: Int) {
    advance(to: offset)
    bytes.removeSubrange(0..<offset - start)
    start = offset
    first = known
  }

  /// - Parameter origin: The byte offset in the file at which the text begins; `nil` if the text's
  ///   bytes are not the file's.
  mutating func position(of offset: Int, from origin: Int?) -> ProviderError.Position {
    advance(to: min(max(offset, start), end))
    return ProviderError.Position(
      byteOffset: origin.map { $0 + known.offset }, line: known.line,
      column: known.offset - known.lineStart + 1)
  }

  /// Moves the cached position to an offset.
  private mutating func advance(to offset: Int) {
    known = linePosition(at: offset, from: offset < known.offset ? first : known)
  }

  private func linePosition(
    at offset: Int, from known: LinePosition
  ) -> LinePosition {
    var position = known
    let span = bytes.elementSpan
    var at = position.offset - start
    let end = offset - start
    while at < end {
      at = XMLBytes.firstLineFeed(span, from: at, before: end)
      guard at < end else { break }
      at += 1
      position.line += 1
      position.lineStart = start + at
    }
    position.offset = offset
    return position
  }
}

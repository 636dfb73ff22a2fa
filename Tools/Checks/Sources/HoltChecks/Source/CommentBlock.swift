/// A block comment, or consecutive lines of comments of one kind.
struct CommentBlock {
  /// A Boolean value that indicates whether the comment documents the declaration after it.
  let isDocumentation: Bool
  /// The lines without comment markers, with their numbers, counting from 1.
  private(set) var lines: [(number: Int, text: Substring)]
  /// A Boolean value that indicates whether the line contains code before the comment.
  private let isTrailing: Bool
  private let isBlock: Bool

  /// Beginnings of comments that are addressed to tools.
  private static let directives = [
    "MARK:", "swift-format-ignore", "swift-tools-version", "swiftlint:", "sourcekit-lsp:",
  ]

  /// Returns the comments of a Swift or C source, in order.
  static func blocks(of text: String) -> [CommentBlock] {
    let bytes = Array(text.utf8)
    var masker = SwiftMasker(bytes: bytes)
    masker.scanCode(insideInterpolation: false)
    var blocks: [CommentBlock] = []
    var (line, position, lineStart) = (1, 0, 0)
    for range in masker.comments {
      while position < range.lowerBound {
        if bytes[position] == UInt8(ascii: "\n") { (line, lineStart) = (line + 1, position + 1) }
        position += 1
      }
      let isTrailing = bytes[lineStart..<range.lowerBound].contains { $0 > UInt8(ascii: " ") }
      let block = CommentBlock(
        String(decoding: bytes[range], as: UTF8.self), line: line, isTrailing: isTrailing)
      if let block { append(block, to: &blocks) }
    }
    return blocks.filter { !$0.lines.isEmpty }
  }

  private static func append(_ block: CommentBlock, to blocks: inout [CommentBlock]) {
    if let last = blocks.last, !last.isBlock, !block.isBlock, !last.isTrailing, !block.isTrailing,
      last.isDocumentation == block.isDocumentation,
      last.lines.last?.number == block.lines[0].number - 1
    {
      blocks[blocks.count - 1].lines += block.lines
    } else {
      blocks.append(block)
    }
  }

  private init?(_ comment: String, line: Int, isTrailing: Bool) {
    self.isTrailing = isTrailing
    isBlock = comment.hasPrefix("/*")
    let marker = isBlock ? "/**" : "///"
    isDocumentation = comment.hasPrefix(marker) && !comment.hasPrefix(marker + marker.suffix(1))
    var rest = comment.dropFirst(isDocumentation ? 3 : 2)
    if isBlock, rest.hasSuffix("*/") { rest = rest.dropLast(2) }
    lines = rest.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map {
      (line + $0, Self.withoutMarker($1, isFirst: $0 == 0))
    }
    let first = lines[0].text
    if Self.directives.contains(where: first.hasPrefix) { return nil }
  }

  /// Removes the space after a marker, and the star that may start each line of a block comment.
  private static func withoutMarker(_ line: Substring, isFirst: Bool) -> Substring {
    var line = line
    let start = line.drop { $0 == " " }
    if !isFirst, start.hasPrefix("*") { line = start.dropFirst() }
    return line.hasPrefix(" ") ? line.dropFirst() : line
  }
}

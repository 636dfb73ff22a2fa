internal import Foundation

/// The prose of a file: the comments of Swift and C sources, or a Markdown page without its code.
///
/// Each paragraph is one line of ``text``. Its code spans, link targets and URLs are masked, one
/// character for each, so that a position in ``text`` is also one in ``original``.
struct Prose {
  /// The paragraphs with masked code, one per line.
  let text: NSString
  /// The paragraphs as written, one per line.
  let original: NSString
  let paragraphs: [Paragraph]
  /// The number of comment blocks, or of paragraphs of a Markdown page.
  let blockCount: Int

  struct Paragraph {
    let role: Role
    /// The block that contains the paragraph, counting from 0.
    let block: Int
    /// The UTF-16 range in the text, without the line feed.
    fileprivate(set) var range: Range<Int>
    /// The offset at which each line of the file starts, with the line's number.
    fileprivate(set) var lines: [(offset: Int, number: Int)]
  }

  enum Role {
    /// The first paragraph of a documentation comment.
    case summary
    /// An item of a list in a documentation comment, such as the description of a parameter.
    case item
    case other
  }

  /// The character that replaces each character of code.
  static let mask = "¤"

  /// Reads the comments of a Swift or C source.
  init(source text: String) {
    self.init(CommentBlock.blocks(of: text).map { ($0.isDocumentation, $0.lines) })
  }

  /// Reads the paragraphs of a Markdown page.
  init(markdown text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let paragraphs = ProseSplitter.paragraphs(of: lines.enumerated().map { ($0 + 1, $1) })
    self.init(paragraphs.map { (false, $0.lines) })
  }

  private init(_ blocks: [(isDocumentation: Bool, lines: [(number: Int, text: Substring)])]) {
    var text = ""
    var length = 0
    var paragraphs: [Paragraph] = []
    for (block, (isDocumentation, lines)) in blocks.enumerated() {
      for (index, part) in ProseSplitter.paragraphs(of: lines).enumerated() {
        let role: Role =
          !isDocumentation ? .other : part.isItem ? .item : index == 0 ? .summary : .other
        var paragraph = Paragraph(role: role, block: block, range: length..<length, lines: [])
        for (number, line) in part.lines {
          if !paragraph.lines.isEmpty { (text, length) = (text + " ", length + 1) }
          let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
          paragraph.lines.append((length, number))
          text += words
          length += words.utf16.count
        }
        paragraph.range = paragraph.range.lowerBound..<length
        paragraphs.append(paragraph)
        text += "\n"
        length += 1
      }
    }
    self.paragraphs = paragraphs
    blockCount = blocks.count
    original = text as NSString
    self.text = Self.masked(text) as NSString
  }

  private static func masked(_ text: String) -> String {
    let masked = NSMutableString(string: text)
    for expression in maskedExpressions {
      let matches = expression.matches(
        in: masked as String, range: NSRange(location: 0, length: masked.length))
      for match in matches {
        masked.replaceCharacters(
          in: match.range, with: String(repeating: mask, count: match.range.length))
      }
    }
    return masked as String
  }

  /// Code spans, targets of links, and URLs.
  private static let maskedExpressions: [NSRegularExpression] = [
    #"(`+)(?!`).+?(?<!`)\1(?!`)"#, #"(?<=\])\([^)\n]*\)"#, #"https?://\S+"#,
  ].compactMap { try? NSRegularExpression(pattern: $0) }

  /// The paragraph that contains a position of ``text``.
  func paragraph(at offset: Int) -> Paragraph {
    var (low, high) = (0, paragraphs.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if paragraphs[middle].range.lowerBound <= offset { low = middle } else { high = middle - 1 }
    }
    return paragraphs[low]
  }
}

extension Prose.Paragraph {
  /// The line of the file that contains a position of the text.
  func line(at offset: Int) -> Int {
    lines.last { $0.offset <= offset }?.number ?? lines[0].number
  }
}

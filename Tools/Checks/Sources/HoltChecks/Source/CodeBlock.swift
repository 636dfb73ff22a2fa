/// A fenced block of a Markdown page.
struct CodeBlock {
  /// The word after the fence, in lower case, or an empty string.
  let language: String
  /// The line of the fence, counting from 1.
  let line: Int
  private(set) var lines: [String] = []
  /// A Boolean value that indicates whether the page contains the closing fence.
  private(set) var isClosed = false

  /// The contents of the block.
  var sample: Sample { Sample(lines, from: line + 1) }

  /// Returns the blocks of a page in order, including blocks in lists and quotes.
  static func blocks(of text: String) -> [CodeBlock] {
    var blocks: [CodeBlock] = []
    var open: (fence: Substring, block: CodeBlock)?
    for (offset, whole) in text.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      let line = unquoted(whole)
      let fence = fence(of: line)
      if let (begun, block) = open {
        let rest = line.drop { $0 == " " }.dropFirst(fence.count)
        if fence.starts(with: begun), rest.allSatisfy(\.isWhitespace) {
          open = nil
          blocks.append(block.closed())
        } else {
          open?.block.lines.append(String(line))
        }
      } else if !fence.isEmpty {
        let word = line.drop { $0 == " " }.dropFirst(fence.count).drop { $0 == " " }
          .prefix { $0.isLetter || $0 == "-" }
        open = (fence, CodeBlock(language: word.lowercased(), line: offset + 1))
      }
    }
    return blocks + (open.map { [$0.block] } ?? [])
  }

  private func closed() -> CodeBlock {
    var block = self
    block.isClosed = true
    return block
  }

  /// Returns the backticks or tildes at the start of a line, if there are at least three.
  private static func fence(of line: Substring) -> Substring {
    let start = line.drop { $0 == " " }
    guard let mark = start.first, mark == "`" || mark == "~" else { return "" }
    let fence = start.prefix { $0 == mark }
    // A line with another backtick is a code span.
    return fence.count < 3 || (mark == "`" && start.dropFirst(fence.count).contains("`"))
      ? "" : fence
  }

  private static func unquoted(_ line: Substring) -> Substring {
    guard line.hasPrefix(">") else { return line }
    let rest = line.dropFirst()
    return rest.hasPrefix(" ") ? rest.dropFirst() : rest
  }
}

/// A fenced block of a Markdown page.
struct CodeBlock {
  /// The word behind the fence, in lower case; empty where there is none.
  let language: String
  /// The line of the fence, counting from 1.
  let line: Int
  private(set) var lines: [String] = []
  /// Whether the page has the fence that ends it.
  private(set) var isClosed = false

  /// What stands in the block.
  var sample: Sample { Sample(lines, from: line + 1) }

  /// The blocks of a page, in order. Those in lists and quotes are blocks too.
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

  /// The backticks or tildes that a line begins with, where they are three at least.
  private static func fence(of line: Substring) -> Substring {
    let start = line.drop { $0 == " " }
    guard let mark = start.first, mark == "`" || mark == "~" else { return "" }
    let fence = start.prefix { $0 == mark }
    // What has a backtick behind them too is code within a line.
    return fence.count < 3 || (mark == "`" && start.dropFirst(fence.count).contains("`"))
      ? "" : fence
  }

  private static func unquoted(_ line: Substring) -> Substring {
    guard line.hasPrefix(">") else { return line }
    let rest = line.dropFirst()
    return rest.hasPrefix(" ") ? rest.dropFirst() : rest
  }
}

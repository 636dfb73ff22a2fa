extension SourceText {
  /// The text of a comment, line by line, without its markers and the spaces around.
  public func commentLines(_ comment: ByteSpan) -> [String] {
    let text = self[comment]
    if text.hasPrefix("--") { return [Self.trimmed(text.drop { $0 == "-" })] }
    let inner = text.dropFirst(2).dropLast(text.hasSuffix("*/") && text.utf8.count >= 4 ? 2 : 0)
    let lines = inner.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      Self.trimmed(Self.trimmed(line).drop { $0 == "*" })
    }
    guard let first = lines.firstIndex(where: { !$0.isEmpty }),
      let last = lines.lastIndex(where: { !$0.isEmpty })
    else { return [] }
    return Array(lines[first...last])
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\r\n" }
    let start = text.drop(while: isSpace)
    guard let last = start.lastIndex(where: { !isSpace($0) }) else { return "" }
    return String(start[...last])
  }
}

/// Splits the lines of a comment or of a Markdown page into paragraphs, without code blocks.
struct ProseSplitter {
  typealias Line = (number: Int, text: Substring)

  struct Part {
    /// A Boolean value that indicates whether the paragraph belongs to an item of a list.
    let isItem: Bool
    /// The lines without the marker of a heading, of an item, or of a row.
    var lines: [Line]
  }

  private var parts: [Part] = []
  private var open: Part?
  private var isItem = false
  /// The fence that opened the current code block.
  private var fence: Substring?
  private var isIndentedCode = false
  private var isAfterBlankLine = true

  /// Returns the paragraphs of `lines`. Each heading, item of a list and row of a table is one.
  static func paragraphs(of lines: [Line]) -> [Part] {
    var splitter = ProseSplitter()
    for line in lines { splitter.read(line) }
    splitter.endScope()
    return splitter.parts
  }

  private mutating func endScope() {
    if let open, !open.lines.isEmpty { parts.append(open) }
    open = nil
  }

  private mutating func read(_ line: Line) {
    let start = line.text.drop { $0 == " " || $0 == "\t" }
    let mark = start.prefix { $0 == "`" || $0 == "~" }
    if let fence {
      if mark.hasPrefix(fence) { self.fence = nil }
      return
    }
    if mark.count >= 3 {
      fence = mark
      return endScope()
    }
    if start.isEmpty {
      isAfterBlankLine = true
      return endScope()
    }
    let isIndented = line.text.hasPrefix("    ") || line.text.hasPrefix("\t")
    if isIndented, isIndentedCode || (isAfterBlankLine && !isItem) {
      isIndentedCode = true
      return
    }
    (isIndentedCode, isAfterBlankLine) = (false, false)
    readProse(start, number: line.number, isIndented: line.text.hasPrefix(" "))
  }

  private mutating func readProse(_ text: Substring, number: Int, isIndented: Bool) {
    // A tag, a row between a table's head and its rows, or the definition of a link.
    if text.hasPrefix("<") || text.allSatisfy({ "|:- ".contains($0) })
      || text.prefixMatch(of: #/\[[^\]]*\]: /#) != nil
    {
      return endScope()
    }
    if let item = Self.item(text) {
      endScope()
      isItem = true
      open = Part(isItem: true, lines: item.isEmpty ? [] : [(number, item)])
    } else if text.hasPrefix("#") || text.hasPrefix("|") {
      endScope()
      isItem = false
      open = Part(isItem: false, lines: [(number, text.drop { "#| ".contains($0) })])
    } else {
      if open == nil {
        isItem = isItem && isIndented
        open = Part(isItem: isItem, lines: [])
      }
      open?.lines.append((number, text))
    }
  }

  /// Returns the text of a list's item without `- Parameter name:`, `- name:` or `- Returns:`.
  private static func item(_ text: Substring) -> Substring? {
    let marker = text.prefix { $0 != " " }
    guard
      ["-", "*", "+"].contains(marker) || (marker.hasSuffix(".") && Int(marker.dropLast()) != nil)
    else { return nil }
    let item = text.dropFirst(marker.count).drop { $0 == " " }
    guard let colon = item.firstIndex(of: ":"),
      item[..<colon].split(separator: " ").count
        <= (item.lowercased().hasPrefix("parameter") ? 2 : 1)
    else { return item }
    return item[item.index(after: colon)...].drop { $0 == " " }
  }
}

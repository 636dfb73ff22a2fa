/// Collects lines of Swift, two spaces for each level.
struct SwiftWriter {
  private(set) var text = ""
  private var depth = 0

  /// Columns that a line should not pass.
  static let width = 100

  /// Adds a line; an empty one stays empty.
  mutating func line(_ line: String = "") {
    if !line.isEmpty {
      for _ in 0..<depth { text += "  " }
      text += line
    }
    text += "\n"
  }

  /// Adds `head {`, what `body` adds one level in, and `}`.
  mutating func block(_ head: String, _ body: (inout SwiftWriter) -> Void) {
    line(head + " {")
    indented(body)
    line("}")
  }

  /// Adds what `body` adds, one level in.
  mutating func indented(_ body: (inout SwiftWriter) -> Void) {
    depth += 1
    body(&self)
    depth -= 1
  }

  /// Whether a line has room for `text` at this depth.
  func fits(_ text: String) -> Bool {
    // A character is a byte at least, and characters take long to count.
    depth * 2 + text.utf8.count <= SwiftWriter.width || depth * 2 + text.count <= SwiftWriter.width
  }

  /// Adds the head of a function: on one line where it fits, else with the parameters on their own.
  mutating func signature(_ head: String, _ parameters: [String], _ tail: String) {
    let whole = head + parameters.joined(separator: ", ") + tail
    if fits(whole) || parameters.isEmpty {
      line(whole)
      return
    }
    line(head)
    indented { $0.fill(parameters, "") }
    line(tail)
  }

  /// Adds a call: on one line where it fits, else with the arguments on lines of their own.
  mutating func call(_ head: String, _ arguments: [String], _ tail: String) {
    let whole = head + arguments.joined(separator: ", ") + tail
    if fits(whole) || arguments.isEmpty {
      line(whole)
      return
    }
    line(head)
    indented { $0.fill(arguments, tail) }
  }

  /// Adds items with commas between them, as many on a line as fit.
  private mutating func fill(_ items: [String], _ tail: String) {
    var row = ""
    for (place, item) in items.enumerated() {
      let piece = place + 1 < items.count ? item + "," : item + tail
      if !row.isEmpty, depth * 2 + row.count + 1 + piece.count > SwiftWriter.width {
        line(row)
        row = ""
      }
      row += row.isEmpty ? piece : " " + piece
    }
    line(row)
  }

  /// Adds a documentation comment.
  mutating func documentation(_ text: String) {
    var pieces = text.split(separator: "\n", omittingEmptySubsequences: false)
    while pieces.last?.allSatisfy(\.isWhitespace) == true { pieces.removeLast() }
    for piece in pieces {
      var scalars = piece.unicodeScalars
      if !isPlain(piece) { scalars.removeAll(where: isControl) }
      while scalars.last == " " || scalars.last == "\t" { scalars.removeLast() }
      line(scalars.isEmpty ? "///" : "/// " + String(scalars))
    }
  }

  /// Adds `head`, a string literal of `content`, and `tail`: on one line where it is short.
  mutating func literal(_ head: String, _ content: String, _ tail: String = "") {
    let single = StringLiteral.singleLine(content)
    if fits(head + single + tail), !content.unicodeScalars.contains("\n") {
      line(head + single + tail)
      return
    }
    let literal = StringLiteral.multiLine(content)
    line(head + literal.opening)
    indented { writer in
      for row in literal.rows { writer.line(row) }
      writer.line(literal.closing + tail)
    }
  }
}

/// Whether a text is ASCII without control characters, as nearly all are: such a text needs no escape,
/// and to ask each character what it is takes long.
func isPlain(_ text: some StringProtocol) -> Bool {
  text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
}

/// Whether Swift refuses the character in source, or a reader would not see that it is there.
func isControl(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control: scalar != "\n" && scalar != "\t"
  case .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
  default: false
  }
}

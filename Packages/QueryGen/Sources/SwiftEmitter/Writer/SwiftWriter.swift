/// A writer for lines of Swift, indented by two spaces per level.
struct SwiftWriter {
  private(set) var text = ""
  private var depth = 0

  /// The maximum length of a line, if it can be broken.
  static let width = 100

  /// Adds a line. An empty line is not indented.
  mutating func line(_ line: String = "") {
    if !line.isEmpty {
      for _ in 0..<depth { text += "  " }
      text += line
    }
    text += "\n"
  }

  /// Adds `head {`, the lines of `body` indented by one level, and `}`.
  ///
  /// - Parameter parameters: The parameters of a closure, with ` in`.
  mutating func block(
    _ head: String, _ parameters: String = "", _ body: (inout SwiftWriter) -> Void
  ) {
    line(head + " {" + parameters)
    indented(body)
    line("}")
  }

  /// Indents the lines that `body` adds by one level.
  mutating func indented(_ body: (inout SwiftWriter) -> Void) {
    depth += 1
    body(&self)
    depth -= 1
  }

  /// Returns whether `text` fits on a line at the current level.
  func fits(_ text: String) -> Bool {
    // The number of bytes is at least the number of characters, and much faster to compute.
    depth * 2 + text.utf8.count <= SwiftWriter.width || depth * 2 + text.count <= SwiftWriter.width
  }

  /// Adds a function's head, on one line if it fits, otherwise with the parameters on separate
  /// lines.
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

  /// Adds a call, on one line if it fits, otherwise with the arguments on separate lines.
  mutating func call(_ head: String, _ arguments: [String], _ tail: String) {
    let whole = head + arguments.joined(separator: ", ") + tail
    if fits(whole) || arguments.isEmpty {
      line(whole)
      return
    }
    line(head)
    indented { $0.fill(arguments, tail) }
  }

  /// Adds items separated by commas, filling each line.
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

  /// Adds `head`, a string literal of `content`, and `tail`, on one line if they fit.
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

/// Returns whether a string consists of printable ASCII characters, which is the common case. Such
/// a string needs no escapes, and the slow check of each character's category is skipped.
func isPlain(_ text: some StringProtocol) -> Bool {
  text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
}

/// Returns whether Swift rejects the character in source, or whether it is invisible.
func isControl(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control: scalar != "\n" && scalar != "\t"
  case .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
  default: false
  }
}

/// Swift string literals for any text. They stay readable, since `#` is added until nothing in the
/// text can be mistaken for an escape or for the end.
enum StringLiteral {
  /// Returns a literal on one line.
  static func singleLine(_ content: String) -> String {
    let pounds = String(repeating: "#", count: poundCount(content, closing: "\""))
    guard !isPlain(content) else { return "\(pounds)\"\(content)\"\(pounds)" }
    var body = ""
    for scalar in content.unicodeScalars {
      body += scalar == "\n" ? "\\\(pounds)n" : escaped(scalar, pounds)
    }
    return "\(pounds)\"\(body)\"\(pounds)"
  }

  /// Returns a literal without `#`, as an enum's raw value requires.
  static func rawValue(_ content: String) -> String {
    var body = ""
    for scalar in content.unicodeScalars {
      switch scalar {
      case "\\", "\"": body += "\\" + String(Character(scalar))
      case "\n": body += "\\n"
      case "\t": body += "\\t"
      default: body += escaped(scalar, "")
      }
    }
    return "\"\(body)\""
  }

  /// Returns the parts of a multi-line literal. The rows and the closing must have the same
  /// indentation.
  static func multiLine(_ content: String) -> (opening: String, rows: [String], closing: String) {
    let pounds = String(repeating: "#", count: poundCount(content, closing: "\"\"\""))
    var rows: [String] = content.unicodeScalars.split(
      separator: "\n", omittingEmptySubsequences: false
    ).map { row in
      let text = String(row)
      return isPlain(text) ? text : row.reduce(into: "") { $0 += escaped($1, pounds) }
    }
    // Swift keeps trailing white space, but many editors remove it.
    rows = rows.map { row in
      guard let last = row.unicodeScalars.last, last == " " || last == "\t" else { return row }
      return String(row.unicodeScalars.dropLast()) + "\\\(pounds)u{\(hex(last))}"
    }
    return ("\(pounds)\"\"\"", rows, "\"\"\"\(pounds)")
  }

  private static func escaped(_ scalar: Unicode.Scalar, _ pounds: String) -> String {
    if scalar == "\r" { return "\\\(pounds)r" }
    if isControl(scalar) { return "\\\(pounds)u{\(hex(scalar))}" }
    return String(Character(scalar))
  }

  private static func hex(_ scalar: Unicode.Scalar) -> String {
    String(scalar.value, radix: 16, uppercase: true)
  }

  /// Returns one more than the longest run of `#` after a backslash or quote; 0 if there is none of
  /// them.
  private static func poundCount(_ content: String, closing: String) -> Int {
    guard content.utf8.contains(where: { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "\"") })
    else { return 0 }
    let scalars = Array(content.unicodeScalars)
    let quotes = closing.unicodeScalars.count
    var needed = 0
    for (place, scalar) in scalars.enumerated() {
      let end: Int
      if scalar == "\\" {
        end = place + 1
      } else if scalar == "\"", place + quotes <= scalars.count,
        scalars[place..<place + quotes].allSatisfy({ $0 == "\"" })
      {
        end = place + quotes
      } else {
        continue
      }
      let pounds = scalars[end...].prefix { $0 == "#" }.count
      needed = max(needed, pounds + 1)
    }
    return needed
  }
}

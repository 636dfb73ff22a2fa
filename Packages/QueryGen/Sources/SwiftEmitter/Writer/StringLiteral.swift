/// Swift string literals that hold any text exactly, and stay readable: `#` is added until nothing
/// inside can be mistaken for an escape or for the end.
enum StringLiteral {
  /// A literal on one line.
  static func singleLine(_ content: String) -> String {
    let pounds = String(repeating: "#", count: poundCount(content, closing: "\""))
    guard !isPlain(content) else { return "\(pounds)\"\(content)\"\(pounds)" }
    var body = ""
    for scalar in content.unicodeScalars {
      body += scalar == "\n" ? "\\\(pounds)n" : escaped(scalar, pounds)
    }
    return "\(pounds)\"\(body)\"\(pounds)"
  }

  /// A literal without `#` before its quote, as an enum's raw value needs it.
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

  /// The pieces of a literal over several lines; the rows and the closing are to be indented alike.
  static func multiLine(_ content: String) -> (opening: String, rows: [String], closing: String) {
    let pounds = String(repeating: "#", count: poundCount(content, closing: "\"\"\""))
    var rows: [String] = content.unicodeScalars.split(
      separator: "\n", omittingEmptySubsequences: false
    ).map { row in
      let text = String(row)
      return isPlain(text) ? text : row.reduce(into: "") { $0 += escaped($1, pounds) }
    }
    // Space at the end of a line is kept by Swift, and lost by many an editor.
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

  /// One more `#` than follow any backslash or quote in the text; none where there is neither.
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

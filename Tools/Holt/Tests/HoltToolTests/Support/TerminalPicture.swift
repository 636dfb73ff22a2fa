/// A drawing of a terminal: commands with their output, as an SVG.
struct TerminalPicture {
  /// Text in one style, which starts at a column.
  private struct Run {
    let column: Int
    let text: String
    let style: String?
  }

  private static let letter = 7.83
  private static let lineHeight = 19
  private static let margin = 20.0
  /// The names in the style sheet of the SVG, by the parameters of the escape sequence.
  private static let styles = [
    "1": "bold", "2": "dim", "31": "red", "32": "green", "33": "yellow", "36": "cyan",
    "1;31": "bred",
  ]

  private var lines: [[Run]] = []

  /// Adds a command and its output in a terminal, after an empty line.
  mutating func add(command: String, output: String) {
    if !lines.isEmpty { lines.append([]) }
    for (index, line) in command.split(separator: "\n").enumerated() {
      let prompt = index == 0 ? [Run(column: 0, text: "$", style: "prompt")] : []
      lines.append(prompt + [Run(column: 2, text: String(line), style: nil)])
    }
    var output = output.split(separator: "\n", omittingEmptySubsequences: false)
    while output.last?.isEmpty == true { output.removeLast() }
    for line in output { lines.append(Self.runs(of: String(line))) }
  }

  /// Splits a line at its escape sequences.
  private static func runs(of line: String) -> [Run] {
    var runs: [Run] = []
    var column = 0
    var style: String?
    func add(_ text: Substring) {
      // Text without gaps is drawn in one piece, so that each column starts at its exact place.
      for word in text.matches(of: /\S+(?: \S+)*/) {
        let start = column + width(text[..<word.range.lowerBound])
        runs.append(Run(column: start, text: String(word.output), style: style))
      }
      column += width(text)
    }
    var rest = line[...]
    for escape in line.matches(of: /\u{1B}\[([0-9;]*)m/) {
      add(rest[..<escape.range.lowerBound])
      style = styles[String(escape.1)]
      rest = line[escape.range.upperBound...]
    }
    add(rest)
    return runs
  }

  private static func width(_ text: some StringProtocol) -> Int {
    // East Asian characters are two columns wide.
    text.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x1100 ? 2 : 1) }
  }

  /// The picture, with system fonts.
  var svg: String {
    let columns = lines.joined().map { $0.column + Self.width($0.text) }.max() ?? 0
    let width = Int((Double(columns) * Self.letter + Self.margin * 2).rounded(.up))
    let height = 62 + lines.count * Self.lineHeight
    var svg = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" role="img"><title>holt in a terminal</title>\
      <style>text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;\
      fill:#d5dce5;white-space:pre}.prompt{fill:#63b892}.bold,.bred{font-weight:700}.dim{fill:#7d8896}\
      .cyan{fill:#6cb6d9}.red,.bred{fill:#e5727a}.green{fill:#63b892}.yellow{fill:#e2b45b}</style>\
      <rect width="100%" height="100%" rx="8" fill="#161b22"/><circle cx="20" cy="18" r="5.5" fill="#ec6a5e"/>\
      <circle cx="38" cy="18" r="5.5" fill="#f4bf4f"/><circle cx="56" cy="18" r="5.5" fill="#61c554"/>

      """
    for (index, runs) in lines.enumerated() {
      for run in runs { svg += Self.element(run, y: 50 + index * Self.lineHeight) + "\n" }
    }
    return svg + "</svg>\n"
  }

  private static func element(_ run: Run, y: Int) -> String {
    let style = run.style.map { " class=\"\($0)\"" } ?? ""
    let x = tenths(margin + Double(run.column) * letter)
    let length = tenths(Double(width(run.text)) * letter)
    let text = run.text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    return "<text x=\"\(x)\" y=\"\(y)\"\(style) textLength=\"\(length)\" "
      + "lengthAdjust=\"spacingAndGlyphs\">\(text)</text>"
  }

  private static func tenths(_ number: Double) -> Double { (number * 10).rounded() / 10 }
}

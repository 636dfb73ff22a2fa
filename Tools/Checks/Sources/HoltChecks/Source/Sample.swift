/// Lines of code without common indentation, trailing spaces, and empty lines before and after.
struct Sample {
  private(set) var lines: [String]
  /// The line number of the first line on its page.
  private(set) var firstLine: Int

  init(_ text: [String], from firstLine: Int) {
    var lines = text.map(Self.withoutTrailingBlanks)[...]
    while lines.last?.isEmpty == true { lines.removeLast() }
    let leading = lines.prefix(while: \.isEmpty).count
    let indentation =
      lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    self.lines = lines.dropFirst(leading).map { String($0.dropFirst(indentation)) }
    self.firstLine = firstLine + leading
  }

  var text: String { lines.joined(separator: "\n") + "\n" }

  /// The file named by a comment in the first line, such as `// Package.swift`.
  var file: String? {
    guard
      let match = lines.first?.wholeMatch(
        of: /(?:\/\/|--|#) ((?:[\w.-]+\/)*[\w.-]+\.(?:swift|sql|ya?ml))/)
    else { return nil }
    return String(match.1)
  }

  /// The sample without the line that names a file.
  var withoutFile: Sample {
    file == nil ? self : Sample(Array(lines.dropFirst()), from: firstLine + 1)
  }

  static func withoutTrailingBlanks(_ line: some StringProtocol) -> String {
    guard let last = line.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(line[...last])
  }
}

import Primitives
import Terminal

/// Prints questions and tables with the answers.
struct Report {
  /// The width of a heading in columns.
  private static let width = 96

  private let isTerminal: Bool
  private let write: (String) -> Void

  init(
    isTerminal: Bool = StandardStream.output.showsColor(.auto),
    write: @escaping (String) -> Void = { StandardStream.output.write($0) }
  ) {
    self.isTerminal = isTerminal
    self.write = write
  }

  /// Prints a question, with the name of its query on the right.
  func question(_ text: String, _ source: String) {
    let space = max(2, Self.width - text.displayWidth - source.displayWidth)
    let heading = isTerminal ? "\u{1B}[1m\(text)\u{1B}[0m" : text
    let place = isTerminal ? "\u{1B}[2m\(source)\u{1B}[0m" : source
    write("\n\(heading)\(String(repeating: " ", count: space))\(place)\n")
  }

  /// Prints an answer.
  func table(_ table: TextTable) {
    write(table.lines.map { $0 + "\n" }.joined())
  }

  /// Prints a line of text.
  func line(_ text: String = "") {
    write(text.isEmpty ? "\n" : "  \(text)\n")
  }
}

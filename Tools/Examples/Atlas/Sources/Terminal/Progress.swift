import Foundation

/// Shows how far the import is: a bar in a terminal, a line for each source elsewhere.
///
/// It goes to standard error, so that standard output holds the same with and without an import.
struct Progress {
  private let total: Int
  private let isTerminal: Bool
  private let write: (String) -> Void
  private var done = 0
  private var shown = -1

  /// How many characters the bar is long.
  private static let length = 30

  init(
    total: Int, isTerminal: Bool = isatty(STDERR_FILENO) == 1,
    write: @escaping (String) -> Void = { FileHandle.standardError.write(Data($0.utf8)) }
  ) {
    self.total = total
    self.isTerminal = isTerminal
    self.write = write
  }

  /// A source is begun.
  mutating func begin(_ title: String) {
    shown = -1
    draw(title)
  }

  /// `count` more rows are in.
  mutating func advance(by count: Int, _ title: String) {
    done += count
    draw(title)
  }

  /// A source is in, whole.
  func end(_ title: String, rows: Int) {
    guard !isTerminal else { return }
    write("  imported \(rows.grouped) \(title)\n")
  }

  /// Everything is in; the bar goes away.
  func finish() {
    if isTerminal { write("\r\u{1B}[K") }
  }

  private mutating func draw(_ title: String) {
    guard isTerminal, total > 0 else { return }
    let percent = min(100, 100 * done / total)
    guard percent != shown else { return }
    shown = percent
    let filled = Self.length * percent / 100
    let bar =
      String(repeating: "█", count: filled) + String(repeating: "░", count: Self.length - filled)
    write("\r\u{1B}[K  \(bar) \(percent)%  \(title)")
  }
}

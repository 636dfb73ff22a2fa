import Primitives

/// Records the lines that a sample prints.
final class PrintRecorder: Sendable {
  private let state = Mutex<[String]>([])

  var lines: [String] { state.withLock { $0 } }

  /// Adds a line in the format of `print`.
  func add(_ items: [any Sendable]) {
    let line = items.map { "\($0)" }.joined(separator: " ")
    state.withLock { $0.append(line) }
  }

  func wait(for line: String) async {
    while !lines.contains(line) { await Task.yield() }
  }
}

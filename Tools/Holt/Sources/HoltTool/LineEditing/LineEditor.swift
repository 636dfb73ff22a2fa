import CLineEditing

/// Reads lines in a terminal, with editing, a history and completion. A process has one editor.
final class LineEditor {
  enum Outcome: Equatable {
    case line(String)
    /// The line was cancelled with Ctrl-C.
    case cancelled
    /// The end of the input.
    case end
  }

  /// - Parameter historyPath: The file of the history; empty for none.
  /// - Returns: `nil` if the terminal can't be used.
  init?(historyPath: String) {
    guard unsafe holt_editor_open(historyPath) != 0 else { return nil }
  }

  deinit { holt_editor_close() }

  /// Sets the words that the tab key completes.
  func setWords(_ words: some Sequence<String>) {
    let usable = words.filter { !$0.isEmpty && !$0.utf8.contains(0x0A) && !$0.utf8.contains(0) }
    unsafe holt_editor_set_words(Set(usable).sorted().joined(separator: "\n"))
  }

  func read(prompt: String) -> Outcome {
    switch unsafe holt_editor_read(prompt) {
    case HOLT_LINE_READ: .line(unsafe String(cString: holt_editor_line()))
    case HOLT_LINE_CANCELLED: .cancelled
    default: .end
    }
  }

  /// Adds a statement to the history, and saves it.
  func remember(_ statement: String) { unsafe holt_editor_remember(statement) }
}

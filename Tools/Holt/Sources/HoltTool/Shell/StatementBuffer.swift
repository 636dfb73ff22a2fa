import Primitives

/// Collects lines until they form complete statements.
struct StatementBuffer {
  private(set) var text = ""

  var isEmpty: Bool { text.allSatisfy(\.isWhitespace) }

  /// Adds a line.
  ///
  /// - Returns: The collected statements if the last one is complete.
  mutating func add(_ line: String) -> String? {
    text += text.isEmpty ? line : "\n\(line)"
    guard isComplete else { return nil }
    return take()
  }

  /// Returns the collected text, and removes it.
  mutating func take() -> String {
    defer { text = "" }
    return text
  }

  /// A Boolean value that indicates whether the text ends with a semicolon outside quotes, comments
  /// and the body of a trigger.
  private var isComplete: Bool {
    let tokens = SQLTokens(text)
    guard !tokens.isOpen, tokens.is(tokens.count - 1, ";") else { return false }
    var start = 0
    for index in 0..<tokens.count - 1
    where tokens.is(index, ";") && !isInTrigger(tokens, start, index) {
      start = index + 1
    }
    return !isInTrigger(tokens, start, tokens.count - 1)
  }

  /// Returns whether a semicolon separates statements in the body of a trigger.
  private func isInTrigger(_ tokens: SQLTokens, _ start: Int, _ semicolon: Int) -> Bool {
    guard tokens.is(start, "CREATE") else { return false }
    let isTrigger =
      tokens.is(start + 1, "TRIGGER")
      || ["TEMP", "TEMPORARY"].contains { tokens.is(start + 1, $0) }
        && tokens.is(start + 2, "TRIGGER")
    return isTrigger
      && !(tokens.is(semicolon - 1, "END") && tokens.is(semicolon - 2, ";"))
  }
}

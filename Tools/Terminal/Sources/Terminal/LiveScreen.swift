/// Redraws changing text in place instead of appending it.
public enum LiveScreen {
  /// Draws text at the top of the screen.
  ///
  /// - Throws: The same errors as ``Output/finish()``.
  public static func draw(_ text: String, isFirst: Bool) throws {
    let out = Output()
    // Clears the screen only the first time, to avoid flickering.
    out.write(isFirst ? "\u{1B}[?25l\u{1B}[2J\u{1B}[H" : "\u{1B}[H")
    out.write(text.replacing("\n", with: "\u{1B}[K\n") + "\u{1B}[J")
    try out.finish()
  }

  /// Shows the cursor again.
  public static func end() { StandardStream.output.write("\u{1B}[?25h") }
}

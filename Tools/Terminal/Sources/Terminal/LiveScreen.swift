/// A text that is drawn over itself as it changes, in place of being written below.
public enum LiveScreen {
  /// Draws a text from the top of the screen on, which was cleared before the first one.
  ///
  /// - Throws: As ``Output/finish()``.
  public static func draw(_ text: String, isFirst: Bool) throws {
    let out = Output()
    // The screen is cleared once, and drawn over then: it does not flicker.
    out.write(isFirst ? "\u{1B}[?25l\u{1B}[2J\u{1B}[H" : "\u{1B}[H")
    out.write(text.replacing("\n", with: "\u{1B}[K\n") + "\u{1B}[J")
    try out.finish()
  }

  /// Shows the cursor again.
  public static func end() { StandardStream.output.write("\u{1B}[?25h") }
}

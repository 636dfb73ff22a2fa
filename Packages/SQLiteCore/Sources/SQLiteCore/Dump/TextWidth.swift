/// How many columns of a terminal a text takes.
enum TextWidth {
  /// The columns of a text that is on one line: wide letters and emoji take two, marks that stand on another letter none.
  static func of(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// The beginning of a text that takes no more columns than that, with an ellipsis where something is missing.
  static func cut(_ text: String, to width: Int) -> String {
    // No letter takes more columns than bytes.
    guard text.utf8.count > width, of(text) > width else { return text }
    var (kept, used) = ("", 0)
    for character in text {
      let next = of(character)
      if used + next > width - 1 { break }
      kept.append(character)
      used += next
    }
    return kept + "…"
  }

  private static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    // A second selector asks for the picture in place of the letter.
    if scalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
    return scalars.count == 1 ? of(first) : max(of(first), scalars.contains(where: isWide) ? 2 : 0)
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: 0
    default: isWide(scalar) ? 2 : 1
    }
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isEmojiPresentation { return true }
    let value = scalar.value
    return wide.contains { $0.contains(value) }
  }

  /// Where Unicode's `EastAsianWidth.txt` has `W` or `F`.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
    0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
    0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
    0x1F200...0x1F2FF, 0x20000...0x3FFFD,
  ]
}

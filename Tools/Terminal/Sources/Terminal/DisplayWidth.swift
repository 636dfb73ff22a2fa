extension StringProtocol {
  /// How many columns of a terminal the text takes.
  ///
  /// Accents that combine take none; emoji, flags and East Asian characters take two.
  public var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

  /// The text, cut to `width` columns; an ellipsis shows that it was longer.
  public func truncated(to width: Int) -> String {
    guard displayWidth > width else { return String(self) }
    var cut = ""
    var used = 0
    for character in self {
      guard used + character.displayWidth < width else { break }
      cut.append(character)
      used += character.displayWidth
    }
    return cut + "…"
  }
}

extension Character {
  /// How many columns of a terminal the character takes: 0, 1 or 2.
  public var displayWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    switch first.properties.generalCategory {
    case .control, .format, .nonspacingMark, .enclosingMark: return 0
    default: break
    }
    // A second scalar that asks for the emoji form makes a narrow symbol wide.
    if first.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}") { return 2 }
    return Self.isWide(first.value) ? 2 : 1
  }

  /// The blocks that the Unicode Standard's annex 11 calls wide or full width.
  private static func isWide(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
      0x20000...0x2FFFD, 0x30000...0x3FFFD:
      true
    default: false
    }
  }
}

extension String {
  /// The number of a terminal's columns that the text takes.
  ///
  /// Combining marks and control characters take none; emoji, flags and East Asian characters take two.
  public var displayWidth: Int {
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return utf8.count }
    return reduce(0) { $0 + $1.displayWidth }
  }

  /// The text, or its beginning and an ellipsis if it takes more than `width` columns.
  public func truncated(to width: Int) -> String {
    // No character takes more columns than bytes.
    guard utf8.count > width, displayWidth > width else { return self }
    var (kept, used) = ("", 0)
    for character in self {
      guard used + character.displayWidth < width else { break }
      kept.append(character)
      used += character.displayWidth
    }
    return kept + "…"
  }
}

extension Character {
  /// The number of a terminal's columns that the character takes: 0, 1 or 2.
  public var displayWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    // The emoji variation selector makes a narrow symbol wide.
    let isWide = unicodeScalars.contains { $0.value == 0xFE0F || Self.isWide($0) }
    return isWide ? 2 : 1
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x1100 { return false }
    if scalar.properties.isEmojiPresentation { return true }
    return wideScalars.contains { $0.contains(scalar.value) }
  }

  /// The blocks that have the property `W` or `F` in Unicode's `EastAsianWidth.txt`.
  private static let wideScalars: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
    0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
    0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
    0x1F200...0x1F2FF, 0x20000...0x3FFFD,
  ]
}

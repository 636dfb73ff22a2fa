/// The words of a Swift file without comments and the contents of strings.
///
/// Code inside a string's interpolation is included. Bare `/…/` regular expressions are treated as code.
struct SwiftCode {
  /// Every identifier and keyword, in order.
  let words: [Word]

  struct Word: Equatable {
    let text: String
    let line: Int
    /// The byte before the word.
    let before: UInt8
    /// The byte after the word.
    let after: UInt8
    /// The number of open braces: 0 for a declaration at file scope.
    let depth: Int
  }

  init(_ text: String) {
    var masker = SwiftMasker(bytes: Array(text.utf8))
    masker.scanCode(insideInterpolation: false)
    words = Self.words(of: masker.bytes)
  }

  private static func words(of bytes: [UInt8]) -> [Word] {
    var words: [Word] = []
    var line = 1
    var depth = 0
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\n"): line += 1
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"): depth -= 1
      default: break
      }
      guard isWordByte(byte) else {
        index += 1
        continue
      }
      let start = index
      while index < bytes.count, isWordByte(bytes[index]) { index += 1 }
      words.append(
        Word(
          text: String(decoding: bytes[start..<index], as: UTF8.self), line: line,
          before: start > 0 ? bytes[start - 1] : UInt8(ascii: "\n"),
          after: index < bytes.count ? bytes[index] : UInt8(ascii: "\n"), depth: depth))
    }
    return words
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xFF:
      true
    default: false
    }
  }
}

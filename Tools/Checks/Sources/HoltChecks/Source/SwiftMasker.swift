/// Replaces comments and the contents of strings with spaces, and keeps every other byte and every
/// line feed.
struct SwiftMasker {
  private(set) var bytes: [UInt8]
  /// The byte ranges of the comments, in order.
  private(set) var comments: [Range<Int>] = []
  private var index = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Scans code up to the end of the text, or to the closing parenthesis of an interpolation.
  mutating func scanCode(insideInterpolation: Bool) {
    var depth = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "/") where follows("//"):
        let start = index
        blank { $0.bytes[$0.index] != UInt8(ascii: "\n") }
        comments.append(start..<index)
      case UInt8(ascii: "/") where follows("/*"):
        let start = index
        blankBlockComment()
        comments.append(start..<min(index, bytes.count))
      case UInt8(ascii: "\""):
        scanString(pounds: 0)
      case UInt8(ascii: "#"):
        scanPounds()
      case UInt8(ascii: "("):
        depth += 1
        index += 1
      case UInt8(ascii: ")"):
        if insideInterpolation && depth == 0 { return }
        depth -= 1
        index += 1
      default:
        index += 1
      }
    }
  }

  private func follows(_ text: StaticString, at offset: Int = 0) -> Bool {
    let wanted = text.description.utf8
    let start = index + offset
    return start + wanted.count <= bytes.count
      && bytes[start..<start + wanted.count].elementsEqual(wanted)
  }

  private func isPounds(_ count: Int, at start: Int) -> Bool {
    start + count <= bytes.count
      && bytes[start..<start + count].allSatisfy { $0 == UInt8(ascii: "#") }
  }

  private mutating func blankOne() {
    if index < bytes.count, bytes[index] != UInt8(ascii: "\n") { bytes[index] = UInt8(ascii: " ") }
    index += 1
  }

  private mutating func blank(while isInside: (SwiftMasker) -> Bool) {
    while index < bytes.count, isInside(self) { blankOne() }
  }

  private mutating func blankBlockComment() {
    var depth = 0
    while index < bytes.count {
      if follows("/*") {
        depth += 1
        blankOne()
      } else if follows("*/") {
        depth -= 1
        blankOne()
        if depth == 0 { return blankOne() }
      }
      blankOne()
    }
  }

  /// Scans a raw string, an extended regular expression, or a directive such as `#if`.
  private mutating func scanPounds() {
    var pounds = 0
    while isPounds(1, at: index) {
      pounds += 1
      index += 1
    }
    guard index < bytes.count else { return }
    if bytes[index] == UInt8(ascii: "\"") {
      scanString(pounds: pounds)
    } else if bytes[index] == UInt8(ascii: "/") {
      index += 1
      blank { !($0.follows("/") && $0.isPounds(pounds, at: $0.index + 1)) }
      index += 1
    }
  }

  /// Scans a string from its first quote to its last.
  private mutating func scanString(pounds: Int) {
    let isMultiline = follows("\"\"\"")
    let quotes = isMultiline ? 3 : 1
    index += quotes
    while index < bytes.count {
      if follows("\\"), isPounds(pounds, at: index + 1) {
        for _ in 0...pounds { blankOne() }
        if follows("(") {
          index += 1
          scanCode(insideInterpolation: true)
          index += 1
        } else {
          blankOne()
        }
      } else if follows(isMultiline ? "\"\"\"" : "\""), isPounds(pounds, at: index + quotes) {
        index += quotes + pounds
        return
      } else if !isMultiline, follows("\n") {
        return
      } else {
        blankOne()
      }
    }
  }
}

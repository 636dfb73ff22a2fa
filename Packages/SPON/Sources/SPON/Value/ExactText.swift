internal import Primitives

/// A text as a key of a dictionary, where only one with the same scalars equals it.
struct ExactText: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.isSameUTF8(as: right.text)
  }

  func hash(into hasher: inout Hasher) { text.hashUTF8(into: &hasher) }
}

extension String {
  /// Whether two texts are written with the same scalars. `==` also equates an `é` with an `e` and
  /// its accent, which are two different texts in SPON.
  func isSameUTF8(as other: String) -> Bool {
    self == other && (utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8))
  }

  /// Feeds a hasher with the bytes. `hash(into:)` feeds it with what all the texts share that `==` equates:
  /// who chooses keys can make a great many of them.
  func hashUTF8(into hasher: inout Hasher) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      let utf8 = utf8
      return hasher.combine(bytesOf: utf8.span, 0..<utf8.count)
    }
    let bytes = Array(utf8)
    hasher.combine(bytesOf: bytes.elementSpan, 0..<bytes.count)
  }
}

extension Hasher {
  /// Feeds the bytes of a text in UTF-8, eight at a time.
  @inline(__always)
  mutating func combine(bytesOf bytes: Span<UInt8>, _ range: Range<Int>) {
    var word: UInt64 = 0
    var shift: UInt64 = 56
    for at in range {
      word ^= UInt64(bytes[at]) &<< shift
      shift = shift &- 8
      if shift > 56 {
        combine(word)
        (word, shift) = (0, 56)
      }
    }
    // A byte that no text has tells texts of other lengths apart.
    combine(word ^ 0xFF &<< shift)
  }
}

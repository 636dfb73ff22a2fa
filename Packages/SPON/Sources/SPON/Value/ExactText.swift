internal import Primitives

/// A string as a dictionary key, which is equal only to one with the same scalars.
struct ExactText: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.isSameUTF8(as: right.text)
  }

  func hash(into hasher: inout Hasher) { text.hashUTF8(into: &hasher) }
}

extension String {
  /// Returns whether two strings consist of the same scalars. With `==`, an `é` also equals an `e`
  /// followed by a combining accent, but they are different strings in SPON.
  func isSameUTF8(as other: String) -> Bool {
    StepCounter.step()
    return self == other && (utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8))
  }

  /// Feeds a string's bytes to a hasher. `hash(into:)` produces the same hash for all strings that
  /// `==` considers equal, so an attacker could choose a large number of colliding keys.
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
  /// Feeds the bytes of a string in UTF-8 to the hasher, eight at a time.
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
    // A byte that does not occur in UTF-8 distinguishes strings of different lengths.
    combine(word ^ 0xFF &<< shift)
  }
}

internal import Primitives

extension String {
  /// Calls `body` with the text's UTF-8 bytes.
  @inline(__always)
  func withUTF8Span<Value, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      return try body(utf8Span.span)
    }
    return try body([UInt8](utf8).elementSpan)
  }
}

extension Span<UInt8> {
  /// Copies a range of the bytes.
  func array(_ range: Range<Int>) -> [UInt8] {
    var copy: [UInt8] = []
    copy.reserveCapacity(range.count)
    for index in range { copy.append(self[index]) }
    return copy
  }
}

/// A string that is compared by its UTF-8 bytes.
///
/// Swift's `==` also equates composed and decomposed characters such as `é`, which are distinct
/// names in every format and in SQL.
struct ExactText: Hashable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (a: ExactText, b: ExactText) -> Bool { a.text.isExactly(b.text) }

  func hash(into hasher: inout Hasher) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    hasher.combine(hash)
  }
}

extension String {
  /// Returns whether two strings have the same UTF-8 bytes.
  func isExactly(_ other: String) -> Bool {
    self == other && utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }
}

extension String? {
  /// Returns whether both are `nil`, or have the same UTF-8 bytes.
  func isExactly(_ other: String?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.isExactly(other)
  }
}

extension Set<ExactText> {
  init(texts: some Sequence<String>) { self.init(texts.map { ExactText($0) }) }

  func contains(_ text: String) -> Bool { contains(ExactText(text)) }

  /// - Returns: Whether the text was inserted.
  @discardableResult
  mutating func insert(_ text: String) -> Bool { insert(ExactText(text)).inserted }
}

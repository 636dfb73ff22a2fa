/// Base64 of RFC 4648, section 4: the standard alphabet, with padding, on one line.
public enum Base64 {
  /// The error for a text that is not valid Base64.
  public struct Failure: Error, Hashable, Sendable {
    public let message: String
    /// The offset of the first byte that cannot be decoded.
    public let offset: Int
  }

  /// Appends the characters that encode `bytes`.
  public static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
    text.reserveCapacity(text.count + (bytes.count + 2) / 3 * 4)
    let characters = characters
    var at = 0
    while at &+ 2 < bytes.count {
      let group = Int(bytes[at]) << 16 | Int(bytes[at &+ 1]) << 8 | Int(bytes[at &+ 2])
      text.append(characters[group >> 18])
      text.append(characters[group >> 12 & 63])
      text.append(characters[group >> 6 & 63])
      text.append(characters[group & 63])
      at &+= 3
    }
    guard at < bytes.count else { return }
    let hasTwo = at &+ 1 < bytes.count
    let group = Int(bytes[at]) << 16 | (hasTwo ? Int(bytes[at &+ 1]) << 8 : 0)
    text.append(characters[group >> 18])
    text.append(characters[group >> 12 & 63])
    text.append(hasTwo ? characters[group >> 6 & 63] : padding)
    text.append(padding)
  }

  /// Returns the characters that encode `bytes`.
  public static func encoded(_ bytes: Span<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    append(bytes, to: &text)
    return text
  }

  /// Returns the bytes that a text encodes.
  ///
  /// - Throws: ``Failure`` if the text contains other characters, lacks padding, or has nonzero bits after its last
  ///   byte: each byte sequence has exactly one encoding.
  public static func decoded(_ text: Span<UInt8>) throws(Failure) -> [UInt8] {
    let end = try unpaddedCount(text)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    let values = values
    var (group, groupLength, union) = (0, 0, 0)
    for at in 0..<end {
      let value = Int(values[Int(text[at])])
      union |= value
      group = group << 6 | value
      groupLength &+= 1
      guard groupLength == 4 else { continue }
      bytes.append(UInt8(truncatingIfNeeded: group >> 16))
      bytes.append(UInt8(truncatingIfNeeded: group >> 8))
      bytes.append(UInt8(truncatingIfNeeded: group))
      (group, groupLength) = (0, 0)
    }
    if union > 63 { try checkCharacters(text, end) }
    switch groupLength {
    case 2: bytes.append(UInt8(truncatingIfNeeded: group >> 4))
    case 3:
      bytes.append(UInt8(truncatingIfNeeded: group >> 10))
      bytes.append(UInt8(truncatingIfNeeded: group >> 2))
    default: break
    }
    try checkUnusedBits(text, end)
    return bytes
  }

  /// Validates a text without decoding it.
  ///
  /// - Throws: The same errors as ``decoded(_:)``.
  public static func check(_ text: Span<UInt8>) throws(Failure) {
    let end = try unpaddedCount(text)
    try checkCharacters(text, end)
    try checkUnusedBits(text, end)
  }

  /// The number of characters before the padding.
  private static func unpaddedCount(_ text: Span<UInt8>) throws(Failure) -> Int {
    guard text.count % 4 == 0 else {
      throw Failure(message: "expected groups of four characters of Base64", offset: 0)
    }
    var end = text.count
    while end > 0, text.count - end < 2, text[end - 1] == padding { end -= 1 }
    return end
  }

  private static func checkCharacters(_ text: Span<UInt8>, _ end: Int) throws(Failure) {
    let values = values
    for at in 0..<end where values[Int(text[at])] > 63 {
      throw Failure(message: "expected a character of Base64", offset: at)
    }
  }

  private static func checkUnusedBits(_ text: Span<UInt8>, _ end: Int) throws(Failure) {
    let unused: UInt8 =
      switch text.count - end {
      case 0: 0
      case 1: 0x03
      default: 0x0F
      }
    guard unused == 0 || values[Int(text[end - 1])] & unused == 0 else {
      throw Failure(message: "the last character of Base64 has bits too many", offset: end - 1)
    }
  }

  private static let padding = UInt8(ascii: "=")

  private static let characters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The value of each character, or 255 for other bytes.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (index, character) in characters.enumerated() {
      values[Int(character)] = UInt8(index)
    }
    return values
  }()
}

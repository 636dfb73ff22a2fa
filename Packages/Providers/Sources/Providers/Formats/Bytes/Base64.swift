/// Bytes as letters, digits, `+` and `/`, by RFC 4648.
enum Base64 {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (index, letter) in letters.enumerated() { values[Int(letter)] = UInt8(index) }
    return values
  }()

  static func encoded(_ bytes: Span<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    let letters = letters
    var at = 0
    while at < bytes.count {
      let count = Swift.min(3, bytes.count - at)
      let second = count > 1 ? Int(bytes[at + 1]) : 0
      let third = count > 2 ? Int(bytes[at + 2]) : 0
      let word = Int(bytes[at]) << 16 | second << 8 | third
      text.append(letters[word >> 18])
      text.append(letters[word >> 12 & 63])
      text.append(count > 1 ? letters[word >> 6 & 63] : 0x3D)
      text.append(count > 2 ? letters[word & 63] : 0x3D)
      at += 3
    }
    return text
  }

  /// The bytes of a text with its padding; `nil` where it is none.
  static func decoded(_ text: Span<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    var end = text.count
    while end > 0, text.count - end < 2, text[end - 1] == 0x3D { end -= 1 }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    let values = values
    var (word, count) = (0, 0)
    for index in 0..<end {
      let value = values[Int(text[index])]
      guard value < 64 else { return nil }
      word = (word << 6 | Int(value)) & 0xFFFFFF
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> count))
      }
    }
    // Bits that no byte has are 0.
    guard word & (1 << count - 1) == 0 else { return nil }
    return bytes
  }
}

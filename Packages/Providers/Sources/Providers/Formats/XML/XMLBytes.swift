internal import Primitives

/// Loops over bytes, eight at a time if none of them is special.
enum XMLBytes {
  /// The reason why bytes are not valid text.
  enum Fault {
    case null
    case invalid
    /// The bytes end within a character.
    case incomplete
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// Returns the end of the valid UTF-8 without NUL that begins at `start`, and the fault there.
  static func checkUTF8(_ bytes: Span<UInt8>, from start: Int) -> (end: Int, fault: Fault?) {
    var at = start
    while true {
      at = endOfASCII(bytes, from: at)
      guard at < bytes.count else { return (at, nil) }
      if bytes[at] == 0 { return (at, .null) }
      switch lengthOfCharacter(bytes, at: at) {
      case 0: return (at, .invalid)
      case -1: return (at, .incomplete)
      case let length: at += length
      }
    }
  }

  /// Returns the offset of the first line feed from `start`, or `end`.
  static func firstLineFeed(_ bytes: Span<UInt8>, from start: Int, before end: Int) -> Int {
    precondition(start >= 0 && end <= bytes.count, "the range must be within the bytes")
    return unsafe bytes.withUnsafeBytes { bytes in
      var at = start
      while at &+ 8 <= end {
        let word = unsafe bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)
        guard ByteWord.matches(word, ByteWord.filled(0x0A)) & highs == 0 else { break }
        at &+= 8
      }
      while at < end, unsafe bytes[at] != 0x0A { at &+= 1 }
      return at
    }
  }

  /// Returns the offset of the first byte from `start` that is NUL or not ASCII.
  private static func endOfASCII(_ bytes: Span<UInt8>, from start: Int) -> Int {
    unsafe bytes.withUnsafeBytes { bytes in
      var at = start
      while at &+ 8 <= bytes.count {
        let word = unsafe bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)
        guard (word | (word &- ones)) & highs == 0 else { break }
        at &+= 8
      }
      while at < bytes.count, unsafe bytes[at] &- 1 < 0x7F { at &+= 1 }
      return at
    }
  }

  /// Returns the offset of the first byte from `start` that XML text can't contain unchanged: it
  /// must be escaped or refused, or is not ASCII.
  static func endOfPlain(_ bytes: Span<UInt8>, from start: Int) -> Int {
    unsafe bytes.withUnsafeBytes { bytes in
      var at = start
      while at &+ 8 <= bytes.count {
        let word = unsafe bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)
        let special =
          word | (word &- ones &* 0x20) | zeros(word ^ (ones &* 0x26))
          | zeros(word ^ (ones &* 0x3C))
          | zeros(word ^ (ones &* 0x3E)) | zeros(word ^ (ones &* 0x22))
        guard special & highs == 0 else { break }
        at &+= 8
      }
      while at < bytes.count, unsafe isPlain(bytes[at]) { at &+= 1 }
      return at
    }
  }

  /// Returns a word with a high bit set if a byte of `word` is zero.
  private static func zeros(_ word: UInt64) -> UInt64 { word &- ones }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x80 && byte != 0x26 && byte != 0x3C && byte != 0x3E && byte != 0x22
  }

  /// Returns the number of bytes of the non-ASCII character at `offset`; 0 if they are not valid
  /// UTF-8, -1 if the bytes end within the character.
  static func lengthOfCharacter(_ bytes: Span<UInt8>, at offset: Int) -> Int {
    var minimum: UInt8 = 0x80
    var maximum: UInt8 = 0xBF
    let length: Int
    switch bytes[offset] {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, minimum) = (3, 0xA0)
    case 0xED: (length, maximum) = (3, 0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, minimum) = (4, 0x90)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, maximum) = (4, 0x8F)
    default: return 0
    }
    for index in 1..<length {
      guard offset + index < bytes.count else { return -1 }
      let byte = bytes[offset + index]
      guard byte >= minimum, byte <= maximum else { return 0 }
      (minimum, maximum) = (0x80, 0xBF)
    }
    return length
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}

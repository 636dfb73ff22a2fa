internal import Primitives

/// A token: the beginning or end of a container, or a scalar; in an object, with its key. Offsets
/// refer to the bytes that were passed to the scanner.
struct Token {
  enum Kind: UInt8 {
    case null, bool, integer, unsigned, float, double, decimal, string, opaque, data, instant
    case object, array
    /// The end of the innermost container.
    case end
    case endOfDocument
    /// The bytes end inside a token, and more may follow.
    case incomplete
  }

  var kind: Kind
  /// Indicates whether the content may contain an escape.
  var mayHaveEscapes = false
  /// Indicates whether the key may contain an escape.
  var keyMayHaveEscapes = false
  /// The offset of the content; for a container, the offset of its `@`.
  var start = 0
  /// The length of the content; for a container, the length of its head including the bracket.
  var length = 0
  /// The offset of the key without its designator; -1 if there is none.
  var keyStart = -1
  var keyLength = 0
  /// The bits of a `bool`, `integer`, `unsigned`, `float` or `double`.
  var bits: UInt64 = 0

  var content: Range<Int> { start..<start + length }
  var key: Range<Int> { keyStart..<keyStart + keyLength }

  /// Returns the range of the type name in an object's head: `@obj:Name<`, or `@obj<`.
  static func typeName(in head: Range<Int>) -> Range<Int> {
    guard head.count > 6 else { return head.lowerBound..<head.lowerBound }
    return head.lowerBound + 5..<head.upperBound - 1
  }
}

/// A failure to read a token. It is converted to a ``SPONError`` by the caller that has the text.
struct ScanFailure: Error {
  var code: SPONError.Code
  var message: String
  var offset: Int

  init(_ code: SPONError.Code, _ message: String, at offset: Int) {
    self.code = code
    self.message = message
    self.offset = offset
  }

  static func checkUTF8(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(ScanFailure) {
    if let fault = bytes.firstInvalidUTF8(in: range) {
      throw ScanFailure(.invalidUTF8, "the bytes are not UTF-8", at: fault)
    }
  }
}

/// The progress in a token that is incomplete because the bytes ended, so that it is not scanned
/// again from its beginning. Offsets are relative to ``Scanner/position``.
struct PartialToken {
  enum Stage: UInt8 {
    /// In the only part of an element, or in the key of a pair.
    case first
    case afterKey, afterEquals, value
  }

  var isUsed = false
  var stage = Stage.first
  /// The offset up to which the current part was searched for its end; 0 if it was not.
  var searched = 0
  /// The summary of the searched bytes.
  var seen = SeenBytes()
  /// The end of a bare element's content, if only white space follows.
  var content = 0
  /// The length of the key with its designator, once the key is complete.
  var keyLength = 0
  var keySeen = SeenBytes()
  /// The offset after the key at which scanning continues: in white space, or at the value.
  var value = 0
  /// In unquoted text, the offset up to which a possible pair was examined.
  var ahead = 0
  /// The length of the root's head, and the offset of its first pair.
  var head = 0
  var first = 0

  @inline(__always)
  mutating func reset() {
    if isUsed { self = PartialToken() }
  }
}

extension Scanner {
  /// Returns the offset at which the search for the end of a part, which begins at `start`,
  /// continues.
  @inline(__always)
  func resumed(from start: Int) -> (at: Int, seen: SeenBytes) {
    guard partial.searched > 0 else { return (start, SeenBytes()) }
    return (position + partial.searched, partial.seen)
  }

  /// Records that a part of a token does not end before `at`.
  mutating func suspend(_ at: Int, _ seen: SeenBytes) {
    partial.isUsed = true
    partial.searched = at - position
    partial.seen = seen
  }

  /// Records the key of an incomplete pair, and the offset at which scanning continues.
  mutating func suspend(_ stage: PartialToken.Stage, _ pair: Token, _ seen: SeenBytes, _ at: Int) {
    partial.isUsed = true
    partial.stage = stage
    partial.keyLength = pair.keyLength
    partial.keySeen = seen
    partial.value = at - position
  }
}

/// The type designators.
enum TypeDesignator: UInt8 {
  case bool = 0x25  // %
  case integer = 0x21  // !
  case string = 0x24  // $
  case float = 0x5E  // ^
  case double = 0x26  // &
  case data = 0x2A  // *
  case opaque = 0x3F  // ?
  case decimal = 0x23  // #
  case instant = 0x2B  // +
  case null = 0x7E  // ~

  /// The first version of SPON with the designator.
  var level: UInt8 {
    switch self {
    case .bool, .integer, .string, .float, .double, .data, .opaque: 1
    case .decimal, .instant, .null: 2
    }
  }
}

/// The bytes with a syntactic meaning.
enum Byte {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20
  static let ampersand: UInt8 = 0x26
  static let comma: UInt8 = 0x2C
  static let hyphen: UInt8 = 0x2D
  static let colon: UInt8 = 0x3A
  static let semicolon: UInt8 = 0x3B
  static let less: UInt8 = 0x3C
  static let equals: UInt8 = 0x3D
  static let greater: UInt8 = 0x3E
  static let at: UInt8 = 0x40
  static let openBracket: UInt8 = 0x5B
  static let closeBracket: UInt8 = 0x5D
  static let backtick: UInt8 = 0x60
}

extension UInt8 {
  @inline(__always)
  var isWhiteSpace: Bool {
    self == Byte.space || self == Byte.lineFeed || self == Byte.tab || self == Byte.carriageReturn
  }

  @inline(__always)
  var isDigit: Bool { self &- 0x30 < 10 }

  /// The value of a hexadecimal digit.
  var hexadecimalDigit: UInt32? {
    switch self {
    case 0x30...0x39: UInt32(self - 0x30)
    case 0x41...0x46: UInt32(self - 0x41 + 10)
    case 0x61...0x66: UInt32(self - 0x61 + 10)
    default: nil
    }
  }

  /// Indicates whether the byte can be a designator in a later version: punctuation that does not
  /// occur in identifiers.
  var isSymbol: Bool {
    switch self {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x5E, 0x7B...0x7E: true
    default: false
    }
  }
}

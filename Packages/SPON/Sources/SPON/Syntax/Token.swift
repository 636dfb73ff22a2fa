internal import Primitives

/// What the scanner finds: the beginning or the end of a container, or a scalar, with its key where it
/// stands in an object. Offsets count in the bytes that the scanner was given.
struct Token {
  enum Kind: UInt8 {
    case null, bool, integer, unsigned, float, double, decimal, string, opaque, data, instant
    case object, array
    /// The end of the innermost container.
    case end
    case endOfDocument
    /// The bytes end within a token, and more may come.
    case incomplete
  }

  var kind: Kind
  /// Whether an escape may be in the content.
  var mayHaveEscapes = false
  /// Whether an escape may be in the key.
  var keyMayHaveEscapes = false
  /// Where the content begins; that of a container at its `@`.
  var start = 0
  /// The bytes of the content; those of a container's head up to and with its bracket.
  var length = 0
  /// Where the key begins, without its designator; -1 where there is none.
  var keyStart = -1
  var keyLength = 0
  /// The value of a `bool`, `integer`, `unsigned`, `float` or `double`: its bits.
  var bits: UInt64 = 0

  var content: Range<Int> { start..<start + length }
  var key: Range<Int> { keyStart..<keyStart + keyLength }
}

/// Why a token could not be read. Who holds the text makes a ``SPONError`` of it.
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

/// How far a token was read in vain, since the bytes ended in it, so that what comes next is not
/// searched from its beginning again. Places count from ``Scanner/position``.
struct PartialToken {
  enum Stage: UInt8 {
    /// In the only part of an element, or in the key of a pair.
    case first
    case afterKey, afterEquals, value
  }

  var isUsed = false
  var stage = Stage.first
  /// Up to where the part that the bytes end in has no end; 0 where that was not looked for.
  var searched = 0
  /// What was found there.
  var seen = SeenBytes()
  /// Where the content of a bare element ends, if no more than white space follows.
  var content = 0
  /// The bytes of the key, with its designator, once all of it was there.
  var keyLength = 0
  var keySeen = SeenBytes()
  /// Where to go on behind the key: in white space, or at the value.
  var value = 0
  /// In a text without quotes, up to where what may be the next pair was looked at.
  var ahead = 0
  /// The bytes of the root's head, and where its first pair begins.
  var head = 0
  var first = 0

  @inline(__always)
  mutating func reset() {
    if isUsed { self = PartialToken() }
  }
}

extension Scanner {
  /// Where to go on to search for the end of the part that begins at `start`.
  @inline(__always)
  func resumed(from start: Int) -> (at: Int, seen: SeenBytes) {
    guard partial.searched > 0 else { return (start, SeenBytes()) }
    return (position + partial.searched, partial.seen)
  }

  /// Notes that a part of a token has no end before `at`.
  mutating func suspend(_ at: Int, _ seen: SeenBytes) {
    partial.isUsed = true
    partial.searched = at - position
    partial.seen = seen
  }

  /// Notes the key of a pair that the bytes end in, and where to go on.
  mutating func suspend(_ stage: PartialToken.Stage, _ pair: Token, _ seen: SeenBytes, _ at: Int) {
    partial.isUsed = true
    partial.stage = stage
    partial.keyLength = pair.keyLength
    partial.keySeen = seen
    partial.value = at - position
  }
}

/// The type designators.
enum Mark: UInt8 {
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

  /// The version of SPON that has it.
  var level: UInt8 {
    switch self {
    case .bool, .integer, .string, .float, .double, .data, .opaque: 1
    case .decimal, .instant, .null: 2
    }
  }
}

/// The bytes that structure a text.
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

  /// Whether this can be a designator of a later version: punctuation that no identifier has.
  var isSymbol: Bool {
    switch self {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x5E, 0x7B...0x7E: true
    default: false
    }
  }
}

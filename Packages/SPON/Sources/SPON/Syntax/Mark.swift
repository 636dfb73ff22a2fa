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

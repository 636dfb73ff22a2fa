/// A piece of SQL that a query's text is made of.
struct QueryToken: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// A name or a keyword as it is written.
    case word(String)
    /// A name in quotes, without them.
    case quoted(String)
    /// A text, without its quotes.
    case text(String)
    case number(String)
    /// `?` or `?7`; `nil` for the first, and zero for one that has a name.
    case parameter(Int?)
    case symbol(UInt8)
  }

  let kind: Kind
  /// How many parentheses are around it.
  let depth: Int
  /// Its bytes.
  let range: Range<Int>

  /// The keyword that it may be, in capitals.
  var word: String? {
    guard case .word(let word) = kind else { return nil }
    return word.uppercased()
  }

  func isWord(_ keyword: String) -> Bool { word == keyword }

  /// The name that it may be.
  var name: String? {
    switch kind {
    case .word(let name), .quoted(let name): name
    default: nil
    }
  }

  /// The pieces of a text, and whether it ends within a comment or between quotes.
  static func all(in sql: String) -> (tokens: [QueryToken], isOpen: Bool) {
    var lexer = QueryLexer(sql)
    let tokens = lexer.run()
    return (tokens, lexer.isOpen)
  }
}

private struct QueryLexer {
  private let bytes: [UInt8]
  private var place = 0
  private var depth = 0
  private(set) var isOpen = false

  init(_ sql: String) { bytes = Array(sql.utf8) }

  private func byte(_ offset: Int = 0) -> UInt8? {
    place + offset < bytes.count ? bytes[place + offset] : nil
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == 0x5F || byte == 0x24 || isDigit(byte)
      || (0x61...0x7A).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  mutating func run() -> [QueryToken] {
    var tokens: [QueryToken] = []
    while let byte = byte() {
      let start = place
      let outer = depth
      guard let kind = next(byte) else { continue }
      // Both parentheses of a pair are outside of it.
      tokens.append(
        QueryToken(kind: kind, depth: Swift.min(outer, depth), range: start..<place))
    }
    return tokens
  }

  /// - Returns: `nil` for what is nothing to SQL.
  private mutating func next(_ byte: UInt8) -> QueryToken.Kind? {
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0C, 0x0D:
      place += 1
      return nil
    case 0x2D where self.byte(1) == 0x2D:
      while let byte = self.byte(), byte != 0x0A { skip(byte) }
      return nil
    case 0x2F where self.byte(1) == 0x2A:
      skipComment()
      return nil
    case 0x28:
      depth += 1
      place += 1
      return .symbol(byte)
    case 0x29:
      depth -= 1
      place += 1
      return .symbol(byte)
    case 0x27: return .text(quoted(byte))
    case 0x22, 0x60: return .quoted(quoted(byte))
    case 0x5B: return .quoted(bracketed())
    case 0x3F:
      place += 1
      let digits = word()
      return .parameter(digits.isEmpty ? nil : Int(digits) ?? 0)
    case 0x3A, 0x40, 0x23, 0x24:
      place += 1
      _ = word()
      return .parameter(0)
    case _ where Self.isDigit(byte): return .number(number())
    case _ where Self.isPart(byte): return .word(word())
    default:
      place += 1
      return .symbol(byte)
    }
  }

  private mutating func skip(_ byte: UInt8) { place += 1 }

  private mutating func word() -> String {
    let start = place
    while let byte = byte(), Self.isPart(byte) { place += 1 }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private mutating func number() -> String {
    let start = place
    while let byte = byte() {
      let isSign =
        (byte == 0x2B || byte == 0x2D) && place > start && bytes[place - 1] | 0x20 == 0x65
      guard Self.isPart(byte) || byte == 0x2E || isSign else { break }
      place += 1
    }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  /// What is between two quotes; two that follow one another stand for one.
  private mutating func quoted(_ quote: UInt8) -> String {
    var content: [UInt8] = []
    place += 1
    while let byte = byte() {
      place += 1
      if byte == quote {
        guard self.byte() == quote else { return String(decoding: content, as: UTF8.self) }
        place += 1
      }
      content.append(byte)
    }
    isOpen = true
    return String(decoding: content, as: UTF8.self)
  }

  private mutating func bracketed() -> String {
    place += 1
    let start = place
    while let byte = byte() {
      place += 1
      if byte == 0x5D { return String(decoding: bytes[start..<place - 1], as: UTF8.self) }
    }
    isOpen = true
    return ""
  }

  private mutating func skipComment() {
    place += 2
    while let byte = byte() {
      place += 1
      if byte == 0x2A, self.byte() == 0x2F {
        place += 1
        return
      }
    }
    isOpen = true
  }
}

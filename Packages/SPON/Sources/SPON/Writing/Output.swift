/// Bytes of a text in SPON that is being written.
struct Output {
  private(set) var bytes: [UInt8] = []
  let version: SPONVersion
  /// Whether something was written that only version 2 has.
  private(set) var needsLevel2 = false
  /// Whether something was written that version 1 does not have, though it was asked for. The first
  /// such thing, in words.
  private(set) var refusal: String?

  init(version: SPONVersion) { self.version = version }

  /// Whether scalars may be written as version 2 has them.
  var mayUseLevel2: Bool { version != .one }

  var count: Int { bytes.count }

  mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }
  mutating func append(_ byte: UInt8) { bytes.append(byte) }
  mutating func append(_ text: [UInt8]) { bytes.append(contentsOf: text) }
  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
  mutating func insert(_ text: [UInt8], at place: Int) { bytes.insert(contentsOf: text, at: place) }
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Notes that what follows is of version 2.
  mutating func require2(_ what: @autoclosure () -> String) {
    needsLevel2 = true
    if version == .one, refusal == nil { refusal = what() }
  }

  /// Notes that what another output holds, which is joined to this one, was of version 2.
  mutating func join(_ other: Output) {
    needsLevel2 = needsLevel2 || other.needsLevel2
    refusal = refusal ?? other.refusal
  }
}

// MARK: Scalars

extension Output {
  /// What stands before a content: behind a key, its designator and `` =` ``.
  @inline(__always)
  mutating func begin(_ mark: Mark, isPair: Bool) {
    if isPair {
      bytes.append(mark.rawValue)
      bytes.append(Byte.equals)
      bytes.append(Byte.backtick)
    } else if mark == .string {
      bytes.append(Byte.backtick)
    }
  }

  /// What stands behind a content.
  @inline(__always)
  mutating func end(_ mark: Mark, isPair: Bool) {
    bytes.append(isPair || mark == .string ? Byte.backtick : mark.rawValue)
  }

  mutating func bool(_ value: Bool, isPair: Bool) {
    begin(.bool, isPair: isPair)
    append(value ? "true" : "false")
    end(.bool, isPair: isPair)
  }

  mutating func integer(_ value: Int64, isPair: Bool) {
    begin(.integer, isPair: isPair)
    if value < 0 { bytes.append(Byte.hyphen) }
    digits(value.magnitude)
    end(.integer, isPair: isPair)
  }

  mutating func unsigned(_ value: UInt64, isPair: Bool) {
    // Readers of version 1 know only what an Int64 holds.
    if value > UInt64(Int64.max) { require2("the integer \(value)") }
    begin(.integer, isPair: isPair)
    digits(value)
    end(.integer, isPair: isPair)
  }

  private mutating func digits(_ value: UInt64) {
    guard value >= 10 else {
      bytes.append(0x30 &+ UInt8(truncatingIfNeeded: value))
      return
    }
    // The last digits first, eight to a word; the first of all is in the lowest byte of the last one.
    var words: (UInt64, UInt64) = (0, 0)
    var word: UInt64 = 0
    var count = 0
    var rest = value
    while rest > 0 {
      if count == 8 { words.0 = word }
      if count == 16 { words.1 = word }
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      word = word << 8 | digit
      count &+= 1
      rest = quotient
    }
    append(digits: word, count: (count &- 1) % 8 &+ 1)
    if count > 16 { append(digits: words.1, count: 8) }
    if count > 8 { append(digits: words.0, count: 8) }
  }

  private mutating func append(digits word: UInt64, count: Int) {
    var rest = word
    for _ in 0..<count {
      bytes.append(0x30 | UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  mutating func float(_ value: Float, isPair: Bool) {
    begin(.float, isPair: isPair)
    append(value.isNaN ? "nan" : value.description)
    end(.float, isPair: isPair)
  }

  mutating func double(_ value: Double, isPair: Bool) {
    begin(.double, isPair: isPair)
    append(value.isNaN ? "nan" : value.description)
    end(.double, isPair: isPair)
  }

  mutating func decimal(_ value: SPONDecimal, isPair: Bool) {
    // Version 1 has only text without a type for it.
    let mark = mayUseLevel2 ? Mark.decimal : .opaque
    if mayUseLevel2 { require2("a decimal number") }
    begin(mark, isPair: isPair)
    append(value.description)
    end(mark, isPair: isPair)
  }

  mutating func data(_ value: [UInt8], isPair: Bool) {
    begin(.data, isPair: isPair)
    Base64.append(value, to: &bytes)
    end(.data, isPair: isPair)
  }

  mutating func instant(_ value: SPONInstant, isPair: Bool) {
    guard !mayUseLevel2 else {
      require2("an instant")
      begin(.instant, isPair: isPair)
      InstantText.append(value, to: &bytes)
      end(.instant, isPair: isPair)
      return
    }
    if value.attoseconds != 0 { require2("the fraction of a second in \(value)") }
    begin(.opaque, isPair: isPair)
    InstantText.appendLegacy(value, to: &bytes)
    end(.opaque, isPair: isPair)
  }

  mutating func null(isPair: Bool) {
    if mayUseLevel2 { require2("null") }
    let mark = mayUseLevel2 ? Mark.null : .opaque
    begin(mark, isPair: isPair)
    if !mayUseLevel2 { append("<null>") }
    end(mark, isPair: isPair)
  }

  mutating func string(_ value: String, isPair: Bool) {
    begin(.string, isPair: isPair)
    content(value)
    end(.string, isPair: isPair)
  }

  mutating func opaque(_ value: String, isPair: Bool) {
    let isQuoted = !isPair && !Self.canStandBare(value)
    if isQuoted {
      require2("a text without a type in an array that has \",\", \"]\" or a space at its end")
      bytes.append(Byte.backtick)
    } else {
      begin(.opaque, isPair: isPair)
    }
    if value == "<null>" {
      require2("the text <null> without a type")
      append("&u3c;null>")
    } else {
      content(value)
    }
    if isQuoted { bytes.append(Byte.backtick) }
    end(.opaque, isPair: isPair)
  }

  private static func canStandBare(_ text: String) -> Bool {
    guard let first = text.utf8.first, let last = text.utf8.last else { return true }
    return !first.isWhiteSpace && !last.isWhiteSpace && first != Byte.at
      && !text.utf8.contains { $0 == Byte.comma || $0 == Byte.closeBracket }
  }
}

// MARK: Texts and names

extension Output {
  /// A text between its backticks.
  mutating func content(_ text: String) {
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    for at in start..<bytes.count where bytes[at] == Byte.backtick || bytes[at] == Byte.ampersand {
      escape(from: at, isName: false) { _ in false }
      return
    }
  }

  /// A key, without its designator.
  mutating func key(_ key: String) {
    let start = bytes.count
    bytes.append(contentsOf: key.utf8)
    for at in start..<bytes.count where Self.isEscapedInKeys(bytes[at]) {
      escape(from: at, isName: true, Self.isEscapedInKeys)
      break
    }
    if key == "@spon" {  // which would be read as the version's marker
      require2("the key \"@spon\"")
      bytes.removeLast(bytes.count - start)
      append("&u40;spon")
    }
  }

  /// A type's name, as the head of an object has it.
  mutating func typeName(_ name: String) {
    let start = bytes.count
    bytes.append(contentsOf: name.utf8)
    for at in start..<bytes.count where Self.isEscapedInTypeNames(bytes[at]) {
      escape(from: at, isName: true, Self.isEscapedInTypeNames)
      return
    }
  }

  private static func isEscapedInKeys(_ byte: UInt8) -> Bool {
    switch byte {
    case Byte.equals, Byte.colon, Byte.backtick, Byte.less, Byte.greater, Byte.openBracket,
      Byte.closeBracket, Byte.ampersand:
      true
    default: byte.isWhiteSpace
    }
  }

  private static func isEscapedInTypeNames(_ byte: UInt8) -> Bool {
    switch byte {
    case Byte.less, Byte.greater, Byte.backtick, Byte.openBracket, Byte.closeBracket,
      Byte.ampersand:
      true
    default: false
    }
  }

  /// Writes the bytes from `place` to the end again, with escapes: of backticks, of ampersands that
  /// would begin an escape, and of what else must not stand in a name.
  private mutating func escape(from place: Int, isName: Bool, _ mustNotStand: (UInt8) -> Bool) {
    let rest = Array(bytes[place...])
    bytes.removeLast(rest.count)
    for at in rest.indices {
      let byte = rest[at]
      switch byte {
      case Byte.backtick:
        if isName { require2("a name with a backtick") }
        append("&01;")
      case Byte.ampersand:
        if case .none = Escapes.escape(rest.span, at: at, end: rest.count, level: 2) {
          bytes.append(byte)
        } else {
          require2("a text with what looks as an escape")
          append("&u26;")
        }
      case _ where mustNotStand(byte):
        require2("a name with \"\(Character(Unicode.Scalar(byte)))\"")
        append("&u")
        append(String(byte, radix: 16))
        bytes.append(Byte.semicolon)
      default: bytes.append(byte)
      }
    }
  }

  /// Writes the version's marker into a finished document, where it is needed.
  ///
  /// - Parameters:
  ///   - head: The bytes up to and with the root's bracket.
  ///   - isEmpty: Whether the root holds nothing.
  mutating func mark(rootHead head: Int, isEmpty: Bool, isPretty: Bool = false) {
    guard version == .two || version == .automatic && needsLevel2 else { return }
    if bytes[head - 1] == Byte.openBracket {
      insert(Array(":2".utf8), at: head - 1)
    } else if isEmpty {
      insert(Array("@spon!=`2`".utf8), at: head)
    } else {
      insert(Array((isPretty ? "\n  @spon!=`2`" : "@spon!=`2` ").utf8), at: head)
    }
  }
}

/// Bytes of a text in SPON that is being written.
struct Output {
  private var buffer = ByteBuffer()
  let version: SPONVersion
  /// Whether something was written that only version 2 has.
  private(set) var needsLevel2 = false
  /// Whether something was written that version 1 does not have, though it was asked for. The first
  /// such thing, in words.
  private(set) var refusal: String?

  init(version: SPONVersion) { self.version = version }

  /// Whether scalars may be written as version 2 has them.
  var mayUseLevel2: Bool { version != .one }

  var count: Int { buffer.count }

  /// Whether what was written is a value that is neither an object nor an array.
  var isSingleValue: Bool { buffer.first != Byte.at }

  /// What was written.
  var bytes: [UInt8] { buffer.bytes }

  /// What was written; nothing is left.
  mutating func takeBytes() -> [UInt8] { buffer.takeBytes() }

  @inline(__always)
  mutating func append(_ byte: UInt8) { buffer.append(byte) }
  mutating func append(_ text: [UInt8]) { buffer.append(text.span) }
  @inline(__always)
  mutating func append(_ text: Span<UInt8>) { buffer.append(text) }
  mutating func append(_ text: String) { buffer.append(text) }

  /// Notes that what follows is of version 2.
  mutating func require2(_ what: @autoclosure () -> String) {
    needsLevel2 = true
    if version == .one, refusal == nil { refusal = what() }
  }

  /// How much was written.
  struct Savepoint {
    fileprivate let count: Int
    fileprivate let needsLevel2: Bool
    fileprivate let isRefused: Bool
  }

  var savepoint: Savepoint {
    Savepoint(count: count, needsLevel2: needsLevel2, isRefused: refusal != nil)
  }

  /// Takes back what was written since.
  mutating func undo(to savepoint: Savepoint) {
    buffer.truncate(to: savepoint.count)
    needsLevel2 = savepoint.needsLevel2
    if !savepoint.isRefused { refusal = nil }
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
      buffer.append(mark.rawValue, Byte.equals, Byte.backtick)
    } else if mark == .string {
      buffer.append(Byte.backtick)
    }
  }

  /// What stands behind a content.
  @inline(__always)
  mutating func end(_ mark: Mark, isPair: Bool) {
    buffer.append(isPair || mark == .string ? Byte.backtick : mark.rawValue)
  }

  /// The content of a Bool and the backtick behind it.
  @inline(__always)
  mutating func endPair(_ value: Bool) {
    append(value ? "true`" : "false`")
  }

  /// The content of an integer and the backtick behind it.
  @inline(__always)
  mutating func endPair(_ value: Int64) {
    if value < 0 { buffer.append(Byte.hyphen) }
    buffer.append(digitsOf: value.magnitude, then: Byte.backtick)
  }

  /// The content of a Double and the backtick behind it.
  mutating func endPair(_ value: Double) {
    content(value)
    buffer.append(Byte.backtick)
  }

  /// The content of a text and the backtick behind it.
  @inline(__always)
  mutating func endPair(_ value: String) {
    content(value)
    buffer.append(Byte.backtick)
  }

  mutating func bool(_ value: Bool, isPair: Bool) {
    begin(.bool, isPair: isPair)
    append(value ? "true" : "false")
    end(.bool, isPair: isPair)
  }

  mutating func integer(_ value: Int64, isPair: Bool) {
    begin(.integer, isPair: isPair)
    if value < 0 { buffer.append(Byte.hyphen) }
    buffer.append(digitsOf: value.magnitude, then: isPair ? Byte.backtick : Mark.integer.rawValue)
  }

  mutating func unsigned(_ value: UInt64, isPair: Bool) {
    // Readers of version 1 know only what an Int64 holds.
    if value > UInt64(Int64.max) { require2("the integer \(value)") }
    begin(.integer, isPair: isPair)
    buffer.append(digitsOf: value, then: isPair ? Byte.backtick : Mark.integer.rawValue)
  }

  /// An integer of 128 bits: as a decimal number where 64 don't suffice.
  mutating func wide(_ value: some FixedWidthInteger, isPair: Bool) {
    if let value = Int64(exactly: value) { return integer(value, isPair: isPair) }
    if let value = UInt64(exactly: value) { return unsigned(value, isPair: isPair) }
    decimal(SPONDecimal(value), isPair: isPair)
  }

  mutating func float(_ value: Float, isPair: Bool) {
    begin(.float, isPair: isPair)
    append(value.isNaN ? "nan" : value.description)
    end(.float, isPair: isPair)
  }

  mutating func double(_ value: Double, isPair: Bool) {
    begin(.double, isPair: isPair)
    content(value)
    end(.double, isPair: isPair)
  }

  private mutating func content(_ value: Double) {
    if thousandths(value) { return }
    guard let number = ShortestDigits(value.magnitude) else {
      return append(value.isNaN ? "nan" : value.description)
    }
    if value < 0 { buffer.append(Byte.hyphen) }
    buffer.append(digitsOf: number.digits, fractionCount: number.fractionCount)
  }

  /// Appends a number that has at most three digits behind its point, and fifteen in all: what is
  /// written so is what no shorter text is read as.
  ///
  /// - Returns: Whether it is such a number.
  private mutating func thousandths(_ value: Double) -> Bool {
    let magnitude = value.magnitude
    guard magnitude >= 0.001, magnitude < 1e12 else { return false }
    let thousandths = UInt64(magnitude * 1_000 + 0.5)
    guard Double(thousandths) / 1_000 == magnitude else { return false }
    if value < 0 { buffer.append(Byte.hyphen) }
    let (whole, fraction) = thousandths.quotientAndRemainder(dividingBy: 1_000)
    let (hundredths, last) = fraction.quotientAndRemainder(dividingBy: 10)
    let (tenths, next) = hundredths.quotientAndRemainder(dividingBy: 10)
    buffer.append(digitsOf: whole, then: 0x2E)
    buffer.append(0x30 | UInt8(truncatingIfNeeded: tenths))
    if next | last != 0 { buffer.append(0x30 | UInt8(truncatingIfNeeded: next)) }
    if last != 0 { buffer.append(0x30 | UInt8(truncatingIfNeeded: last)) }
    return true
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
    var text: [UInt8] = []
    Base64.append(value, to: &text)
    buffer.append(text.span)
    end(.data, isPair: isPair)
  }

  mutating func instant(_ value: SPONInstant, isPair: Bool) {
    guard !mayUseLevel2 else {
      require2("an instant")
      begin(.instant, isPair: isPair)
      var text: [UInt8] = []
      InstantText.append(value, to: &text)
      buffer.append(text.span)
      end(.instant, isPair: isPair)
      return
    }
    if value.attoseconds != 0 { require2("the fraction of a second in \(value)") }
    begin(.opaque, isPair: isPair)
    var text: [UInt8] = []
    InstantText.appendLegacy(value, to: &text)
    buffer.append(text.span)
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
      require2("an untyped text in an array that has \",\", \"]\", \"@\" or a space at an end")
      buffer.append(Byte.backtick)
    } else {
      begin(.opaque, isPair: isPair)
    }
    if value == "<null>" {
      require2("the text <null> without a type")
      append("&u3c;null>")
    } else {
      content(value)
    }
    if isQuoted { buffer.append(Byte.backtick) }
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
    let start = buffer.count
    buffer.append(text)
    let length = buffer.count &- start
    if buffer.contains(Byte.backtick, or: Byte.ampersand, inLast: length) {
      escape(last: length, isName: false) { _ in false }
    }
  }

  /// A key, without its designator.
  mutating func key(_ key: String) {
    let start = buffer.count
    buffer.append(key)
    for at in start..<buffer.count where Self.isEscapedInKeys(buffer[at]) {
      escape(last: buffer.count - at, isName: true, Self.isEscapedInKeys)
      break
    }
    if key == "@spon" {  // which would be read as the version's marker
      require2("the key \"@spon\"")
      _ = buffer.takeLast(buffer.count - start)
      append("&u40;spon")
    }
  }

  /// A type's name, as the head of an object has it.
  mutating func typeName(_ name: String) {
    let start = buffer.count
    buffer.append(name)
    for at in start..<buffer.count where Self.isEscapedInTypeNames(buffer[at]) {
      escape(last: buffer.count - at, isName: true, Self.isEscapedInTypeNames)
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

  /// Writes the last bytes again, with escapes: of backticks, of ampersands that
  /// would begin an escape, and of what else must not stand in a name.
  private mutating func escape(last number: Int, isName: Bool, _ mustNotStand: (UInt8) -> Bool) {
    let rest = buffer.takeLast(number)
    for at in rest.indices {
      let byte = rest[at]
      switch byte {
      case Byte.backtick:
        if isName { require2("a name with a backtick") }
        append("&01;")
      case Byte.ampersand:
        if case .none = Escapes.escape(rest.span, at: at, end: rest.count, level: 2) {
          buffer.append(byte)
        } else {
          require2("a text with what looks as an escape")
          append("&u26;")
        }
      case _ where mustNotStand(byte):
        require2("a name with \"\(Character(Unicode.Scalar(byte)))\"")
        append("&u")
        append(String(byte, radix: 16))
        buffer.append(Byte.semicolon)
      default: buffer.append(byte)
      }
    }
  }

  /// The finished document, with its version's marker where it is needed; nothing is left. A document
  /// that is a single value has none.
  mutating func takeDocument(isPretty: Bool = false) -> [UInt8] {
    var text = buffer.takeBytes()
    guard version == .two || version == .automatic && needsLevel2, text.count > 4,
      text[0] == Byte.at
    else { return text }
    guard text[1] == 0x6F else {
      text.insert(contentsOf: ":2".utf8, at: 6)
      return text
    }
    let head = (text.firstIndex(of: Byte.less) ?? 4) + 1
    let marker = "@spon!=`2`"
    if head + 1 == text.count {
      text.insert(contentsOf: marker.utf8, at: head)
    } else {
      text.insert(contentsOf: (isPretty ? "\n  \(marker)" : "\(marker) ").utf8, at: head)
    }
    return text
  }
}

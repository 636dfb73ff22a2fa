internal import Primitives

/// Bytes of a text in SPON that is being written.
struct Output {
  var buffer = ByteBuffer()
  let version: SPONValue.Version
  /// Whether something was written that only version 2 has.
  private(set) var needsLevel2 = false
  /// Whether something was written that version 1 does not have, though it was asked for. The first
  /// such thing, in words.
  private(set) var refusal: String?

  /// Whether brackets in texts are escaped where they are not balanced.
  let balancesBrackets: Bool

  init(version: SPONValue.Version, balancesBrackets: Bool = false) {
    self.version = version
    self.balancesBrackets = balancesBrackets
  }

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
  @inline(__always)
  mutating func append(_ first: UInt8, _ second: UInt8) { buffer.append(first, second) }
  mutating func append(_ text: [UInt8]) { buffer.append(text.elementSpan) }
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

  /// Appends what another output holds.
  mutating func add(_ other: Output) {
    join(other)
    append(other.bytes)
  }

  /// Notes that what another output holds, which is joined to this one, was of version 2.
  mutating func join(_ other: Output) {
    needsLevel2 = needsLevel2 || other.needsLevel2
    refusal = refusal ?? other.refusal
  }
}

/// Texts, keys and the names of types, with their escapes.
extension Output {
  /// A text between its backticks.
  mutating func content(_ text: String) {
    let start = buffer.count
    buffer.append(text)
    let length = buffer.count &- start
    if balancesBrackets, hasUnbalancedBrackets(inLast: length) {
      return escape(last: length, isName: false, Self.isBracket)
    }
    if buffer.contains(Byte.backtick, or: Byte.ampersand, inLast: length) {
      escape(last: length, isName: false) { _ in false }
    }
  }

  private static func isBracket(_ byte: UInt8) -> Bool {
    byte == Byte.openBracket || byte == Byte.closeBracket
  }

  /// Whether a `]` is among the last bytes with no `[` before it that is its own, or a `[` likewise.
  private func hasUnbalancedBrackets(inLast number: Int) -> Bool {
    guard buffer.contains(Byte.openBracket, or: Byte.closeBracket, inLast: number) else {
      return false
    }
    var depth = 0
    for place in buffer.count - number..<buffer.count {
      switch buffer[place] {
      case Byte.openBracket: depth += 1
      case Byte.closeBracket: depth -= 1
      default: break
      }
      if depth < 0 { return true }
    }
    return depth > 0
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
        if case .none = Escapes.escape(rest.elementSpan, at: at, end: rest.count, level: 2) {
          buffer.append(byte)
        } else {
          require2("a text with what looks as an escape")
          append("&u26;")
        }
      case _ where mustNotStand(byte):
        require2("a \(isName ? "name" : "text") with \"\(Character(Unicode.Scalar(byte)))\"")
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

internal import Primitives

/// The text of a SPON document that is being written.
struct Output {
  var buffer = ByteBuffer()
  let version: SPONValue.Version
  /// Indicates whether the text requires version 2.
  private(set) var requiresVersion2 = false
  /// A description of the first content that version 1 does not support, if version 1 was
  /// requested.
  private(set) var refusal: String?

  /// Indicates whether unbalanced brackets in strings are escaped.
  let balancesBrackets: Bool

  init(version: SPONValue.Version, balancesBrackets: Bool = false) {
    self.version = version
    self.balancesBrackets = balancesBrackets
  }

  /// Indicates whether scalars may have the form of version 2.
  var allowsVersion2: Bool { version != .one }

  var count: Int { buffer.count }

  /// Indicates whether the text is a value that is neither an object nor an array.
  var isSingleValue: Bool { buffer.first != Byte.at }

  /// The text.
  var bytes: [UInt8] { buffer.bytes }

  /// Returns the text, and empties the output.
  mutating func takeBytes() -> [UInt8] { buffer.takeBytes() }

  @inline(__always)
  mutating func append(_ byte: UInt8) { buffer.append(byte) }
  @inline(__always)
  mutating func append(_ first: UInt8, _ second: UInt8) { buffer.append(first, second) }
  mutating func append(_ text: [UInt8]) { buffer.append(text.elementSpan) }
  @inline(__always)
  mutating func append(_ text: Span<UInt8>) { buffer.append(text) }
  mutating func append(_ text: String) { buffer.append(text) }

  /// Records that the following text requires version 2.
  mutating func requireVersion2(_ what: @autoclosure () -> String) {
    requiresVersion2 = true
    if version == .one, refusal == nil { refusal = what() }
  }

  /// The state of the output.
  struct Savepoint {
    fileprivate let count: Int
    fileprivate let requiresVersion2: Bool
    fileprivate let isRefused: Bool
  }

  var savepoint: Savepoint {
    Savepoint(count: count, requiresVersion2: requiresVersion2, isRefused: refusal != nil)
  }

  /// Removes everything written since a savepoint.
  mutating func undo(to savepoint: Savepoint) {
    buffer.truncate(to: savepoint.count)
    requiresVersion2 = savepoint.requiresVersion2
    if !savepoint.isRefused { refusal = nil }
  }

  /// Appends the text of another output.
  mutating func add(_ other: Output) {
    join(other)
    append(other.bytes)
  }

  /// Adds the version requirements of another output, whose text is appended separately.
  mutating func join(_ other: Output) {
    requiresVersion2 = requiresVersion2 || other.requiresVersion2
    refusal = refusal ?? other.refusal
  }
}

/// Writes strings, keys and type names, with their escapes.
extension Output {
  /// Writes a text between its backticks.
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

  /// Returns whether the last bytes contain a `[` or `]` without its counterpart.
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

  /// Writes a key, without its designator.
  mutating func key(_ key: String) {
    let start = buffer.count
    buffer.append(key)
    for at in start..<buffer.count where Self.isEscapedInKeys(buffer[at]) {
      escape(last: buffer.count - at, isName: true, Self.isEscapedInKeys)
      break
    }
    if key == "@spon" {  // This key would be read as the version marker.
      requireVersion2("the key \"@spon\"")
      _ = buffer.takeLast(buffer.count - start)
      append("&u40;spon")
    }
  }

  /// Writes a type name in the head of an object.
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

  /// Replaces the last bytes by their escaped form. Backticks are escaped, as are ampersands that
  /// would begin an escape, and other bytes that are invalid.
  private mutating func escape(last number: Int, isName: Bool, _ mustEscape: (UInt8) -> Bool) {
    let rest = buffer.takeLast(number)
    for at in rest.indices {
      let byte = rest[at]
      switch byte {
      case Byte.backtick:
        if isName { requireVersion2("a name with a backtick") }
        append("&01;")
      case Byte.ampersand:
        if case .none = Escapes.escape(rest.elementSpan, at: at, end: rest.count, level: 2) {
          buffer.append(byte)
        } else {
          requireVersion2("a text that contains the form of an escape")
          append("&u26;")
        }
      case _ where mustEscape(byte):
        requireVersion2("a \(isName ? "name" : "text") with \"\(Character(Unicode.Scalar(byte)))\"")
        append("&u")
        append(String(byte, radix: 16))
        buffer.append(Byte.semicolon)
      default: buffer.append(byte)
      }
    }
  }

  /// Returns the finished document, with the version marker if it is required, and empties the
  /// output. A document that is a single value has no marker.
  mutating func takeDocument(isPretty: Bool = false) -> [UInt8] {
    var text = buffer.takeBytes()
    guard version == .two || version == .automatic && requiresVersion2, text.count > 4,
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

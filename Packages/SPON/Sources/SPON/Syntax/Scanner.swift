internal import Primitives

/// Converts bytes to tokens according to the grammar of FORMAT.md. The scanner can stop after any
/// token.
///
/// The bytes may be a part of a text. If they end inside a token, ``next(in:isLast:)`` returns
/// ``Token/Kind/incomplete`` without advancing: call it again with more bytes.
struct Scanner {
  enum State: UInt8 {
    case start
    /// At an element that is read separately from its document.
    case element
    /// At the root object, whose first pair may be the version marker.
    case marker
    case objectStart, afterPair, arrayStart, afterElement, afterComma
    case end
  }

  let rules: SPONValue.Rules
  let limits: SPONValue.Limits
  /// The version of the text, which is 2 after its marker was read.
  var level: UInt8 = 1
  /// The offset of the next byte.
  var position = 0
  var state = State.start
  /// The open containers; `true` for an object.
  var open: [Bool] = []
  /// The progress of the next token, if the bytes ended inside it.
  var partial = PartialToken()

  init(rules: SPONValue.Rules, limits: SPONValue.Limits) {
    self.rules = rules
    self.limits = limits
  }

  /// Creates a scanner for one element of a document with a known version.
  init(rules: SPONValue.Rules, limits: SPONValue.Limits, level: UInt8) {
    self.init(rules: rules, limits: limits)
    self.level = level
    state = .element
  }

  /// Returns the next token.
  ///
  /// - Parameter isLast: Whether the document ends with these bytes.
  mutating func next(in bytes: Span<UInt8>, isLast: Bool) throws(ScanFailure) -> Token {
    let at = Self.afterWhiteSpace(in: bytes, from: position)
    // Skipped white space need not be stored; it only matters that there was some before a pair.
    if state == .afterPair, at > position { state = .objectStart }
    position = at
    guard at < bytes.count else { return try atEnd(of: bytes, isLast: isLast) }
    let byte = bytes[at]
    switch state {
    case .objectStart:
      if byte == Byte.greater { return close(at) }
      return try pair(in: bytes, from: at, isLast: isLast)
    case .afterPair:
      if byte == Byte.greater { return close(at) }
      throw ScanFailure(.unexpectedText, #"expected a space or ">" after the value"#, at: at)
    case .arrayStart:
      if byte == Byte.closeBracket { return close(at) }
      return try element(in: bytes, from: at, isLast: isLast)
    case .afterElement:
      if byte == Byte.closeBracket { return close(at) }
      guard byte == Byte.comma else {
        throw ScanFailure(.unexpectedText, #"expected "," or "]" after the element"#, at: at)
      }
      state = .afterComma
      position = Self.afterWhiteSpace(in: bytes, from: at + 1)
      guard position < bytes.count else { return try atEnd(of: bytes, isLast: isLast) }
      return try element(in: bytes, from: position, isLast: isLast)
    case .afterComma, .element:
      return try element(in: bytes, from: at, isLast: isLast)
    case .start:
      return try root(in: bytes, from: at, isLast: isLast)
    case .marker:
      return try marker(in: bytes, head: partial.head, isLast: isLast)
    case .end:
      throw ScanFailure(.trailingText, "unexpected text after the end of the document", at: at)
    }
  }

  /// Adjusts the offset after `count` bytes are removed from the beginning.
  mutating func discard(_ count: Int) { position -= count }

  static func afterWhiteSpace(in bytes: Span<UInt8>, from start: Int) -> Int {
    var at = start
    while at < bytes.count, bytes[at].isWhiteSpace { at += 1 }
    return at
  }

  private mutating func atEnd(
    of bytes: Span<UInt8>, isLast: Bool
  ) throws(ScanFailure) -> Token {
    guard isLast else { return Token(kind: .incomplete) }
    switch state {
    case .end: return Token(kind: .endOfDocument, start: bytes.count)
    case .start, .element:
      throw ScanFailure(.emptyDocument, "expected a document, found no text", at: bytes.count)
    case .marker, .objectStart, .afterPair:
      throw ScanFailure(
        .unexpectedEnd, #"the text ends before the ">" of an object"#, at: bytes.count)
    case .arrayStart, .afterElement, .afterComma:
      throw ScanFailure(
        .unexpectedEnd, #"the text ends before the "]" of an array"#, at: bytes.count)
    }
  }

  private mutating func close(_ at: Int) -> Token {
    open.removeLast()
    placeAfterValue()
    position = at + 1
    return Token(kind: .end, start: at, length: 1)
  }

  /// Sets the state after a complete value.
  mutating func placeAfterValue() {
    guard let isObject = open.last else {
      state = .end
      return
    }
    state = isObject ? .afterPair : .afterElement
  }

  /// Ends a scalar before the byte at `next`.
  mutating func finish(_ token: Token, next: Int) -> Token {
    placeAfterValue()
    position = next
    partial.reset()
    return token
  }

  /// Enters a container, whose bracket is at `next` - 1.
  mutating func openContainer(
    _ token: Token, isObject: Bool, next: Int
  ) throws(ScanFailure) -> Token {
    guard open.count < limits.depth else {
      throw ScanFailure(
        .tooDeep, "containers are nested more than \(limits.depth) deep", at: token.start)
    }
    open.append(isObject)
    state = isObject ? .objectStart : .arrayStart
    position = next
    partial.reset()
    return token
  }
}

extension Scanner {
  /// Returns the key of the pair that caused a failure; `nil` if it can't be determined.
  ///
  /// - Parameter start: The offset of the scanner before it read the pair.
  func key(of failure: ScanFailure, from start: Int, in bytes: Span<UInt8>) -> String? {
    // A missing separator between two pairs belongs to neither of them.
    guard state != .afterPair || failure.code != .unexpectedText else { return nil }
    let start = Self.afterWhiteSpace(in: bytes, from: start)
    var end = start
    while end < bytes.count, !Self.endsKey(bytes[end]) { end += 1 }
    guard end - start < 200, failure.code != .invalidUTF8 || end <= failure.offset else {
      return nil
    }
    let equals = Self.afterWhiteSpace(in: bytes, from: end)
    guard equals < bytes.count, bytes[equals] == Byte.equals else { return nil }
    let value = Self.afterWhiteSpace(in: bytes, from: equals + 1)
    let isQuoted =
      value == bytes.count || bytes[value] == Byte.backtick
      || bytes[value] != Byte.at && !rules.allowsUnquotedStrings
    if isQuoted, end > start, bytes[end - 1].isSymbol {
      end -= 1  // Its designator is not part of the key.
    }
    let key = Escapes.unescaped(bytes, start..<end, level: level == 2 ? 2 : 0)
    return String(decoding: key, as: UTF8.self)
  }
}

/// Reads the content of scalars, according to their designators (FORMAT.md, S1 to S12).
extension Scanner {
  /// Reads the content of a scalar, and stores its value if it fits in 64 bits.
  func read(
    _ mark: TypeDesignator, into token: inout Token, _ seen: SeenBytes, in bytes: Span<UInt8>
  ) throws(ScanFailure) {
    let content = token.content
    switch mark {
    case .string:
      token.kind = .string
      try checkText(token, seen, in: bytes)
    case .opaque:
      token.kind = Self.isNull(bytes, content) ? .null : .opaque
      try checkText(token, seen, in: bytes)
    case .bool:
      token.kind = .bool
      token.bits = try Numbers.bool(bytes, content) ? 1 : 0
    case .integer:
      let integer = try Numbers.integer(bytes, content)
      token.kind = integer.isUnsigned ? .unsigned : .integer
      token.bits = integer.bits
    case .float:
      token.kind = .float
      token.bits = UInt64(try Numbers.float(bytes, content).bitPattern)
    case .double:
      token.kind = .double
      token.bits = try Numbers.double(bytes, content).bitPattern
    case .data:
      token.kind = .data
      do {
        try Base64.check(bytes.extracting(content))
      } catch {
        throw ScanFailure(
          .invalidBase64, error.message, at: content.lowerBound + error.offset)
      }
    case .decimal:
      token.kind = .decimal
      try Numbers.checkDecimal(bytes, content)
    case .instant:
      token.kind = .instant
      _ = try InstantText.read(bytes, content)
    case .null:
      token.kind = .null
      guard content.isEmpty else {
        throw ScanFailure(.invalidNull, "a null must not have content", at: content.lowerBound)
      }
    }
  }

  /// Validates content that is text.
  func checkText(
    _ token: Token, _ seen: SeenBytes, in bytes: Span<UInt8>
  ) throws(ScanFailure) {
    if seen.union >= 0x80 { try ScanFailure.checkUTF8(bytes, token.content) }
    if seen.ampersand, level == 2 { try Escapes.check(bytes, token.content) }
  }

  /// Returns whether content is `<null>`, which the original implementation wrote for nil.
  private static func isNull(_ bytes: Span<UInt8>, _ content: Range<Int>) -> Bool {
    guard content.count == 6, bytes[content.lowerBound] == Byte.less else { return false }
    var at = content.lowerBound
    for byte in "<null>".utf8 {
      guard bytes[at] == byte else { return false }
      at += 1
    }
    return true
  }
}

/// Bytes to tokens: the grammar of FORMAT.md, as a machine that can be stopped after any token.
///
/// The bytes may be a part of a text. Where they end within a token, ``next(in:isLast:)`` gives
/// ``Token/Kind/incomplete`` and stays where it was: append more, and ask again.
struct Scanner {
  enum Place: UInt8 {
    case start
    /// In an element that is read by itself.
    case element
    /// At the root object, whose first pair may be the version's marker.
    case marker
    case objectStart, afterPair, arrayStart, afterElement, afterComma
    case end
  }

  let rules: SPONValue.Rules
  let limits: SPONValue.Limits
  /// The version of the text: 2 once its marker was seen.
  var level: UInt8 = 1
  /// The next byte to be read.
  var position = 0
  var place = Place.start
  /// The open containers: whether each is an object.
  var open: [Bool] = []
  /// How far the next token was read in vain.
  var partial = PartialToken()

  init(rules: SPONValue.Rules, limits: SPONValue.Limits) {
    self.rules = rules
    self.limits = limits
  }

  /// Begins in the midst of a document of a known version, at an element, and ends behind it.
  init(rules: SPONValue.Rules, limits: SPONValue.Limits, level: UInt8) {
    self.init(rules: rules, limits: limits)
    self.level = level
    place = .element
  }

  /// The next token.
  ///
  /// - Parameter isLast: Whether the document ends with these bytes.
  mutating func next(in bytes: Span<UInt8>, isLast: Bool) throws(ScanFailure) -> Token {
    let at = Self.afterWhiteSpace(in: bytes, from: position)
    // White space that was passed need not be kept, but for that there was some before a pair.
    if place == .afterPair, at > position { place = .objectStart }
    position = at
    guard at < bytes.count else { return try atEnd(of: bytes, isLast: isLast) }
    let byte = bytes[at]
    switch place {
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
      place = .afterComma
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
      throw ScanFailure(.trailingText, "expected nothing after the end of the document", at: at)
    }
  }

  /// Counts offsets from `count` bytes further, since the ones before are given up.
  mutating func forget(_ count: Int) { position -= count }

  static func afterWhiteSpace(in bytes: Span<UInt8>, from start: Int) -> Int {
    var at = start
    while at < bytes.count, bytes[at].isWhiteSpace { at += 1 }
    return at
  }

  private mutating func atEnd(
    of bytes: Span<UInt8>, isLast: Bool
  ) throws(ScanFailure) -> Token {
    guard isLast else { return Token(kind: .incomplete) }
    switch place {
    case .end: return Token(kind: .endOfDocument, start: bytes.count)
    case .start, .element:
      throw ScanFailure(.emptyDocument, "expected a document, and found nothing", at: bytes.count)
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

  /// Where the scanner is once a value is complete.
  mutating func placeAfterValue() {
    guard let isObject = open.last else {
      place = .end
      return
    }
    place = isObject ? .afterPair : .afterElement
  }

  /// Ends a scalar before the byte at `next`.
  mutating func finish(_ token: Token, next: Int) -> Token {
    placeAfterValue()
    position = next
    partial.reset()
    return token
  }

  /// Enters a container behind its bracket at `next` - 1.
  mutating func enter(
    _ token: Token, isObject: Bool, next: Int
  ) throws(ScanFailure) -> Token {
    guard open.count < limits.depth else {
      throw ScanFailure(
        .tooDeep, "containers are nested more than \(limits.depth) deep", at: token.start)
    }
    open.append(isObject)
    place = isObject ? .objectStart : .arrayStart
    position = next
    partial.reset()
    return token
  }
}

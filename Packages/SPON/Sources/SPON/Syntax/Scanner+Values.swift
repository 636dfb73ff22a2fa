/// Reads pairs and elements.
extension Scanner {
  /// Reads `key designator = quoted`, or `key = container` (FORMAT.md, O2).
  mutating func pair(
    in bytes: Span<UInt8>, from start: Int, isLast: Bool
  ) throws(ScanFailure) -> Token {
    var token = Token(kind: .null, keyStart: start)
    var at: Int
    var seen: SeenBytes
    if partial.stage == .first {
      (at, seen) = resumed(from: start)
      while at < bytes.count, !Self.endsKey(bytes[at]) {
        seen.add(bytes[at])
        at += 1
      }
      try checkLength(at - start - 1, of: "key", at: start)  // its designator is not counted
      guard at < bytes.count else {
        suspend(at, seen)
        return try cut(bytes, isLast: isLast)
      }
      partial.searched = 0
      token.keyLength = at - start
    } else {
      (at, seen) = (position + partial.value, partial.keySeen)
      token.keyLength = partial.keyLength
    }
    token.keyMayHaveEscapes = level == 2 && seen.ampersand
    // Usually, `=` and a backtick follow immediately.
    if partial.stage == .first, bytes[at] == Byte.equals, seen.union < 0x80,
      at + 1 < bytes.count, bytes[at + 1] == Byte.backtick
    {
      at += 1
    } else if partial.stage != .value {
      guard let next = try equals(after: token, seen, in: bytes, from: at) else {
        return try cut(bytes, isLast: isLast)
      }
      at = next
    }
    let found = try value(of: token, in: bytes, from: at, isLast: isLast)
    if found.kind == .incomplete { suspend(.value, token, seen, at) }
    return found
  }

  /// Skips the `=` after a key and the surrounding white space. Returns `nil` if the bytes end
  /// before the value.
  private mutating func equals(
    after pair: Token, _ seen: SeenBytes, in bytes: Span<UInt8>, from start: Int
  ) throws(ScanFailure) -> Int? {
    let end = pair.keyStart + pair.keyLength
    var at = Self.afterWhiteSpace(in: bytes, from: start)
    if partial.stage != .afterEquals {
      try checkLength(at - end, of: "white space", at: end)
      guard at < bytes.count else {
        suspend(.afterKey, pair, seen, at)
        return nil
      }
      guard bytes[at] == Byte.equals else {
        throw ScanFailure(.unexpectedText, #"expected "=" after the key"#, at: at)
      }
      if seen.union >= 0x80 { try ScanFailure.checkUTF8(bytes, pair.key) }
      at = Self.afterWhiteSpace(in: bytes, from: at + 1)
    }
    try checkLength(at - end - 1, of: "white space", at: end)
    guard at < bytes.count else {
      suspend(.afterEquals, pair, seen, at)
      return nil
    }
    return at
  }

  /// Reads the rest of a pair, after its `=`.
  @inline(__always)
  private mutating func value(
    of pair: Token, in bytes: Span<UInt8>, from at: Int, isLast: Bool
  ) throws(ScanFailure) -> Token {
    if bytes[at] == Byte.backtick {
      return try quotedPair(pair, in: bytes, from: at, isLast: isLast)
    }
    guard bytes[at] == Byte.at || rules.allowsUnquotedStrings else {
      throw ScanFailure(
        .unexpectedText, #"expected "`", "@obj" or "@array[" after "=""#, at: at)
    }
    if partial.stage != .value {
      try checkLength(pair.keyLength, of: "key", at: pair.keyStart)
      if pair.keyMayHaveEscapes { try Escapes.check(bytes, pair.key) }
    }
    if bytes[at] == Byte.at {
      var isContainer = true
      if rules.allowsUnquotedStrings {
        guard let begins = Self.beginsContainer(in: bytes, from: at, isLast: isLast) else {
          return try cut(bytes, isLast: isLast)
        }
        isContainer = begins
      }
      if isContainer {
        var found = try container(in: bytes, from: at, isLast: isLast)
        found.keyStart = pair.keyStart
        found.keyLength = pair.keyLength
        found.keyMayHaveEscapes = pair.keyMayHaveEscapes
        return found
      }
    }
    return try unquotedText(pair, in: bytes, from: at, isLast: isLast)
  }

  /// Reads the rest of a pair, from its backtick on.
  private mutating func quotedPair(
    _ pair: Token, in bytes: Span<UInt8>, from start: Int, isLast: Bool
  ) throws(ScanFailure) -> Token {
    var token = pair
    let seen: SeenBytes
    switch try quoted(in: bytes, from: start, isLast: isLast) {
    case .incomplete: return Token(kind: .incomplete)
    case .complete(let found, let end):
      token.start = start + 1
      token.length = end - token.start
      seen = found
    }
    token.mayHaveEscapes = seen.ampersand
    let next = token.start + token.length + 1
    let last = token.keyLength > 0 ? bytes[token.keyStart + token.keyLength - 1] : 0
    guard let mark = TypeDesignator(rawValue: last), mark.level <= level else {
      if last.isSymbol, level == 1 {  // S12: unknown to version 1
        token.keyLength -= 1
        token.kind = .opaque
      } else if rules.allowsMissingDesignators {
        token.kind = .string
        try checkLength(token.keyLength, of: "key", at: token.keyStart)
      } else {
        throw ScanFailure(
          .unknownDesignator,
          token.keyLength == 0
            ? "expected a key and a type designator before \"=\""
            : "the key does not end with a known type designator",
          at: Self.lastScalar(bytes, token.key))
      }
      if token.keyMayHaveEscapes { try Escapes.check(bytes, token.key) }
      try checkText(token, seen, in: bytes)
      return finish(token, next: next)
    }
    token.keyLength -= 1
    if token.keyMayHaveEscapes { try Escapes.check(bytes, token.key) }
    try read(mark, into: &token, seen, in: bytes)
    return finish(token, next: next)
  }

  /// Reads one value of an array, or the root (A2).
  mutating func element(
    in bytes: Span<UInt8>, from start: Int, isLast: Bool
  ) throws(ScanFailure) -> Token {
    switch bytes[start] {
    case Byte.backtick: return try quotedElement(in: bytes, from: start, isLast: isLast)
    case Byte.at where !open.isEmpty || state == .element:
      if case .other = Self.head(in: bytes, from: start) { break }
      if rules.allowsUnquotedStrings {
        guard
          let isContainer = Self.beginsContainer(in: bytes, from: start, isLast: isLast)
        else { return try cut(bytes, isLast: isLast) }
        if !isContainer {
          return try bareElement(in: bytes, from: start, isText: true, isLast: isLast)
        }
      }
      return try container(in: bytes, from: start, isLast: isLast)
    default: break
    }
    return try bareElement(in: bytes, from: start, isLast: isLast)
  }

  private mutating func quotedElement(
    in bytes: Span<UInt8>, from start: Int, isLast: Bool
  ) throws(ScanFailure) -> Token {
    guard
      case .complete(let seen, let end) = try quoted(in: bytes, from: start, isLast: isLast)
    else { return Token(kind: .incomplete) }
    var token = Token(kind: .string, mayHaveEscapes: seen.ampersand, start: start + 1)
    token.length = end - token.start
    let next = end + 1
    // In version 2, a designator may follow content that requires quotes (A4).
    if level == 2 {
      guard next < bytes.count || isLast else { return Token(kind: .incomplete) }
      if next < bytes.count, bytes[next] == TypeDesignator.opaque.rawValue {
        try read(.opaque, into: &token, seen, in: bytes)
        return finish(token, next: next + 1)
      }
    }
    try checkText(token, seen, in: bytes)
    return finish(token, next: end + 1)
  }

  /// - Parameter isText: Whether the element is a text, including its last character (N1).
  private mutating func bareElement(
    in bytes: Span<UInt8>, from start: Int, isText: Bool = false, isLast: Bool
  ) throws(ScanFailure) -> Token {
    var (end, seen) = resumed(from: start)
    let known = end
    while end < bytes.count, !Self.endsBareElement(bytes[end]) {
      seen.add(bytes[end])
      end += 1
    }
    let next = end
    guard next < bytes.count || isLast else {
      while end > known, bytes[end - 1].isWhiteSpace { end -= 1 }
      if end == known, partial.content > 0 { end = position + partial.content }
      try checkLength(end - start - 1, of: "element", at: start)
      guard next - end <= limits.length else {
        // With more white space, the element would be too long, so it ends before the white space.
        return try bareElement(start..<end, seen, isText: isText, in: bytes, next: end)
      }
      suspend(next, seen)
      partial.content = end - position
      return Token(kind: .incomplete)
    }
    while end > start, bytes[end - 1].isWhiteSpace { end -= 1 }
    try checkLength(end - start - 1, of: "element", at: start)  // its designator is not counted
    if next == bytes.count, !open.isEmpty { return try cut(bytes, isLast: isLast) }
    guard next < bytes.count, bytes[next] == Byte.backtick else {
      return try bareElement(start..<end, seen, isText: isText, in: bytes, next: next)
    }
    throw ScanFailure(.unexpectedText, #"expected "," or "]" before "`""#, at: next)
  }

  private mutating func bareElement(
    _ range: Range<Int>, _ seen: SeenBytes, isText: Bool, in bytes: Span<UInt8>, next: Int
  ) throws(ScanFailure) -> Token {
    guard !range.isEmpty else {
      throw ScanFailure(.unexpectedText, "expected an element", at: range.lowerBound)
    }
    var token = Token(
      kind: .opaque, mayHaveEscapes: seen.ampersand, start: range.lowerBound)
    var end = range.upperBound - 1
    let last = bytes[end]
    while end > range.lowerBound, bytes[end - 1].isWhiteSpace { end -= 1 }
    token.length = end - token.start
    if isText {
      token.kind = .string
      token.length = range.count
      try checkText(token, seen, in: bytes)
    } else if let mark = TypeDesignator(rawValue: last), mark.level <= level, mark != .string {
      try read(mark, into: &token, seen, in: bytes)
    } else if last.isSymbol, last != TypeDesignator.string.rawValue, level == 1 {
      try checkText(token, seen, in: bytes)
    } else if rules.allowsMissingDesignators {
      token.kind = .string
      token.length = range.count
      try checkText(token, seen, in: bytes)
    } else {
      throw ScanFailure(
        .unknownDesignator, "the element does not end with a known type designator",
        at: Self.lastScalar(bytes, range))
    }
    return finish(token, next: next)
  }

  enum Quoted {
    /// The summary of the bytes between the backticks, and the offset of the closing one.
    case complete(SeenBytes, Int)
    case incomplete
  }

  /// Searches for the backtick that closes the one at `start`.
  private mutating func quoted(
    in bytes: Span<UInt8>, from start: Int, isLast: Bool
  ) throws(ScanFailure) -> Quoted {
    var (at, seen) = resumed(from: start + 1)
    while at < bytes.count, bytes[at] != Byte.backtick {
      seen.add(bytes[at])
      at += 1
    }
    try checkLength(at - start - 1, of: "value", at: start)
    guard at < bytes.count else {
      guard !isLast else {
        throw ScanFailure(.unexpectedEnd, #"the text ends before the closing "`""#, at: start)
      }
      suspend(at, seen)
      return .incomplete
    }
    return .complete(seen, at)
  }

  /// Returns the offset of the last scalar in a range.
  private static func lastScalar(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
    var at = Swift.max(range.upperBound - 1, range.lowerBound)
    while at > range.lowerBound, bytes[at] & 0xC0 == 0x80 { at -= 1 }
    return at
  }

  @inline(__always)
  static func endsKey(_ byte: UInt8) -> Bool {
    switch byte {
    case Byte.equals, Byte.backtick, Byte.less, Byte.greater, Byte.openBracket, Byte.closeBracket:
      true
    default: byte.isWhiteSpace
    }
  }

  @inline(__always)
  private static func endsBareElement(_ byte: UInt8) -> Bool {
    byte == Byte.comma || byte == Byte.closeBracket || byte == Byte.backtick
  }
}

/// A summary of scanned bytes: whether any is not ASCII, or is an ampersand.
struct SeenBytes {
  var union: UInt8 = 0
  var ampersand = false

  @inline(__always)
  mutating func add(_ byte: UInt8) {
    union |= byte
    ampersand = ampersand || byte == Byte.ampersand
  }
}

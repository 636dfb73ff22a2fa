/// The heads of containers, and the root of a document.
extension Scanner {
  /// Reads the document's root: a container, or a single element (FORMAT.md, D1).
  mutating func root(
    in bytes: Span<UInt8>, from at: Int, isLast: Bool
  ) throws(ScanFailure) -> Token {
    guard bytes[at] == Byte.at else {
      let before = level
      level = 2
      do {
        let token = try element(in: bytes, from: at, isLast: isLast)
        if token.kind == .incomplete { level = before }
        return token
      } catch {
        throw Self.rootFailure(error, in: bytes, from: at)
      }
    }
    let token = try container(in: bytes, from: at, isLast: isLast, isRoot: true)
    guard token.kind == .object else { return token }
    position = at
    state = .marker
    return try marker(in: bytes, head: token.length, isLast: isLast)
  }

  /// Converts the failure to read a single value to one that is appropriate for a document.
  private static func rootFailure(
    _ failure: ScanFailure, in bytes: Span<UInt8>, from at: Int
  ) -> ScanFailure {
    guard failure.code == .unexpectedText || failure.code == .unknownDesignator else {
      return failure
    }
    let hasMark =
      at + 3 <= bytes.count && bytes[at] == 0xEF && bytes[at + 1] == 0xBB && bytes[at + 2] == 0xBF
    return ScanFailure(
      failure.code,
      hasMark
        ? "unexpected byte order mark before the document"
        : #"expected "@obj", "@array[" or a single value with its type designator"#,
      at: failure.offset)
  }

  /// Checks whether the first pair of the root object is the version marker, and skips it (D2).
  ///
  /// Until that is known, the root can't be returned, since the version affects its contents:
  /// ``position`` remains at the `@` of the root.
  mutating func marker(
    in bytes: Span<UInt8>, head: Int, isLast: Bool
  ) throws(ScanFailure) -> Token {
    let root = Token(kind: .object, start: position, length: head)
    let before = position + Swift.max(partial.first, head)
    let at = Self.afterWhiteSpace(in: bytes, from: before)
    try checkLength(at - position - head, of: "white space", at: position + head)
    partial.isUsed = true
    partial.head = head
    partial.first = at - position
    var next = at
    for byte in "@spon!".utf8 {
      guard next < bytes.count else {
        return isLast ? unmarked(root) : Token(kind: .incomplete)
      }
      guard bytes[next] == byte else { return unmarked(root) }
      next += 1
    }
    var lookahead = self
    let token = try lookahead.pair(in: bytes, from: at, isLast: isLast)
    guard token.kind != .incomplete else {
      partial = lookahead.partial
      return token
    }
    guard token.keyLength == 5, token.kind == .integer || token.kind == .unsigned else {
      return unmarked(root)
    }
    guard token.bits == 1 || token.bits == 2 else {
      throw ScanFailure(
        .unsupportedVersion,
        "the document has an unsupported version of SPON", at: token.start)
    }
    self = lookahead
    level = UInt8(token.bits)
    if level == 2, root.length > 6 {  // The type name was read before the version.
      try Escapes.check(bytes, root.start + 5..<root.start + root.length - 1)
    }
    return root
  }

  /// Enters a root object whose first pair is not the version marker.
  private mutating func unmarked(_ root: Token) -> Token {
    position = root.start + root.length
    state = .objectStart
    partial.reset()
    return root
  }

  /// Reads `@obj…<` or `@array…[`.
  mutating func container(
    in bytes: Span<UInt8>, from start: Int, isLast: Bool, isRoot: Bool = false
  ) throws(ScanFailure) -> Token {
    switch Self.head(in: bytes, from: start) {
    case .object(let end): return try object(in: bytes, from: start, head: end, isLast: isLast)
    case .array(let end):
      return try array(in: bytes, from: start, head: end, isLast: isLast, isRoot: isRoot)
    case .incomplete: return try cut(bytes, isLast: isLast)
    case .other:
      throw ScanFailure(
        .unexpectedText, #"expected "@obj", "@array[" or a quoted value"#, at: start)
    }
  }

  private mutating func object(
    in bytes: Span<UInt8>, from start: Int, head: Int, isLast: Bool
  ) throws(ScanFailure) -> Token {
    var at = head
    guard at < bytes.count else { return try cut(bytes, isLast: isLast) }
    if bytes[at] == Byte.colon {
      var seen = SeenBytes()
      (at, seen) = resumed(from: at)
      while at < bytes.count, bytes[at] != Byte.less {
        seen.add(bytes[at])
        at += 1
      }
      try checkLength(at - head - 1, of: "type name", at: head)
      guard at < bytes.count else {
        suspend(at, seen)
        return try cut(bytes, isLast: isLast)
      }
      if seen.union >= 0x80 { try ScanFailure.checkUTF8(bytes, head + 1..<at) }
      if level == 2 { try Escapes.check(bytes, head + 1..<at) }
    }
    guard bytes[at] == Byte.less else {
      throw ScanFailure(.unexpectedText, #"expected "<" or ":" after "@obj""#, at: at)
    }
    return try openContainer(
      Token(kind: .object, start: start, length: at + 1 - start), isObject: true, next: at + 1)
  }

  private mutating func array(
    in bytes: Span<UInt8>, from start: Int, head: Int, isLast: Bool, isRoot: Bool
  ) throws(ScanFailure) -> Token {
    var at = head
    guard at < bytes.count else { return try cut(bytes, isLast: isLast) }
    if isRoot, bytes[at] == Byte.colon {
      guard at + 2 < bytes.count else { return try cut(bytes, isLast: isLast) }
      guard bytes[at + 1].isDigit else {
        throw ScanFailure(.unexpectedText, "expected a version after \":\"", at: at + 1)
      }
      guard bytes[at + 1] == 0x32, !bytes[at + 2].isDigit else {
        throw ScanFailure(
          .unsupportedVersion,
          "the document has an unsupported version of SPON", at: at + 1)
      }
      level = 2
      at += 2
    }
    guard bytes[at] == Byte.openBracket else {
      throw ScanFailure(.unexpectedText, #"expected "[" after "@array""#, at: at)
    }
    return try openContainer(
      Token(kind: .array, start: start, length: at + 1 - start), isObject: false, next: at + 1)
  }

  /// Returns the result for bytes that end inside a token.
  func cut(_ bytes: Span<UInt8>, isLast: Bool) throws(ScanFailure) -> Token {
    guard isLast else { return Token(kind: .incomplete) }
    throw ScanFailure(.unexpectedEnd, "the text ends within a value", at: bytes.count)
  }

  func checkLength(_ length: Int, of what: String, at offset: Int) throws(ScanFailure) {
    guard length <= limits.length else {
      throw ScanFailure(.tooLong, "the \(what) is longer than \(limits.length) bytes", at: offset)
    }
  }

  enum Head {
    /// `@obj`, and the offset after it.
    case object(Int)
    /// `@array`, and the offset after it.
    case array(Int)
    case incomplete
    case other
  }

  static func head(in bytes: Span<UInt8>, from start: Int) -> Head {
    guard start + 6 <= bytes.count else { return shortHead(in: bytes, from: start) }
    switch (bytes[start + 1], bytes[start + 2], bytes[start + 3]) {
    case (0x6F, 0x62, 0x6A): return .object(start + 4)
    case (0x61, 0x72, 0x72):
      return bytes[start + 4] == 0x61 && bytes[start + 5] == 0x79 ? .array(start + 6) : .other
    default: return .other
    }
  }

  /// Returns the head that begins less than six bytes before the end.
  private static func shortHead(in bytes: Span<UInt8>, from start: Int) -> Head {
    if isStart(of: "@obj", in: bytes, from: start) {
      return bytes.count - start < 4 ? .incomplete : .object(start + 4)
    }
    return isStart(of: "@array", in: bytes, from: start) ? .incomplete : .other
  }

  /// Returns whether the bytes contain a word here, or end inside it.
  private static func isStart(of word: String, in bytes: Span<UInt8>, from start: Int) -> Bool {
    var at = start
    for byte in word.utf8 where at < bytes.count {
      guard bytes[at] == byte else { return false }
      at += 1
    }
    return true
  }
}

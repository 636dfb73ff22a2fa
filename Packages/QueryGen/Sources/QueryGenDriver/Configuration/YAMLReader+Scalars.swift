internal import SQLSyntax

extension YAMLReader {
  /// Reads a value on one line: a scalar, `[a, b]` or `{a: b}`.
  mutating func readInline(inFlow: Bool = false) throws(YAMLFailure) -> YAML {
    let start = position
    switch byte {
    case UInt8(ascii: "["): return try readFlowSequence()
    case UInt8(ascii: "{"): return try readFlowMapping()
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let text = try readQuoted()
      return YAML(value: .scalar(text, isQuoted: true), span: ByteSpan(start..<position))
    default:
      let text = try readPlain(inFlow: inFlow)
      let span = ByteSpan(start..<start + text.utf8.count)
      if ["", "~", "null"].contains(text) { return YAML(value: .null, span: span) }
      return YAML(value: .scalar(text, isQuoted: false), span: span)
    }
  }

  private mutating func readFlowSequence() throws(YAMLFailure) -> YAML {
    let start = try enterFlow()
    var elements: [YAML] = []
    while byte != UInt8(ascii: "]") {
      elements.append(try readInline(inFlow: true))
      try separate(until: UInt8(ascii: "]"), from: start)
    }
    leaveFlow()
    return YAML(value: .sequence(elements), span: ByteSpan(start..<position))
  }

  private mutating func readFlowMapping() throws(YAMLFailure) -> YAML {
    let start = try enterFlow()
    var entries: [YAML.Entry] = []
    var keys: [String: ByteSpan] = [:]
    while byte != UInt8(ascii: "}") {
      guard try isAtKey() else { throw fail("expected a colon and a value") }
      let isQuoted = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
      let (key, span) = try readKey()
      guard isQuoted || !key.contains(where: { ",[]{}".contains($0) }) else {
        throw fail("expected a colon and a value", from: span.start.value)
      }
      try rejectDuplicate(key, at: span, &keys)
      skipSpaces()
      entries.append(YAML.Entry(key: key, keySpan: span, value: try readInline(inFlow: true)))
      try separate(until: UInt8(ascii: "}"), from: start)
    }
    leaveFlow()
    return YAML(value: .mapping(entries), span: ByteSpan(start..<position))
  }

  private mutating func enterFlow() throws(YAMLFailure) -> Int {
    depth += 1
    guard depth <= Self.maximumDepth else { throw fail("the nesting is too deep") }
    let start = position
    position += 1
    skipSpaces()
    return start
  }

  private mutating func leaveFlow() {
    position += 1
    depth -= 1
  }

  private mutating func separate(until closer: UInt8, from start: Int) throws(YAMLFailure) {
    skipSpaces()
    if byte == UInt8(ascii: ",") {
      position += 1
      skipSpaces()
      return
    }
    guard byte == closer else {
      throw fail("the closing bracket must be on the same line", from: start)
    }
  }

  /// Indicates whether the next byte is `[` or `{`.
  var isAtFlow: Bool { byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") }

  /// Returns whether a key begins here: a scalar, followed by a colon and a space or the end of the
  /// line.
  mutating func isAtKey() throws(YAMLFailure) -> Bool {
    let start = position
    defer { position = start }
    let isQuoted = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
    if isQuoted {
      _ = try readQuoted()
      skipSpaces()
      return isAtColon
    }
    while let byte, byte != 10 {
      if isAtColon { return position > start }
      if byte == UInt8(ascii: "#"), position > start, bytes[position - 1] == 32 { return false }
      position += 1
    }
    return false
  }

  /// Reads a key and its colon. ``isAtKey()`` must have returned `true`.
  mutating func readKey() throws(YAMLFailure) -> (String, ByteSpan) {
    let start = position
    let text: String
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
      text = try readQuoted()
    } else {
      try rejectIndicator()
      while !isAtColon { position += 1 }
      let end = trimmed(start..<position)
      text = String(decoding: bytes[start..<end], as: UTF8.self)
      defer { position += 1 }
      return (text, ByteSpan(start..<end))
    }
    let span = ByteSpan(start..<position)
    skipSpaces()
    position += 1
    return (text, span)
  }

  /// Reads an unquoted scalar, up to a comment or the end of the line.
  private mutating func readPlain(inFlow: Bool) throws(YAMLFailure) -> String {
    let start = position
    try rejectIndicator()
    while let byte, byte != 10 {
      if byte == UInt8(ascii: "#"), position > start, bytes[position - 1] == 32 { break }
      if inFlow, ",[]{}".utf8.contains(byte) { break }
      if isAtColon {
        throw fail("a value that contains a colon must be quoted", from: start)
      }
      position += 1
    }
    let end = trimmed(start..<position)
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// Rejects unsupported YAML syntax.
  private mutating func rejectIndicator() throws(YAMLFailure) {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "*"): throw fail("anchors and aliases are not supported")
    case UInt8(ascii: "!"): throw fail("tags are not supported")
    case UInt8(ascii: "|"), UInt8(ascii: ">"): throw fail("multi-line texts are not supported")
    case UInt8(ascii: "%"), UInt8(ascii: "@"), UInt8(ascii: "`"), UInt8(ascii: "?"):
      throw fail("a value that begins with this character must be quoted")
    default: break
    }
  }

  /// Reads `'text'`, in which `''` is a quote, or `"text"` with escapes.
  private mutating func readQuoted() throws(YAMLFailure) -> String {
    let start = position
    let quote = bytes[position]
    var text: [UInt8] = []
    position += 1
    while let byte, byte != 10 {
      position += 1
      if byte == quote {
        guard quote == UInt8(ascii: "'"), self.byte == quote else {
          return String(decoding: text, as: UTF8.self)
        }
        position += 1
      } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        text += try readEscape()
        continue
      }
      text.append(byte)
    }
    throw fail("the closing quote must be on the same line", from: start)
  }

  private mutating func readEscape() throws(YAMLFailure) -> [UInt8] {
    let start = position - 1
    guard let byte else { throw fail("expected a character after the backslash", from: start) }
    position += 1
    switch byte {
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "u"):
      let digits = bytes[position..<min(position + 4, bytes.count)]
      if digits.count == 4, let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
        let scalar = UnicodeScalar(code)
      {
        position += 4
        return Array(String(Character(scalar)).utf8)
      }
    default: break
    }
    throw fail(
      "unknown escape; expected \\n, \\t, \\r, \\\\, \\\", \\/ or \\u0041", from: start)
  }
}

internal import SQLSyntax

/// A value of the YAML subset that configurations use, with its location.
///
/// The subset has mappings, sequences and scalars; the flow forms `[a, b]` and `{a: b}` must be on
/// one line. Anchors, tags, multiple documents, multi-line strings and ambiguous values are
/// rejected.
struct YAML {
  indirect enum Value {
    /// A text; if it is unquoted, it may also be a number or a Boolean.
    case scalar(String, isQuoted: Bool)
    case sequence([YAML])
    case mapping([Entry])
    /// An empty value, `null` or `~`.
    case null
  }

  /// A key and its value.
  struct Entry {
    var key: String
    var keySpan: ByteSpan
    var value: YAML
  }

  var value: Value
  var span: ByteSpan

  /// The kind of the value, for use in messages.
  var kindName: String {
    switch value {
    case .scalar: "a string"
    case .sequence: "a list"
    case .mapping: "a mapping"
    case .null: "nothing"
    }
  }
}

/// The text is not in the supported YAML subset. A diagnostic states the reason.
struct YAMLFailure: Error {}

extension Diagnostic.Identity {
  /// A configuration is not in the supported YAML subset.
  static let malformedYAML = Self(rawValue: "malformed-yaml")
  /// A mapping contains a key twice.
  static let duplicateKey = Self(rawValue: "duplicate-key")
}

/// Parses a whole text as ``YAML``.
///
/// The parser stops at the first error, since the structure of the text after it is uncertain.
struct YAMLReader {
  /// The maximum nesting depth.
  static let maximumDepth = 32

  let bytes: [UInt8]
  var position = 0
  var diagnostics = DiagnosticList()
  var depth = 0
  /// The offset of the text, after a byte order mark if there is one.
  let textStart: Int

  /// - Returns: The document's value, which is `null` for an empty document; `nil` if there is an
  ///   error, which is added to the diagnostics.
  static func read(_ source: SourceText, diagnostics: inout DiagnosticList) -> YAML? {
    var reader = YAMLReader(bytes: source.bytes)
    do throws(YAMLFailure) {
      return try reader.readDocument()
    } catch {
      for diagnostic in reader.diagnostics.diagnostics { diagnostics.append(diagnostic) }
      return nil
    }
  }

  init(bytes: [UInt8]) {
    self.bytes = bytes
    textStart = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    position = textStart
  }

  private mutating func readDocument() throws(YAMLFailure) -> YAML {
    guard var column = try skipToContent() else { return null(at: position) }
    if column == 0, isAtMarker("---") {
      position += 3
      try expectLineEnd()
      guard let next = try skipToContent() else { return null(at: position) }
      column = next
    }
    let value = try readBlock(at: column)
    if try skipToContent() != nil {
      throw fail("unexpected content; check the indentation of the lines above")
    }
    return value
  }

  /// Reads the value that begins here, `column` bytes into its line.
  private mutating func readBlock(at column: Int) throws(YAMLFailure) -> YAML {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw fail("the nesting is too deep") }
    if isAtDash { return try readSequence(at: column) }
    if !isAtFlow, try isAtKey() { return try readMapping(at: column) }
    let value = try readInline()
    try expectLineEnd()
    return value
  }

  private mutating func readSequence(at column: Int) throws(YAMLFailure) -> YAML {
    let start = position
    var end = position
    var elements: [YAML] = []
    while isAtDash {
      let dash = position
      position += 1
      skipSpaces()
      if isAtLineEnd {
        if let next = try skipToContent(), next > column {
          elements.append(try readBlock(at: next))
        } else {
          elements.append(null(at: dash + 1))
        }
      } else {
        elements.append(try readBlock(at: column + position - dash))
      }
      end = elements.last?.span.end.value ?? end
      guard let next = try skipToContent(), next >= column else { break }
      guard next == column else { throw misplaced() }
    }
    return YAML(value: .sequence(elements), span: ByteSpan(start..<max(start, end)))
  }

  private mutating func readMapping(at column: Int) throws(YAMLFailure) -> YAML {
    let start = position
    var entries: [YAML.Entry] = []
    var keys: [String: ByteSpan] = [:]
    while true {
      guard !isAtDash, !isAtFlow, try isAtKey() else {
        throw fail("expected a line of the form \"key: value\"")
      }
      let (key, span) = try readKey()
      try rejectDuplicate(key, at: span, &keys)
      entries.append(
        YAML.Entry(key: key, keySpan: span, value: try readValue(below: column, of: span)))
      guard let next = try skipToContent(), next >= column else { break }
      guard next == column else { throw misplaced() }
    }
    let end = entries.last?.value.span.end.value ?? start
    return YAML(value: .mapping(entries), span: ByteSpan(start..<max(start, end)))
  }

  /// Reads the value after a key's colon, on the same line or below it.
  private mutating func readValue(
    below column: Int, of key: ByteSpan
  ) throws(YAMLFailure) -> YAML {
    skipSpaces()
    guard isAtLineEnd else {
      let value = try readInline()
      try expectLineEnd()
      return value
    }
    let nothing = null(at: key.end.value)
    let before = position
    guard let next = try skipToContent() else { return nothing }
    // The dashes of a list may have the same indentation as its key.
    if next > column || next == column && isAtDash { return try readBlock(at: next) }
    position = before
    return nothing
  }

  /// Rejects a key that its mapping already contains.
  mutating func rejectDuplicate(
    _ key: String, at span: ByteSpan, _ keys: inout [String: ByteSpan]
  ) throws(YAMLFailure) {
    if let earlier = keys.updateValue(span, forKey: key) {
      diagnostics.append(
        Diagnostic(
          .duplicateKey, at: span, "duplicate key \"\(key)\"",
          notes: [.init("the first one is here", at: earlier)]))
      throw YAMLFailure()
    }
  }

  private mutating func misplaced() -> YAMLFailure {
    fail("unexpected indentation; the line above already has a value")
  }

  func null(at offset: Int) -> YAML {
    YAML(value: .null, span: ByteSpan(offset..<offset))
  }

  /// Reports an error from `start` to the end of the line.
  mutating func fail(_ message: String, from start: Int? = nil) -> YAMLFailure {
    let start = min(start ?? position, bytes.count)
    let end = bytes[start...].firstIndex(of: 10) ?? bytes.count
    diagnostics.append(Diagnostic(.malformedYAML, at: ByteSpan(start..<end), message))
    return YAMLFailure()
  }
}

extension YAMLReader {
  /// The byte at the current position, or `nil` at the end.
  var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func byte(ahead count: Int) -> UInt8? {
    position + count < bytes.count ? bytes[position + count] : nil
  }

  var isAtLineEnd: Bool {
    byte == nil || byte == 10 || byte == UInt8(ascii: "#") && isAfterSpace
  }

  private var isAfterSpace: Bool {
    position == 0 || bytes[position - 1] == 32 || bytes[position - 1] == 10
  }

  /// Indicates whether a list element's `- ` begins here.
  var isAtDash: Bool {
    byte == UInt8(ascii: "-") && [nil, 32, 10].contains(byte(ahead: 1))
  }

  /// Indicates whether the next byte is a colon that ends a key.
  var isAtColon: Bool {
    byte == UInt8(ascii: ":") && [nil, 32, 10].contains(byte(ahead: 1))
  }

  func isAtMarker(_ text: StaticString) -> Bool {
    bytes[position...].starts(with: text.description.utf8)
      && [nil, 32, 10].contains(byte(ahead: 3))
  }

  mutating func skipSpaces() {
    while byte == 32 { position += 1 }
  }

  /// Returns the end of a range without its trailing spaces.
  func trimmed(_ range: Range<Int>) -> Int {
    var end = range.upperBound
    while end > range.lowerBound, bytes[end - 1] == 32 { end -= 1 }
    return end
  }

  /// Skips blank lines and comments.
  ///
  /// - Returns: The offset of the next content from the start of its line, or `nil` at the end.
  mutating func skipToContent() throws(YAMLFailure) -> Int? {
    while true {
      let lineStart = bytes[..<position].lastIndex(of: 10).map { $0 + 1 } ?? 0
      skipSpaces()
      guard let byte else { return nil }
      if byte == 10 {
        position += 1
      } else if byte == UInt8(ascii: "#") {
        position = bytes[position...].firstIndex(of: 10) ?? bytes.count
      } else if byte == 9 {
        throw fail("lines must be indented with spaces, not tabs")
      } else {
        if position == lineStart, isAtMarker("---") || isAtMarker("..."), lineStart > 0 {
          if hasContent(before: lineStart) { throw fail("a file must contain only one document") }
        }
        return position - max(lineStart, textStart)
      }
    }
  }

  /// Returns whether there is anything but blank lines and comments before an offset.
  private func hasContent(before offset: Int) -> Bool {
    bytes[..<offset].split(separator: 10).contains { line in
      line.first { $0 != 32 && $0 != 13 }.map { $0 != UInt8(ascii: "#") } ?? false
    }
  }

  /// Skips to the end of the line, which may contain only a comment.
  mutating func expectLineEnd() throws(YAMLFailure) {
    skipSpaces()
    guard isAtLineEnd else {
      throw fail("unexpected text after the value")
    }
    position = bytes[position...].firstIndex(of: 10) ?? bytes.count
  }
}

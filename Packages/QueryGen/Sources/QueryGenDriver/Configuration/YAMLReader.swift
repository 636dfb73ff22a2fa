internal import SQLSyntax

/// Reads a text as ``YAML``, from its first byte to its last.
///
/// The first fault ends it: what stands below a fault in YAML belongs nowhere for sure.
struct YAMLReader {
  /// The deepest nesting that is read.
  static let maximumDepth = 32

  let bytes: [UInt8]
  var position = 0
  var diagnostics = DiagnosticList()
  var depth = 0
  /// Where the text begins: after a byte order mark, which says what is known.
  let textStart: Int

  /// - Returns: The document's value, and `null` for an empty one; `nil` where there is a fault, which
  ///   is then among the diagnostics.
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
      throw fail("this belongs to nothing; look at how far the lines above it are indented")
    }
    return value
  }

  /// Reads what begins here, `column` bytes into its line.
  private mutating func readBlock(at column: Int) throws(YAMLFailure) -> YAML {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw fail("this is nested too deeply") }
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
        throw fail("a line of a mapping has the form \"key: value\"")
      }
      let (key, span) = try readKey()
      try refuseDuplicate(key, at: span, &keys)
      entries.append(
        YAML.Entry(key: key, keySpan: span, value: try readValue(below: column, of: span)))
      guard let next = try skipToContent(), next >= column else { break }
      guard next == column else { throw misplaced() }
    }
    let end = entries.last?.value.span.end.value ?? start
    return YAML(value: .mapping(entries), span: ByteSpan(start..<max(start, end)))
  }

  /// Reads what follows the colon of a key, on its line or below it.
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
    // The dashes of a list may stand right below its key.
    if next > column || next == column && isAtDash { return try readBlock(at: next) }
    position = before
    return nothing
  }

  /// Refuses a key that stands in its mapping already.
  mutating func refuseDuplicate(
    _ key: String, at span: ByteSpan, _ keys: inout [String: ByteSpan]
  ) throws(YAMLFailure) {
    if let earlier = keys.updateValue(span, forKey: key) {
      diagnostics.append(
        Diagnostic(
          .duplicateKey, at: span, "\"\(key)\" stands here a second time",
          notes: [.init("the first time is here", at: earlier)]))
      throw YAMLFailure()
    }
  }

  private mutating func misplaced() -> YAMLFailure {
    fail("this is indented further than what it follows, which has its value already")
  }

  func null(at offset: Int) -> YAML {
    YAML(value: .null, span: ByteSpan(offset..<offset))
  }

  /// Says what is wrong with the rest of the line.
  mutating func fail(_ message: String, from start: Int? = nil) -> YAMLFailure {
    let start = min(start ?? position, bytes.count)
    let end = bytes[start...].firstIndex(of: 10) ?? bytes.count
    diagnostics.append(Diagnostic(.malformedYAML, at: ByteSpan(start..<end), message))
    return YAMLFailure()
  }
}

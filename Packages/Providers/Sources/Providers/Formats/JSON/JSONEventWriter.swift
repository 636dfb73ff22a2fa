internal import Primitives
internal import SPON

extension JSONProvider {
  /// Writes a JSON text incrementally.
  ///
  /// Members are written in the order of the calls. The caller must avoid duplicate keys.
  ///
  /// ```swift
  /// var writer = JSONProvider.EventWriter { try file.write($0) }
  /// try writer.beginObject()
  /// try writer.key("id")
  /// try writer.integer(1)
  /// try writer.endObject()
  /// try writer.finish()
  /// ```
  ///
  /// Calls that do not form a JSON text are programming errors and trap: a member without a key, an
  /// end without a beginning, a second root value.
  @_spi(Formats) public struct EventWriter {
    private struct Frame {
      let isObject: Bool
      var isEmpty = true
      var hasKey = false
    }

    private let formatting: JSONProvider.Formatting
    private var sink: BufferedByteSink
    private var frames: [Frame] = []
    private var hasRoot = false
    /// The number of containers around the text.
    private var outerDepth = 0
    /// The number of open containers.
    var depth: Int { outerDepth + frames.count }

    /// - Parameters:
    ///   - pieceSize: The approximate size of the pieces that `write` receives.
    ///   - write: Receives a piece of the text.
    public init(
      _ formatting: JSONProvider.Formatting = .compact, pieceSize: Int = 1 << 16,
      write: @escaping ([UInt8]) throws -> Void
    ) {
      self.formatting = formatting
      sink = BufferedByteSink(size: pieceSize, write)
    }

    /// Creates a writer of a value inside a number of containers: see ``take()``.
    init(collecting formatting: JSONProvider.Formatting, depth: Int) {
      self.formatting = formatting
      outerDepth = depth
      sink = BufferedByteSink()
    }

    /// Returns and removes the collected text, whose containers must be ended.
    mutating func take() -> [UInt8] {
      precondition(frames.isEmpty, "all containers must be ended")
      hasRoot = false
      return sink.take()
    }

    // MARK: Containers

    public mutating func beginObject() throws { try begin(isObject: true) }
    public mutating func endObject() throws { try end(isObject: true) }
    public mutating func beginArray() throws { try begin(isObject: false) }
    public mutating func endArray() throws { try end(isObject: false) }

    /// Writes the key of the next value.
    public mutating func key(_ key: String) throws {
      try key.withUTF8Span { (bytes) throws in try self.key(utf8: bytes) }
    }

    /// Writes a key in UTF-8.
    public mutating func key(utf8 key: Span<UInt8>) throws {
      let top = frames.count - 1
      precondition(
        top >= 0 && frames[top].isObject && !frames[top].hasKey, "a key must be in an object")
      separate(top)
      frames[top].hasKey = true
      quote(key)
      sink.append(0x3A)
      if formatting.hasSpaceAfterColon { sink.append(0x20) }
      try sink.flushIfFull()
    }

    // MARK: Values

    public mutating func null() throws { try word("null") }
    public mutating func bool(_ value: Bool) throws { try word(value ? "true" : "false") }
    public mutating func integer(_ value: Int64) throws { try word(value.description) }

    /// Writes the shortest text that is parsed as the same number.
    ///
    /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable`` if the number is not
    ///   finite.
    public mutating func double(_ value: Double) throws {
      guard value.isFinite else {
        throw ProviderError(.unrepresentable, "JSON has no number \(value)")
      }
      try word(value.description)
    }

    public mutating func string(_ value: String) throws {
      try value.withUTF8Span { (bytes) throws in try self.string(utf8: bytes) }
    }

    /// Writes a string in UTF-8.
    public mutating func string(utf8 value: Span<UInt8>) throws {
      beforeValue()
      quote(value)
      try afterValue()
    }

    /// Writes valid JSON, a number or a whole value, without checking it.
    public mutating func raw(_ json: Span<UInt8>) throws {
      beforeValue()
      sink.append(json, 0..<json.count)
      try afterValue()
    }

    /// Ends the text, and writes the rest of the buffer.
    public mutating func finish() throws {
      precondition(frames.isEmpty, "all containers must be ended")
      precondition(formatting.isSequence || hasRoot, "a text must have a value")
      if hasRoot, formatting.endsInLineBreak { append(formatting.lineBreak) }
      try sink.flush()
    }

    /// Writes the buffered text before it has the size of a piece.
    mutating func flush() throws { try sink.flush() }

    // MARK: Structure

    fileprivate mutating func word(_ word: String) throws {
      beforeValue()
      sink.append(word)
      try afterValue()
    }

    private mutating func begin(isObject: Bool) throws {
      beforeValue()
      frames.append(Frame(isObject: isObject))
      sink.append(isObject ? 0x7B : 0x5B)
    }

    private mutating func end(isObject: Bool) throws {
      guard let frame = frames.popLast(), frame.isObject == isObject, !frame.hasKey else {
        preconditionFailure("only the innermost container can be ended, after a complete value")
      }
      if !frame.isEmpty, depth < formatting.multilineDepth { breakLine() }
      sink.append(isObject ? 0x7D : 0x5D)
      try afterValue()
    }

    @inline(__always)
    private mutating func beforeValue() {
      let top = frames.count - 1
      guard top >= 0 else {
        precondition(!hasRoot || formatting.isSequence, "a text can have only one root value")
        if hasRoot { append(formatting.lineBreak) }
        hasRoot = true
        return
      }
      if frames[top].isObject {
        precondition(frames[top].hasKey, "a value in an object must have a key")
        frames[top].hasKey = false
      } else {
        separate(top)
      }
    }

    @inline(__always)
    private mutating func afterValue() throws {
      try sink.flushIfFull()
    }

    @inline(__always)
    private mutating func separate(_ top: Int) {
      let isBroken = outerDepth + top < formatting.multilineDepth
      if frames[top].isEmpty {
        frames[top].isEmpty = false
      } else {
        sink.append(0x2C)
        if formatting.hasSpaceAfterComma, !isBroken { sink.append(0x20) }
      }
      if isBroken { breakLine() }
    }

    private mutating func breakLine() {
      append(formatting.lineBreak)
      for _ in 0..<depth { append(formatting.indentation) }
    }

    private mutating func append(_ bytes: [UInt8]) {
      for byte in bytes { sink.append(byte) }
    }

    // MARK: Strings

    private mutating func quote(_ text: Span<UInt8>) {
      JSONText.append(quoted: text, to: &sink.bytes)
    }
  }
}

// Values of rows. Types that JSON does not have are wrapped in an object with one member, as in
// `{"@data": "AAEC"}`: the typed style of the SPON package.
extension JSONProvider.EventWriter: ValueSink {
  /// The notation of a column's values.
  struct Notation {
    static let standard = Notation()
    /// A Boolean value that indicates whether a number without a fraction is written as an integer,
    /// because the file contains integers and no such number with a decimal point.
    var hasShortReals = false
    /// A Boolean value that indicates whether values are written that are not read back as the same
    /// values: a blob, and a text in a JSON column that is not JSON. They are refused otherwise.
    var isLenient = false
  }

  mutating func null(_ notation: Notation) throws { try null() }
  mutating func integer(_ value: Int64, _ notation: Notation) throws { try integer(value) }
  mutating func boolean(_ value: Bool, _ notation: Notation) throws { try bool(value) }

  mutating func text(_ value: Span<UInt8>, _ notation: Notation) throws {
    try string(utf8: value)
  }

  mutating func real(_ value: Double, _ notation: Notation) throws {
    if notation.hasShortReals, value.isWhole { return try integer(Int64(value)) }
    if notation.isLenient, !value.isFinite { return try tagged(.double(value), notation) }
    try double(value)
  }

  mutating func blob(_ value: Span<UInt8>, _ notation: Notation) throws {
    guard notation.isLenient else { throw ProviderError(.unrepresentable, "JSON has no blobs") }
    try tagged(.bytes(value.array(0..<value.count)), notation)
  }

  mutating func json(_ text: Span<UInt8>, _ notation: Notation) throws {
    if notation.isLenient, !isJSON(text) { return try string(utf8: text) }
    do {
      try json(text)
    } catch let error as ProviderError where error.position != nil {
      throw ProviderError(
        .unrepresentable, "the text in a JSON column is not JSON: \(error.message)")
    }
  }

  mutating func tagged(_ value: SPONValue, _ notation: Notation) throws {
    let text: [UInt8]
    do throws(SPONError) {
      text = try value.jsonBytes()
    } catch {
      throw ProviderError(.unrepresentable, error.message)
    }
    try json(text.elementSpan)
  }

  mutating func decimal(_ text: Span<UInt8>, _ notation: Notation) throws {
    guard let number = NumberText(text) else { return try string(utf8: text) }
    if number.isJSON(text) {
      try raw(text)
    } else {
      try word(DecimalNumber(number, text).description)
    }
  }

  /// Writes a string that contains JSON with the writer's formatting.
  mutating func json(_ text: Span<UInt8>) throws {
    var reader = JSONEventReader(jsonOptions)
    while true {
      let event = try reader.event(in: text)
      if reader.key >= 0 { try key(reader.keys[reader.key]) }
      switch event {
      case .beginObject: try beginObject()
      case .endObject: try endObject()
      case .beginArray: try beginArray()
      case .endArray: try endArray()
      case .string:
        if reader.hasEscapes {
          try string(utf8: reader.decoded.elementSpan)
        } else {
          try string(utf8: text.extracting(reader.range))
        }
      case .integer, .double, .number, .bool, .null: try raw(text.extracting(reader.range))
      case .end, .incomplete: return
      }
    }
  }

  private func isJSON(_ text: Span<UInt8>) -> Bool {
    var reader = JSONEventReader(jsonOptions)
    do throws(ProviderError) {
      while try reader.event(in: text) != .end {}
      return true
    } catch {
      return false
    }
  }

  /// The limits of a JSON text, such that the whole text does not exceed the reader's limits.
  private var jsonOptions: JSONReadingOptions {
    let limits = SourceSession.FormatLimits()
    return JSONReadingOptions(
      duplicateKeys: .reported, depth: limits.depth - depth, length: limits.length)
  }
}

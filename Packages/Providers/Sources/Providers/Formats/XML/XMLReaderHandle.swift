internal import CLibXML2

/// Owns a libxml2 parser and the state that its callbacks modify. The pointers are used only in
/// this file and in `XMLCallbacks.swift`.
///
/// The parser receives UTF-8 in pieces, never a file name, and opens nothing.
@safe struct XMLReaderHandle: ~Copyable {
  private let parser: xmlParserCtxtPtr
  private let context: UnsafeMutablePointer<XMLParserContext>

  /// Initializes libxml2 once, before several threads use parsers.
  private static let isReady: Void = xmlInitParser()

  /// - Throws: ``ProviderError`` if memory allocation fails.
  init(_ options: XMLEventReader.Options) throws(ProviderError) {
    _ = Self.isReady
    let context = UnsafeMutablePointer<XMLParserContext>.allocate(capacity: 1)
    var handler = unsafe XMLCallbacks.handler
    guard let parser = unsafe xmlCreatePushParserCtxt(&handler, context, nil, 0, nil) else {
      unsafe context.deallocate()
      throw ProviderError(.limitExceeded, "out of memory for a parser")
    }
    unsafe context.initialize(
      to: XMLParserContext(parser: parser, state: XMLParserState(options)))
    // The declared encoding is the file's, not the encoding of the parser's input. Without NOENT,
    // the attribute value `&amp;` would be reported as `&#38;`. No entity is expanded, because no
    // callback returns one.
    var flags =
      XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue | XML_PARSE_NOENT.rawValue
    // libxml2's own limits are disabled only if the caller's are higher.
    if options.limits.textLength > 10_000_000 { flags |= XML_PARSE_HUGE.rawValue }
    unsafe xmlCtxtUseOptions(parser, Int32(flags))
    unsafe self.parser = parser
    unsafe self.context = context
  }

  deinit {
    unsafe holt_xml_free(parser)
    unsafe context.deinitialize(count: 1)
    unsafe context.deallocate()
  }

  /// The parser's state.
  var state: XMLParserState {
    @inline(__always) _read { yield unsafe context.pointee.state }
    @inline(__always) nonmutating _modify { yield unsafe &context.pointee.state }
  }

  /// Exchanges the event queue with the reader's, which holds it while the parser does not run.
  func exchange(_ queue: inout XMLEventQueue) {
    unsafe swap(&context.pointee.state.queue, &queue)
  }

  /// The number of bytes that the parser has consumed.
  var offset: Int { unsafe context.pointee.offset }

  /// Passes the next bytes to the parser.
  func feed(_ bytes: Span<UInt8>) {
    unsafe context.pointee.state.fedByteCount += bytes.count
    let code = unsafe bytes.withUnsafeBytes { bytes in
      unsafe xmlParseChunk(
        parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), 0)
    }
    check(code)
  }

  /// Notifies the parser of the end of the input.
  func finish() {
    unsafe context.pointee.state.isFinishing = true
    check(unsafe xmlParseChunk(parser, nil, 0, 1))
  }

  /// Records a fault that no callback reported.
  private func check(_ code: Int32) {
    guard code != 0, unsafe holt_xml_is_well_formed(parser) == 0 else { return }
    unsafe context.pointee.fail(code)
  }

  /// Returns the number of a name, which need not have been read yet.
  func intern(_ local: String, namespace: String?) -> XMLEventReader.Name {
    unsafe context.pointee.intern(local, namespace)
  }
}

/// The argument of a parser's callbacks: the parser and its state.
@safe struct XMLParserContext {
  let parser: xmlParserCtxtPtr
  var state: XMLParserState

  init(parser: xmlParserCtxtPtr, state: XMLParserState) {
    unsafe self.parser = parser
    self.state = state
  }

  var left: Int { unsafe holt_xml_left(parser) }
  var offset: Int { state.fedByteCount - left }
  var tagOffset: Int { unsafe state.fedByteCount - holt_xml_left_at_tag(parser) }

  mutating func fail(_ code: Int32) {
    state.fail(parserCode: code, isAtEnd: left <= 0, at: offset)
  }

  private func address(of text: String) -> UInt {
    unsafe text.withCString { characters in
      unsafe UInt(bitPattern: holt_xml_intern(parser, characters, text.utf8.count))
    }
  }

  mutating func intern(_ local: String, _ namespace: String?) -> XMLEventReader.Name {
    let key = XMLNameTable.Key(
      local: address(of: local), prefix: 0, namespace: namespace.map { address(of: $0) } ?? 0)
    let entry =
      state.names.find(key)
      ?? state.names.insert(key, local: local, prefix: nil, namespace: namespace)
    return state.names.entries[Int(entry)].name
  }
}

/// The state that the parser's callbacks modify.
struct XMLParserState {
  let limits: XMLEventReader.Limits
  let hasComments: Bool
  let hasInstructions: Bool
  var queue: XMLEventQueue
  var names = XMLNameTable()
  /// The number of bytes passed to the parser.
  var fedByteCount = 0
  /// The first error, without its position, and its offset in the UTF-8 text; later events are
  /// ignored.
  private(set) var fault: (error: ProviderError, offset: Int)?
  /// A Boolean value that indicates whether the parser was notified of the end of the input.
  var isFinishing = false
  /// A Boolean value that indicates whether the input ends within a tag, a comment or similar
  /// markup.
  var isTruncated = false
  private(set) var hasRoot = false
  /// A Boolean value that indicates whether the parser is in the document type, whose comments are
  /// ignored.
  var isInDocumentType = false
  /// The number of namespaces that each open element declares.
  private var openElements: [Int] = []
  private var namespaceCount = 0
  /// The offset of the last tag's end, which is the start of a text.
  private var lastEnd = 0

  init(_ options: XMLEventReader.Options) {
    limits = options.limits
    hasComments = options.hasComments
    hasInstructions = options.hasProcessingInstructions
    queue = XMLEventQueue(keepsWhitespace: options.keepsWhitespace)
  }

  var hasEnded: Bool { hasRoot && openElements.isEmpty }

  mutating func fail(_ code: ProviderError.Code, _ message: String, at offset: Int) {
    if fault == nil { fault = (ProviderError(code, message), offset) }
  }

  /// Records an error of the parser.
  ///
  /// - Parameter isAtEnd: Whether the parser has reached the end of the input.
  mutating func fail(parserCode code: Int32, isAtEnd: Bool, at offset: Int) {
    let isEnd = isAtEnd || XMLFaults.isEnd(code)
    if isFinishing, isTruncated || (isEnd && !hasEnded) {
      fail(.truncated, "the document ends before it is complete", at: offset)
    } else if XMLFaults.isLimit(code) {
      fail(.limitExceeded, "a part of the document exceeds a limit", at: offset)
    } else if XMLFaults.isEntity(code) {
      fail(.forbidden, XMLFaults.noEntities, at: offset)
    } else {
      fail(XMLFaults.code(code), XMLFaults.message(code), at: offset)
    }
  }

  mutating func start(
    _ name: Int32, isEmpty: Bool, namespaceCount count: Int, offset: Int, end: Int
  ) -> Bool {
    hasRoot = true
    isInDocumentType = false
    lastEnd = end + 1
    guard openElements.count < limits.depth else {
      fail(
        .limitExceeded, "elements are nested more than \(limits.depth) levels deep", at: offset)
      return false
    }
    namespaceCount += count
    guard namespaceCount <= limits.attributeCount else {
      fail(
        .limitExceeded, "more than \(limits.attributeCount) namespace declarations are in scope",
        at: offset)
      return false
    }
    openElements.append(count)
    queue.start(name, isEmpty: isEmpty, offset: offset)
    return true
  }

  mutating func addAttribute(_ name: Int32, _ value: Span<UInt8>, offset: Int) {
    guard isAllowed(value.count, offset) else { return }
    queue.addAttribute(name, value)
  }

  mutating func end(_ name: Int32, offset: Int, end: Int) {
    namespaceCount -= openElements.popLast() ?? 0
    lastEnd = end
    queue.end(name, offset: offset)
  }

  mutating func addText(_ text: Span<UInt8>, offset: Int) {
    guard fault == nil, isAllowed(queue.textLength + text.count, offset) else { return }
    queue.addText(text, offset: lastEnd)
  }

  mutating func addCommentOrInstruction(
    _ kind: XMLEventReader.Event.Kind, _ name: Int32, _ text: Span<UInt8>, end: Int
  ) {
    guard fault == nil, !isInDocumentType, isAllowed(text.count, end) else { return }
    queue.addCommentOrInstruction(kind, name, text, offset: lastEnd)
    lastEnd = end
  }

  private mutating func isAllowed(_ length: Int, _ offset: Int) -> Bool {
    guard length > limits.textLength else { return true }
    fail(.limitExceeded, "a text is longer than \(limits.textLength) bytes", at: offset)
    return false
  }
}

internal import CLibXML2

/// Owns one parser of libxml2 and what its callbacks write to. The pointers never leave this file and
/// that of the callbacks.
///
/// The parser is given UTF-8 alone, in pieces, and never a file's name: it opens nothing by itself.
@safe struct XMLReaderHandle: ~Copyable {
  private let parser: xmlParserCtxtPtr
  private let context: UnsafeMutablePointer<XMLParserContext>

  /// Done once, and before there are parsers on several threads.
  private static let isReady: Void = xmlInitParser()

  /// - Throws: ``ProviderError`` where there is no memory.
  init(_ options: XMLEventReader.Options) throws(ProviderError) {
    _ = Self.isReady
    let context = UnsafeMutablePointer<XMLParserContext>.allocate(capacity: 1)
    var handler = unsafe XMLCallbacks.handler
    guard let parser = unsafe xmlCreatePushParserCtxt(&handler, context, nil, 0, nil) else {
      unsafe context.deallocate()
      throw ProviderError(.limitExceeded, "there is no memory for a parser")
    }
    unsafe context.initialize(
      to: XMLParserContext(parser: parser, state: XMLParserState(options)))
    // The declared encoding is that of the file, not of what the parser is given.
    // Without NOENT the value `&amp;` of an attribute is told as `&#38;`. It follows no entity: no callback
    // has ever one to follow.
    var flags =
      XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue | XML_PARSE_NOENT.rawValue
    // Beyond libxml2's own limits only where the caller's are.
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

  /// Exchanges the events, for who reads them until the parser goes on.
  func exchange(_ queue: inout XMLEventQueue) {
    unsafe swap(&context.pointee.state.queue, &queue)
  }

  /// How many bytes the parser has gone past.
  var offset: Int { unsafe context.pointee.offset }

  /// Gives the parser the next bytes.
  func feed(_ bytes: Span<UInt8>) {
    unsafe context.pointee.state.fed += bytes.count
    let code = unsafe bytes.withUnsafeBytes { bytes in
      unsafe xmlParseChunk(
        parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), 0)
    }
    check(code)
  }

  /// Tells the parser that there are no more bytes.
  func finish() {
    unsafe context.pointee.state.isFinishing = true
    check(unsafe xmlParseChunk(parser, nil, 0, 1))
  }

  /// Finds a fault of which no callback was told.
  private func check(_ code: Int32) {
    guard code != 0, unsafe holt_xml_is_well_formed(parser) == 0 else { return }
    unsafe context.pointee.fail(code)
  }

  /// The number of a name, which need not have been read yet.
  func intern(_ local: String, namespace: String?) -> XMLEventReader.Name {
    unsafe context.pointee.intern(local, namespace)
  }
}

/// What a parser's callbacks are given: its state, and the parser itself.
@safe struct XMLParserContext {
  let parser: xmlParserCtxtPtr
  var state: XMLParserState

  init(parser: xmlParserCtxtPtr, state: XMLParserState) {
    unsafe self.parser = parser
    self.state = state
  }

  var left: Int { unsafe holt_xml_left(parser) }
  var offset: Int { state.fed - left }
  var tagOffset: Int { unsafe state.fed - holt_xml_left_at_tag(parser) }

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

/// What the parser's callbacks work on.
struct XMLParserState {
  let limits: XMLEventReader.Limits
  let hasComments: Bool
  let hasInstructions: Bool
  var queue: XMLEventQueue
  var names = XMLNameTable()
  /// How many bytes the parser was given.
  var fed = 0
  /// The first thing that is wrong; nothing is told behind it.
  private(set) var fault: Fault?
  /// Whether the parser was told that no more comes.
  var isFinishing = false
  /// Whether the input ends in the midst of a tag, a comment or the like.
  var isCutOff = false
  private(set) var hasRoot = false
  /// Whether the parser is in the document type, whose comments are nobody's.
  var isInDocumentType = false
  /// For each open element, how many namespaces it declares.
  private var openElements: [Int] = []
  private var namespaceCount = 0
  /// Where the last tag ends, and a text begins.
  private var lastEnd = 0

  /// What is wrong, and where, in bytes of the text as UTF-8.
  struct Fault {
    let code: ProviderError.Code
    let message: String
    let offset: Int
  }

  init(_ options: XMLEventReader.Options) {
    limits = options.limits
    hasComments = options.hasComments
    hasInstructions = options.hasProcessingInstructions
    queue = XMLEventQueue(keepsWhitespace: options.keepsWhitespace)
  }

  var hasEnded: Bool { hasRoot && openElements.isEmpty }

  mutating func fail(_ code: ProviderError.Code, _ message: String, at offset: Int) {
    if fault == nil { fault = Fault(code: code, message: message, offset: offset) }
  }

  /// What the parser itself finds wrong.
  ///
  /// - Parameter isAtEnd: Whether the parser has gone to the input's end.
  mutating func fail(parserCode code: Int32, isAtEnd: Bool, at offset: Int) {
    let isEnd = isAtEnd || XMLFaults.isEnd(code)
    if isFinishing, isCutOff || (isEnd && !hasEnded) {
      fail(.truncated, "the document ends before it is complete", at: offset)
    } else if XMLFaults.isLimit(code) {
      fail(.limitExceeded, "a part of the document is larger than is allowed", at: offset)
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
        .limitExceeded, "elements are nested deeper than \(limits.depth)", at: offset)
      return false
    }
    namespaceCount += count
    guard namespaceCount <= limits.attributeCount else {
      fail(
        .limitExceeded, "more than \(limits.attributeCount) namespaces are declared at once",
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

  mutating func addAside(
    _ kind: XMLEventReader.Event.Kind, _ name: Int32, _ text: Span<UInt8>, end: Int
  ) {
    guard fault == nil, !isInDocumentType, isAllowed(text.count, end) else { return }
    queue.addAside(kind, name, text, offset: lastEnd)
    lastEnd = end
  }

  private mutating func isAllowed(_ length: Int, _ offset: Int) -> Bool {
    guard length > limits.textLength else { return true }
    fail(.limitExceeded, "a text is longer than \(limits.textLength) bytes", at: offset)
    return false
  }
}

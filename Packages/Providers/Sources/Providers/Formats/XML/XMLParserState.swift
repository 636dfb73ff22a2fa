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

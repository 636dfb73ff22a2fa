internal import Primitives

/// Reads an XML document event by event, without holding the whole document in memory.
///
/// Every element has a start and an end event, even an empty one. A text is a single event:
/// character references are replaced, and neither CDATA sections nor skipped comments split it.
/// Line breaks are `\n`. White space between two tags is not an event, unless it is the whole
/// content of an element or ``XMLEventReader/Options/keepsWhitespace`` is set.
///
/// ```swift
/// var reader = try XMLEventReader(path: "gears.xml")
/// let row = reader.intern("row")
/// while let event = try reader.next() {
///   switch event {
///   case .startElement(row): rows += 1
///   case .text: try reader.withText { try statement.bind($0, at: 1) }
///   default: break
///   }
/// }
/// ```
///
/// The reader never opens anything that a document names. It refuses all entities, internal and
/// external, external document types, and document types that declare attribute defaults; other
/// document types are skipped. `XInclude` is an ordinary element. Documents are in UTF-8, UTF-16,
/// ISO-8859-1 or ASCII, according to the byte order mark and the declaration.
///
/// A reader must be used by one task at a time; any number of readers can run concurrently. The
/// caller can check for cancellation between two events, whose processing time the limits bound.
@_spi(Formats) public struct XMLEventReader: ~Copyable {
  private let handle: XMLReaderHandle
  private let more: (() throws -> [UInt8]?)?
  private let file: String?
  private let limits: Limits
  private var decoder = XMLDecoder()
  private var window = XMLWindow()
  private var attributeCounter = XMLAttributeCounter()
  /// The current piece of the input, and the number of its bytes that were read.
  private var chunk: [UInt8]
  private var chunkOffset = 0
  /// The events of the last piece. While the parser runs, the parser's state holds them.
  private var queue: XMLEventQueue
  /// The index of the current event, or -1 before the first event.
  private var at = -1
  /// The number of open elements, including the current one.
  private var openElements = 0
  /// A Boolean value that indicates whether the source has ended, and whether the parser was
  /// notified.
  private var isAtEnd = false
  private var isFinished = false
  /// The start of the text that the last piece did not end.
  private var textStart: (offset: Int, position: ProviderError.Position)?
  private var failure: (any Error)?

  /// The number of bytes passed to the parser in one call.
  private static let pieceLength = 65_536

  /// Creates a reader of a file.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/notFound``,
  ///   ``ProviderError/Code/accessDenied`` or ``ProviderError/Code/fileSystem``. Errors in the
  ///   file's content are thrown by ``next()``.
  public init(path: String, options: Options = Options()) throws(ProviderError) {
    let file = try FileReader(path: path)
    try self.init(
      file: path, chunk: [], options,
      more: { () throws -> [UInt8]? in
        try file.read(atMost: Self.pieceLength)
      })
  }

  /// Creates a reader of in-memory bytes.
  public init(
    bytes: [UInt8], options: Options = Options()
  ) throws(ProviderError) {
    try self.init(file: nil, chunk: bytes, options, more: nil)
  }

  /// Creates a reader of pieces of any length.
  ///
  /// - Parameter chunks: Returns the next piece; `nil` at the end. ``next()`` rethrows its errors.
  public init(
    options: Options = Options(), chunks: @escaping () throws -> [UInt8]?
  ) throws(ProviderError) {
    try self.init(file: nil, chunk: [], options, more: chunks)
  }

  private init(
    file: String?, chunk: [UInt8], _ options: Options,
    more: (() throws -> [UInt8]?)?
  ) throws(ProviderError) {
    handle = try XMLReaderHandle(options)
    queue = XMLEventQueue(keepsWhitespace: options.keepsWhitespace)
    limits = options.limits
    self.file = file
    self.chunk = chunk
    self.more = more
  }

  /// Advances to the next event; `nil` at the end of the document.
  ///
  /// - Throws: ``ProviderError`` with the position of the error, after all preceding events were
  ///   returned, and again on each later call: ``ProviderError/Code/malformed``,
  ///   ``ProviderError/Code/truncated``, ``ProviderError/Code/invalidEncoding``,
  ///   ``ProviderError/Code/forbidden`` or ``ProviderError/Code/limitExceeded``; any error that the
  ///   source throws.
  public mutating func next() throws -> Event? {
    at += 1
    if at >= queue.events.count {
      at = -1
      guard try fill() else { return nil }
      at = 0
    }
    let event = queue.events[at]
    switch event.kind {
    case .startElement:
      openElements += 1
      return .startElement(name(ofEntry: event.name))
    case .endElement:
      openElements -= 1
      return .endElement(name(ofEntry: event.name))
    case .text: return .text
    case .comment: return .comment
    case .processingInstruction: return .processingInstruction(name(ofEntry: event.name))
    }
  }

  /// The current event.
  private var event: XMLEventQueue.Event {
    precondition(at >= 0, "read an event only after `next()` has returned one")
    return queue.events[at]
  }

  func entry(_ number: Int32) -> XMLNameTable.Entry { handle.state.names.entries[Int(number)] }
  func name(ofEntry number: Int32) -> Name { entry(number).name }

  /// Runs the parser until there is an event; `false` at the end.
  private mutating func fill() throws -> Bool {
    queue.removeEvents()
    handle.exchange(&queue)
    defer { handle.exchange(&queue) }
    while true {
      if let failure { throw failure }
      if isFinished { return false }
      do {
        try readPiece()
      } catch {
        failure = (error as? ProviderError).map { file.map($0.inFile) ?? $0 } ?? error
      }
      if !handle.state.queue.events.isEmpty { return true }
    }
  }

  private mutating func readPiece() throws {
    while chunkOffset == chunk.count, !isAtEnd {
      chunkOffset = 0
      if let next = try more?() {
        chunk = next
      } else {
        chunk = []
        isAtEnd = true
      }
    }
    if handle.state.queue.isInText, textStart?.offset != handle.state.queue.textOffset {
      let offset = handle.state.queue.textOffset
      textStart = (offset, position(of: offset))
    }
    window.remove(before: handle.offset)
    let end = min(chunk.count, chunkOffset + Self.pieceLength)
    let start = window.bytes.count
    let fault = try decoder.decode(
      chunk[chunkOffset..<end], isLast: isAtEnd, into: &window.bytes)
    chunkOffset = end
    try checkPending()
    if window.bytes.count > start {
      handle.feed(window.bytes.elementSpan.extracting(start...))
    }
    if handle.state.fault == nil, let fault {
      throw fault.atPosition(position(of: window.end))
    }
    if isAtEnd, handle.state.fault == nil {
      handle.state.isTruncated = window.isTruncated(from: handle.offset)
      handle.finish()
      isFinished = true
    }
    if let (error, offset) = handle.state.fault {
      throw error.atPosition(position(of: offset))
    }
  }

  /// Refuses input that would take the parser too much time or memory.
  private mutating func checkPending() throws(ProviderError) {
    // A tag, or something after one.
    let hasRoot = handle.state.hasRoot || window.isAtTag
    let limit = (hasRoot ? limits.textLength : 0) + Limits.prologLength
    if window.bytes.count > limit + Self.pieceLength {
      throw ProviderError(
        .limitExceeded,
        hasRoot ? "a tag or a comment is too long" : "the prolog is too long",
        position: position(of: window.start))
    }
    guard attributeCounter.attributeCount(of: window) > limits.attributeCount else { return }
    throw ProviderError(
      .limitExceeded, "an element has more than \(limits.attributeCount) attributes",
      position: position(of: window.start))
  }

  private mutating func position(of offset: Int) -> ProviderError.Position {
    let isUTF8 = decoder.encoding == .utf8 || decoder.encoding == .ascii
    return window.position(of: offset, from: isUTF8 ? decoder.markLength : nil)
  }

  /// The position of the current event: of its tag or text, or of the preceding tag's end for
  /// comments and instructions. The line and the column, in UTF-8 bytes, are exact; the byte offset
  /// is known only in UTF-8 documents.
  public var position: ProviderError.Position {
    mutating get {
      let event = event
      if let textStart, event.kind == .text, textStart.offset == event.offset {
        return textStart.position
      }
      return position(of: event.offset)
    }
  }

  /// The number of elements that enclose the current event: 0 for the root's start and end.
  public var depth: Int { event.kind == .startElement ? openElements - 1 : openElements }

  /// A Boolean value that indicates whether the current event is the start of an empty-element tag,
  /// `<a/>`.
  public var isEmptyElement: Bool { event.isEmpty }

  /// A Boolean value that indicates whether the current event is a text that contains only white
  /// space.
  public var isWhitespace: Bool {
    let event = event
    return event.kind == .text
      && withBytes(event.text) { text in
        text.indices.allSatisfy { XMLBytes.isSpace(text[$0]) }
      }
  }

  /// Calls `body` with the text, or with the content of the comment or instruction, in UTF-8 and
  /// without copying it.
  public func withText<Result: ~Copyable, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withBytes(event.text, body)
  }

  /// The text, or the content of the comment or instruction; empty for tags.
  public var text: String { queue.string(event.text) }

  /// The number of buffered bytes of the input and its text.
  public var heldByteCount: Int { window.bytes.count + queue.bytes.count }

  /// A Boolean value that indicates whether the start element declares namespaces.
  var hasNamespaces: Bool { !event.namespaces.isEmpty }

  var currentAttributes: Range<Int> { event.attributes }

  var currentNamespaces: ArraySlice<(prefix: Int32, uri: Int32)> {
    queue.namespaces[event.namespaces]
  }

  /// The name table index of the current event's name; `nil` if it has no name.
  var currentName: Int32? { event.name < 0 ? nil : event.name }

  func attribute(_ index: Int) -> (name: Int32, value: Range<Int>) {
    let attributes = currentAttributes
    precondition(
      index >= 0 && index < attributes.count, "the index of an attribute is out of range")
    return queue.attributes[attributes.lowerBound + index]
  }

  func withBytes<Result: ~Copyable, Failure: Error>(
    _ range: Range<Int>, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try queue.withBytes(range, body)
  }

  func string(_ range: Range<Int>) -> String { queue.string(range) }

  func internName(_ local: String, _ namespace: String?) -> Name {
    handle.intern(local, namespace: namespace)
  }
}

extension ProviderError {
  /// Returns the error with a file path.
  func inFile(_ path: String) -> ProviderError {
    var error = self
    error.file = path
    return error
  }

  func atPosition(_ position: Position) -> ProviderError {
    var error = self
    error.position = position
    return error
  }
}

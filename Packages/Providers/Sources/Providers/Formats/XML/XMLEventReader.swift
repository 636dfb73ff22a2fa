internal import Primitives

/// Reads a document of XML event by event, without ever holding the whole.
///
/// Every element has a start and an end, an empty one too. A text is whole: references to characters are
/// replaced, and CDATA sections, and comments that are not asked for, do not divide it. Line ends are `\n`.
/// White space between two tags is no text, unless it is all that stands between an element's start and
/// its end, or ``XMLEventReader/Options/keepsWhitespace`` asks for it.
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
/// Nothing that a document names is ever opened. Entities are refused, declared inside or outside, and so
/// are document types that are elsewhere or give attributes values; other document types are skipped.
/// `XInclude` is an element as any other. Texts are UTF-8, UTF-16, ISO-8859-1 or ASCII, by their byte order
/// mark and their declaration.
///
/// A reader belongs to one task at a time; any number of them run side by side. Between two events a
/// caller may check for cancellation: no event takes longer than the limits allow.
@_spi(Formats) public struct XMLEventReader: ~Copyable {
  private let handle: XMLReaderHandle
  private let more: (() throws -> [UInt8]?)?
  private let file: String?
  private let limits: Limits
  private var decoder = XMLDecoder()
  private var window = XMLWindow()
  private var tag = XMLTagGuard()
  /// The piece of the input that is being read, and how much of it is.
  private var chunk: [UInt8]
  private var chunkPlace = 0
  /// The events of the piece that was read last. While the parser reads, they are with it.
  private var queue: XMLEventQueue
  /// The event that is current, or -1 before the first one.
  private var at = -1
  /// How many elements are open, the current one among them.
  private var openElements = 0
  /// Whether the source has no more, and whether the parser knows.
  private var isAtEnd = false
  private var isFinished = false
  /// Where the text begins that the last piece did not end.
  private var textPlace: (offset: Int, position: ProviderError.Position)?
  private var failure: (any Error)?

  /// How much the parser is given at once.
  private static let pieceLength = 65_536

  /// Reads a file.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/notFound``,
  ///   ``ProviderError/Code/accessDenied`` or ``ProviderError/Code/fileSystem``. What is wrong in the file,
  ///   ``next()`` tells.
  public init(path: String, options: Options = Options()) throws(ProviderError) {
    let file = try FileReader(path: path)
    try self.init(
      file: path, chunk: [], options,
      more: { () throws -> [UInt8]? in
        try file.read(atMost: Self.pieceLength)
      })
  }

  /// Reads bytes that are in memory.
  public init(
    bytes: [UInt8], options: Options = Options()
  ) throws(ProviderError) {
    try self.init(file: nil, chunk: bytes, options, more: nil)
  }

  /// Reads pieces of any length, until there is none.
  ///
  /// - Parameter chunks: Gives the next piece; `nil` at the end. What it throws, ``next()`` throws.
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

  /// Goes to the next event; `nil` at the end of the document.
  ///
  /// - Throws: ``ProviderError`` with the place of what is wrong, after all events before it, and each time
  ///   again: ``ProviderError/Code/malformed``, ``ProviderError/Code/truncated``,
  ///   ``ProviderError/Code/invalidEncoding``, ``ProviderError/Code/forbidden`` or
  ///   ``ProviderError/Code/limitExceeded``; and what the source throws.
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
    precondition(at >= 0, "a reader has an event after `next()` has returned one")
    return queue.events[at]
  }

  func entry(_ number: Int32) -> XMLNameTable.Entry { handle.state.names.entries[Int(number)] }
  func name(ofEntry number: Int32) -> Name { entry(number).name }

  /// Has the parser read until there is an event; `false` at the end.
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
    while chunkPlace == chunk.count, !isAtEnd {
      chunkPlace = 0
      if let next = try more?() {
        chunk = next
      } else {
        chunk = []
        isAtEnd = true
      }
    }
    if handle.state.queue.isInText, textPlace?.offset != handle.state.queue.textOffset {
      let offset = handle.state.queue.textOffset
      textPlace = (offset, position(of: offset))
    }
    window.remove(before: handle.offset)
    let end = min(chunk.count, chunkPlace + Self.pieceLength)
    let start = window.bytes.count
    let fault = try decoder.decode(
      chunk[chunkPlace..<end], isLast: isAtEnd, into: &window.bytes)
    chunkPlace = end
    try checkPending()
    if window.bytes.count > start {
      handle.feed(window.bytes.elementSpan.extracting(start...))
    }
    if handle.state.fault == nil, let fault {
      throw ProviderError(fault.code, fault.message, position: position(of: window.end))
    }
    if isAtEnd, handle.state.fault == nil {
      handle.state.isCutOff = window.isCutOff(from: handle.offset)
      handle.finish()
      isFinished = true
    }
    if let fault = handle.state.fault {
      throw ProviderError(fault.code, fault.message, position: position(of: fault.offset))
    }
  }

  /// Refuses what the parser would take too long for, or too much memory.
  private mutating func checkPending() throws(ProviderError) {
    // A tag, or what is behind one.
    let hasRoot = handle.state.hasRoot || window.isAtTag
    let most = (hasRoot ? limits.textLength : 0) + Limits.prologLength
    if window.bytes.count > most + Self.pieceLength {
      throw ProviderError(
        .limitExceeded,
        hasRoot ? "a tag or a comment is too long" : "what is before the first element is too long",
        position: position(of: window.start))
    }
    guard tag.attributeCount(of: window) > limits.attributeCount else { return }
    throw ProviderError(
      .limitExceeded, "an element has more than \(limits.attributeCount) attributes",
      position: position(of: window.start))
  }

  private mutating func position(of offset: Int) -> ProviderError.Position {
    let isUTF8 = decoder.encoding == .utf8 || decoder.encoding == .ascii
    return window.position(of: offset, from: isUTF8 ? decoder.mark : nil)
  }

  /// Where the current event begins: its tag, or its text; what stands behind it, for comments and
  /// instructions. The line is exact, and so is the column, in bytes as UTF-8; the byte offset is known
  /// in documents that are UTF-8.
  public var position: ProviderError.Position {
    mutating get {
      let event = event
      if let textPlace, event.kind == .text, textPlace.offset == event.offset {
        return textPlace.position
      }
      return position(of: event.offset)
    }
  }

  /// How many elements the current event is in: 0 for the start and the end of the root.
  public var depth: Int { event.kind == .startElement ? openElements - 1 : openElements }

  /// Whether the current event is the start of an element that is written as empty, `<a/>`.
  public var isEmptyElement: Bool { event.isEmpty }

  /// Whether the current event is a text of white space alone.
  public var isWhitespace: Bool {
    let event = event
    return event.kind == .text
      && withBytes(event.text) { text in
        text.indices.allSatisfy { XMLBytes.isSpace(text[$0]) }
      }
  }

  /// Lends the text, or what the comment or the instruction says, as UTF-8. Nothing is copied.
  public func withText<Result: ~Copyable, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withBytes(event.text, body)
  }

  /// The text, or what the comment or the instruction says; empty for tags.
  public var text: String { queue.string(event.text) }

  /// How many bytes of the input and of its texts are held.
  public var heldByteCount: Int { window.bytes.count + queue.bytes.count }

  /// Whether the element that starts here declares namespaces.
  var hasNamespaces: Bool { !event.namespaces.isEmpty }

  var currentAttributes: Range<Int> { event.attributes }

  var currentNamespaces: ArraySlice<XMLEventQueue.Namespace> {
    queue.namespaces[event.namespaces]
  }

  /// The entry of the current event's name; `nil` where it has none.
  var currentName: Int32? { event.name < 0 ? nil : event.name }

  func attribute(_ index: Int) -> XMLEventQueue.Attribute {
    let attributes = currentAttributes
    precondition(
      index >= 0 && index < attributes.count, "an attribute is asked for by an index that there is")
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
  /// The same error in a file.
  func inFile(_ path: String) -> ProviderError {
    var error = self
    error.file = path
    return error
  }
}

internal import Primitives

/// Writes an XML document in UTF-8, event by event, to a sink or into memory.
///
/// A reader of the document receives exactly the written characters; with an indentation, only if
/// no element contains both text and elements. Text that XML can't represent is refused, and not
/// written.
///
/// ```swift
/// var writer = XMLEventWriter(indentation: 2)
/// let row = try XMLEventWriter.Name("row"), id = try XMLEventWriter.Name("id")
/// try writer.start(row)
/// try writer.attribute(id, "1")
/// try writer.text("spur & bevel")
/// try writer.end()
/// let bytes = try writer.finish()
/// ```
@_spi(Formats) public struct XMLEventWriter: ~Copyable {
  private let indentation: Int?
  private let sink: (([UInt8]) throws -> Void)?
  var buffer: [UInt8] = []
  private var open: [Element] = []
  /// A Boolean value that indicates whether the last start tag is still open for attributes.
  private(set) var isInTag = false
  private var hasRoot = false
  /// The names of the start tag's attributes.
  private var attributes: [[UInt8]] = []
  /// The prefixes that the start tag uses, which must be declared at its end.
  private var usedPrefixes: [[UInt8]] = []
  private var declarations: [(prefix: [UInt8], depth: Int)] = []

  private struct Element {
    let name: Name
    var hasElements = false
    var hasText = false
  }

  private static let flushLength = 65_536

  /// - Parameters:
  ///   - indentation: The number of spaces to indent each level by, on separate lines; `nil` to
  ///     write no white space.
  ///   - sink: Receives the document in pieces of about 64 KB; `nil` to return it from
  ///     ``finish()``.
  public init(indentation: Int? = nil, sink: (([UInt8]) throws -> Void)? = nil) {
    self.indentation = indentation
    self.sink = sink
    buffer.append(utf8: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
  }

  /// Begins an element.
  public mutating func start(_ name: Name) throws {
    precondition(!(hasRoot && open.isEmpty), "a document can have only one root element")
    try endTag()
    if !open.isEmpty {
      open[open.count - 1].hasElements = true
      if !open[open.count - 1].hasText { indent(open.count) }
    }
    hasRoot = true
    buffer.append(0x3C)
    buffer.append(name.bytes.elementSpan)
    open.append(Element(name: name))
    isInTag = true
    usePrefix(of: name)
    try flushIfFull()
  }

  /// Ends the innermost open element.
  public mutating func end() throws {
    precondition(!open.isEmpty, "`end()` requires an open element")
    if isInTag {
      try checkPrefixes()
      buffer.append(utf8: "/>")
      isInTag = false
    } else if let element = open.last {
      if element.hasElements, !element.hasText { indent(open.count - 1) }
      buffer.append(utf8: "</")
      buffer.append(element.name.bytes.elementSpan)
      buffer.append(0x3E)
    }
    while let last = declarations.last, last.depth == open.count { declarations.removeLast() }
    open.removeLast()
    try flushIfFull()
  }

  /// Adds an attribute to the element that was just begun.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable`` if the element already
  ///   has the attribute, or if XML can't represent the value.
  public mutating func attribute(_ name: Name, _ value: Span<UInt8>) throws {
    precondition(isInTag, "attributes must be written directly after an element's start")
    try XMLEventReader.Text.check(value)
    guard !attributes.contains(name.bytes) else {
      throw ProviderError(
        .unrepresentable, "an element can't have two attributes with the same name")
    }
    attributes.append(name.bytes)
    usePrefix(of: name)
    buffer.append(0x20)
    buffer.append(name.bytes.elementSpan)
    buffer.append(utf8: "=\"")
    XMLEventReader.Text.append(value, escapingFor: .attribute, to: &buffer)
    buffer.append(0x22)
    try flushIfFull()
  }

  public mutating func attribute(_ name: Name, _ value: String) throws {
    try value.withUTF8Span { try attribute(name, $0) }
  }

  /// Declares a namespace for the element that was just begun, and for its content.
  ///
  /// - Parameters:
  ///   - prefix: The prefix; `nil` declares the default namespace.
  ///   - namespace: The namespace URI. If `prefix` is `nil`, an empty URI removes the default
  ///     namespace.
  public mutating func declare(prefix: String?, namespace: String) throws {
    precondition(isInTag, "namespaces must be declared directly after an element's start")
    if let prefix {
      guard XMLEventReader.Text.isName(prefix), !prefix.contains(":"), prefix != "xml",
        prefix != "xmlns"
      else {
        throw ProviderError(.unrepresentable, "the text is not a valid namespace prefix")
      }
    }
    guard prefix == nil || !namespace.isEmpty, !Self.reserved.contains(namespace) else {
      throw ProviderError(.unrepresentable, "the text is not a valid namespace")
    }
    let name = Array((prefix.map { "xmlns:\($0)" } ?? "xmlns").utf8)
    try check(namespace)
    guard !attributes.contains(name) else {
      throw ProviderError(.unrepresentable, "an element can't declare a prefix twice")
    }
    attributes.append(name)
    if let prefix { declarations.append((Array(prefix.utf8), open.count)) }
    buffer.append(0x20)
    buffer.append(name.elementSpan)
    buffer.append(utf8: "=\"")
    namespace.withUTF8Span { XMLEventReader.Text.append($0, escapingFor: .attribute, to: &buffer) }
    buffer.append(0x22)
  }

  private static let reserved: Set<String> = [
    "http://www.w3.org/XML/1998/namespace", "http://www.w3.org/2000/xmlns/",
  ]

  /// Writes a text. A reader returns the text of consecutive calls as one text.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable`` if XML can't represent
  ///   the text.
  public mutating func text(_ text: Span<UInt8>) throws {
    precondition(!open.isEmpty, "a text must be in an element")
    try XMLEventReader.Text.check(text)
    guard !text.isEmpty else { return }
    try endTag()
    open[open.count - 1].hasText = true
    XMLEventReader.Text.append(text, escapingFor: .text, to: &buffer)
    try flushIfFull()
  }

  public mutating func text(_ text: String) throws {
    try text.withUTF8Span { try self.text($0) }
  }

  /// Writes a comment, inside or outside the root element.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable`` if XML can't represent
  ///   the comment, for example because it contains two hyphens or ends with one.
  public mutating func comment(_ text: String) throws {
    try check(text)
    guard !text.contains("--"), !text.hasSuffix("-"), !text.contains("\r") else {
      throw ProviderError(.unrepresentable, "a comment can't contain this text")
    }
    try beginCommentOrInstruction()
    buffer.append(utf8: "<!--\(text)-->")
    endCommentOrInstruction()
    try flushIfFull()
  }

  /// Writes a processing instruction, inside or outside the root element.
  public mutating func processingInstruction(_ target: String, _ text: String) throws {
    try check(text)
    guard XMLEventReader.Text.isName(target), !target.contains(":"), target.lowercased() != "xml",
      !text.contains("?>"), !text.contains("\r"),
      text.utf8.first.map({ !XMLBytes.isSpace($0) }) ?? true
    else {
      throw ProviderError(.unrepresentable, "an instruction can't have this target or text")
    }
    try beginCommentOrInstruction()
    buffer.append(utf8: text.isEmpty ? "<?\(target)?>" : "<?\(target) \(text)?>")
    endCommentOrInstruction()
    try flushIfFull()
  }

  /// Ends the start tag, so that an empty element is written as `<a></a>`.
  mutating func beginContent() throws {
    try endTag()
  }

  /// Writes markup that is known to be well-formed.
  ///
  /// - Parameter isElement: Whether the markup is an element, as opposed to the content of one.
  mutating func markup(_ markup: Span<UInt8>, isElement: Bool) throws {
    try endTag()
    if isElement {
      if !open.isEmpty {
        open[open.count - 1].hasElements = true
        if !open[open.count - 1].hasText { indent(open.count) }
      }
      hasRoot = true
    } else {
      precondition(!open.isEmpty, "a text must be in an element")
      open[open.count - 1].hasText = true
    }
    buffer.append(markup)
    try flushIfFull()
  }

  /// Writes a document type verbatim.
  mutating func documentType(_ markup: [UInt8]) {
    precondition(!hasRoot, "a document type must precede the root element")
    buffer.append(contentsOf: markup)
    buffer.append(0x0A)
  }

  private func check(_ text: String) throws {
    try text.withUTF8Span { text throws(ProviderError) in try XMLEventReader.Text.check(text) }
  }

  private mutating func beginCommentOrInstruction() throws {
    try endTag()
    if open.isEmpty {
      if hasRoot { buffer.append(0x0A) }
    } else {
      open[open.count - 1].hasElements = true
      if !open[open.count - 1].hasText { indent(open.count) }
    }
  }

  private mutating func endCommentOrInstruction() {
    if !hasRoot { buffer.append(0x0A) }
  }

  /// Ends the document.
  ///
  /// - Returns: The document if there is no sink; otherwise an empty array.
  public consuming func finish() throws -> [UInt8] {
    precondition(hasRoot && open.isEmpty, "a document must end after its root element")
    buffer.append(0x0A)
    guard let sink else { return buffer }
    try sink(buffer)
    return []
  }

  private mutating func indent(_ depth: Int) {
    guard let indentation else { return }
    buffer.append(0x0A)
    buffer.append(contentsOf: repeatElement(0x20, count: depth * indentation))
  }

  private mutating func endTag() throws {
    guard isInTag else { return }
    try checkPrefixes()
    buffer.append(0x3E)
    isInTag = false
  }

  private mutating func usePrefix(of name: Name) {
    guard name.prefixLength > 0 else { return }
    usedPrefixes.append(name.prefix)
  }

  private mutating func checkPrefixes() throws {
    attributes.removeAll(keepingCapacity: true)
    for prefix in usedPrefixes
    where prefix != Array("xml".utf8) && !declarations.contains(where: { $0.prefix == prefix }) {
      throw ProviderError(.unrepresentable, "the prefix of a name is not declared")
    }
    usedPrefixes.removeAll(keepingCapacity: true)
  }

  private mutating func flushIfFull() throws {
    guard let sink, buffer.count >= Self.flushLength else { return }
    try sink(buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}

internal import Primitives

/// A part of a document as markup, for content that is stored verbatim.
struct XMLMarkup {
  private(set) var bytes: [UInt8] = []
  /// The number of open elements in the markup.
  private(set) var depth = 0
  private var isInTag = false

  /// - Parameter scope: Namespaces declared in rows, which the markup must declare itself.
  mutating func start(_ reader: borrowing XMLEventReader, scope: [XMLStructure.Declaration]) {
    endTag()
    bytes.append(0x3C)
    bytes.append(utf8: reader.currentWrittenName.qualified)
    let declared = reader.currentDeclarations
    for declaration in declared { declare(declaration) }
    if depth == 0 {
      for declaration in scope
      where !declared.contains(where: { $0.prefix.isExactly(declaration.prefix) }) {
        declare(declaration)
      }
    }
    for index in 0..<reader.attributeCount {
      bytes.append(0x20)
      bytes.append(utf8: reader.writtenName(ofAttribute: index).qualified)
      bytes.append(utf8: "=\"")
      reader.withAttribute(at: index) {
        XMLEventReader.Text.append($0, escapingFor: .attribute, to: &bytes)
      }
      bytes.append(0x22)
    }
    depth += 1
    isInTag = true
  }

  private mutating func declare(_ declaration: XMLStructure.Declaration) {
    bytes.append(utf8: declaration.prefix.map { " xmlns:\($0)=\"" } ?? " xmlns=\"")
    declaration.namespace.withUTF8Span {
      XMLEventReader.Text.append($0, escapingFor: .attribute, to: &bytes)
    }
    bytes.append(0x22)
  }

  private mutating func endTag() {
    if isInTag { bytes.append(0x3E) }
    isInTag = false
  }

  mutating func end(_ reader: borrowing XMLEventReader) {
    depth -= 1
    if isInTag {
      bytes.append(utf8: "/>")
      isInTag = false
    } else {
      bytes.append(utf8: "</\(reader.currentWrittenName.qualified)>")
    }
  }

  mutating func text(_ reader: borrowing XMLEventReader) {
    endTag()
    reader.withText { XMLEventReader.Text.append($0, escapingFor: .text, to: &bytes) }
  }

  mutating func comment(_ reader: borrowing XMLEventReader) {
    endTag()
    bytes.append(utf8: "<!--")
    reader.withText { bytes.append($0) }
    bytes.append(utf8: "-->")
  }

  mutating func instruction(_ reader: borrowing XMLEventReader) {
    endTag()
    bytes.append(utf8: "<?\(reader.currentWrittenName.qualified)")
    reader.withText { text in
      if !text.isEmpty { bytes.append(0x20) }
      bytes.append(text)
    }
    bytes.append(utf8: "?>")
  }
}

/// The namespaces in scope while a document is written.
struct XMLScope {
  private var declarations: [XMLStructure.Declaration] = []
  private var counts: [Int] = []

  func namespace(of prefix: String?) -> String? {
    declarations.last { $0.prefix.isExactly(prefix) }?.namespace
  }

  /// The declarations in scope.
  var current: [XMLStructure.Declaration] {
    declarations.indices.filter { index in
      !declarations[(index + 1)...].contains { $0.prefix.isExactly(declarations[index].prefix) }
    }.map { declarations[$0] }
  }

  mutating func open() { counts.append(0) }

  mutating func close() { declarations.removeLast(counts.removeLast()) }

  /// Declares a namespace in the element that was just begun, unless it is in scope.
  mutating func declare(
    _ declaration: XMLStructure.Declaration, in writer: inout XMLEventWriter
  ) throws {
    let known = namespace(of: declaration.prefix)
    guard !known.isExactly(declaration.namespace) else { return }
    if known == nil, declaration.prefix == nil, declaration.namespace.isEmpty { return }
    try writer.declare(prefix: declaration.prefix, namespace: declaration.namespace)
    declarations.append(declaration)
    counts[counts.count - 1] += 1
  }

  /// Declares the namespace of a name, unless it is in scope.
  mutating func declare(
    _ name: XMLStructure.Name, isAttribute: Bool, in writer: inout XMLEventWriter
  ) throws {
    if name.prefix == "xml" || isAttribute && name.prefix == nil { return }
    guard name.prefix == nil || name.namespace != nil else { return }
    try declare(
      XMLStructure.Declaration(prefix: name.prefix, namespace: name.namespace ?? ""), in: &writer)
  }
}

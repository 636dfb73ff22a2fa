internal import Primitives

/// A part of a document as its text, for content that is no table's.
struct XMLMarkup {
  private(set) var bytes: [UInt8] = []
  /// How many elements are open in it.
  private(set) var depth = 0
  private var isInTag = false

  /// - Parameter scope: Namespaces that are declared in rows, and that the markup is to declare itself.
  mutating func start(_ reader: borrowing XMLEventReader, scope: [XMLShape.Declaration]) {
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

  private mutating func declare(_ declaration: XMLShape.Declaration) {
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

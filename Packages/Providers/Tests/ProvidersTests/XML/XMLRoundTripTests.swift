@_spi(Formats) import Providers
import Testing

/// An element, its text and its children.
indirect enum XMLTree: Equatable {
  case element(String, [String: String], [XMLTree])
  case text(String)

  func write(to writer: inout XMLEventWriter) throws {
    switch self {
    case .text(let text): try writer.text(text)
    case .element(let name, let attributes, let children):
      try writer.start(XMLEventWriter.Name(name))
      for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
        try writer.attribute(XMLEventWriter.Name(name), value)
      }
      for child in children { try child.write(to: &writer) }
      try writer.end()
    }
  }

  static func read(_ reader: inout XMLEventReader) throws -> XMLTree? {
    var open: [(String, [String: String], [XMLTree])] = [("", [:], [])]
    while let event = try reader.next() {
      switch event {
      case .startElement(let name):
        var attributes: [String: String] = [:]
        for index in 0..<reader.attributeCount {
          attributes[reader.localName(of: reader.attributeName(at: index))] =
            reader.attribute(at: index)
        }
        open.append((reader.localName(of: name), attributes, []))
      case .endElement:
        let (name, attributes, children) = open.removeLast()
        open[open.count - 1].2.append(.element(name, attributes, children))
      case .text: open[open.count - 1].2.append(.text(reader.text))
      case .comment, .processingInstruction: break
      }
    }
    return open[0].2.first
  }

  /// - Parameter isMixed: Whether text occurs next to elements.
  static func random(
    _ depth: Int, isMixed: Bool, _ random: inout SeededRandom
  ) -> XMLTree {
    var attributes: [String: String] = [:]
    for _ in 0..<Int.random(in: 0..<4, using: &random) {
      attributes[name(&random)] = text(&random)
    }
    var children: [XMLTree] = []
    if depth == 0 || Bool.random(using: &random) {
      let text = text(&random)
      if !text.isEmpty { children.append(.text(text)) }
    } else {
      for _ in 0..<Int.random(in: 0..<5, using: &random) {
        if isMixed, Bool.random(using: &random), !children.isEmpty, case .element? = children.last {
          let text = text(&random)
          if !text.isEmpty { children.append(.text(text)) }
        }
        children.append(.random(depth - 1, isMixed: isMixed, &random))
      }
    }
    return .element(name(&random), attributes, children)
  }

  private static func name(_ random: inout SeededRandom) -> String {
    ["a", "b-c", "_", "ä", "row", "名"].randomElement(using: &random)!
  }

  private static func text(_ random: inout SeededRandom) -> String {
    let parts = [
      " ", "\n", "\t", "\r", "\r\n", "<", ">", "&", "]]>", "\"", "'", "x", "spur", "é", "日本", "🐎",
      "\u{85}", "\u{2028}", "\u{FFFD}", "\u{10FFFF}", "\u{7F}", "&amp;", "<![CDATA[", "-->",
    ]
    return (0..<Int.random(in: 0..<8, using: &random))
      .map { _ in parts.randomElement(using: &random)! }.joined()
  }
}

@Suite struct `XML trees` {
  @Test(arguments: [nil, 0, 2])
  func `that are written are read back unchanged`(_ indentation: Int?) throws {
    var random = SeededRandom(seed: 11)
    for _ in 0..<150 {
      let tree = XMLTree.random(5, isMixed: indentation == nil, &random)
      var writer = XMLEventWriter(indentation: indentation)
      try tree.write(to: &writer)
      let options = XMLEventReader.Options(keepsWhitespace: indentation == nil)
      var reader = try XMLEventReader(bytes: try writer.finish(), options: options)
      #expect(try XMLTree.read(&reader) == tree)
    }
  }
}

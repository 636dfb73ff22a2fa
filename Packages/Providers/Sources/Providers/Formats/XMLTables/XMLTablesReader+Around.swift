internal import Primitives

// What is around rows, as it is to be written again.
extension XMLTablesReader {
  mutating func startAround() {
    if !around.isEmpty { around[around.count - 1].elementCount += 1 }
    around.append(
      XMLTablesLayout.Element(
        name: reader.currentWrittenName, declarations: reader.currentDeclarations,
        attributes: (0..<reader.attributeCount).map { index in
          (reader.writtenName(ofAttribute: index), reader.attribute(at: index))
        }))
    let node = tracker.open[tracker.last].node
    for index in 0..<reader.attributeCount {
      _ = tracker.shape.attribute(of: node, index, reader)
    }
  }

  mutating func endAround(_ frame: XMLTracker.Frame) {
    var element = around.removeLast()
    if let space = space.take(), element.content.isEmpty {
      element.content.append(.text(String(decoding: space, as: UTF8.self)))
    }
    if around.isEmpty {
      layout.root = .element(element)
    } else {
      around[around.count - 1].content.append(.element(element))
    }
  }

  mutating func aside(_ event: XMLEventReader.Event) {
    let content: XMLTablesLayout.Content
    if case .processingInstruction(let name) = event {
      content = .instruction(reader.localName(of: name), reader.text)
    } else {
      content = .comment(reader.text)
    }
    if tracker.open.isEmpty {
      if tracker.shape.tracks.first?.instance ?? 0 > 0 {
        layout.after.append(content)
      } else {
        layout.before.append(content)
      }
    } else if roles.roles[tracker.open[tracker.last].node] == .around {
      around[around.count - 1].content.append(content)
    }
  }
}

extension XMLTablesLayout.Element {
  /// Notes where rows are.
  mutating func noteRows(of node: Int, isOrdered: Bool) {
    if let at = content.lastIndex(where: \.isRows) {
      guard case .rows(var nodes) = content[at] else { return }
      if nodes.contains(node) { return }
      if isOrdered {
        nodes.append(node)
        content[at] = .rows(nodes)
        return
      }
    }
    if !content.contains(where: { $0.holdsRows(of: node) }) { content.append(.rows([node])) }
  }
}

extension XMLTablesLayout.Content {
  var isRows: Bool { if case .rows = self { true } else { false } }

  func holdsRows(of node: Int) -> Bool {
    if case .rows(let nodes) = self { nodes.contains(node) } else { false }
  }
}

/// Follows the elements of a document, and notes their shape.
struct XMLTracker {
  var shape: XMLShape
  private(set) var open: [Frame] = []

  struct Frame {
    let node: Int
    var hasText = false
    /// Whether a comment or an instruction is in it.
    var hasAside = false
    var elementCount = 0
    var hasAttributes = false
    var isEmptyTag = false
  }

  init(_ shape: XMLShape) {
    self.shape = shape
    self.shape.prepare()
  }

  /// The element that is open; there is one.
  var last: Int { open.count - 1 }

  @inline(__always)
  mutating func start(
    _ name: XMLEventReader.Name, _ reader: borrowing XMLEventReader, _ change: inout XMLShape.Change
  ) throws(ProviderError) -> Int {
    let node: Int
    if open.isEmpty {
      node = shape.root(name.number, reader)
    } else {
      let last = open.count - 1
      let parent = open[last].node
      node = try shape.child(of: parent, name.number, reader, &change)
      open[last].elementCount &+= 1
      if open[last].hasText { mix(parent, &change) }
    }
    if reader.hasNamespaces { shape.declare(node, reader) }
    open.append(Frame(node: node))
    return node
  }

  /// The node of an element that starts where one of its name did before; -1 where that says something new.
  @inline(__always)
  func expected(_ name: XMLEventReader.Name) -> Int {
    guard let frame = open.last, !frame.hasText else { return -1 }
    return shape.expectedChild(of: frame.node, name.number)
  }

  /// Notes the start of an element that was ``expected(_:)``.
  @inline(__always)
  mutating func startExpected(_ node: Int) {
    let last = open.count - 1
    open[last].elementCount &+= 1
    shape.note(node, of: open[last].node)
    open.append(Frame(node: node))
  }

  @inline(__always)
  mutating func end() -> Frame { open.removeLast() }

  /// Notes a text that is not white space alone, or all that is in its element.
  @inline(__always)
  mutating func text(_ change: inout XMLShape.Change) {
    guard !open.isEmpty else { return }
    let last = open.count - 1, node = open[last].node
    if open[last].hasText || open[last].hasAside || open[last].elementCount > 0 {
      mix(node, &change)
    }
    setText()
  }

  /// Notes the first text of an element in which nothing else is.
  @inline(__always)
  mutating func setText() {
    let last = open.count - 1
    open[last].hasText = true
    shape.tracks[open[last].node].hasText = true
  }

  /// Notes a comment or an instruction.
  mutating func aside(_ change: inout XMLShape.Change) {
    guard !open.isEmpty else { return }
    let last = open.count - 1
    open[last].hasAside = true
    if open[last].hasText { mix(open[last].node, &change) }
  }

  mutating func setAttributes(isEmptyTag: Bool) {
    open[open.count - 1].hasAttributes = true
    open[open.count - 1].isEmptyTag = isEmptyTag
  }

  mutating func setEmptyTag() { open[open.count - 1].isEmptyTag = true }

  private mutating func mix(_ node: Int, _ change: inout XMLShape.Change) {
    guard !shape.tracks[node].isMixed else { return }
    shape.tracks[node].isMixed = true
    change.insert(.mixes)
  }
}

/// Looks through a document for its shape alone.
struct XMLShapeScan {
  var tracker: XMLTracker
  /// How many elements are open within one whose content is no table's.
  private var skipped = 0

  init(_ tracker: XMLTracker) { self.tracker = tracker }

  init(_ shape: XMLShape) { tracker = XMLTracker(shape) }

  mutating func note(_ event: XMLEventReader.Event, _ reader: borrowing XMLEventReader) throws {
    var change: XMLShape.Change = []
    switch event {
    case .startElement(let name):
      if skipped > 0 || !tracker.open.isEmpty && isMixed {
        skipped += 1
      } else {
        let node = try tracker.start(name, reader, &change)
        for index in 0..<reader.attributeCount {
          _ = tracker.shape.attribute(of: node, index, reader)
        }
      }
    case .endElement: if skipped > 0 { skipped -= 1 } else { _ = tracker.end() }
    case .text: if skipped == 0, !reader.isWhitespace || !keepsWhitespace { tracker.text(&change) }
    case .comment, .processingInstruction: if skipped == 0 { tracker.aside(&change) }
    }
  }

  /// Whether white space between tags is told too.
  var keepsWhitespace = false

  private var isMixed: Bool { tracker.shape.tracks[tracker.open[tracker.last].node].isMixed }
}

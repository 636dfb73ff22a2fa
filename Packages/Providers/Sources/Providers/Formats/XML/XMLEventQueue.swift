internal import Primitives

/// The parser's events that have not been consumed yet: at most the events of one piece of input.
struct XMLEventQueue {
  struct Event {
    var kind: XMLEventReader.Event.Kind
    var isEmpty = false
    /// The index of the name in the name table.
    var name: Int32 = -1
    var text = 0..<0
    var attributes = 0..<0
    var namespaces = 0..<0
    /// The offset of the event in the UTF-8 text.
    var offset: Int
  }

  let keepsWhitespace: Bool
  private(set) var events: [Event] = []
  /// The attributes of all events, with the indexes of their names and the ranges of their values.
  private(set) var attributes: [(name: Int32, value: Range<Int>)] = []
  /// The namespace declarations of all events, as indexes in the name table.
  private(set) var namespaces: [(prefix: Int32, uri: Int32)] = []
  /// The text and values of all events, one after another.
  private(set) var bytes: [UInt8] = []
  /// The start in `bytes` of the text that has not ended yet; -1 if there is none.
  private var textStart = -1
  /// The offset of that text in the input.
  private(set) var textOffset = 0
  /// A Boolean value that indicates whether only text followed the last start tag.
  private var isAfterStartTag = false

  init(keepsWhitespace: Bool) { self.keepsWhitespace = keepsWhitespace }

  var isInText: Bool { textStart >= 0 }
  var textLength: Int { textStart < 0 ? 0 : bytes.count - textStart }

  mutating func start(_ name: Int32, isEmpty: Bool, offset: Int) {
    endText(isWhole: false)
    isAfterStartTag = true
    events.append(
      Event(
        kind: .startElement, isEmpty: isEmpty, name: name,
        attributes: attributes.count..<attributes.count,
        namespaces: namespaces.count..<namespaces.count, offset: offset))
  }

  /// Adds an attribute to the most recently started element.
  mutating func addAttribute(_ name: Int32, _ value: Span<UInt8>) {
    let start = bytes.count
    bytes.append(value)
    attributes.append((name, start..<bytes.count))
    let at = events.count - 1
    events[at].attributes = events[at].attributes.lowerBound..<attributes.count
  }

  /// Adds a namespace declaration to the most recently started element.
  mutating func addNamespace(prefix: Int32, uri: Int32) {
    namespaces.append((prefix, uri))
    let at = events.count - 1
    events[at].namespaces = events[at].namespaces.lowerBound..<namespaces.count
  }

  /// Removes the most recently started element, which is incomplete.
  mutating func removeStart() {
    if events.last?.kind == .startElement { events.removeLast() }
  }

  mutating func end(_ name: Int32, offset: Int) {
    endText(isWhole: isAfterStartTag)
    isAfterStartTag = false
    events.append(Event(kind: .endElement, name: name, offset: offset))
  }

  mutating func addText(_ text: Span<UInt8>, offset: Int) {
    if textStart < 0 {
      textStart = bytes.count
      textOffset = offset
    }
    bytes.append(text)
  }

  /// Adds a comment or a processing instruction.
  mutating func addCommentOrInstruction(
    _ kind: XMLEventReader.Event.Kind, _ name: Int32, _ text: Span<UInt8>, offset: Int
  ) {
    endText(isWhole: false)
    isAfterStartTag = false
    let start = bytes.count
    bytes.append(text)
    events.append(Event(kind: kind, name: name, text: start..<bytes.count, offset: offset))
  }

  private mutating func endText(isWhole: Bool) {
    guard textStart >= 0 else { return }
    let range = textStart..<bytes.count
    textStart = -1
    if !isWhole, !keepsWhitespace, range.allSatisfy({ XMLBytes.isSpace(bytes[$0]) }) {
      bytes.removeSubrange(range)
    } else if !range.isEmpty {
      events.append(Event(kind: .text, text: range, offset: textOffset))
    }
  }

  /// Removes all complete events.
  mutating func removeEvents() {
    events.removeAll(keepingCapacity: true)
    attributes.removeAll(keepingCapacity: true)
    namespaces.removeAll(keepingCapacity: true)
    if textStart < 0 {
      bytes.removeAll(keepingCapacity: true)
    } else if textStart > 0 {
      bytes.removeSubrange(0..<textStart)
      textStart = 0
    }
  }

  func withBytes<Result: ~Copyable, Failure: Error>(
    _ range: Range<Int>, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(bytes.elementSpan.extracting(range))
  }

  func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

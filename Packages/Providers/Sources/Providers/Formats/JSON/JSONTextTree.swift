internal import Primitives

/// The values of a JSON text with their places in it.
struct JSONTextTree {
  struct Node {
    /// The event of a scalar, or that of the container's beginning.
    let event: JSONEvent
    /// The offsets of the value's bytes, including quotes and brackets.
    let start: Int
    fileprivate(set) var end: Int
    /// The offset of the key's opening quote, and the key's number; -1 for an element.
    let keyStart: Int
    let key: Int
    fileprivate(set) var integer: Int64 = 0
    fileprivate(set) var double = 0.0
    fileprivate(set) var bool = false
    /// The text of a string with escapes.
    fileprivate(set) var decoded: [UInt8]?
    fileprivate(set) var children: [Int] = []

    var isContainer: Bool { event == .beginObject || event == .beginArray }
    /// The offset at which the member or element begins.
    var first: Int { key < 0 ? start : keyStart }
  }

  let bytes: [UInt8]
  private(set) var nodes: [Node] = []
  private let keys: JSONKeyTable
  /// A Boolean value that indicates whether `null` equals a missing member.
  private let ignoresNull: Bool

  /// The value of the whole text.
  var root: Int { 0 }

  subscript(node: Int) -> Node { nodes[node] }

  /// - Throws: ``ProviderError`` if the text is not a single JSON value.
  init(_ bytes: [UInt8], ignoresNull: Bool = true) throws(ProviderError) {
    self.bytes = bytes
    self.ignoresNull = ignoresNull
    var reader = JSONEventReader(JSONReadingOptions(duplicateKeys: .reported))
    var open: [Int] = []
    while true {
      let event = try reader.event(in: bytes.elementSpan)
      switch event {
      case .end, .incomplete:
        keys = reader.keys
        return
      case .endObject, .endArray:
        nodes[open.removeLast()].end = reader.position
        continue
      default: break
      }
      let start = event == .string ? reader.range.lowerBound - 1 : reader.range.lowerBound
      var node = Node(
        event: event, start: start, end: reader.position, keyStart: reader.keyOffset,
        key: reader.key)
      switch event {
      case .integer: node.integer = reader.integer
      case .double: node.double = reader.double
      case .bool: node.bool = reader.bool
      case .string: if reader.hasEscapes { node.decoded = reader.decoded }
      default: break
      }
      if let parent = open.last { nodes[parent].children.append(nodes.count) }
      if node.isContainer { open.append(nodes.count) }
      nodes.append(node)
    }
  }

  func key(of node: Int) -> String { nodes[node].key < 0 ? "" : keys[nodes[node].key] }

  /// The bytes of a value.
  func text(of node: Int) -> ArraySlice<UInt8> { bytes[nodes[node].start..<nodes[node].end] }

  /// The content of a string, or the digits of a number.
  func content(of node: Int) -> ArraySlice<UInt8> {
    if let decoded = nodes[node].decoded { return decoded[...] }
    return nodes[node].event == .string ? text(of: node).dropFirst().dropLast() : text(of: node)
  }

  /// Returns whether an object has a key twice.
  func hasDuplicateKeys(_ node: Int) -> Bool {
    let children = nodes[node].children
    return nodes[node].event == .beginObject
      && Set(children.map { nodes[$0].key }).count < children.count
  }

  /// Returns an object's members by key.
  func members(of node: Int) -> [ExactText: Int] {
    Dictionary(
      nodes[node].children.map { (ExactText(key(of: $0)), $0) }, uniquingKeysWith: { $1 })
  }

  /// Returns whether a value is `null`, or an object without other values: a table has `NULL` for
  /// both, and for a missing member.
  func isNull(_ node: Int) -> Bool {
    guard ignoresNull else { return false }
    return switch nodes[node].event {
    case .null: true
    case .beginObject: nodes[node].children.allSatisfy { isNull($0) }
    default: false
    }
  }

  /// Returns whether two values are equal, regardless of their notation and of the order of
  /// members.
  func isEqual(_ node: Int, to other: JSONTextTree, _ otherNode: Int) -> Bool {
    let (a, b) = (nodes[node], other.nodes[otherNode])
    switch (a.event, b.event) {
    case (.null, .null): return true
    case (.bool, .bool): return a.bool == b.bool
    case (.integer, .integer): return a.integer == b.integer
    case (.double, .double): return a.double == b.double
    case (.integer, .double): return Int64(exactly: b.double) == a.integer
    case (.double, .integer): return Int64(exactly: a.double) == b.integer
    case (.number, .number), (.string, .string):
      return content(of: node).elementsEqual(other.content(of: otherNode))
    case (.beginArray, .beginArray):
      return a.children.count == b.children.count
        && zip(a.children, b.children).allSatisfy { isEqual($0, to: other, $1) }
    case (.beginObject, .beginObject): return hasEqualMembers(node, other, otherNode)
    default: return false
    }
  }

  private func hasEqualMembers(_ node: Int, _ other: JSONTextTree, _ otherNode: Int) -> Bool {
    let (a, b) = (nodes[node].children, other.nodes[otherNode].children)
    let isParallel =
      a.count == b.count && zip(a, b).allSatisfy { key(of: $0).isExactly(other.key(of: $1)) }
    if isParallel { return zip(a, b).allSatisfy { isEqual($0, to: other, $1) } }
    guard !hasDuplicateKeys(node), !other.hasDuplicateKeys(otherNode) else { return false }
    var rest = other.members(of: otherNode)
    for child in a {
      if let match = rest.removeValue(forKey: ExactText(key(of: child))) {
        guard isEqual(child, to: other, match) else { return false }
      } else if !isNull(child) {
        return false
      }
    }
    return rest.values.allSatisfy { other.isNull($0) }
  }
}

/// Compares JSON texts without building trees.
struct JSONTextComparison {
  private var readers: (a: JSONEventReader, b: JSONEventReader)

  init() {
    let options = JSONReadingOptions(duplicateKeys: .reported)
    readers = (JSONEventReader(options), JSONEventReader(options))
  }

  /// Returns whether two texts have equal values, with members in the same order and the same
  /// notation of keys, regardless of other notation and of white space.
  mutating func areParallel(_ a: [UInt8], _ b: [UInt8]) throws(ProviderError) -> Bool {
    readers.a.restart()
    readers.b.restart()
    let (a, b) = (a.elementSpan, b.elementSpan)
    while true {
      let event = try readers.a.event(in: a)
      guard try readers.b.event(in: b) == event else { return false }
      let isEqual =
        switch event {
        case .end, .incomplete: true
        case .bool: readers.a.bool == readers.b.bool
        case .integer: readers.a.integer == readers.b.integer
        case .double: readers.a.double == readers.b.double
        case .string, .number: readers.a.text(in: a).isExactly(readers.b.text(in: b))
        case .null, .beginObject, .endObject, .beginArray, .endArray: true
        }
      guard isEqual, hasSameKey(a, b) else { return false }
      if event == .end { return true }
    }
  }

  private func hasSameKey(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
    guard readers.a.key >= 0, readers.b.key >= 0 else { return readers.a.key == readers.b.key }
    var (at, other) = (readers.a.keyOffset, readers.b.keyOffset)
    repeat {
      // A key with escapes may be equal to one without.
      guard a[at] == b[other], a[at] != 0x5C else { return false }
      at += 1
      other += 1
    } while a[at] != 0x22 || b[other] != 0x22
    return true
  }
}

/// The structure of a document's elements, by path: which elements repeat, and their content.
///
/// The rows are derived only from the structure, so that a file has the same tables regardless of
/// how much of the structure was known when its first row was read.
struct XMLStructure: Sendable {
  struct Name: Sendable {
    let prefix: String?
    let local: String
    let namespace: String?

    var qualified: String { prefix.map { "\($0):\(local)" } ?? local }

    func isSame(as other: Name) -> Bool {
      local.isExactly(other.local) && namespace.isExactly(other.namespace)
    }
  }

  struct Attribute: Sendable {
    let name: Name
    /// The number of the name in the current reader; -1 if it has not occurred yet.
    var number: Int
    /// The index among the attributes of all nodes.
    let slot: Int
  }

  struct Node: Sendable {
    let name: Name
    let parent: Int
    /// The children, in order of first appearance.
    var children: [Int] = []
    var attributes: [Attribute] = []
    /// The namespaces that elements of this path declare.
    var declarations: [Declaration] = []
    /// The children by the numbers of their names in the current reader, used if there are many.
    var childByNumber: [Int: Int] = [:]
    /// The number of children that have not occurred in the current reader yet.
    var unresolvedChildCount = 0
  }

  /// The state that is accessed for each element. It contains no reference-counted values.
  struct ElementState: Sendable {
    /// The number of the name in the current reader; -1 if it has not occurred yet.
    var number: Int
    let parent: Int
    /// A Boolean value that indicates whether the element occurs twice in one parent.
    var repeats = false
    /// A Boolean value that indicates whether the element contains text next to elements or
    /// comments.
    var isMixed = false
    /// A Boolean value that indicates whether other elements occur between repeating elements in
    /// it.
    var isInterleaved = false
    /// A Boolean value that indicates whether the element has a text in any occurrence.
    var hasText = false

    // The state of the current or last occurrence:

    /// The number of the occurrence.
    var instance = 0
    /// The number of the parent's occurrence.
    var parentInstance = -1
    /// The last child.
    var lastChild = -1
    /// The child that was first in the last occurrence, and the sibling that followed this element.
    var firstChild = -1
    var follower = -1
  }

  /// A namespace declaration. A `nil` prefix declares the default namespace.
  struct Declaration: Sendable {
    let prefix: String?
    let namespace: String
  }

  /// The nodes. The first is the root element.
  private(set) var nodes: [Node] = []
  var states: [ElementState] = []
  private(set) var slotCount = 0

  /// The maximum number of paths.
  static let nodeCount = 8_192

  /// Resets the state that belongs to one reader.
  mutating func prepare() {
    for at in nodes.indices {
      states[at].number = -1
      states[at].instance = 0
      states[at].parentInstance = -1
      states[at].lastChild = -1
      nodes[at].childByNumber = [:]
      nodes[at].unresolvedChildCount = nodes[at].children.count
      for index in nodes[at].attributes.indices { nodes[at].attributes[index].number = -1 }
    }
  }

  /// Changes of the structure that can affect the tables.
  struct Change: OptionSet {
    let rawValue: UInt8
    static let repeats = Change(rawValue: 1)
    static let interleaves = Change(rawValue: 2)
    static let mixes = Change(rawValue: 4)
    static let isNew = Change(rawValue: 8)
  }

  /// Returns the node of the root element.
  mutating func root(_ number: Int, _ reader: borrowing XMLEventReader) -> Int {
    if nodes.isEmpty { addNode(reader.currentWrittenName, -1, number) }
    states[0].number = number
    states[0].instance += 1
    states[0].lastChild = -1
    return 0
  }

  private mutating func addNode(_ name: Name, _ parent: Int, _ number: Int) {
    nodes.append(Node(name: name, parent: parent))
    states.append(ElementState(number: number, parent: parent))
  }

  /// Returns the node of a child element that starts.
  @inline(__always)
  mutating func child(
    of parent: Int, _ number: Int, _ reader: borrowing XMLEventReader, _ change: inout Change
  ) throws(ProviderError) -> Int {
    let last = states[parent].lastChild
    var node = following(last, in: parent)
    if node < 0 || states[node].number != number {
      node = try findChild(of: parent, number, reader, &change)
      if last < 0 { states[parent].firstChild = node } else { states[last].follower = node }
    }
    let instance = states[parent].instance
    if states[node].parentInstance == instance {
      if !states[node].repeats {
        states[node].repeats = true
        change.insert(.repeats)
      }
      if last != node, !states[parent].isInterleaved {
        states[parent].isInterleaved = true
        change.insert(.interleaves)
      }
    }
    recordStart(node, of: parent)
    return node
  }

  /// Returns the child that followed `child` the last time, or that was first.
  @inline(__always)
  private func following(_ child: Int, in parent: Int) -> Int {
    child < 0 ? states[parent].firstChild : states[child].follower
  }

  /// Records the start of a child.
  @inline(__always)
  mutating func recordStart(_ node: Int, of parent: Int) {
    states[node].parentInstance = states[parent].instance
    states[node].instance &+= 1
    states[node].lastChild = -1
    states[parent].lastChild = node
  }

  /// Returns the node of a child that occurs at the same position as the last time, and for the
  /// first time in this parent; -1 for other children.
  @inline(__always)
  func expectedChild(of parent: Int, _ number: Int) -> Int {
    let node = following(states[parent].lastChild, in: parent)
    guard node >= 0, states[node].number == number,
      states[node].parentInstance != states[parent].instance
    else { return -1 }
    return node
  }

  /// Returns the slot of an attribute at its usual position; -1 for other attributes.
  @inline(__always)
  func expectedSlot(of node: Int, _ index: Int, _ name: XMLEventReader.Name) -> Int {
    guard index < nodes[node].attributes.count, nodes[node].attributes[index].number == name.number
    else { return -1 }
    return nodes[node].attributes[index].slot
  }

  private mutating func findChild(
    of parent: Int, _ number: Int, _ reader: borrowing XMLEventReader, _ change: inout Change
  ) throws(ProviderError) -> Int {
    if let node = resolvedChild(number, in: parent) { return node }
    let name = reader.currentWrittenName
    let unresolved = nodes[parent].unresolvedChildCount > 0 ? nodes[parent].children : []
    for node in unresolved where states[node].number < 0 && nodes[node].name.isSame(as: name) {
      nodes[parent].unresolvedChildCount -= 1
      states[node].number = number
      nodes[parent].childByNumber[number] = node
      return node
    }
    guard nodes.count < Self.nodeCount else {
      throw ProviderError(
        .limitExceeded,
        "the elements have more than \(Self.nodeCount) paths, which is too many for tables")
    }
    addNode(name, parent, number)
    let node = nodes.count - 1
    nodes[parent].childByNumber[number] = node
    nodes[parent].children.append(node)
    change.insert(.isNew)
    return node
  }

  private func resolvedChild(_ number: Int, in parent: Int) -> Int? {
    let children = nodes[parent].children
    if children.count > 12 { return nodes[parent].childByNumber[number] }
    return children.first { states[$0].number == number }
  }

  /// Returns the index and the slot of an attribute, which is added if it is new.
  @inline(__always)
  mutating func attribute(
    of node: Int, _ index: Int, _ reader: borrowing XMLEventReader
  ) -> (index: Int, slot: Int) {
    let name = reader.attributeName(at: index)
    let slot = expectedSlot(of: node, index, name)
    if slot >= 0 { return (index, slot) }
    let number = name.number
    let found = findAttribute(of: node, number, index, reader)
    return (found, nodes[node].attributes[found].slot)
  }

  private mutating func findAttribute(
    of node: Int, _ number: Int, _ index: Int, _ reader: borrowing XMLEventReader
  ) -> Int {
    for at in nodes[node].attributes.indices where nodes[node].attributes[at].number == number {
      return at
    }
    let name = reader.writtenName(ofAttribute: index)
    for at in nodes[node].attributes.indices
    where nodes[node].attributes[at].number < 0 && nodes[node].attributes[at].name.isSame(as: name)
    {
      nodes[node].attributes[at].number = number
      return at
    }
    nodes[node].attributes.append(
      Attribute(name: name, number: number, slot: slotCount))
    slotCount += 1
    return nodes[node].attributes.count - 1
  }

  mutating func declare(_ node: Int, _ reader: borrowing XMLEventReader) {
    for declaration in reader.currentDeclarations
    where !nodes[node].declarations.contains(where: { $0.prefix.isExactly(declaration.prefix) }) {
      nodes[node].declarations.append(declaration)
    }
  }

  /// Returns the path of a node from the root.
  func path(of node: Int) -> String {
    var names: [String] = []
    var at = node
    while at >= 0 {
      names.append(nodes[at].name.qualified)
      at = nodes[at].parent
    }
    return names.reversed().joined(separator: "/")
  }
}

extension XMLEventReader {
  /// The name of the current event, as written.
  var currentWrittenName: XMLStructure.Name { writtenName(currentName ?? 0) }

  func writtenName(ofAttribute index: Int) -> XMLStructure.Name {
    writtenName(attribute(index).name)
  }

  private func writtenName(_ number: Int32) -> XMLStructure.Name {
    let entry = entry(number)
    return XMLStructure.Name(prefix: entry.prefix, local: entry.local, namespace: entry.namespace)
  }

  /// The namespaces that the current element declares.
  var currentDeclarations: [XMLStructure.Declaration] {
    currentNamespaces.map { declared in
      let prefix = entry(declared.prefix).local
      return XMLStructure.Declaration(
        prefix: prefix.isEmpty ? nil : prefix, namespace: entry(declared.uri).local)
    }
  }
}

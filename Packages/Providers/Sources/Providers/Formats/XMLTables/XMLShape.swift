/// What is known of a document's elements by their paths: which repeat, and what is in them.
///
/// Which of them hold rows follows from this alone, so that a file has the same tables however much of it
/// was known when its first row was read.
struct XMLShape: Sendable {
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
    /// Its number with the reader that is reading; -1 where it was not met yet.
    var number: Int
    /// Its place among all attributes of all nodes.
    let slot: Int
  }

  struct Node: Sendable {
    let name: Name
    let parent: Int
    /// In the order in which they are first seen.
    var children: [Int] = []
    var attributes: [Attribute] = []
    /// The namespaces that elements of this path declare.
    var declarations: [Declaration] = []
    /// The children by their numbers with the reader, where there are many.
    var places: [Int: Int] = [:]
    /// How many children the reader has not met yet.
    var unmetCount = 0
  }

  /// What is looked at for each element: nothing that is counted by reference.
  struct Track: Sendable {
    /// The name's number with the reader that is reading; -1 where it was not met yet.
    var number: Int
    let parent: Int
    /// Whether it occurs twice in one element.
    var repeats = false
    /// Whether texts stand beside elements or comments in it.
    var isMixed = false
    /// Whether other elements stand between two that repeat in it.
    var isInterleaved = false
    /// Whether it ever has a text of its own.
    var hasText = false

    // Of the element that is open or was last:

    /// Its own number among those of its path.
    var instance = 0
    /// That of the element it was last seen in.
    var parentInstance = -1
    /// The child that was seen last.
    var lastChild = -1
    /// The child that came first the last time, and the sibling that came behind this one.
    var firstChild = -1
    var follower = -1
  }

  /// A namespace, by its prefix; `nil` is that of elements without one.
  struct Declaration: Sendable {
    let prefix: String?
    let namespace: String
  }

  /// The first is the root element, once there is one.
  private(set) var nodes: [Node] = []
  var tracks: [Track] = []
  private(set) var slotCount = 0

  /// More paths than this are no table's.
  static let nodeCount = 8_192

  /// Forgets what is of one reader alone.
  mutating func prepare() {
    for at in nodes.indices {
      tracks[at].number = -1
      tracks[at].instance = 0
      tracks[at].parentInstance = -1
      tracks[at].lastChild = -1
      nodes[at].places = [:]
      nodes[at].unmetCount = nodes[at].children.count
      for index in nodes[at].attributes.indices { nodes[at].attributes[index].number = -1 }
    }
  }

  /// What a start tag may change that tables follow from.
  struct Change: OptionSet {
    let rawValue: UInt8
    static let repeats = Change(rawValue: 1)
    static let interleaves = Change(rawValue: 2)
    static let mixes = Change(rawValue: 4)
    static let isNew = Change(rawValue: 8)
  }

  /// The node of the root element.
  mutating func root(_ number: Int, _ reader: borrowing XMLEventReader) -> Int {
    if nodes.isEmpty { addNode(reader.currentWrittenName, -1, number) }
    tracks[0].number = number
    tracks[0].instance += 1
    tracks[0].lastChild = -1
    return 0
  }

  private mutating func addNode(_ name: Name, _ parent: Int, _ number: Int) {
    nodes.append(Node(name: name, parent: parent))
    tracks.append(Track(number: number, parent: parent))
  }

  /// The node of an element that starts in another.
  @inline(__always)
  mutating func child(
    of parent: Int, _ number: Int, _ reader: borrowing XMLEventReader, _ change: inout Change
  ) throws(ProviderError) -> Int {
    let last = tracks[parent].lastChild
    var node = following(last, in: parent)
    if node < 0 || tracks[node].number != number {
      node = try findChild(of: parent, number, reader, &change)
      if last < 0 { tracks[parent].firstChild = node } else { tracks[last].follower = node }
    }
    let instance = tracks[parent].instance
    if tracks[node].parentInstance == instance {
      if !tracks[node].repeats {
        tracks[node].repeats = true
        change.insert(.repeats)
      }
      if last != node, !tracks[parent].isInterleaved {
        tracks[parent].isInterleaved = true
        change.insert(.interleaves)
      }
    }
    note(node, of: parent)
    return node
  }

  /// What came behind a child the last time, or first.
  @inline(__always)
  private func following(_ child: Int, in parent: Int) -> Int {
    child < 0 ? tracks[parent].firstChild : tracks[child].follower
  }

  /// Notes that a child starts.
  @inline(__always)
  mutating func note(_ node: Int, of parent: Int) {
    tracks[node].parentInstance = tracks[parent].instance
    tracks[node].instance &+= 1
    tracks[node].lastChild = -1
    tracks[parent].lastChild = node
  }

  /// The node of a child that comes where it came the last time, and once; -1 for all else.
  @inline(__always)
  func expectedChild(of parent: Int, _ number: Int) -> Int {
    let node = following(tracks[parent].lastChild, in: parent)
    guard node >= 0, tracks[node].number == number,
      tracks[node].parentInstance != tracks[parent].instance
    else { return -1 }
    return node
  }

  /// The slot of an attribute that is at its place; -1 for any other.
  @inline(__always)
  func expectedSlot(of node: Int, _ index: Int, _ name: XMLEventReader.Name) -> Int {
    guard index < nodes[node].attributes.count, nodes[node].attributes[index].number == name.number
    else { return -1 }
    return nodes[node].attributes[index].slot
  }

  private mutating func findChild(
    of parent: Int, _ number: Int, _ reader: borrowing XMLEventReader, _ change: inout Change
  ) throws(ProviderError) -> Int {
    if let node = known(number, in: parent) { return node }
    let name = reader.currentWrittenName
    let unmet = nodes[parent].unmetCount > 0 ? nodes[parent].children : []
    for node in unmet where tracks[node].number < 0 && nodes[node].name.isSame(as: name) {
      nodes[parent].unmetCount -= 1
      tracks[node].number = number
      nodes[parent].places[number] = node
      return node
    }
    guard nodes.count < Self.nodeCount else {
      throw ProviderError(
        .limitExceeded,
        "the elements have more than \(Self.nodeCount) paths: these are no tables")
    }
    addNode(name, parent, number)
    let node = nodes.count - 1
    nodes[parent].places[number] = node
    nodes[parent].children.append(node)
    change.insert(.isNew)
    return node
  }

  private func known(_ number: Int, in parent: Int) -> Int? {
    let children = nodes[parent].children
    if children.count > 12 { return nodes[parent].places[number] }
    return children.first { tracks[$0].number == number }
  }

  /// The place of an attribute among those of a node; added where it is new.
  @inline(__always)
  mutating func attribute(
    of node: Int, _ index: Int, _ reader: borrowing XMLEventReader
  ) -> (place: Int, slot: Int) {
    let name = reader.attributeName(at: index)
    let slot = expectedSlot(of: node, index, name)
    if slot >= 0 { return (index, slot) }
    let number = name.number
    let place = findAttribute(of: node, number, index, reader)
    return (place, nodes[node].attributes[place].slot)
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

  /// The names of a node and those that it is in, from the root.
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
  /// The name of the current event as it is written here.
  var currentWrittenName: XMLShape.Name { writtenName(currentName ?? 0) }

  func writtenName(ofAttribute index: Int) -> XMLShape.Name { writtenName(attribute(index).name) }

  private func writtenName(_ number: Int32) -> XMLShape.Name {
    let entry = entry(number)
    return XMLShape.Name(prefix: entry.prefix, local: entry.local, namespace: entry.namespace)
  }

  /// The namespaces that are declared here.
  var currentDeclarations: [XMLShape.Declaration] {
    currentNamespaces.map { declared in
      let prefix = entry(declared.prefix).local
      return XMLShape.Declaration(
        prefix: prefix.isEmpty ? nil : prefix, namespace: entry(declared.uri).local)
    }
  }
}

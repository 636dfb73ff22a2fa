/// The role of the elements of one path.
enum XMLElementRole: UInt8, Sendable {
  /// An element outside rows, which is preserved.
  case outer
  /// An element outside rows with mixed content, which is preserved as markup.
  case verbatim
  /// A row.
  case row
  /// An element in a row, whose content is columns.
  case value
  /// A row or an element in one, whose mixed content is stored as markup in one column.
  case markup
  /// An element that repeats within a row, and is a row of a separate table.
  case child

  var isRow: Bool { self == .row || self == .child }
}

/// The tables derived from a structure.
struct XMLElementRoles: Sendable {
  struct Table: Hashable, Sendable {
    /// The node of its rows.
    let node: Int
    /// The node of the enclosing rows; `nil` if the rows are not nested.
    let parent: Int?
    /// A Boolean value that indicates whether the order of the rows among their siblings must be
    /// preserved.
    let isOrdered: Bool
  }

  /// The roles, by node number.
  private(set) var roles: [XMLElementRole]
  /// The row's node for each node that is a row or in one; -1 for others.
  private(set) var rowOf: [Int]
  /// The tables. A parent table precedes its child tables.
  private(set) var tables: [Table] = []

  /// Element names that indicate a row even if there is only one.
  static let defaultRowNames: Set<String> = ["item", "entry", "row", "record"]

  /// - Parameter rows: The names or paths of the elements that are rows; empty to detect them.
  init(_ structure: XMLStructure, rows: Set<String>) {
    roles = [XMLElementRole](repeating: .outer, count: structure.nodes.count)
    rowOf = [Int](repeating: -1, count: structure.nodes.count)
    guard !structure.nodes.isEmpty else { return }
    if rows.isEmpty {
      findRows(structure) { at in
        let node = structure.nodes[at]
        return structure.states[at].repeats
          || node.parent >= 0 && Self.defaultRowNames.contains(node.name.local)
      }
      if tables.isEmpty, let node = Self.onlyRow(structure) { addTable(node, structure) }
    } else {
      findRows(structure) { at in
        rows.contains(structure.nodes[at].name.qualified) || rows.contains(structure.path(of: at))
      }
    }
  }

  private mutating func findRows(_ structure: XMLStructure, _ isRow: (Int) -> Bool) {
    if isRow(0) {
      addTable(0, structure)
    } else if structure.states[0].isMixed {
      roles[0] = .verbatim
    } else {
      visitOuter(0, structure, isRow)
    }
  }

  private mutating func visitOuter(_ node: Int, _ structure: XMLStructure, _ isRow: (Int) -> Bool) {
    for child in structure.nodes[node].children {
      if isRow(child) {
        addTable(child, structure)
      } else if structure.states[child].isMixed {
        roles[child] = .verbatim
      } else {
        visitOuter(child, structure, isRow)
      }
    }
  }

  /// Returns the element that is the only row of a document without repeating elements.
  private static func onlyRow(_ structure: XMLStructure) -> Int? {
    let root = structure.nodes[0]
    if root.children.isEmpty, root.attributes.isEmpty, !structure.states[0].hasText { return nil }
    var node = 0
    while !structure.states[node].isMixed, structure.nodes[node].children.count == 1 {
      let child = structure.nodes[node].children[0]
      let isPlain =
        structure.nodes[child].children.isEmpty && structure.nodes[child].attributes.isEmpty
      if isPlain, node > 0 { break }
      node = child
    }
    return node
  }

  private mutating func addTable(_ node: Int, _ structure: XMLStructure, parent: Int? = nil) {
    let container = structure.nodes[node].parent
    tables.append(
      Table(
        node: node, parent: parent,
        isOrdered: parent == nil && container >= 0 && structure.states[container].isInterleaved))
    roles[node] = parent == nil ? .row : .child
    visitInRow(node, node, structure)
  }

  private mutating func visitInRow(_ node: Int, _ row: Int, _ structure: XMLStructure) {
    rowOf[node] = row
    guard !structure.states[node].isMixed else {
      if !roles[node].isRow { roles[node] = .markup }
      return
    }
    for child in structure.nodes[node].children {
      if structure.states[child].repeats {
        addTable(child, structure, parent: row)
      } else {
        roles[child] = .value
        visitInRow(child, row, structure)
      }
    }
  }

  /// Adds a node that is new in a row.
  mutating func addValue(_ node: Int, in parent: Int) {
    roles.append(.value)
    rowOf.append(rowOf[parent])
  }

  /// Returns whether the content read with these roles would have been read in the same way with
  /// the other roles.
  func isConsistent(by others: XMLElementRoles, in structure: XMLStructure) -> Bool {
    others.roles.starts(with: roles) && others.rowOf.starts(with: rowOf)
      && tables.allSatisfy(others.tables.contains)
  }

  /// Returns whether some content is stored as markup.
  func hasMarkup(in structure: XMLStructure) -> Bool {
    roles.indices.contains { at in
      roles[at] == .markup || roles[at] == .verbatim
        || roles[at].isRow && structure.states[at].isMixed
    }
  }
}

/// Tracks the open elements of a document, and records their structure.
struct XMLStructureTracker {
  var structure: XMLStructure
  private(set) var open: [Frame] = []

  struct Frame {
    let node: Int
    var hasText = false
    /// A Boolean value that indicates whether the element contains a comment or an instruction.
    var hasCommentOrInstruction = false
    var elementCount = 0
    var hasAttributes = false
    var isEmptyTag = false
  }

  init(_ structure: XMLStructure) {
    self.structure = structure
    self.structure.prepare()
  }

  /// The index of the innermost open element. There must be one.
  var last: Int { open.count - 1 }

  @inline(__always)
  mutating func start(
    _ name: XMLEventReader.Name, _ reader: borrowing XMLEventReader,
    _ change: inout XMLStructure.Change
  ) throws(ProviderError) -> Int {
    let node: Int
    if open.isEmpty {
      node = structure.root(name.number, reader)
    } else {
      let last = open.count - 1
      let parent = open[last].node
      node = try structure.child(of: parent, name.number, reader, &change)
      open[last].elementCount &+= 1
      if open[last].hasText { mix(parent, &change) }
    }
    if reader.hasNamespaces { structure.declare(node, reader) }
    open.append(Frame(node: node))
    return node
  }

  /// Returns the node of an element that starts at the same position as before; -1 if the element
  /// reveals a new property.
  @inline(__always)
  func expected(_ name: XMLEventReader.Name) -> Int {
    guard let frame = open.last, !frame.hasText else { return -1 }
    return structure.expectedChild(of: frame.node, name.number)
  }

  /// Records the start of an element that ``expected(_:)`` returned.
  @inline(__always)
  mutating func startExpected(_ node: Int) {
    let last = open.count - 1
    open[last].elementCount &+= 1
    structure.recordStart(node, of: open[last].node)
    open.append(Frame(node: node))
  }

  @inline(__always)
  mutating func end() -> Frame { open.removeLast() }

  /// Records a text that is not only white space, or that is the whole content of its element.
  @inline(__always)
  mutating func text(_ change: inout XMLStructure.Change) {
    guard !open.isEmpty else { return }
    let last = open.count - 1, node = open[last].node
    if open[last].hasText || open[last].hasCommentOrInstruction || open[last].elementCount > 0 {
      mix(node, &change)
    }
    setText()
  }

  /// Records the first text of an element without other content.
  @inline(__always)
  mutating func setText() {
    let last = open.count - 1
    open[last].hasText = true
    structure.states[open[last].node].hasText = true
  }

  /// Records a comment or an instruction.
  mutating func recordCommentOrInstruction(_ change: inout XMLStructure.Change) {
    guard !open.isEmpty else { return }
    let last = open.count - 1
    open[last].hasCommentOrInstruction = true
    if open[last].hasText { mix(open[last].node, &change) }
  }

  mutating func setAttributes(isEmptyTag: Bool) {
    open[open.count - 1].hasAttributes = true
    open[open.count - 1].isEmptyTag = isEmptyTag
  }

  mutating func setEmptyTag() { open[open.count - 1].isEmptyTag = true }

  private mutating func mix(_ node: Int, _ change: inout XMLStructure.Change) {
    guard !structure.states[node].isMixed else { return }
    structure.states[node].isMixed = true
    change.insert(.mixes)
  }
}

/// Scans a document for its structure only.
struct XMLStructureScanner {
  var tracker: XMLStructureTracker
  /// The number of open elements within an element with mixed content.
  private var skipped = 0

  init(_ tracker: XMLStructureTracker) { self.tracker = tracker }

  init(_ structure: XMLStructure) { tracker = XMLStructureTracker(structure) }

  mutating func scan(_ event: XMLEventReader.Event, _ reader: borrowing XMLEventReader) throws {
    var change: XMLStructure.Change = []
    switch event {
    case .startElement(let name):
      if skipped > 0 || !tracker.open.isEmpty && isMixed {
        skipped += 1
      } else {
        let node = try tracker.start(name, reader, &change)
        for index in 0..<reader.attributeCount {
          _ = tracker.structure.attribute(of: node, index, reader)
        }
      }
    case .endElement: if skipped > 0 { skipped -= 1 } else { _ = tracker.end() }
    case .text: if skipped == 0, !reader.isWhitespace || !keepsWhitespace { tracker.text(&change) }
    case .comment, .processingInstruction:
      if skipped == 0 { tracker.recordCommentOrInstruction(&change) }
    }
  }

  /// A Boolean value that indicates whether the reader reports white space between tags.
  var keepsWhitespace = false

  private var isMixed: Bool { tracker.structure.states[tracker.open[tracker.last].node].isMixed }
}

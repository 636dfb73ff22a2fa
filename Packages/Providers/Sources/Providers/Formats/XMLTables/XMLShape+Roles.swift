/// What becomes of the elements of one path.
enum XMLRole: UInt8, Sendable {
  /// It stands around rows, and is kept as it is.
  case around
  /// It stands around rows, has texts beside elements, and is kept as its text.
  case verbatim
  /// It is a row.
  case row
  /// It is in a row, and is columns of it.
  case value
  /// It is a row or in one, and its content is kept as its text, in one column.
  case markup
  /// It occurs several times in a row, and is a row of a table of its own.
  case child

  var isRow: Bool { self == .row || self == .child }
}

/// The tables that follow from a shape.
struct XMLRoles: Sendable {
  struct Table: Hashable, Sendable {
    /// The node of its rows.
    let node: Int
    /// The node of the rows that its rows are in; `nil` where these are rows of the document.
    let parent: Int?
    /// Whether its rows, among others, stand in an order that has to be kept.
    let isOrdered: Bool
  }

  /// By the node's number.
  private(set) var roles: [XMLRole]
  /// The row that a node is in, or is; -1 for others.
  private(set) var rowOf: [Int]
  /// Those of the rows that others are in come before those of these.
  private(set) var tables: [Table] = []

  /// Names that say that an element is one of several.
  static let oneOfSeveral: Set<String> = ["item", "entry", "row", "record"]

  /// - Parameter rows: The names, or paths, of the elements that are rows; empty where they are to be found.
  init(_ shape: XMLShape, rows: Set<String>) {
    roles = [XMLRole](repeating: .around, count: shape.nodes.count)
    rowOf = [Int](repeating: -1, count: shape.nodes.count)
    guard !shape.nodes.isEmpty else { return }
    if rows.isEmpty {
      findRows(shape) { at in
        let node = shape.nodes[at]
        return shape.tracks[at].repeats
          || node.parent >= 0 && Self.oneOfSeveral.contains(node.name.local)
      }
      if tables.isEmpty, let node = Self.onlyRow(shape) { addTable(node, shape) }
    } else {
      findRows(shape) { at in
        rows.contains(shape.nodes[at].name.qualified) || rows.contains(shape.path(of: at))
      }
    }
  }

  private mutating func findRows(_ shape: XMLShape, _ isRow: (Int) -> Bool) {
    if isRow(0) {
      addTable(0, shape)
    } else if shape.tracks[0].isMixed {
      roles[0] = .verbatim
    } else {
      visitAround(0, shape, isRow)
    }
  }

  private mutating func visitAround(_ node: Int, _ shape: XMLShape, _ isRow: (Int) -> Bool) {
    for child in shape.nodes[node].children {
      if isRow(child) {
        addTable(child, shape)
      } else if shape.tracks[child].isMixed {
        roles[child] = .verbatim
      } else {
        visitAround(child, shape, isRow)
      }
    }
  }

  /// The element that is the row of a document in which nothing repeats.
  private static func onlyRow(_ shape: XMLShape) -> Int? {
    let root = shape.nodes[0]
    if root.children.isEmpty, root.attributes.isEmpty, !shape.tracks[0].hasText { return nil }
    var node = 0
    while !shape.tracks[node].isMixed, shape.nodes[node].children.count == 1 {
      let child = shape.nodes[node].children[0]
      let isPlain = shape.nodes[child].children.isEmpty && shape.nodes[child].attributes.isEmpty
      if isPlain, node > 0 { break }
      node = child
    }
    return node
  }

  private mutating func addTable(_ node: Int, _ shape: XMLShape, parent: Int? = nil) {
    let container = shape.nodes[node].parent
    tables.append(
      Table(
        node: node, parent: parent,
        isOrdered: parent == nil && container >= 0 && shape.tracks[container].isInterleaved))
    roles[node] = parent == nil ? .row : .child
    visitInRow(node, node, shape)
  }

  private mutating func visitInRow(_ node: Int, _ row: Int, _ shape: XMLShape) {
    rowOf[node] = row
    guard !shape.tracks[node].isMixed else {
      if !roles[node].isRow { roles[node] = .markup }
      return
    }
    for child in shape.nodes[node].children {
      if shape.tracks[child].repeats {
        addTable(child, shape, parent: row)
      } else {
        roles[child] = .value
        visitInRow(child, row, shape)
      }
    }
  }

  /// Takes up a node that is new in a row.
  mutating func addValue(_ node: Int, in parent: Int) {
    roles.append(.value)
    rowOf.append(rowOf[parent])
  }

  /// Whether what has been read by these roles would have been read by others in the same way.
  func isContinued(by others: XMLRoles, in shape: XMLShape) -> Bool {
    others.roles.starts(with: roles) && others.rowOf.starts(with: rowOf)
      && tables.allSatisfy(others.tables.contains)
  }

  /// Whether some texts are kept with their markup.
  func hasMarkup(in shape: XMLShape) -> Bool {
    roles.indices.contains { at in
      roles[at] == .markup || roles[at] == .verbatim || roles[at].isRow && shape.tracks[at].isMixed
    }
  }
}

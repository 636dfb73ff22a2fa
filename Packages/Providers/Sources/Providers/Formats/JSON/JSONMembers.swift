internal import SQLiteCore

/// The tree of members that the rows of a JSON text have. A node's child is found by the number of
/// its key.
///
/// Each table's row is a root. A row that is an array has ``elements(of:)``, whose members are
/// numbered by position.
struct JSONMembers: Sendable {
  enum Component: Sendable {
    case root, key, element
    /// The elements of a row that is an array. The component is not part of paths.
    case elements
  }

  struct Traits: OptionSet, Sendable {
    let rawValue: UInt8
    /// An object whose members are columns.
    static let object = Traits(rawValue: 4)
  }

  struct Node: Sendable {
    let component: Component
    /// The number of the key, or the element's position.
    let number: Int
    let parent: Int
    /// The member's column; -1 if it has none.
    var column = -1
    /// The table whose rows are the member's elements; -1 if there is none.
    var table = -1
    var traits: Traits = []
    /// The number of rows with a value at this node.
    var count = 0
    /// A Boolean value that indicates whether numbers without a fraction are written without a
    /// decimal point.
    var hasWholeNumbers = false
    var elements = -1
    var firstChild = -1
    var lastChild = -1
    var nextSibling = -1
    fileprivate var slot = 0
    fileprivate var slotCount = 0

    fileprivate init(_ component: Component, _ number: Int, _ parent: Int) {
      self.component = component
      self.number = number
      self.parent = parent
    }

  }

  private(set) var nodes: [Node] = []
  /// The children of all nodes, by key number; -1 if there is no child.
  private var slots: [Int32] = []
  /// The rows with `null` at each node.
  private var nulls: [RowSet] = []
  /// The rows with an empty object at a node, or with an empty array as the row.
  private var empties: [Int: RowSet] = [:]
  /// The rows with an array at a node whose elements are rows of a table, including empty arrays.
  private var arrays: [Int: RowSet] = [:]

  subscript(node: Int) -> Node {
    @inline(__always) _read { yield nodes[node] }
    @inline(__always) _modify { yield &nodes[node] }
  }

  var count: Int { nodes.count }

  // MARK: Finding

  /// Returns a node's child; -1 if it does not exist yet.
  @inline(__always)
  func child(of node: Int, _ number: Int) -> Int {
    let (slot, count) = (nodes[node].slot, nodes[node].slotCount)
    return number < count ? Int(slots[slot &+ number]) : -1
  }

  func children(of node: Int) -> some Sequence<Int> {
    sequence(first: nodes[node].firstChild) { nodes[$0].nextSibling }.prefix { $0 >= 0 }
  }

  func hasChildren(_ node: Int) -> Bool { nodes[node].firstChild >= 0 }

  // MARK: Adding

  mutating func addRoot() -> Int {
    append(Node(.root, 0, -1))
  }

  mutating func add(_ component: Component, _ number: Int, to parent: Int) -> Int {
    let child = append(Node(component, number, parent))
    reserve(number, of: parent)
    slots[nodes[parent].slot + number] = Int32(truncatingIfNeeded: child)
    let last = nodes[parent].lastChild
    if last >= 0 { nodes[last].nextSibling = child } else { nodes[parent].firstChild = child }
    nodes[parent].lastChild = child
    return child
  }

  mutating func elements(of node: Int) -> Int {
    if nodes[node].elements < 0 { nodes[node].elements = append(Node(.elements, 0, node)) }
    return nodes[node].elements
  }

  private mutating func append(_ node: Node) -> Int {
    nodes.append(node)
    nulls.append(RowSet())
    return nodes.count - 1
  }

  private mutating func reserve(_ number: Int, of node: Int) {
    let (first, count) = (nodes[node].slot, nodes[node].slotCount)
    guard number >= count else { return }
    let start = slots.count
    let wanted = Swift.max(8, number + 1, 2 * count)
    for index in 0..<wanted { slots.append(index < count ? slots[first + index] : -1) }
    nodes[node].slot = start
    nodes[node].slotCount = wanted
  }

  // MARK: Empty values

  mutating func recordNull(_ node: Int, row: Int) { nulls[node].insert(row) }
  mutating func recordEmpty(_ node: Int, row: Int) { empties[node, default: RowSet()].insert(row) }

  mutating func recordArray(_ node: Int, row: Int) {
    arrays[node, default: RowSet()].insert(row)
  }

  func isNull(_ node: Int, row: Int) -> Bool { nulls[node].contains(row) }
  func nullCount(_ node: Int) -> Int { nulls[node].count }
  func isEmpty(_ node: Int, row: Int) -> Bool { empties[node]?.contains(row) ?? false }
  func hasArray(_ node: Int, row: Int) -> Bool { arrays[node]?.contains(row) ?? false }
  func hasEmpties(_ node: Int) -> Bool { empties[node] != nil }

  /// Returns whether the tree records content of rows at a node, or below it, that no column
  /// stores.
  func hasUnstoredContent(_ node: Int) -> Bool {
    if empties[node] != nil || arrays[node] != nil { return true }
    if nodes[node].column < 0, nulls[node].count > 0 { return true }
    if nodes[node].elements >= 0, hasUnstoredContent(nodes[node].elements) { return true }
    return children(of: node).contains { hasUnstoredContent($0) }
  }
}

/// The plan for writing the rows of a table: its members, in order.
struct JSONRowPlan {
  /// A member, an element, or the row itself.
  struct Item {
    let node: Int
    let key: [UInt8]
    /// The column of the query's result; `nil` if the member has no column.
    var column: ColumnIndex?
    var type = ValueType.stored
    var notation = JSONProvider.EventWriter.Notation.standard
    /// The number of the column in ``Spellings``.
    var spelled: Int64?
    /// Boolean values that indicate whether `NULL` is written as `null`, in rows of the file and in
    /// new rows.
    var writesNull = (known: false, new: false)
    var children: [Item] = []
    /// The elements of a row that is an array, by position.
    var elements: [Int: Item] = [:]
    var elementCount = 0
    var elementsNode = -1
    /// The index of the table that contains the member's elements.
    var table: Int?
  }

  let table: String
  let isLinked: Bool
  /// A Boolean value that indicates whether the table no longer exists.
  let isTableMissing: Bool
  let rows: RowIDMap
  var spellings: Spellings?
  let root: Item
  let sql: String

  /// Returns the plan of a missing table: only the content of its rows that no column stores.
  static func missingTable(_ root: Item) -> JSONRowPlan {
    JSONRowPlan(
      table: "", isLinked: false, isTableMissing: true, rows: RowIDMap(), root: root, sql: "")
  }
}

/// A set of row numbers, counting from 1: one bit for each, up to the highest.
struct RowSet: Sendable {
  private var words: [UInt64] = []

  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  mutating func insert(_ row: Int) {
    let index = row >> 6
    while words.count <= index { words.append(0) }
    words[index] |= 1 << UInt64(row & 63)
  }

  func contains(_ row: Int) -> Bool {
    guard row >= 0, row >> 6 < words.count else { return false }
    return words[row >> 6] & 1 << UInt64(row & 63) != 0
  }
}

/// Maps rowids to the positions of rows in a file. Both increase together.
struct RowIDMap: Sendable {
  private var runs: [(row: Int, id: Int64)] = []
  private(set) var count = 0

  /// Appends the rowid of the file's next row.
  mutating func append(_ id: Int64) {
    count += 1
    if let last = runs.last, id &- last.id == Int64(count - last.row) { return }
    runs.append((count, id))
  }

  /// Returns the row with a rowid, counting from 1; `nil` if the file had no such row.
  func row(of id: Int64) -> Int? {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].id <= id { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let run = runs[low - 1]
    let end = low < runs.count ? runs[low].row : count + 1
    guard let distance = Int(exactly: id.subtractingReportingOverflow(run.id).partialValue),
      distance >= 0, distance < end - run.row
    else { return nil }
    return run.row + distance
  }
}

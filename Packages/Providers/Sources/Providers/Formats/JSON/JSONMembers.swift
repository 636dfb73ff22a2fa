internal import SQLiteCore

/// The members that the rows of a text have, as a tree: each is found from the one around it by the number of its key.
///
/// A table's row is a root. A row that is an array has ``elements(of:)``, whose members are numbered by their place.
struct JSONMembers: Sendable {
  enum Component: Sendable {
    case root, key, element
    /// All elements of a row that is an array: it takes no part in paths.
    case elements
  }

  struct Traits: OptionSet, Sendable {
    let rawValue: UInt8
    static let integer = Traits(rawValue: 1)
    /// A number with a point, but without a fraction: `1.0`.
    static let wholeReal = Traits(rawValue: 2)
    /// An object whose members are columns.
    static let object = Traits(rawValue: 4)
  }

  struct Node: Sendable {
    let component: Component
    /// Of its key, or its place.
    let number: Int
    let parent: Int
    /// Its column; -1 where it has none.
    var column = -1
    /// The table that its elements are rows of; -1 where there is none.
    var table = -1
    var traits: Traits = []
    /// How many rows have a value here.
    var count = 0
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

    /// Notes that one more row has a value here.
    @inline(__always)
    mutating func note(_ traits: Traits) {
      count &+= 1
      self.traits.formUnion(traits)
    }
  }

  private(set) var nodes: [Node] = []
  /// The members of each node, by their numbers; -1 where there is none.
  private var slots: [Int32] = []
  /// The rows that have `null` at a node.
  private var nulls: [RowSet] = []
  /// The rows that have an object at a node that is empty, or a row's elements.
  private var empties: [Int: RowSet] = [:]
  /// The rows that have an array at a node whose elements are rows of a table, or would be if there were any.
  private var arrays: [Int: RowSet] = [:]

  subscript(node: Int) -> Node {
    @inline(__always) _read { yield nodes[node] }
    @inline(__always) _modify { yield &nodes[node] }
  }

  var count: Int { nodes.count }

  // MARK: Finding

  /// The member of a node; -1 where there is none yet.
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

  // MARK: Nothing

  mutating func noteNull(_ node: Int, row: Int) { nulls[node].insert(row) }
  mutating func noteEmpty(_ node: Int, row: Int) { empties[node, default: RowSet()].insert(row) }

  mutating func noteArray(_ node: Int, row: Int) {
    arrays[node, default: RowSet()].insert(row)
  }

  func isNull(_ node: Int, row: Int) -> Bool { nulls[node].contains(row) }
  func nullCount(_ node: Int) -> Int { nulls[node].count }
  func isEmpty(_ node: Int, row: Int) -> Bool { empties[node]?.contains(row) ?? false }
  func hasArray(_ node: Int, row: Int) -> Bool { arrays[node]?.contains(row) ?? false }
  func hasEmpties(_ node: Int) -> Bool { empties[node] != nil }

  /// Whether something is remembered of rows at a node, or below it, that no column holds.
  func hasTraces(_ node: Int) -> Bool {
    if empties[node] != nil || arrays[node] != nil { return true }
    if nodes[node].column < 0, nulls[node].count > 0 { return true }
    if nodes[node].elements >= 0, hasTraces(nodes[node].elements) { return true }
    return children(of: node).contains { hasTraces($0) }
  }
}

/// How the rows of a table are written: what stands at each member, in the order of the members.
struct JSONRowPlan {
  /// What a cell is written as.
  enum Form {
    case plain
    /// 0 and 1 as `false` and `true`.
    case boolean
    /// A text that is JSON.
    case json
    /// A number without a fraction as an integer, as the file had them among others.
    case shortReal
  }

  /// A member, an element, or the row itself.
  struct Item {
    let node: Int
    let key: [UInt8]
    /// Of the result; `nil` where it has no column.
    var column: ColumnIndex?
    var form = Form.plain
    /// Whether `NULL` is written as `null` in rows of the file, and in new ones.
    var writesNull = (known: false, new: false)
    var children: [Item] = []
    /// Those of a row that is an array, by their places.
    var elements: [Int: Item] = [:]
    var elementCount = 0
    var elementsNode = -1
    /// Which of the tables has its elements.
    var table: Int?
  }

  let table: String
  let isLinked: Bool
  /// Whether the table is not there any more.
  let isGone: Bool
  let rows: RowNumbers
  let root: Item
  let sql: String

  /// Where there is no table: what its rows have that takes no column.
  static func gone(_ root: Item) -> JSONRowPlan {
    JSONRowPlan(
      table: "", isLinked: false, isGone: true, rows: RowNumbers(), root: root, sql: "")
  }
}

extension TableSchema.Column {
  var jsonForm: JSONRowPlan.Form {
    switch SQLName.folded(declaredType) {
    case "boolean", "bool": .boolean
    case "json text", "json": .json
    default: .plain
    }
  }
}

/// Numbers of rows, from 1: a bit for each up to the highest.
struct RowSet: Sendable {
  private var words: [UInt64] = []

  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  mutating func insert(_ row: Int) {
    let place = row >> 6
    while words.count <= place { words.append(0) }
    words[place] |= 1 << UInt64(row & 63)
  }

  func contains(_ row: Int) -> Bool {
    guard row >= 0, row >> 6 < words.count else { return false }
    return words[row >> 6] & 1 << UInt64(row & 63) != 0
  }
}

/// Which row of a file has which row id: both grow together.
struct RowNumbers: Sendable {
  private var runs: [(row: Int, id: Int64)] = []
  private(set) var count = 0

  /// Adds the next row of the file.
  mutating func append(_ id: Int64) {
    count += 1
    if let last = runs.last, id &- last.id == Int64(count - last.row) { return }
    runs.append((count, id))
  }

  /// The row of a row id, from 1; `nil` where the file had none.
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

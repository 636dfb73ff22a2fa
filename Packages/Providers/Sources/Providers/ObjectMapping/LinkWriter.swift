internal import SQLiteCore

/// Updates the links of one row that differ.
struct LinkWriter {
  private let connection: Connection
  private let table: String
  private let left: String
  private let right: String
  private let position: String
  private let definition: LinkDefinition
  private let insertSQL: String

  init(_ connection: Connection, _ side: LinkSide) {
    self.connection = connection
    definition = side.definition
    table = SQLName.quoted(definition.name)
    left = SQLName.quoted(definition.left)
    right = SQLName.quoted(definition.right)
    position = SQLName.quoted(side.position)
    guard let other = side.otherPosition.map(SQLName.quoted) else {
      insertSQL = "INSERT INTO \(table) (\(left), \(right), \(position)) VALUES (?, ?, ?)"
      return
    }
    // The link is last in the other side's list. If the last position is in use, both links share
    // it.
    insertSQL =
      """
      INSERT INTO \(table) (\(left), \(right), \(position), \(other)) VALUES (?1, ?2, ?3, \
      (SELECT coalesce(min(max(\(other)), \(Int64.max - 1)) + 1, 0) FROM \(table) WHERE \(right) = ?2))
      """
  }

  /// - Parameters:
  ///   - wanted: The keys of the elements, in order.
  ///   - unloaded: The keys of existing links to keep.
  ///   - others: The links in other lists of the same save, which are kept too.
  func write(
    _ wanted: [SQLiteValue], of owner: SQLiteValue, unloaded: [SQLiteValue], others: Set<Link>
  ) throws {
    var positions: [SQLiteValue: Int64] = [:]
    try connection.forEach(
      "SELECT \(unsafe: right), \(unsafe: position) FROM \(unsafe: table) WHERE \(unsafe: left) = ?",
      owner
    ) { row in
      positions[try row.read(SQLiteValue.self, at: 0)] = try row.read(Int64.self, at: 1)
    }
    var kept: Set<SQLiteValue> = []
    var last: Int64 = -1
    // Links at higher positions leave no room after them, and get new positions.
    let largest = Int64.max - Int64(wanted.count)
    // For a duplicate element, the first position is used.
    for key in wanted where kept.insert(key).inserted {
      if let current = positions[key] {
        if current > last, current <= largest {
          last = current
          continue
        }
        last += 1
        try connection.run(
          "UPDATE \(unsafe: table) SET \(unsafe: position) = ? WHERE \(unsafe: left) = ? AND \(unsafe: right) = ?",
          last, owner, key
        )
      } else {
        last += 1
        try connection.run(SQL(unsafe: insertSQL), values: [owner, key, .integer(last)])
      }
    }
    kept.formUnion(unloaded)
    for key in positions.keys
    where !kept.contains(key) && !others.contains(Link(definition, owner, key)) {
      try connection.run(
        "DELETE FROM \(unsafe: table) WHERE \(unsafe: left) = ? AND \(unsafe: right) = ?", owner,
        key)
    }
  }
}

/// A link, equal when seen from either side.
struct Link: Hashable {
  private let table: FoldedName
  private let first: SQLiteValue
  private let second: SQLiteValue

  init(_ definition: LinkDefinition, _ left: SQLiteValue, _ right: SQLiteValue) {
    table = FoldedName(definition.name)
    first = definition.isFirst ? left : right
    second = definition.isFirst ? right : left
  }
}

extension TableMapping {
  /// Returns the statements that create a table of links, and sets the options for migrating the
  /// existing one: its columns are renamed if the lists have new names; foreign keys identify the
  /// columns.
  ///
  /// - Parameter links: The list of the first side, in this mapping.
  func createSQL(
    ofFirst links: Links, migrating present: DatabaseSchema, _ options: inout SchemaDiff.Options
  ) throws -> [String] {
    var statements = try createSQL(of: links)
    let name = links.definition.name
    guard let table = present.table(name) else { return statements }
    let renamed = renamedColumns(of: table, links)
    if !renamed.isEmpty { options.renamedColumns[name] = renamed }
    func has(_ column: String) -> Bool {
      table.columns.contains { SQLName.isSame($0.name, column) }
    }
    let (first, second) = LinkSide.positions
    let hasTwoSides = try side(of: links).otherPosition != nil
    if !has(first) {
      // Links written by another library: their order is the order of insertion.
      let insertionOrder = table.isWithoutRowID || has("rowid") ? "0" : "rowid"
      options.values[name] = [first: insertionOrder]
      if hasTwoSides, !has(second) { options.values[name]?[second] = insertionOrder }
    } else if hasTwoSides, !has(second) {
      // The order of the lists of either side so far.
      options.values[name] = [second: SQLName.quoted(first)]
    }
    // The index can keep its old name.
    let indexed =
      renamed.first { $0.value == links.definition.right }?.key ?? links.definition.right
    let isIndexed = table.indexes.contains { index in
      !index.isPartial && index.columns.count == 1
        && index.columns[0].map { SQLName.isSame($0, indexed) } ?? false
    }
    if isIndexed { statements.removeLast() }
    return statements
  }

  /// Returns the columns of a table of links to rename.
  private func renamedColumns(of table: TableSchema, _ links: Links) -> [String: String] {
    let wanted = [
      (name: links.definition.left, parent: self.table),
      (name: links.definition.right, parent: links.elementType.tableName),
    ]
    let keys = table.foreignKeys.filter { $0.columns.count == 1 }
    var renamed: [String: String] = [:]
    for (index, column) in wanted.enumerated()
    where !table.columns.contains(where: { SQLName.isSame($0.name, column.name) }) {
      let candidates = table.columns.filter { old in
        keys.contains {
          SQLName.isSame($0.columns[0], old.name) && SQLName.isSame($0.parentTable, column.parent)
        } && !wanted.contains { SQLName.isSame($0.name, old.name) }
      }
      let found =
        candidates.count == 1
        ? candidates.first : candidates.first { $0.primaryKeyPosition == index + 1 }
      if let found, renamed[found.name] == nil { renamed[found.name] = column.name }
    }
    return renamed
  }
}

/// A type-erased ``CrossReference``.
protocol AnyCrossReference: SendableMetatype {
  static var elementType: any DataTable.Type { get }
  var definition: LinkDefinition { get }
  var elements: [any DataTable] { get }
  var unloaded: [Record.Key] { get }
  var rowSnapshot: [SQLiteValue]? { get }
  var wasChanged: Bool { get }

  /// Creates a list of loaded elements; `nil` if an element has another type.
  init?(_ definition: LinkDefinition, _ content: LinkedContent)

  /// Returns a list whose elements are set later.
  static func pending(_ definition: LinkDefinition) -> (list: Any, elements: any PendingElements)
}

/// The names of a table of links.
struct LinkDefinition: Hashable, Sendable {
  let name: String
  let left: String
  let right: String
}

/// The content of a list of links.
struct LinkedContent {
  var elements: [Any] = []
  var unloaded: [Record.Key] = []
  /// The values of the owner's row, if the list is loaded for a back reference.
  var rowSnapshot: [SQLiteValue]?
}

/// The elements of an instance's list, which are set after the instance was created.
protocol PendingElements: AnyObject {
  /// A Boolean value that indicates whether the elements were accessed before they were set, by a
  /// custom `init(from:)`.
  var wereAccessedEarly: Bool { get }
  /// - Returns: `false` if an element has another type.
  func fill(_ content: LinkedContent) -> Bool
}

/// The typed elements of an instance's list, which are set after the instance was created.
//
// Unchecked: the loading thread sets all state before the load ends, and the state is never
// modified afterwards.
final class LoadedElements<Element: DataTable>: PendingElements {
  private var filled: (elements: [Element], unloaded: [Record.Key])?
  private(set) var wereAccessedEarly = false

  var elements: [Element] { filled?.elements ?? accessedEarly([]) }
  var unloaded: [Record.Key] { filled?.unloaded ?? accessedEarly([]) }

  private func accessedEarly<Value>(_ value: Value) -> Value {
    wereAccessedEarly = true
    return value
  }

  func fill(_ content: LinkedContent) -> Bool {
    guard let elements = CrossReference<Element>.typed(content.elements) else { return false }
    filled = (elements, content.unloaded)
    return true
  }
}

extension LoadedElements: @unchecked Sendable where Element: Sendable {}

internal import SQLiteCore

/// Writes the links of one row, those that differ and no others.
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
    // In the other side's list it comes last. Behind the last place there is, it shares that.
    insertSQL =
      """
      INSERT INTO \(table) (\(left), \(right), \(position), \(other)) VALUES (?1, ?2, ?3, \
      (SELECT coalesce(min(max(\(other)), \(Int64.max - 1)) + 1, 0) FROM \(table) WHERE \(right) = ?2))
      """
  }

  /// - Parameters:
  ///   - wanted: The keys of the elements, in their order.
  ///   - unloaded: The keys whose links stay as they are, if they are still there.
  ///   - others: What other lists of the same save have, which stay too.
  func write(
    _ wanted: [SQLiteValue], of owner: SQLiteValue, unloaded: [SQLiteValue], others: Set<Link>
  ) throws {
    var present: [SQLiteValue: Int64] = [:]
    try connection.forEach(
      "SELECT \(unsafe: right), \(unsafe: position) FROM \(unsafe: table) WHERE \(unsafe: left) = ?",
      owner
    ) { row in
      present[try row.read(SQLiteValue.self, at: 0)] = try row.read(Int64.self, at: 1)
    }
    var kept: Set<SQLiteValue> = []
    var last: Int64 = -1
    // Links that stand beyond have no room behind them, and get new places.
    let largest = Int64.max - Int64(wanted.count)
    // Of an element that is there twice, the first place counts.
    for key in wanted where kept.insert(key).inserted {
      if let place = present[key] {
        if place > last, place <= largest {
          last = place
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
    for key in present.keys
    where !kept.contains(key) && !others.contains(Link(definition, owner, key)) {
      try connection.run(
        "DELETE FROM \(unsafe: table) WHERE \(unsafe: left) = ? AND \(unsafe: right) = ?", owner,
        key)
    }
  }
}

/// A link, the same from whichever side it is looked at.
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

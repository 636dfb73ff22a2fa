internal import SQLiteCore

/// Writes the links of one row, those that differ and no others.
struct LinkWriter {
  private let connection: Connection
  private let table: String
  private let left: String
  private let right: String
  private let position = SQLName.quoted(TablePlan.positionColumn)

  init(_ connection: Connection, _ definition: LinkDefinition) {
    self.connection = connection
    table = SQLName.quoted(definition.name)
    left = SQLName.quoted(definition.left)
    right = SQLName.quoted(definition.right)
  }

  /// - Parameters:
  ///   - wanted: The keys of the elements, in their order.
  ///   - unloaded: The keys whose links stay as they are, if they are still there.
  func write(_ wanted: [SQLiteValue], of owner: SQLiteValue, unloaded: [SQLiteValue]) throws {
    var present: [SQLiteValue: Int64] = [:]
    try connection.forEach(
      "SELECT \(right), \(position) FROM \(table) WHERE \(left) = ?", owner
    ) { row in
      present[try row.read(SQLiteValue.self, at: 0)] = try row.read(Int64.self, at: 1)
    }
    var kept = Set(unloaded)
    var last: Int64 = -1
    for key in wanted where kept.insert(key).inserted || unloaded.contains(key) {
      if let place = present[key] {
        if place > last {
          last = place
          continue
        }
        last += 1
        try connection.run(
          "UPDATE \(table) SET \(position) = ? WHERE \(left) = ? AND \(right) = ?", last, owner, key
        )
      } else {
        last += 1
        try connection.run(
          "INSERT INTO \(table) (\(left), \(right), \(position)) VALUES (?, ?, ?)", owner, key, last
        )
        // Of an element that is there twice, the first place counts.
        present[key] = last
      }
    }
    for key in present.keys where !kept.contains(key) {
      try connection.run("DELETE FROM \(table) WHERE \(left) = ? AND \(right) = ?", owner, key)
    }
  }
}

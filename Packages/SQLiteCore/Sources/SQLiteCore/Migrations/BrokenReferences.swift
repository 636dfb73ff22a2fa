/// The rows that refer to nothing before a change, which must not add to them.
struct BrokenReferences {
  private struct Key: Hashable {
    let check: ExactText
    let table: String
    let rowID: Int64?
    let parent: String

    var withoutRowID: Key { Key(check: check, table: table, rowID: nil, parent: parent) }
  }

  private var counts: [Key: Int] = [:]

  /// None at all.
  init() {}

  /// - Parameter checks: The `PRAGMA`s that list them.
  init(_ checks: [String], on connection: Connection) throws {
    for check in checks {
      do {
        try connection.forEach(SQL(unsafe: check)) {
          counts[try Self.key($0, check), default: 0] += 1
        }
      } catch let error as SQLiteError where error.code.primary == .error {
        // A reference that does not fit its parent: the change may be what mends it.
      }
    }
  }

  /// Fails where there are others now.
  ///
  /// - Parameter keepsRowIDs: Whether a row that was broken before has the rowid that it had.
  func refuseOthers(
    _ checks: [String], keepsRowIDs: Bool = true, on connection: Connection
  ) throws {
    var known = counts
    if !keepsRowIDs {
      known = [:]
      for (key, count) in counts { known[key.withoutRowID, default: 0] += count }
    }
    for check in checks {
      try connection.forEach(SQL(unsafe: check)) { row in
        let key = try Self.key(row, check)
        let place = keepsRowIDs ? key : key.withoutRowID
        if let count = known[place], count > 0 {
          known[place] = count - 1
        } else {
          throw try Connection.brokenReference(row)
        }
      }
    }
  }

  private static func key(
    _ row: borrowing Row, _ check: String
  ) throws(SQLiteError) -> Key {
    Key(
      check: ExactText(check), table: try row.read(at: 0), rowID: try row.read(at: 1),
      parent: try row.read(at: 2))
  }
}

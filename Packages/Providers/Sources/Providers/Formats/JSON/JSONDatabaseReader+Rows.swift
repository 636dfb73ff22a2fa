internal import Primitives
internal import SQLiteCore

// Rows, and their values.
extension JSONDatabaseReader {
  mutating func readRows(_ table: StoredTable, rowID: String?) throws {
    var names = table.columns.map(\.name)
    if let rowID {
      try require(
        ["rowid", "_rowid_", "oid"].contains(SQLName.folded(rowID)) && !names.contains(rowID),
        "expected rowid, _rowid_ or oid")
      names.append(rowID)
    }
    let places = Dictionary(
      names.enumerated().map { (Array(SQLName.folded($1).utf8), $0) },
      uniquingKeysWith: { first, _ in first })
    let rows = try builder.placed(position, table.name) {
      try DeclaredTable(table.name, columns: names, in: builder.connection)
    }
    /// The columns of keys.
    var columns: [Int] = []
    while let event = try element() {
      try require(event == .beginObject, "expected a row")
      while let event = try member() {
        let key = reader.key
        while columns.count <= key { columns.append(-1) }
        if columns[key] < 0 {
          guard let place = places[Array(SQLName.folded(self.key).utf8)] else {
            throw failure("the table has no column \(self.key)", table: table.name)
          }
          columns[key] = place
        }
        try rows.set(columns[key], try value(event, table.name))
      }
      try builder.placed(position, table.name) { try rows.endRow() }
    }
  }

  private mutating func value(_ event: JSONEvent, _ table: String) throws -> SQLiteValue {
    switch event {
    case .null: return .null
    case .integer: return .integer(reader.integer)
    case .double: return .real(reader.double)
    case .bool: return .integer(reader.bool ? 1 : 0)
    case .string: return .text(text())
    case .number:
      throw failure("no type of SQLite holds the number without rounding it", table: table)
    case .beginObject: return try special(table)
    case .beginArray, .endObject, .endArray, .end, .incomplete:
      throw failure("expected a value", table: table)
    }
  }

  /// A blob, or an infinity.
  private mutating func special(_ table: String) throws -> SQLiteValue {
    var value: SQLiteValue?
    while let event = try member() {
      try require(event == .string && value == nil, "expected a blob or an infinity")
      switch (key, key == "real" ? text() : "") {
      case ("blob", _):
        let bytes = reader.withText(in: window.bytes.elementSpan) { try? Base64.decoded($0) }
        guard let bytes else { throw failure("the blob is not Base64", table: table) }
        value = .blob(bytes)
      case ("real", "Infinity"): value = .real(.infinity)
      case ("real", "-Infinity"): value = .real(-.infinity)
      default: throw failure("expected a blob or an infinity", table: table)
      }
    }
    guard let value else { throw failure("expected a blob or an infinity", table: table) }
    return value
  }
}

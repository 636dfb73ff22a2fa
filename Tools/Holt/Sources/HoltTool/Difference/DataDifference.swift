import SQLiteCore

/// Two tables with different names that are compared.
struct TablePair {
  var old: String
  var new: String
}

/// Computes the row-by-row difference between two databases.
struct DataDifference {
  /// A difference between two tables or rows.
  enum Change {
    /// The table exists in only one database.
    case table(String, isAdded: Bool, rowCount: Int)
    /// The column exists in only one database and is not compared.
    case column(String, of: String, isAdded: Bool)
    case row(RowChange)
  }

  struct RowChange {
    enum Kind: String { case added, removed, changed }

    var table: String
    var kind: Kind
    /// The key columns and their values; empty if the table has no key.
    var key: [(column: String, value: SQLiteValue)]
    /// The added or removed row.
    var row: [(column: String, value: SQLiteValue)] = []
    /// The columns that differ.
    var columns: [(column: String, old: SQLiteValue, new: SQLiteValue)] = []
  }

  struct Counts {
    var added = 0
    var removed = 0
    var changed = 0
    var isEmpty: Bool { added + removed + changed == 0 }
  }

  private let old: Connection
  private let new: Connection
  /// The tables to compare; empty for all tables.
  private let tables: [String]
  /// The columns that identify rows; empty for the primary key.
  private let key: [String]
  private let pair: TablePair?

  init(
    _ old: Connection, _ new: Connection, tables: [String], key: [String], pair: TablePair? = nil
  ) {
    (self.old, self.new, self.tables, self.key, self.pair) = (old, new, tables, key, pair)
  }

  /// Compares the databases.
  ///
  /// - Parameters:
  ///   - report: Receives each difference.
  ///   - end: Receives the name and the counts of each table that differs.
  /// - Complexity: Holds one row of each database in memory. Without an index in the key's order,
  ///   SQLite sorts the rows.
  func run(_ report: (Change) throws -> Void, end: (String, Counts) throws -> Void) throws {
    let (before, after) = (try comparable(old), try comparable(new))
    for name in tables
    where !(before + after).contains(where: { SQLName.isSame($0.name.name, name) }) {
      throw ToolError("neither file has a table \(name)")
    }
    if let pair, let table = before.first, let other = after.first,
      isWanted(table) || isWanted(other)
    {
      let counts = try compare(table, other, report)
      if !counts.isEmpty { try end(pair.old, counts) }
      return
    }
    for table in before where isWanted(table) {
      guard let other = after.first(where: { SQLName.isSame($0.name.name, table.name.name) })
      else {
        try report(
          .table(table.name.name, isAdded: false, rowCount: try count(of: table, old)))
        continue
      }
      let counts = try compare(table, other, report)
      if !counts.isEmpty { try end(table.name.name, counts) }
    }
    for table in after
    where isWanted(table)
      && !before.contains(where: { SQLName.isSame($0.name.name, table.name.name) })
    {
      try report(.table(table.name.name, isAdded: true, rowCount: try count(of: table, new)))
    }
  }

  private func comparable(_ connection: Connection) throws -> [TableSchema] {
    try connection.databaseSchema().tables
  }

  private func isWanted(_ table: TableSchema) -> Bool {
    tables.isEmpty || tables.contains { SQLName.isSame($0, table.name.name) }
  }

  private func count(of table: TableSchema, _ connection: Connection) throws -> Int {
    try connection.value(Int.self, "SELECT count(*) FROM \(identifier: table.name.name)") ?? 0
  }

  // MARK: One table

  private func compare(
    _ before: TableSchema, _ after: TableSchema, _ report: (Change) throws -> Void
  ) throws -> Counts {
    let name = before.name.name
    let (oldColumns, newColumns) = (Self.columns(before), Self.columns(after))
    func lacks(_ columns: [String], _ name: String) -> Bool {
      !columns.contains { SQLName.isSame($0, name) }
    }
    for column in oldColumns where lacks(newColumns, column) {
      try report(.column(column, of: name, isAdded: false))
    }
    for column in newColumns where lacks(oldColumns, column) {
      try report(.column(column, of: name, isAdded: true))
    }
    let shared = oldColumns.filter { !lacks(newColumns, $0) }
    guard !shared.isEmpty else { return Counts() }
    let key = try keyColumns(before, after, shared)
    // Without a key, the whole row is the key.
    let columns = key.isEmpty ? shared : key + shared.filter { lacks(key, $0) }
    var rowComparison = MergeComparison(
      table: name, columns: columns, keyCount: key.isEmpty ? columns.count : key.count,
      hasKey: !key.isEmpty)
    let sql = { (table: TableSchema) in
      let list = columns.map(SQLName.quoted).joined(separator: ", ")
      let order = columns.prefix(rowComparison.keyCount).map {
        "\(SQLName.quoted($0)) COLLATE BINARY"
      }
      return
        "SELECT \(list) FROM \(SQLName.quoted(table.name.name)) ORDER BY \(order.joined(separator: ", "))"
    }
    let (left, right) = (
      try old.prepare(SQL(unsafe: sql(before))), try new.prepare(SQL(unsafe: sql(after)))
    )
    try rowComparison.run(left, right) { try report(.row($0)) }
    return rowComparison.counts
  }

  private static func columns(_ table: TableSchema) -> [String] {
    table.columns.filter { $0.kind == .stored }.map(\.name)
  }

  private func keyColumns(
    _ before: TableSchema, _ after: TableSchema, _ shared: [String]
  ) throws -> [String] {
    if !key.isEmpty {
      return try key.map { name in
        guard let column = shared.first(where: { SQLName.isSame($0, name) }) else {
          throw ToolError(
            "the column \(name) of the table \(before.name.name) does not exist in both files")
        }
        return column
      }
    }
    let (oldKey, newKey) = (before.primaryKey.map(\.name), after.primaryKey.map(\.name))
    // If one side declares no key, such as a CSV file, the other side's key is used.
    let known = oldKey.isEmpty ? newKey : oldKey
    guard
      oldKey.isEmpty || newKey.isEmpty || oldKey.map(SQLName.folded) == newKey.map(SQLName.folded),
      known.allSatisfy({ name in shared.contains { SQLName.isSame($0, name) } })
    else { return [] }
    return known
  }
}

/// Compares two results that are sorted by key, in one pass.
private struct MergeComparison {
  let table: String
  let columns: [String]
  let keyCount: Int
  let hasKey: Bool
  var counts = DataDifference.Counts()

  mutating func run(
    _ left: Statement, _ right: Statement,
    _ report: (DataDifference.RowChange) throws -> Void
  ) throws {
    func next(_ statement: Statement) throws -> [SQLiteValue]? {
      try statement.step() ? try statement.row.values : nil
    }
    var (a, b) = (try next(left), try next(right))
    while a != nil || b != nil {
      let order: Int
      if let a, let b {
        order = ValueOrder.compare(Array(a.prefix(keyCount)), Array(b.prefix(keyCount)))
      } else {
        order = a != nil ? -1 : 1
      }
      if order < 0, let row = a {
        counts.removed += 1
        try report(change(.removed, row))
        a = try next(left)
      } else if order > 0, let row = b {
        counts.added += 1
        try report(change(.added, row))
        b = try next(right)
      } else if let old = a, let new = b {
        let differing = columns.indices.filter { ValueOrder.compare(old[$0], new[$0]) != 0 }
        if !differing.isEmpty {
          counts.changed += 1
          var change = change(.changed, new)
          change.row = []
          change.columns = differing.map { (columns[$0], old[$0], new[$0]) }
          try report(change)
        }
        (a, b) = (try next(left), try next(right))
      }
    }
  }

  private func change(
    _ kind: DataDifference.RowChange.Kind, _ row: [SQLiteValue]
  ) -> DataDifference.RowChange {
    let pairs = zip(columns, row).map { (column: $0, value: $1) }
    return .init(
      table: table, kind: kind, key: hasKey ? Array(pairs.prefix(keyCount)) : [], row: pairs)
  }
}

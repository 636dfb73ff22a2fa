internal import QueryModel

/// The tables and columns that a statement reads, and the tables that it writes.
struct AccessLog: Sendable {
  struct TableKey: Hashable, Sendable {
    let database: NameKey
    let name: String
  }

  /// Which columns of a table are read.
  enum Columns: Hashable, Sendable {
    case all
    case some(Set<String>)

    func union(_ other: Columns) -> Columns {
      guard case .some(let left) = self, case .some(let right) = other else { return .all }
      return .some(left.union(right))
    }
  }

  private(set) var reads: [TableKey: Columns] = [:]
  private(set) var writes: Set<TableKey> = []

  mutating func read(_ table: Table) {
    note(TableKey(database: table.database, name: table.name), .some([]))
  }

  mutating func read(_ origin: ColumnOrigin) {
    note(TableKey(database: origin.database, name: origin.table), .some([origin.column]))
  }

  /// Notes a column, or the whole table where it is the rowid, which changes without a column.
  mutating func read(_ column: ResolvedColumn, _ origin: ColumnOrigin) {
    guard column.column == ResolvedColumn.rowID else { return read(origin) }
    note(TableKey(database: origin.database, name: origin.table), .all)
  }

  mutating func write(_ table: Table) {
    writes.insert(TableKey(database: table.database, name: table.name))
  }

  mutating func merge(_ other: AccessLog) {
    for (key, columns) in other.reads { note(key, columns) }
    writes.formUnion(other.writes)
  }

  private mutating func note(_ key: TableKey, _ columns: Columns) {
    reads[key] = reads[key]?.union(columns) ?? columns
  }

  /// The reads as the model has them, where no columns stand for all.
  var tableAccesses: [TableAccess] {
    reads.map { key, columns in
      switch columns {
      case .all: TableAccess(table: key.name, columns: [])
      case .some(let names): TableAccess(table: key.name, columns: names.sorted())
      }
    }.sorted { $0.table < $1.table }
  }
}

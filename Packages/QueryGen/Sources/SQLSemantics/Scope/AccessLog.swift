internal import QueryModel

/// A log of the tables and columns that a statement reads and the tables that it writes.
struct AccessLog: Sendable {
  struct TableKey: Hashable, Sendable {
    let database: NameKey
    let name: String
  }

  /// The columns that are read from a table.
  enum Columns: Hashable, Sendable {
    case all
    case some(Set<String>)
  }

  private(set) var reads: [TableKey: Columns] = [:]
  private(set) var writes: Set<TableKey> = []
  /// The number of `FROM` clauses that contain each table. A view counts once, regardless of how
  /// often it is used.
  private var scans: [TableKey: Int] = [:]

  mutating func read(_ table: Table) {
    let key = TableKey(database: table.database, name: table.name)
    scans[key, default: 0] += 1
    record(key, .some([]))
  }

  mutating func read(_ origin: ColumnOrigin) {
    record(TableKey(database: origin.database, name: origin.table), .some([origin.column]))
  }

  /// Records a column, or the whole table for the rowid, which can change without a column
  /// changing.
  mutating func read(_ column: ResolvedColumn, _ origin: ColumnOrigin) {
    guard column.column == ResolvedColumn.rowID else { return read(origin) }
    record(TableKey(database: origin.database, name: origin.table), .all)
  }

  mutating func write(_ table: Table) {
    writes.insert(TableKey(database: table.database, name: table.name))
  }

  mutating func merge(_ other: AccessLog) {
    for (key, columns) in other.reads { record(key, columns) }
    writes.formUnion(other.writes)
    scans.merge(other.scans, uniquingKeysWith: +)
  }

  private mutating func record(_ key: TableKey, _ columns: Columns) {
    // Removed from the dictionary, so that the set is changed in place.
    switch (reads.removeValue(forKey: key), columns) {
    case (nil, _): reads[key] = columns
    case (.some(.some(var names)), .some(let more)):
      names.formUnion(more)
      reads[key] = .some(names)
    default: reads[key] = .all
    }
  }

  /// Returns the reads in the model's form, in which an empty column list means all columns.
  ///
  /// - Parameter conditions: The row conditions of the outermost select. They apply to tables that
  ///   are read only once.
  func tableAccesses(_ conditions: RowPredicateBuilder?) -> [TableAccess] {
    reads.map { key, columns in
      let rows = scans[key] == 1 ? conditions?.tables[key] : nil
      return switch columns {
      case .all: TableAccess(table: key.name, columns: [], rows: rows)
      case .some(let names): TableAccess(table: key.name, columns: names.sorted(), rows: rows)
      }
    }.sorted { $0.table < $1.table }
  }
}

internal import QueryModel

/// A log of the tables and columns that a statement reads and the tables that it writes.
struct AccessLog: Sendable {
  struct TableKey: Hashable, Sendable {
    let database: NameKey
    let name: String

    init(database: NameKey, name: String) {
      self.database = database
      self.name = name
    }

    init(_ table: Table) { self.init(database: table.database, name: table.name) }
  }

  /// The columns that are read from a table.
  enum Columns: Hashable, Sendable {
    case all
    case some(Set<String>)
  }

  private(set) var reads: [TableKey: Columns] = [:]
  private(set) var writes: Set<TableKey> = []
  /// The entries of `FROM` clauses by table, with the conditions that their rows must satisfy; `nil`
  /// if any row may affect the statement. Those of a view count once, regardless of how often it is
  /// used.
  private var scans: [TableKey: [(source: SourceID, rows: RowCondition?)]] = [:]
  /// The conditions on columns that selects return unchanged, by the entry of the `FROM` clause.
  private var passedConditions: [SourceID: [(selects: [ScopeID], rows: RowCondition)]] = [:]
  /// The number of `FROM` clauses that contain each select.
  private var uses: [ScopeID: Int] = [:]

  /// Records an entry of a `FROM` clause.
  mutating func read(_ table: Table, as source: SourceID) {
    let key = TableKey(table)
    scans[key, default: []].append((source: source, rows: nil))
    record(key, .some([]))
  }

  /// Records that a select is an entry of a `FROM` clause.
  mutating func use(_ select: ScopeID) { uses[select, default: 0] += 1 }

  /// Records a condition that the rows of an entry must satisfy.
  mutating func restrict(_ table: TableKey, in source: SourceID, to rows: RowCondition) {
    guard let index = scans[table]?.lastIndex(where: { $0.source == source }) else { return }
    scans[table]?[index].rows = rows
  }

  /// Records a condition on columns that selects return unchanged.
  mutating func restrict(through path: ScanPath, to rows: RowCondition) {
    passedConditions[path.scan, default: []].append((selects: path.selects, rows: rows))
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
    passedConditions.merge(other.passedConditions, uniquingKeysWith: +)
    uses.merge(other.uses, uniquingKeysWith: +)
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

  /// Returns the condition that a table's rows must satisfy to affect the statement; `nil` if any row
  /// may.
  private func rows(of table: TableKey) -> RowCondition? {
    guard let scans = scans[table] else { return nil }
    let conditions = scans.map { scan -> RowCondition? in
      // A condition on one use of a select does not apply to its other uses.
      let passed = (passedConditions[scan.source] ?? []).filter { passed in
        passed.selects.allSatisfy { uses[$0] == 1 }
      }
      return ([scan.rows].compactMap(\.self) + passed.map(\.rows)).reduce(nil) { all, next in
        all.map { $0 && next } ?? next
      }
    }
    return .any(of: conditions)
  }

  /// Returns the reads in the model's form, in which an empty column list means all columns.
  ///
  /// - Parameter isRestricted: Whether the conditions on rows are included.
  func tableAccesses(isRestricted: Bool) -> [TableAccess] {
    reads.map { key, columns in
      let rows = isRestricted ? rows(of: key) : nil
      let names =
        switch columns {
        case .all: [String]()
        case .some(let names): names.sorted()
        }
      return TableAccess(
        schema: key.database == "main" ? nil : key.database.folded, table: key.name,
        columns: names, rows: rows)
    }.sorted { ($0.schema ?? "", $0.table) < ($1.schema ?? "", $1.table) }
  }
}

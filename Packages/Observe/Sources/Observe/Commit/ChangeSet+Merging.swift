internal import SQLiteCore

extension ChangeSet {
  /// Adds what later commits changed: the tables and columns, without the rows.
  mutating func merge(_ later: ChangeSet) {
    sequences = sequences.lowerBound...max(sequences.upperBound, later.sequences.upperBound)
    schemaChanged = schemaChanged || later.schemaChanged
    isUnbounded = isUnbounded || later.isUnbounded
    origins.formUnion(later.origins)
    for table in Array(tables.keys) { tables[table]?.forgetRows() }
    for (table, change) in later.tables { merge(change, into: table) }
  }

  /// Adds what was done to a table, without the rows.
  mutating func merge(_ change: TableChange, into table: TableName) {
    var merged = tables[table] ?? TableChange(kinds: [])
    merged.kinds.formUnion(change.kinds)
    merged.updatedColumns.formUnion(change.updatedColumns)
    merged.forgetRows()
    tables[table] = merged
  }

  /// The memory that the rows take, about.
  var weight: Int {
    tables.values.reduce(64) { sum, change in
      (change.rows ?? []).reduce(sum + 128) { sum, row in
        sum + 96 + ((row.old ?? []) + (row.new ?? [])).reduce(0) { $0 + $1.weight }
      }
    }
  }
}

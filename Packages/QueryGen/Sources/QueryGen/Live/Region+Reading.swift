extension Region {
  /// What a statement reads: tables with those of their columns that matter; none stand for all.
  public init(reading tables: KeyValuePairs<String, [String]>) {
    var region = Region.nothing
    for (table, columns) in tables {
      let name = TableName(table)
      region = region.union(
        columns.isEmpty ? .table(name) : .columns(name, Set(columns.map { ColumnName($0) })))
    }
    self = region
  }
}

public import SQLiteCore

extension Region {
  /// What statements read, as SQLite's compiler reported it: views and triggers seen through.
  ///
  /// SQLite's own tables change without a word: whoever reads them depends on everything.
  public init(_ access: StatementAccess) {
    var tables: [TableName: TableRegion] = [:]
    for (table, columns) in access.reads {
      if table.isInternal {
        self = .everything
        return
      }
      let names = columns.map { ColumnName($0) }
      tables[table] = TableRegion(columns: .some(Set(names)))
    }
    self = Region(extent: .tables(tables))
  }
}

extension TableName {
  /// Whether SQLite itself keeps the table: `sqlite_sequence`, `sqlite_stat1`, the schema.
  var isInternal: Bool {
    name.utf8.count >= 7
      && name.utf8.prefix(7).elementsEqual("sqlite_".utf8) { $0 | 0x20 == $1 | 0x20 }
  }
}

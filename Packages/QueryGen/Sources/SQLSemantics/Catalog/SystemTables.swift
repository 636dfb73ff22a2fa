internal import QueryModel

extension Catalog {
  /// `sqlite_schema` and its other names, `sqlite_sequence`, and the statistics of `ANALYZE`.
  func systemTable(_ name: NameKey, in database: NameKey?) -> Table? {
    guard name.folded.hasPrefix("sqlite_") else { return nil }
    switch name {
    case "sqlite_master", "sqlite_schema":
      let home = database ?? "main"
      guard databaseIndex(home) != nil else { return nil }
      return schemaTable(home == "temp" ? "sqlite_temp_master" : "sqlite_master", in: home)
    case "sqlite_temp_master", "sqlite_temp_schema":
      guard database == nil || database == "temp" else { return nil }
      return schemaTable("sqlite_temp_master", in: "temp")
    default: return nil
    }
  }

  private func schemaTable(_ name: String, in database: NameKey) -> Table {
    var table = Table(
      name: name, database: database, kind: .system,
      columns: [
        Column("type", declaredType: "TEXT"), Column("name", declaredType: "TEXT"),
        Column("tbl_name", declaredType: "TEXT"), Column("rootpage", declaredType: "INT"),
        Column("sql", declaredType: "TEXT"),
      ])
    table.isWritable = false
    return table
  }

  /// The table that the first `AUTOINCREMENT` makes.
  static func sequenceTable(in database: NameKey) -> Table {
    Table(
      name: "sqlite_sequence", database: database, kind: .system,
      columns: [Column("name"), Column("seq")])
  }

  /// The table that `ANALYZE` makes.
  static func statisticsTable(in database: NameKey) -> Table {
    Table(
      name: "sqlite_stat1", database: database, kind: .system,
      columns: [Column("tbl"), Column("idx"), Column("stat")])
  }
}

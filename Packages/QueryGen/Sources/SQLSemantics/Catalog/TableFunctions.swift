internal import QueryModel
internal import SQLSyntax

/// Tables that need no `CREATE`: `json_each`, `pragma_table_info` and their kind.
enum TableFunctions {
  static func find(_ name: NameKey) -> Table? {
    switch name {
    case "json_each", "json_tree", "jsonb_each", "jsonb_tree": return json(name)
    case "dbstat": return dbstat
    case "sqlite_stmt": return sqliteStatements
    case "fts3tokenize": return tokenizer
    default:
      guard name.folded.hasPrefix("pragma_") else { return nil }
      return pragma(String(name.folded.dropFirst("pragma_".count)))
    }
  }

  /// The release that brought the function, where that is newer than the standard one.
  static func since(_ name: NameKey) -> SQLiteVersion? {
    name == "jsonb_each" || name == "jsonb_tree" ? SQLiteVersion(3, 51) : nil
  }

  static func make(_ name: NameKey, _ columns: [Column]) -> Table {
    // Every hidden column is an argument.
    var table = Table(
      name: name.folded, database: "main",
      kind: .function(maximumArguments: columns.count { $0.isHidden }), columns: columns)
    table.isWritable = false
    return table
  }

  // https://www.sqlite.org/json1.html#jeach
  private static func json(_ name: NameKey) -> Table {
    make(
      name,
      [
        Column("key", type: .any),
        Column("value", type: .any),
        Column("type", type: .text, isNotNull: true),
        Column("atom", type: .any),
        Column("id", type: .integer, isNotNull: true),
        Column("parent", type: .integer),
        Column("fullkey", type: .text, isNotNull: true),
        Column("path", type: .text, isNotNull: true),
        Column("json", type: .any, isHidden: true),
        Column("root", type: .any, isHidden: true),
      ])
  }

  // https://www.sqlite.org/dbstat.html
  private static var dbstat: Table {
    make(
      "dbstat",
      [
        Column("name", declaredType: "TEXT"), Column("path", declaredType: "TEXT"),
        Column("pageno", declaredType: "INTEGER"), Column("pagetype", declaredType: "TEXT"),
        Column("ncell", declaredType: "INTEGER"), Column("payload", declaredType: "INTEGER"),
        Column("unused", declaredType: "INTEGER"), Column("mx_payload", declaredType: "INTEGER"),
        Column("pgoffset", declaredType: "INTEGER"), Column("pgsize", declaredType: "INTEGER"),
        Column("schema", declaredType: "TEXT", isHidden: true),
        Column("aggregate", declaredType: "BOOLEAN", isHidden: true),
      ])
  }

  // https://www.sqlite.org/series.html
  static var series: Table {
    make(
      "generate_series",
      [Column("value", declaredType: "INTEGER", isNotNull: true)]
        + ["start", "stop", "step"].map { Column($0, declaredType: "INTEGER", isHidden: true) })
  }

  private static var sqliteStatements: Table {
    make(
      "sqlite_stmt",
      ["sql", "ncol", "ro", "busy", "nscan", "nsort", "naidx", "nstep", "reprep", "run", "mem"]
        .map { Column($0, type: $0 == "sql" ? .text : .integer) })
  }

  private static var tokenizer: Table {
    make(
      "fts3tokenize",
      ["input", "token", "start", "end", "position"].map { Column($0) })
  }
}

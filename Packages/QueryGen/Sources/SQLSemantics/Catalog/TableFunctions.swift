internal import QueryModel
internal import SQLSyntax

/// The table-valued functions and other built-in tables: `json_each`, `pragma_table_info`, `dbstat`
/// and others.
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

  /// Returns the release that introduced the function, if it is newer than the standard release.
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

  /// Creates the table with the name of an eponymous module.
  static func make(_ module: ModuleDefinition) -> Table {
    var table = make(NameKey(module.name), module.columns.map { Column($0) })
    table.name = module.name
    table.isWritable = !module.isReadOnly
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
  static var dbstat: Table {
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

extension TableFunctions {
  /// The columns of each pragma that returns rows. The names of hidden columns begin with `-`.
  private static let pragmas: [String: String] = [
    "analysis_limit": "analysis_limit",
    "application_id": "application_id",
    "auto_vacuum": "auto_vacuum -schema",
    "automatic_index": "automatic_index",
    "busy_timeout": "timeout",
    "cache_size": "cache_size -schema",
    "cache_spill": "cache_spill -schema",
    "cell_size_check": "cell_size_check",
    "checkpoint_fullfsync": "checkpoint_fullfsync",
    "collation_list": "seq name",
    "compile_options": "compile_options",
    "count_changes": "count_changes",
    "data_version": "data_version",
    "database_list": "seq name file",
    "default_cache_size": "cache_size -schema",
    "defer_foreign_keys": "defer_foreign_keys",
    "empty_result_callbacks": "empty_result_callbacks",
    "encoding": "encoding",
    "foreign_key_check": "table rowid parent fkid -arg -schema",
    "foreign_key_list": "id seq table from to on_update on_delete match -arg -schema",
    "foreign_keys": "foreign_keys",
    "freelist_count": "freelist_count",
    "full_column_names": "full_column_names",
    "fullfsync": "fullfsync",
    "function_list": "name builtin type enc narg flags",
    "hard_heap_limit": "hard_heap_limit",
    "ignore_check_constraints": "ignore_check_constraints",
    "index_info": "seqno cid name -arg -schema",
    "index_list": "seq name unique origin partial -arg -schema",
    "index_xinfo": "seqno cid name desc coll key -arg -schema",
    "integrity_check": "integrity_check -arg -schema",
    "journal_mode": "journal_mode -schema",
    "journal_size_limit": "journal_size_limit -schema",
    "legacy_alter_table": "legacy_alter_table",
    "locking_mode": "locking_mode -schema",
    "max_page_count": "max_page_count -schema",
    "module_list": "name",
    "optimize": "optimize -arg",
    "page_count": "page_count -schema",
    "page_size": "page_size -schema",
    "pragma_list": "name",
    "query_only": "query_only",
    "quick_check": "quick_check -arg -schema",
    "read_uncommitted": "read_uncommitted",
    "recursive_triggers": "recursive_triggers",
    "reverse_unordered_selects": "reverse_unordered_selects",
    "schema_version": "schema_version",
    "secure_delete": "secure_delete",
    "short_column_names": "short_column_names",
    "soft_heap_limit": "soft_heap_limit",
    "synchronous": "synchronous -schema",
    "table_info": "cid name type notnull dflt_value pk -arg -schema",
    "table_list": "schema name type ncol wr strict -arg",
    "table_xinfo": "cid name type notnull dflt_value pk hidden -arg -schema",
    "temp_store": "temp_store",
    "threads": "threads",
    "trusted_schema": "trusted_schema",
    "user_version": "user_version",
    "writable_schema": "writable_schema",
  ]

  /// Returns the columns of `PRAGMA name`, or `nil` if it returns no rows.
  static func pragmaColumns(_ name: String) -> [String]? {
    pragmas[name].map { $0.split(separator: " ").filter { $0.first != "-" }.map(String.init) }
  }

  static func pragma(_ name: String) -> Table? {
    guard let columns = pragmas[name]?.split(separator: " ") else { return nil }
    return make(
      NameKey("pragma_" + name),
      columns.map { column in
        column.first == "-"
          ? Column(String(column.dropFirst()), isHidden: true)
          : Column(String(column), type: .any)
      })
  }
}

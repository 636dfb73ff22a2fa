public import SQLiteCore

extension Region {
  /// The region that statements read, as SQLite's compiler reported it: views and triggers are
  /// resolved.
  ///
  /// SQLite's own tables, and most `PRAGMA`s, change with other tables: a value that is read from
  /// one depends on ``everything``. A `PRAGMA` that describes the schema depends on the schema,
  /// whose changes concern every region that is not empty.
  public init(_ access: Statement.Access) {
    var tables: [TableName: TableRegion] = [:]
    for (table, columns) in access.reads {
      if table.isInternal || table.readsFile || table.pragma?.dependency == .everything {
        self = .everything
        return
      }
      let names = columns.map { ColumnName($0) }
      tables[table] = TableRegion(columns: .some(Set(names)))
    }
    for pragma in access.pragmas.keys.map({ Pragma($0) }) {
      switch pragma.dependency {
      case .everything:
        self = .everything
        return
      case .itself: tables[pragma.table] = TableRegion(columns: .all)
      case .schema: if access.reads.isEmpty { tables[pragma.table] = TableRegion(columns: .all) }
      }
    }
    self = Region(extent: .tables(tables))
  }
}

extension Region {
  /// The schema alone: any change of it concerns every region that is not empty.
  static let schema = Region.table("sqlite_schema")
}

/// A `PRAGMA` as a source of values, which stands for the table-valued function of the same name.
struct Pragma {
  /// What the value depends on.
  enum Dependency {
    case schema
    /// The value changes only if the `PRAGMA` sets it.
    case itself
    case everything
  }

  /// The name in lower case.
  private let name: String

  init(_ name: String) { self.name = name }

  /// The table under which changes of the value are recorded: `pragma_user_version`, for example.
  var table: TableName { TableName(Self.prefix + name) }

  var dependency: Dependency {
    switch name {
    case "collation_list", "compile_options", "database_list", "foreign_key_list", "function_list",
      "index_info",
      "index_list", "index_xinfo", "module_list", "pragma_list", "schema_version", "table_info",
      "table_list",
      "table_xinfo":
      .schema
    case "application_id", "foreign_keys", "user_version": .itself
    default: .everything
    }
  }

  /// Whether running the `PRAGMA` may change what an observation reads.
  func changesValues(argument: String) -> Bool {
    switch name {
    case "incremental_vacuum", "optimize": true
    // The argument says what is asked for.
    case "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo",
      "integrity_check",
      "quick_check", "table_info", "table_list", "table_xinfo", "wal_checkpoint":
      false
    // No fetch sees these: the first ends with its transaction, and the second is on whenever one
    // runs.
    case "defer_foreign_keys", "query_only": false
    default: !argument.isEmpty
    }
  }

  fileprivate static let prefix = "pragma_"
}

extension Statement.Access {
  /// The tables that the statement may have changed without a report of their rows.
  var administrativeChanges: [TableName] {
    var changed: [TableName] = []
    if gathersStatistics { changed.append("sqlite_stat1") }
    for (name, argument) in pragmas where Pragma(name).changesValues(argument: argument) {
      changed.append(Pragma(name).table)
    }
    return changed
  }

  /// Whether the statement may have set the number by which connections notice changes of the
  /// schema.
  var changesSchemaVersion: Bool { pragmas["schema_version"]?.isEmpty == false }
}

extension TableName {
  /// Whether SQLite itself maintains the table: `sqlite_sequence`, `sqlite_stat1`, the schema.
  var isInternal: Bool {
    name.utf8.count >= 7
      && name.utf8.prefix(7).elementsEqual("sqlite_".utf8) { $0 | 0x20 == $1 | 0x20 }
  }

  /// Whether the table is SQLite's table-valued function that describes the pages of the file.
  fileprivate var readsFile: Bool { SQLName.isSame(name, "dbstat") }

  /// The `PRAGMA` that a table-valued function of this name runs; `nil` for any other table.
  fileprivate var pragma: Pragma? {
    guard name.utf8.count > Pragma.prefix.utf8.count else { return nil }
    let lowercase = name.lowercased()
    guard lowercase.hasPrefix(Pragma.prefix) else { return nil }
    return Pragma(String(lowercase.dropFirst(Pragma.prefix.utf8.count)))
  }
}

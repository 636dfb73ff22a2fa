public import SQLiteCore

/// What a reader depends on: the part of a database whose changes make its value stale.
///
/// A region is found by SQLite itself while a fetch runs, or said by who knows better:
///
/// ```swift
/// let region = Region.columns("player", ["name", "score"]).union(.table("team"))
/// ```
///
/// A region may be larger than what is read, and then costs fetches in vain; it must not be smaller.
public struct Region: Hashable, Sendable {
  enum Extent: Hashable, Sendable {
    case everything
    case tables([TableName: TableRegion])
  }

  private(set) var extent: Extent

  /// The whole database.
  public static let everything = Region(extent: .everything)

  /// Nothing: no change matters.
  public static let nothing = Region(extent: .tables([:]))

  /// All rows and columns of one table.
  public static func table(_ table: TableName) -> Region {
    Region(extent: .tables([table: TableRegion(columns: .all)]))
  }

  /// Some columns of all rows of one table.
  ///
  /// Without any column, it is the rows' existence alone, as `count(*)` reads it: an update does not
  /// matter.
  public static func columns(_ table: TableName, _ columns: Set<ColumnName>) -> Region {
    Region(extent: .tables([table: TableRegion(columns: .some(columns))]))
  }

  /// The rows of one table for which a predicate holds.
  ///
  /// A row matters where the predicate may hold for its values before a commit or after it. Where a
  /// commit's rows are not known, because they were too many, all of its table's changes matter.
  ///
  /// ```swift
  /// let squad = Region.rows(
  ///   of: "player", where: .column("team", equals: 7), reading: ["name"])
  /// ```
  ///
  /// - Parameters:
  ///   - table: A table; a view's rows have no changes of their own.
  ///   - predicate: Must hold for each row that the value depends on. Beyond some 250 comparisons it
  ///     is not kept, and all rows matter.
  ///   - columns: What is read of these rows. An update of other columns does not matter; those that the
  ///     predicate compares always do.
  public static func rows(
    of table: TableName, where predicate: RowPredicate, reading columns: ColumnSet = .all
  ) -> Region {
    Region(extent: .tables([table: TableRegion(columns: columns, rows: predicate)]))
  }

  /// Everything that is in either region.
  ///
  /// Where both have rows of one table, the union has what is read of either, of the rows of both.
  public func union(_ other: Region) -> Region {
    guard case .tables(let a) = extent, case .tables(let b) = other.extent else {
      return .everything
    }
    return Region(extent: .tables(a.merging(b) { $0.union($1) }))
  }

  /// The same, but of one table only the rows for which a predicate holds.
  ///
  /// So what SQLite tells of a fetch, its tables and columns, is joined with what is known of the rows. A table that is
  /// not in the region stays out of it, and ``everything`` is that still.
  ///
  /// ```swift
  /// let read = Region(access).narrowed(to: .column("team", equals: 7), of: "player")
  /// ```
  ///
  /// - Parameters:
  ///   - predicate: Must hold for each row of the table that the value depends on, wherever it is read.
  ///   - table: The table whose rows it is about.
  public func narrowed(to predicate: RowPredicate, of table: TableName) -> Region {
    guard case .tables(var tables) = extent, let whole = tables[table] else { return self }
    let rows = whole.rows.map { $0 && predicate } ?? predicate
    tables[table] = TableRegion(columns: whole.columns, rows: rows)
    return Region(extent: .tables(tables))
  }

  /// Whether no change matters.
  public var isEmpty: Bool { self == .nothing }
}

/// What is read of one table.
struct TableRegion: Hashable, Sendable {
  /// The columns that are read, those that ``rows`` compares among them. The existence of rows always
  /// is.
  var columns: Region.ColumnSet
  /// What holds for each row that is read; `nil` for all rows.
  var rows: Region.RowPredicate?

  init(columns: Region.ColumnSet, rows: Region.RowPredicate? = nil) {
    self.columns = columns
    guard let rows else { return }
    self.columns.formUnion(.some(rows.columns))
    if rows.size <= Self.maximumSize { self.rows = rows }
  }

  /// What a predicate may cost.
  private static let maximumSize = 256

  func union(_ other: TableRegion) -> TableRegion {
    var columns = columns
    columns.formUnion(other.columns)
    guard let a = rows, let b = other.rows else { return TableRegion(columns: columns) }
    return TableRegion(columns: columns, rows: a || b)
  }
}

extension Region: CustomStringConvertible {
  public var description: String {
    guard case .tables(let tables) = extent else { return "everything" }
    if tables.isEmpty { return "nothing" }
    return tables.map { table, region in
      let rows = region.rows.map { " where \($0)" } ?? ""
      return switch region.columns {
      case .all: "\(table)\(rows)"
      case .some(let columns):
        "\(table)(\(columns.map(\.name).sorted().joined(separator: ", ")))\(rows)"
      }
    }.sorted().joined(separator: ", ")
  }
}

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

internal import Primitives
public import SQLiteCore

/// The part of a database that a reader depends on: its changes make the reader's value stale.
///
/// SQLite reports the region of a fetch; a caller can also specify it:
///
/// ```swift
/// let region = Region.columns("player", ["name", "score"]).union(.table("team"))
/// ```
///
/// A region may be larger than the data that is read, which causes unnecessary fetches; it must not
/// be smaller.
public struct Region: Hashable, Sendable {
  enum Extent: Hashable, Sendable {
    case everything
    case tables([TableName: TableRegion])
  }

  private(set) var extent: Extent

  /// The whole database.
  public static let everything = Region(extent: .everything)

  /// The empty region: no change matters.
  public static let nothing = Region(extent: .tables([:]))

  /// Returns the region of all rows and columns of one table.
  public static func table(_ table: TableName) -> Region {
    Region(extent: .tables([table: TableRegion(columns: .all)]))
  }

  /// Returns the region of some columns in all rows of a table.
  ///
  /// With an empty set of columns, the region covers only the existence of rows, as read by
  /// `count(*)`: updates do not matter.
  public static func columns(_ table: TableName, _ columns: Set<ColumnName>) -> Region {
    Region(extent: .tables([table: TableRegion(columns: .some(columns))]))
  }

  /// Returns the region of the rows of one table that satisfy a predicate.
  ///
  /// A row matters if the predicate may hold for its values before or after a commit. If a commit's
  /// rows are unknown because there were too many, all changes of the table matter.
  ///
  /// ```swift
  /// let squad = Region.rows(
  ///   of: "player", where: .column("team", equals: 7), reading: ["name"])
  /// ```
  ///
  /// - Parameters:
  ///   - table: A table, not a view. Changes are recorded only for tables.
  ///   - predicate: A predicate that holds for each row that the value depends on. Beyond about 250
  ///     comparisons it is dropped, and all rows matter.
  ///   - columns: The columns that are read of these rows. Updates of other columns do not matter;
  ///     columns in the predicate always matter.
  public static func rows(
    of table: TableName, where predicate: RowPredicate, reading columns: ColumnSet = .all
  ) -> Region {
    Region(extent: .tables([table: TableRegion(columns: columns, rows: predicate)]))
  }

  /// Returns the union of both regions.
  ///
  /// If both select rows of one table, the union contains the columns of both for the rows of both.
  public func union(_ other: Region) -> Region {
    guard case .tables(let a) = extent, case .tables(let b) = other.extent else {
      return .everything
    }
    return Region(extent: .tables(a.merging(b) { $0.union($1) }))
  }

  /// Returns this region, restricted to rows of a table that satisfy a predicate.
  ///
  /// This combines the tables and columns that SQLite reports for a fetch with knowledge of the
  /// rows. A table that is not in the region is not added, and ``everything`` remains unchanged.
  ///
  /// ```swift
  /// let read = Region(access).narrowed(to: .column("team", equals: 7), of: "player")
  /// ```
  ///
  /// - Parameters:
  ///   - predicate: A predicate that holds for each row of the table that the value depends on,
  ///     wherever it is read.
  ///   - table: The table that the predicate applies to.
  public func narrowed(to predicate: RowPredicate, of table: TableName) -> Region {
    guard case .tables(var tables) = extent, let whole = tables[table] else { return self }
    let rows = whole.rows.map { $0 && predicate } ?? predicate
    tables[table] = TableRegion(columns: whole.columns, rows: rows)
    return Region(extent: .tables(tables))
  }

  /// The tables in the region; `nil` if the region is ``everything``.
  public var tables: Set<TableName>? {
    guard case .tables(let tables) = extent else { return nil }
    return Set(tables.keys)
  }

  /// A Boolean value that indicates whether the region is empty, so that no change matters.
  public var isEmpty: Bool { self == .nothing }
}

/// The part of one table that is read.
struct TableRegion: Hashable, Sendable {
  /// The columns that are read, including the columns that ``rows`` compares. The existence of rows
  /// is always included.
  var columns: Region.ColumnSet
  /// A predicate that holds for each row that is read; `nil` for all rows.
  var rows: Region.RowPredicate?

  init(columns: Region.ColumnSet, rows: Region.RowPredicate? = nil) {
    self.columns = columns
    guard let rows else { return }
    self.columns.formUnion(.some(rows.columns))
    if rows.size <= Self.maximumSize { self.rows = rows }
  }

  /// The maximum size of a predicate.
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
  /// Creates the region that statements read, as reported by SQLite's compiler, with views and
  /// triggers resolved.
  ///
  /// SQLite's internal tables, and most `PRAGMA`s, change together with other tables: a value read
  /// from one depends on ``everything``. A `PRAGMA` that describes the schema depends on the
  /// schema, whose changes affect every region that is not empty.
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
  /// Only the schema. Schema changes affect every region that is not empty.
  static let schema = Region.table("sqlite_schema")
}

/// A `PRAGMA` as a source of values, or the table-valued function of the same name.
struct Pragma {
  /// The dependency of a value.
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

  /// Returns whether running the `PRAGMA` may change values that an observation reads.
  func changesValues(argument: String) -> Bool {
    switch name {
    case "incremental_vacuum", "optimize": true
    // The argument selects the result, and changes no setting.
    case "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo",
      "integrity_check",
      "quick_check", "table_info", "table_list", "table_xinfo", "wal_checkpoint":
      false
    // No fetch observes these settings: the first ends with its transaction, and the second is on
    // whenever a fetch runs.
    case "defer_foreign_keys", "query_only": false
    default: !argument.isEmpty
    }
  }

  fileprivate static let prefix = "pragma_"
}

extension Statement.Access {
  /// The tables that the statement may have changed without reporting their rows.
  var administrativeChanges: [TableName] {
    var changed: [TableName] = []
    if gathersStatistics { changed.append("sqlite_stat1") }
    for (name, argument) in pragmas where Pragma(name).changesValues(argument: argument) {
      changed.append(Pragma(name).table)
    }
    return changed
  }

  /// Indicates whether the statement may have set the number that connections use to detect schema
  /// changes.
  var changesSchemaVersion: Bool { pragmas["schema_version"]?.isEmpty == false }
}

extension TableName {
  /// Indicates whether SQLite itself maintains the table: `sqlite_sequence`, `sqlite_stat1`, the
  /// schema.
  var isInternal: Bool {
    name.utf8.prefix(7).lazy.map(\.asciiLowercased).elementsEqual("sqlite_".utf8)
  }

  /// Indicates whether the table is `dbstat`, the table-valued function that describes the file's
  /// pages.
  fileprivate var readsFile: Bool { SQLName.isSame(name, "dbstat") }

  /// The `PRAGMA` that a table-valued function of this name runs; `nil` for any other table.
  fileprivate var pragma: Pragma? {
    guard name.utf8.count > Pragma.prefix.utf8.count else { return nil }
    let lowercase = name.lowercased()
    guard lowercase.hasPrefix(Pragma.prefix) else { return nil }
    return Pragma(String(lowercase.dropFirst(Pragma.prefix.utf8.count)))
  }
}

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

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

  /// Everything that is in either region.
  public func union(_ other: Region) -> Region {
    guard case .tables(let a) = extent, case .tables(let b) = other.extent else {
      return .everything
    }
    return Region(extent: .tables(a.merging(b) { $0.union($1) }))
  }

  /// Whether no change matters.
  public var isEmpty: Bool { self == .nothing }
}

/// What is read of one table.
///
/// Rows are found in the table's own terms; the tiers that narrow them stand beside `columns`.
struct TableRegion: Hashable, Sendable {
  /// The columns that are read. The existence of rows always is.
  var columns: ColumnSet

  func union(_ other: TableRegion) -> TableRegion {
    var union = self
    union.columns.formUnion(other.columns)
    return union
  }
}

extension Region: CustomStringConvertible {
  public var description: String {
    guard case .tables(let tables) = extent else { return "everything" }
    if tables.isEmpty { return "nothing" }
    return tables.map { table, region in
      switch region.columns {
      case .all: "\(table)"
      case .some(let columns): "\(table)(\(columns.map(\.name).sorted().joined(separator: ", ")))"
      }
    }.sorted().joined(separator: ", ")
  }
}

/// What stands for a row of a table: a ``Table``, whose values are rows themselves, or a ``Model``, of which there is one
/// instance for a row.
public protocol TableModel: Sendable, Identifiable where ID: TableKey {
  /// What a row is read as.
  associatedtype Row: Table where Row.ID == ID

  /// The row as it is here.
  var row: Row { get }

  /// An instance for a row that nothing else stands for.
  init(row: Row)

  /// What stands for a row that a session has fetched. It is called by sessions alone.
  static func instance(of fetched: FetchedRow<Row>, in session: ModelSession) -> Self
}

/// A row as it was fetched, with the relations that are its properties.
public struct FetchedRow<Row: Table>: Sendable {
  /// The row.
  public let row: Row
  let relations: [any AnyRelation]
  /// When the session began to read it: what was saved since is newer.
  var moment = UInt64.max

  /// The same row, as it was read then.
  func read(at moment: UInt64) -> FetchedRow {
    var row = self
    row.moment = moment
    return row
  }
}

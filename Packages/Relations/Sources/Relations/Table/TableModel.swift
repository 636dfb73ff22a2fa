internal import SQLiteCore

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
  static func instance(of fetched: ModelSession.FetchedRow<Row>, in session: ModelSession) -> Self

  /// What stands for rows that a session has fetched, in their order. It is called by sessions alone.
  static func instances(of fetched: ModelSession.FetchedRows<Row>, in session: ModelSession)
    -> [Self]
}

extension ModelSession {
  /// Rows as they were fetched.
  public struct FetchedRows<Row: Table>: Sendable {
    /// The rows.
    public let rows: [Row]
    /// The relations that are properties of each; empty where the rows have none, or know them.
    private let relations: [[any AnyRelation]]
    let accessors: RowAccessors<Row>?
    /// When the session began to read them.
    private let moment: UInt64

    init(
      _ rows: [Row], _ relations: [[any AnyRelation]] = [], _ accessors: RowAccessors<Row>? = nil,
      moment: UInt64 = .max
    ) {
      self.rows = rows
      self.relations = relations
      self.accessors = accessors
      self.moment = moment
    }

    /// The same rows, as they were read then.
    func read(at moment: UInt64) -> FetchedRows {
      FetchedRows(rows, relations, accessors, moment: moment)
    }

    subscript(place: Int) -> FetchedRow<Row> {
      FetchedRow(
        row: rows[place],
        relations: accessors?.relations(ofRead: rows[place])
          ?? (relations.isEmpty ? [] : relations[place]),
        moment: moment)
    }

    var all: [FetchedRow<Row>] { rows.indices.map { self[$0] } }
  }
}

extension ModelSession {
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
}

/// Encodes rows of a type, one after the other: the values of their columns.
final class RowValues {
  private let shape: TableMetadata
  /// Rows that are read directly need none of the following.
  private lazy var binding = RowEncoder.Binding(
    // Relations that have several columns take one here, which is left out.
    columns: plain.map { shape.columns[$0].name } + shape.compositeReferences.map(\.property),
    replacing: TableMetadata.replacement)
  /// The places of the columns that are encoded by their own names.
  private lazy var plain: [Int] = {
    let composite = Set(shape.compositeReferences.flatMap(\.columns))
    return shape.columns.indices.filter { !composite.contains($0) }
  }()

  init(_ shape: TableMetadata) { self.shape = shape }

  /// The values of a row, in the order of the shape's columns.
  func values<Row: Table>(of row: Row) throws -> [SQLiteValue] {
    if let known = shape.accessors(Row.self)?.values(of: row) { return known }
    let own = try binding.values(of: row)
    if shape.compositeReferences.isEmpty { return own }
    var values = [SQLiteValue](repeating: .null, count: shape.columns.count)
    for (place, value) in zip(plain, own) { values[place] = value }
    let properties = try RowEncoder.Properties(of: row)
    for composite in shape.compositeReferences {
      guard let one = properties[composite.property]?.value as? any AnyOneRelation else { continue }
      for (place, value) in zip(composite.columns, one.columnValues) { values[place] = value }
    }
    return values
  }
}

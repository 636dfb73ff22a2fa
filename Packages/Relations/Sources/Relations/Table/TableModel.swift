internal import SQLiteCore

/// A type that represents the rows of a table: a ``Table``, whose values are rows, or a ``Model``,
/// which has one instance for each row.
public protocol TableModel: Sendable, Identifiable where ID: TableKey {
  /// The type of the rows.
  associatedtype Row: Table where Row.ID == ID

  /// The current row.
  var row: Row { get }

  /// Creates an instance for a row that has no other instance.
  init(row: Row)

  /// Returns the instance of a row that a session has fetched. Only sessions call it.
  static func instance(of fetched: ModelSession.FetchedRow<Row>, in session: ModelSession) -> Self

  /// Returns the instances of rows that a session has fetched, in the same order. Only sessions
  /// call it.
  static func instances(of fetched: ModelSession.FetchedRows<Row>, in session: ModelSession)
    -> [Self]
}

extension ModelSession {
  /// Fetched rows.
  public struct FetchedRows<Row: Table>: Sendable {
    /// The rows.
    public let rows: [Row]
    /// The relations of each row; empty if the rows have no relations or provide them.
    private let relations: [[any AnyRelation]]
    let accessors: RowAccessors<Row>?
    /// The session's revision when the read began.
    private let revision: UInt64

    init(
      _ rows: [Row], _ relations: [[any AnyRelation]] = [], _ accessors: RowAccessors<Row>? = nil,
      revision: UInt64 = .max
    ) {
      self.rows = rows
      self.relations = relations
      self.accessors = accessors
      self.revision = revision
    }

    /// Returns the same rows with another revision.
    func read(at revision: UInt64) -> FetchedRows {
      FetchedRows(rows, relations, accessors, revision: revision)
    }

    subscript(place: Int) -> FetchedRow<Row> {
      FetchedRow(
        row: rows[place],
        relations: accessors?.relations(ofRead: rows[place])
          ?? (relations.isEmpty ? [] : relations[place]),
        revision: revision)
    }

    var all: [FetchedRow<Row>] { rows.indices.map { self[$0] } }
  }
}

extension ModelSession {
  /// A fetched row with its relations.
  public struct FetchedRow<Row: Table>: Sendable {
    /// The row.
    public let row: Row
    let relations: [any AnyRelation]
    /// The session's revision when the read began. Later saves are newer.
    var revision = UInt64.max

    /// Returns the same row with another revision.
    func read(at revision: UInt64) -> FetchedRow {
      var row = self
      row.revision = revision
      return row
    }
  }
}

/// Encodes rows of a type as the values of their columns.
final class RowValues {
  private let metadata: TableMetadata
  /// Rows with accessors don't need the following properties.
  private lazy var binding = RowEncoder.Binding(
    // A relation to a composite key has one column here, which is ignored.
    columns: directlyEncoded.map { metadata.columns[$0].name }
      + metadata.compositeReferences.map(\.property),
    replacing: TableMetadata.replacement)
  /// The indexes of the columns that are encoded under their own names.
  private lazy var directlyEncoded: [Int] = {
    let composite = Set(metadata.compositeReferences.flatMap(\.columns))
    return metadata.columns.indices.filter { !composite.contains($0) }
  }()

  init(_ metadata: TableMetadata) { self.metadata = metadata }

  /// Returns the values of a row, in the order of the table's columns.
  func values<Row: Table>(of row: Row) throws -> [SQLiteValue] {
    if let existing = metadata.accessors(Row.self)?.values(of: row) { return existing }
    let own = try binding.values(of: row)
    if metadata.compositeReferences.isEmpty { return own }
    var values = [SQLiteValue](repeating: .null, count: metadata.columns.count)
    for (place, value) in zip(directlyEncoded, own) { values[place] = value }
    let properties = try RowEncoder.Properties(of: row)
    for composite in metadata.compositeReferences {
      guard let one = properties[composite.property]?.value as? any AnyOneRelation else { continue }
      for (place, value) in zip(composite.columns, one.columnValues) { values[place] = value }
    }
    return values
  }
}

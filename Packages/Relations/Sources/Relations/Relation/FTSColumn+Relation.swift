internal import SQLiteCore
internal import Primitives

extension FTSColumn: AnyRelation {
  var relationKind: RelationKind { .none }

  func fresh(
    from row: borrowing Row, _ column: ColumnIndex?, _ property: String
  ) -> any AnyRelation {
    FTSColumn(index, text)
  }

  func attach(_ owner: RelationOwner, _ property: String) { setOwner(owner) }

  func takeOver(_ former: any AnyRelation) {}

  var isChanged: Bool { false }
}

extension FTSColumn: Hashable {
  /// It is no part of its owner's row: all are equal.
  public static func == (a: FTSColumn, b: FTSColumn) -> Bool { true }
  public func hash(into hasher: inout Hasher) {}
}

extension FTSColumn: Codable {
  /// Reads nothing: it is no part of its owner's row.
  public convenience init(from decoder: any Decoder) throws { self.init([]) }

  /// Writes nothing but `nil`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }
}

extension TableMetadata {
  /// The full-text indexes of the table's own texts.
  var fullTextColumns: [any AnyFTSColumn] {
    relationNames.compactMap { relations[$0] as? any AnyFTSColumn }.filter {
      $0.index.table == TableName(table)
    }
  }
}

extension Connection {
  /// Makes the indexes of tables, once these are what their types say.
  func makeFullTextIndexes(of shapes: [TableMetadata]) throws {
    for column in shapes.flatMap(\.fullTextColumns) { try column.create(in: self) }
  }

  /// Makes the texts of rows that were written.
  func computeTexts(of shapes: [TableMetadata]) throws {
    for column in shapes.flatMap(\.fullTextColumns) { try column.compute(self) }
  }
}

/// The indexes that a session has made by themselves.
final class FullTextIndexes: Sendable {
  private let indexes = Mutex<Set<FullTextIndex>>([])

  func contains(_ index: FullTextIndex) -> Bool { indexes.withLock { $0.contains(index) } }
  func add(_ index: FullTextIndex) { indexes.withLock { _ = $0.insert(index) } }
}

internal import Primitives
internal import SQLiteCore

/// Full-text search over the text of a table's rows.
///
/// ```swift
/// struct Value: Table {
///   static let tableName = "Album"
///   var id: AutoId = 0
///   var name = ""
///   var notes = ""
///   var search = FTSColumn<Album>([.init("name", weight: 4), "notes"])
/// }
/// for match in try await album.value.search.search("faith") {
///   print(match.item.name, match.rank)
/// }
/// let albums = FTSColumn<Album>("name")  // without a property
/// ```
///
/// As a property of a row, it has no column in the table. The index is created together with the
/// table. Triggers update it in the transaction of each write, including writes by other processes.
/// Computed text is updated in the transaction in which the session saves the row; if other
/// connections wrote the row, it is updated before the next search.
///
/// Text typed by a user is never a syntax error: see `FullTextQuery`. The index and its queries use
/// the same tokenizer.
///
/// The table needs an integer key. Up to SQLite 3.40, the database must be opened with
/// `Configuration.trustsSchema`.
public final class FTSColumn<Target: TableModel>: Sendable {
  /// The full-text index.
  public let index: FullTextIndex
  let text: (@Sendable (Target.Row) throws -> [String])?
  private let owner = Mutex<RelationOwner?>(nil)

  /// Creates full-text search over one column.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - tokenizer: The tokenizer.
  ///   - prefixLengths: The lengths of prefixes that have their own index, which makes prefix
  ///     queries as fast as queries for whole words.
  public convenience init(
    _ column: String, tokenizer: FullTextIndex.Tokenizer = .unicode61(), prefixLengths: [Int] = []
  ) {
    self.init([.init(column)], tokenizer: tokenizer, prefixLengths: prefixLengths)
  }

  /// Creates full-text search over several columns.
  ///
  /// - Parameters:
  ///   - columns: The columns and their weights.
  ///   - tokenizer: The tokenizer.
  ///   - prefixLengths: The lengths of prefixes that have their own index, which makes prefix
  ///     queries as fast as queries for whole words.
  public convenience init(
    _ columns: [FullTextIndex.Column], tokenizer: FullTextIndex.Tokenizer = .unicode61(),
    prefixLengths: [Int] = []
  ) {
    self.init(
      FullTextIndex(
        Self.name(columns), on: TableName(Target.Row.tableName), columns: columns,
        tokenizer: tokenizer, prefixLengths: prefixLengths), nil)
  }

  /// Creates full-text search over text computed from a row.
  ///
  /// ```swift
  /// var search = FTSColumn<Album>(computing: ["text"], from: ["name", "artist"]) {
  ///   ["\($0.name) by \($0.artist)"]
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - columns: The names of the index's columns.
  ///   - sources: The table's columns that the text is computed from; an empty array means all
  ///     columns.
  ///   - tokenizer: The tokenizer.
  ///   - prefixLengths: The lengths of prefixes that have their own index, which makes prefix
  ///     queries as fast as queries for whole words.
  ///   - text: Returns one string for each of `columns`. It is called on the writer's thread and
  ///     may use only the row.
  public convenience init(
    computing columns: [FullTextIndex.Column], from sources: [String] = [],
    tokenizer: FullTextIndex.Tokenizer = .unicode61(), prefixLengths: [Int] = [],
    _ text: @escaping @Sendable (Target.Row) throws -> [String]
  ) {
    self.init(
      FullTextIndex(
        Self.name(columns), on: TableName(Target.Row.tableName), columns: columns,
        tokenizer: tokenizer, prefixLengths: prefixLengths, content: .computed(from: sources)), text
    )
  }

  init(_ index: FullTextIndex, _ text: (@Sendable (Target.Row) throws -> [String])?) {
    self.index = index
    self.text = text
  }

  private static func name(_ columns: [FullTextIndex.Column]) -> String {
    "\(Target.Row.tableName)_\(columns.map(\.name).joined(separator: "_"))_search"
  }

  var session: ModelSession {
    get throws {
      try owner.withLock { $0?.session } ?? ModelSession.current(for: Target.Row.autoDBSettings)
    }
  }

  func setOwner(_ owner: RelationOwner) { self.owner.withLock { $0 = owner } }
}

extension FullTextIndex {
  /// A row found by a search.
  public struct Match<Target: TableModel>: Sendable {
    /// The row or its model instance.
    public let item: Target
    /// The rank, the excerpts and the row identifier.
    public let hit: Hit

    /// The relevance: lower values are better.
    public var rank: Double { hit.rank }
    /// The requested excerpts, in the order of the request.
    public var excerpts: [String?] { hit.excerpts }
    /// The position from which a search continues.
    public var position: Hit.Position { hit.position }
  }
}

extension FTSColumn: AnyRelation {
  var relationKind: RelationKind { .none }

  func instantiate(
    from row: borrowing Row, _ column: ColumnIndex?, _ property: String
  ) -> any AnyRelation {
    FTSColumn(index, text)
  }

  func attach(_ owner: RelationOwner, _ property: String) { setOwner(owner) }

  func adoptState(_ former: any AnyRelation) {}

  var isChanged: Bool { false }
}

extension FTSColumn: Hashable {
  /// All columns are equal, because a full-text column is not part of its owner's row.
  public static func == (a: FTSColumn, b: FTSColumn) -> Bool { true }
  public func hash(into hasher: inout Hasher) {}
}

extension FTSColumn: Codable {
  /// Decodes nothing, because a full-text column is not part of its owner's row.
  public convenience init(from decoder: any Decoder) throws { self.init([]) }

  /// Encodes `nil`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }
}

extension TableMetadata {
  /// The full-text indexes over the table's own rows.
  var fullTextColumns: [any AnyFTSColumn] {
    relationNames.compactMap { relations[$0] as? any AnyFTSColumn }.filter {
      $0.index.table == TableName(table)
    }
  }
}

extension Connection {
  /// Creates the full-text indexes of tables whose schema is up to date.
  func makeFullTextIndexes(of allMetadata: [TableMetadata]) throws {
    for column in allMetadata.flatMap(\.fullTextColumns) { try column.create(in: self) }
  }

  /// Updates stale computed text of tables that were written.
  func computeTexts(of allMetadata: [TableMetadata]) throws {
    for column in allMetadata.flatMap(\.fullTextColumns) { try column.compute(self) }
  }
}

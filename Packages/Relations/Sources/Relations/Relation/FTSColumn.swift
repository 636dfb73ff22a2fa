internal import Primitives
internal import SQLiteCore

/// Full-text search over texts of a table's rows.
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
/// let albums = FTSColumn<Album>("name")  // or by itself
/// ```
///
/// As a property of a row it takes no column: the index is made with the table, and is kept by triggers, whoever writes the
/// rows, in the same transaction. A text that code makes is computed in the transaction in which the session saves the row, and
/// where others have written, before the next search.
///
/// What a person types finds words, and is never a mistake: see `FullTextQuery`. Words are the same to the index and to what is
/// looked for.
///
/// The table needs a key that is an integer. Up to SQLite 3.40, the database has to be opened with
/// `Configuration.trustsSchema`.
public final class FTSColumn<Target: TableModel>: Sendable {
  /// The index.
  public let index: FullTextIndex
  let text: (@Sendable (Target.Row) throws -> [String])?
  private let owner = Mutex<RelationOwner?>(nil)

  /// A column's text.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - tokenizer: What a word is.
  ///   - prefixLengths: The lengths of the beginnings of words that are found as fast as whole words.
  public convenience init(
    _ column: String, tokenizer: FullTextIndex.Tokenizer = .unicode61(), prefixLengths: [Int] = []
  ) {
    self.init([.init(column)], tokenizer: tokenizer, prefixLengths: prefixLengths)
  }

  /// The texts of several columns.
  ///
  /// - Parameters:
  ///   - columns: The columns, and how much a word in each of them counts.
  ///   - tokenizer: What a word is.
  ///   - prefixLengths: The lengths of the beginnings of words that are found as fast as whole words.
  public convenience init(
    _ columns: [FullTextIndex.Column], tokenizer: FullTextIndex.Tokenizer = .unicode61(),
    prefixLengths: [Int] = []
  ) {
    self.init(
      FullTextIndex(
        Self.name(columns), on: TableName(Target.Row.tableName), columns: columns,
        tokenizer: tokenizer, prefixLengths: prefixLengths), nil)
  }

  /// Texts that code makes of a row.
  ///
  /// ```swift
  /// var search = FTSColumn<Album>(computing: ["text"], from: ["name", "artist"]) {
  ///   ["\($0.name) by \($0.artist)"]
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - columns: Names for the texts.
  ///   - sources: The columns of which they are made; all where there are none.
  ///   - tokenizer: What a word is.
  ///   - prefixLengths: The lengths of the beginnings of words that are found as fast as whole words.
  ///   - text: Makes them, one for each of `columns`: on the writer's thread, of the row alone.
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
  /// A row that a search has found.
  public struct Match<Target: TableModel>: Sendable {
    /// The row, or its instance.
    public let item: Target
    /// How well it suits, and what was asked to be shown of its texts.
    public let hit: Hit

    /// How well it suits: the lower, the better.
    public var rank: Double { hit.rank }
    /// What was asked for to be shown of its texts, in the order in which it was asked.
    public var excerpts: [String?] { hit.excerpts }
    /// Its place, from which a search goes on.
    public var position: Hit.Position { hit.position }
  }
}

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

public import SQLiteCore

extension FullTextIndex {
  /// A row that a search has found.
  public struct Hit: Hashable, Sendable {
    /// The row's number in its table.
    public let rowID: RowID
    /// How well it suits: the lower, the better.
    public let rank: Double
    /// What was asked for to be shown of its texts, in the order in which it was asked; `nil` for a NULL.
    public let excerpts: [String?]

    /// The hit's place among the others, from which a search goes on: see
    /// `Connection.search(_:_:where:after:limit:offset:weights:excerpts:)`.
    public var position: Position { Position(rank: rank, rowID: rowID) }

    /// A place among hits.
    public struct Position: Hashable, Sendable, Codable {
      public let rank: Double
      public let rowID: RowID

      public init(rank: Double, rowID: RowID) {
        self.rank = rank
        self.rowID = rowID
      }

      public init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        rank = try values.decode(Double.self)
        rowID = RowID(rawValue: try values.decode(Int64.self))
      }

      public func encode(to encoder: any Encoder) throws {
        var values = encoder.unkeyedContainer()
        try values.encode(rank)
        try values.encode(rowID.rawValue)
      }
    }
  }
}

extension FullTextIndex {
  /// A text of a hit, with what was found in it marked.
  ///
  /// The text is as it stands in the table: where it is shown as HTML, it has to be escaped, and marks be chosen that
  /// are told apart from it.
  public struct Excerpt: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case highlight, snippet(ellipsis: String, words: Int) }

    let kind: Kind
    let column: String?
    let opening: String
    let closing: String

    /// The whole text of a column.
    public static func highlight(
      _ column: String, opening: String = "<b>", closing: String = "</b>"
    ) -> Self {
      Self(kind: .highlight, column: column, opening: opening, closing: closing)
    }

    /// The part of a text in which most was found.
    ///
    /// - Parameters:
    ///   - column: The column; `nil` for the one that suits best.
    ///   - opening: What stands before a word that was found.
    ///   - closing: What stands behind it.
    ///   - ellipsis: What stands for text that is left out.
    ///   - words: How many words it has at most, from 1 to 64.
    public static func snippet(
      _ column: String? = nil, opening: String = "<b>", closing: String = "</b>",
      ellipsis: String = "…", words: Int = 15
    ) -> Self {
      Self(
        kind: .snippet(ellipsis: ellipsis, words: min(64, max(1, words))), column: column,
        opening: opening, closing: closing)
    }

    /// The call of FTS5's function, where the index is named as it is called.
    func sql(of index: FullTextIndex) throws(RelationError) -> SQL {
      var number = -1
      if let column {
        guard let found = index.columns.firstIndex(where: { SQLName.isSame($0.name, column) })
        else {
          throw index.unknownColumn(column)
        }
        number = found
      }
      switch kind {
      case .highlight:
        return "highlight(\(identifier: index.name), \(number), \(opening), \(closing))"
      case .snippet(let ellipsis, let words):
        return
          "snippet(\(identifier: index.name), \(number), \(opening), \(closing), \(ellipsis), \(words))"
      }
    }
  }
}

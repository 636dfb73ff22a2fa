public import SQLiteCore

extension FullTextIndex {
  /// A row found by a search.
  public struct Hit: Hashable, Sendable {
    /// The row identifier in the table.
    public let rowID: RowID
    /// The relevance: lower values are better.
    public let rank: Double
    /// The requested excerpts, in the order of the request; `nil` for NULL.
    public let excerpts: [String?]

    /// The hit's position, from which a search continues: see
    /// `Connection.search(_:_:where:after:limit:offset:weights:excerpts:)`.
    public var position: Position { Position(rank: rank, rowID: rowID) }

    /// A position in the order of hits.
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
  /// An excerpt of a hit's text with marked matches.
  ///
  /// The text is not escaped. To show it as HTML, escape it, and choose marks that can be
  /// distinguished from it.
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

    /// The part of the text with the most matches.
    ///
    /// - Parameters:
    ///   - column: The column; `nil` for the best matching one.
    ///   - opening: The text before each match.
    ///   - closing: The text after each match.
    ///   - ellipsis: The text that replaces omitted text.
    ///   - words: The maximum number of tokens, from 1 to 64.
    public static func snippet(
      _ column: String? = nil, opening: String = "<b>", closing: String = "</b>",
      ellipsis: String = "…", words: Int = 15
    ) -> Self {
      Self(
        kind: .snippet(ellipsis: ellipsis, words: min(64, max(1, words))), column: column,
        opening: opening, closing: closing)
    }

    /// Returns the call of FTS5's auxiliary function. The index must not have an alias.
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

extension FullTextIndex {
  /// The method by which full-text search splits text into tokens and folds characters.
  ///
  /// An index and its queries always use the same tokenizer.
  ///
  /// ```swift
  /// let german = FullTextIndex.Tokenizer.unicode61(diacritics: .kept)
  /// let stemmed = FullTextIndex.Tokenizer.porter(.unicode61(tokenCharacters: "_"))
  /// ```
  public struct Tokenizer: Hashable, Sendable {
    /// The treatment of diacritics.
    public enum Diacritics: Int, Hashable, Sendable, CaseIterable {
      /// `é` and `e` are different characters. So are the precomposed and decomposed forms of `é`.
      case kept = 0
      /// `é` equals `e`, but a letter with two diacritics, as in Vietnamese, keeps them.
      case partlyRemoved = 1
      /// `é` equals `e`, and every other letter equals its base letter.
      case removed = 2
    }

    /// The tokenizer's name, followed by its arguments.
    public let words: [String]

    private init(_ words: [String]) { self.words = words }

    /// A tokenizer for letters and digits by Unicode 6.1, ignoring case.
    ///
    /// - Parameters:
    ///   - diacritics: The treatment of diacritics.
    ///   - separators: Letters or digits that are treated as separators.
    ///   - tokenCharacters: Other characters that are treated as parts of tokens.
    ///   - categories: The Unicode categories of token characters; by default `["L*", "N*", "Co"]`.
    public static func unicode61(
      diacritics: Diacritics = .removed, separators: String = "", tokenCharacters: String = "",
      categories: [String] = []
    ) -> Self {
      var words = ["unicode61", "remove_diacritics", "\(diacritics.rawValue)"]
      if !categories.isEmpty { words += ["categories", categories.joined(separator: " ")] }
      if !tokenCharacters.isEmpty { words += ["tokenchars", tokenCharacters] }
      if !separators.isEmpty { words += ["separators", separators] }
      return Self(words)
    }

    /// A tokenizer for letters and digits of ASCII, ignoring case. All non-ASCII characters are
    /// parts of tokens.
    public static func ascii(separators: String = "", tokenCharacters: String = "") -> Self {
      var words = ["ascii"]
      if !tokenCharacters.isEmpty { words += ["tokenchars", tokenCharacters] }
      if !separators.isEmpty { words += ["separators", separators] }
      return Self(words)
    }

    /// A tokenizer that applies the Porter stemming algorithm for English to the tokens of another
    /// tokenizer.
    public static func porter(_ other: Self = .unicode61()) -> Self {
      Self(["porter"] + other.words)
    }

    /// A tokenizer for all sequences of three characters, which supports substring search and text
    /// without spaces.
    ///
    /// A query of fewer than three characters has no matches. Requires SQLite 3.34.
    public static func trigram(isCaseSensitive: Bool = false) -> Self {
      Self(["trigram", "case_sensitive", isCaseSensitive ? "1" : "0"])
    }

    /// A custom tokenizer that is registered on the connection.
    public static func custom(_ name: String, arguments: [String] = []) -> Self {
      Self([name] + arguments)
    }

    /// The option of `CREATE VIRTUAL TABLE`, with nested quoting.
    var sql: String {
      "tokenize = " + words.map(\.quotedAsText).joined(separator: " ").quotedAsText
    }
  }
}

extension String {
  /// The string as a literal of SQL and FTS5, which have the same quoting rules.
  var quotedAsText: String {
    var bytes: [UInt8] = [UInt8(ascii: "'")]
    for byte in utf8 {
      if byte == UInt8(ascii: "'") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "'"))
    return String(decoding: bytes, as: UTF8.self)
  }
}

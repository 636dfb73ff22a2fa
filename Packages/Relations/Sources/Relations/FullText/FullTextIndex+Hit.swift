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

extension FullTextIndex {
  /// How full-text search takes a text apart into words, and which letters are one to it.
  ///
  /// An index and its queries go through the same tokenizer, always: what is folded in one is folded in the other.
  ///
  /// ```swift
  /// let german = FullTextIndex.Tokenizer.unicode61(diacritics: .kept)
  /// let stemmed = FullTextIndex.Tokenizer.porter(.unicode61(tokenCharacters: "_"))
  /// ```
  public struct Tokenizer: Hashable, Sendable {
    /// What becomes of an accent.
    public enum Diacritics: Int, Hashable, Sendable, CaseIterable {
      /// `é` and `e` are two letters. Then so are an `é` of one character and one of two.
      case kept = 0
      /// `é` is `e`, but a letter with two accents, as in Vietnamese, keeps them.
      case partlyRemoved = 1
      /// `é` is `e`, and so is every other letter with accents.
      case removed = 2
    }

    /// The tokenizer's name, and after it what it is given.
    public let words: [String]

    private init(_ words: [String]) { self.words = words }

    /// Letters and digits by Unicode 6.1, in either case.
    ///
    /// - Parameters:
    ///   - diacritics: What becomes of accents.
    ///   - separators: Characters that are to separate words, though they are letters or digits.
    ///   - tokenCharacters: Characters that are to be parts of words, though they are not.
    ///   - categories: The Unicode categories that are parts of words: `["L*", "N*", "Co"]` if not said.
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

    /// Letters and digits of ASCII, in either case; all that is not ASCII is a part of a word, as it stands.
    public static func ascii(separators: String = "", tokenCharacters: String = "") -> Self {
      var words = ["ascii"]
      if !tokenCharacters.isEmpty { words += ["tokenchars", tokenCharacters] }
      if !separators.isEmpty { words += ["separators", separators] }
      return Self(words)
    }

    /// What another tokenizer gives, with the endings of English words taken away.
    public static func porter(_ other: Self = .unicode61()) -> Self {
      Self(["porter"] + other.words)
    }

    /// Each three characters in a row: so that a part of a word is found, and text that has no spaces.
    ///
    /// Text of fewer than three characters finds nothing. Since SQLite 3.34.
    public static func trigram(isCaseSensitive: Bool = false) -> Self {
      Self(["trigram", "case_sensitive", isCaseSensitive ? "1" : "0"])
    }

    /// A tokenizer that the connection has by this name.
    public static func custom(_ name: String, arguments: [String] = []) -> Self {
      Self([name] + arguments)
    }

    /// The option of `CREATE VIRTUAL TABLE`: each word in quotes, and all of them once more.
    var sql: String {
      "tokenize = " + words.map(\.quotedAsText).joined(separator: " ").quotedAsText
    }
  }
}

extension String {
  /// The text as a literal of SQL and of FTS5, which has no other rules.
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

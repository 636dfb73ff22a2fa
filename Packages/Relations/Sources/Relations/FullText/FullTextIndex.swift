public import SQLiteCore

/// A full-text index of a table, as FTS5 keeps it: its settings, in one value that can be compared.
///
/// It holds no text of the table: it refers to rows by their numbers, and triggers keep it as rows come, change
/// and go, whoever writes them, in the same transaction. ``create(in:)`` makes it, or makes it anew where its
/// settings have changed.
///
/// ```swift
/// let index = FullTextIndex(
///   "book_search", on: "book", columns: [.init("title", weight: 4), "summary"],
///   tokenizer: .porter(), prefixLengths: [2, 3])
/// try connection.transaction {
///   try index.create(in: connection)
///   for hit in try connection.search(index, .prefix("magic mount"), limit: 20) { print(hit.rowID) }
/// }
/// ```
///
/// The table needs an `INTEGER PRIMARY KEY`, as rows without one may get other numbers in a `VACUUM`.
///
/// A migration that takes a column away which is indexed, or is in a unique key, drops the index first, as the
/// triggers name it; ``create(in:)`` makes it again.
///
/// A trigger of yours that sets an indexed column of the row that was just updated, after the update, has to be
/// older than the index; make the index anew after making one.
public struct FullTextIndex: Hashable, Sendable {
  /// The name of the index, which is a table itself.
  public let name: String
  /// The table whose rows are found. The index is in the same database.
  public let table: TableName
  /// What is indexed: columns of the table, or names for texts that are computed.
  public let columns: [Column]
  public let tokenizer: Tokenizer
  /// The lengths, in characters, of the beginnings of words that have an index of their own.
  public let prefixLengths: [Int]
  /// What the index knows of a word.
  public let detail: Detail
  /// Where the texts come from.
  public let content: Content

  public init(
    _ name: String, on table: TableName, columns: [Column],
    tokenizer: Tokenizer = .unicode61(), prefixLengths: [Int] = [], detail: Detail = .full,
    content: Content = .columns
  ) {
    self.name = name
    self.table = table
    self.columns = columns
    self.tokenizer = tokenizer
    self.prefixLengths = prefixLengths
    self.detail = detail
    self.content = content
  }

  /// One of the texts of a row.
  public struct Column: Hashable, Sendable, ExpressibleByStringLiteral {
    public let name: String
    /// How much more than another column's a word of this one counts in the rank.
    public let weight: Double
    /// Whether it is searched: one that is not can be read in an excerpt alone.
    public let isIndexed: Bool

    public init(_ name: String, weight: Double = 1, isIndexed: Bool = true) {
      self.name = name
      self.weight = weight
      self.isIndexed = isIndexed
    }

    public init(stringLiteral name: String) { self.init(name) }
  }

  /// What an index knows of a word.
  public enum Detail: String, Hashable, Sendable, CaseIterable {
    /// Its places in each column.
    case full
    /// The columns that it is in. A phrase is an error of SQLite's then, and so is a word that the tokenizer makes
    /// two of: this is for columns whose texts you choose.
    case column
    /// The rows that it is in. A filter of columns is an error too then.
    case none
  }

  /// Where the texts of an index come from.
  public enum Content: Hashable, Sendable {
    /// Columns of the table.
    case columns
    /// Code, by ``FullTextIndex/update(in:batchSize:texts:)``, which is given the rows whose text is to be made.
    ///
    /// The texts are kept in a table of their own, and triggers write down which rows are stale: those of the table
    /// itself as one of the columns changes that stand here, or any where none does, and those that the other
    /// sources tell.
    case computed(from: [String] = [], with: [Source] = [])
  }

  /// Another table that computed texts are made of.
  public struct Source: Hashable, Sendable {
    /// Its name; it is in the same database.
    public let table: String
    /// The columns whose change makes a text stale; empty for any.
    public let columns: [String]
    /// The column that holds the number of the row whose text it is a part of.
    public let rowID: String

    public init(_ table: String, columns: [String] = [], rowID: String) {
      self.table = table
      self.columns = columns
      self.rowID = rowID
    }
  }
}

extension FullTextIndex {
  var indexedColumns: [Column] { columns.filter(\.isIndexed) }

  var isComputed: Bool { if case .computed = content { true } else { false } }

  /// The number of a row in the tables that are kept for the index.
  static let helperKey = "holt_row"

  /// The rows whose texts a statement may have taken the place of.
  var replacedTable: String { "\(name)_replaced" }
  /// The texts that were computed.
  var textTable: String { "\(name)_text" }
  /// The rows whose texts are to be computed.
  var staleTable: String { "\(name)_stale" }
  /// FTS5's own table of the rows that it has indexed.
  var sizeTable: String { "\(name)_docsize" }

  /// The tables besides the index that are kept for it: a schema that is compared with another has them too.
  public var companionTables: [String] {
    isComputed ? [textTable, staleTable] : [replacedTable]
  }

  /// `bm25`, with the weights of the columns.
  func rankFunction(_ weights: [String: Double] = [:]) throws(RelationError) -> String {
    for name in weights.keys where !columns.contains(where: { SQLName.isSame($0.name, name) }) {
      throw unknownColumn(name)
    }
    var values: [String] = []
    for column in columns {
      let weight = weights.first { SQLName.isSame($0.key, column.name) }?.value ?? column.weight
      // FTS5 reads no exponents.
      guard weight.isFinite, !"\(weight)".contains("e") else {
        throw RelationError(
          .invalidQuery, "a weight is 0, or a number between 0.0001 and 1e15", table: name,
          column: column.name)
      }
      values.append("\(weight)")
    }
    return "bm25(\(values.joined(separator: ", ")))"
  }

  func unknownColumn(_ column: String) -> RelationError {
    RelationError(.invalidQuery, "the index has no such column", table: name, column: column)
  }

  func qualified(_ name: String) -> String {
    "\(SQLName.quoted(table.schema)).\(SQLName.quoted(name))"
  }
}

extension RelationError.Code {
  /// A table has no `INTEGER PRIMARY KEY`, so that its rows may get other numbers, or none at all.
  public static let unstableRowID = Self(rawValue: "unstableRowID")
  /// A connection has to trust the schema, so that triggers can write a full-text index.
  public static let untrustedSchema = Self(rawValue: "untrustedSchema")
  /// Texts of a full-text index are to be computed yet.
  public static let staleIndex = Self(rawValue: "staleIndex")
}

extension FullTextIndex {
  /// What was found wrong with a full-text index.
  public enum Problem: Hashable, Sendable {
    /// The index is not there, or was made with other settings. Making it sets it right.
    case outdated
    /// Rows of the table that the index has not; only the first of them.
    case missing([RowID])
    /// Rows that the index has and the table has not; only the first of them.
    case leftOver([RowID])
    /// The index holds other words than its rows' texts, or is damaged: what SQLite says of it.
    case differs(String)
    /// So many texts are to be computed yet.
    case stale(Int)
  }
}

extension FullTextIndex {
  /// Compares the index with its texts, and with its settings.
  ///
  /// ``rebuild(in:)`` sets right what has drifted; of texts that are computed, ``markAllStale(in:)`` what is missing
  /// or left over.
  ///
  /// - Parameters:
  ///   - connection: The database that has the index.
  ///   - limit: How many rows are named, at most.
  /// - Returns: What is wrong; empty where all is well.
  /// - Throws: As ``create(in:)``, where the table can't have the index; `SQLiteError` as reading does, and as
  ///   writing does: FTS5 checks in a write. What the check finds is not an error.
  /// - Complexity: O(*n*) in the size of the texts.
  public func integrityCheck(
    in connection: Connection, limit: Int = 100
  ) throws -> [Problem] {
    guard try isCurrent(in: connection) else { return [.outdated] }
    var problems: [Problem] = []
    let content = isComputed ? textTable : table.name
    func rows(_ wanted: String, _ key: String, without other: String, _ otherKey: String) throws
      -> [RowID]
    {
      try connection.values(
        Int64.self,
        """
        SELECT \(unsafe: key) FROM \(unsafe: qualified(wanted)) AS a WHERE NOT EXISTS
        (SELECT 1 FROM \(unsafe: qualified(other)) AS b WHERE b.\(unsafe: otherKey) = a.\(unsafe: key)) ORDER BY 1 LIMIT ?
        """, limit
      ).map { RowID(rawValue: $0) }
    }
    let missing = try rows(content, "_rowid_", without: sizeTable, "id")
    if !missing.isEmpty { problems.append(.missing(missing)) }
    var leftOver = try rows(sizeTable, "id", without: content, "_rowid_")
    if isComputed {
      let stale = try connection.value(
        Int.self, "SELECT count(*) FROM \(unsafe: qualified(staleTable))")
      if let stale, stale > 0 {
        problems.append(.stale(stale))
      } else {
        leftOver += try rows(textTable, "_rowid_", without: table.name, "_rowid_")
      }
    }
    if !leftOver.isEmpty { problems.append(.leftOver(leftOver)) }
    do {
      try command("integrity-check", 1, in: connection)
    } catch let error as SQLiteError where error.code.primary == .corrupt {
      problems.append(.differs(error.message))
    }
    return problems
  }
}

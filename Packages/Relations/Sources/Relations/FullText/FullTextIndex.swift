public import SQLiteCore

/// A full-text index of a table, maintained by FTS5: its settings, as a value that can be compared.
///
/// The index stores no text of the table. It refers to rows by their row identifiers, and triggers
/// update it in the transaction of each insert, update and delete, by any connection.
/// ``create(in:)`` creates it, or creates it again if its settings have changed.
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
/// The table needs an `INTEGER PRIMARY KEY`, since `VACUUM` may change the row identifiers of other
/// tables.
///
/// A migration that drops a column that is indexed, or is in a unique key, must drop the index
/// first, since the triggers refer to the column; ``create(in:)`` creates it again.
///
/// Your own `AFTER UPDATE` triggers that change an indexed column must be created before the index;
/// create the index again after creating such a trigger.
public struct FullTextIndex: Hashable, Sendable {
  /// The name of the index, which is a virtual table.
  public let name: String
  /// The table whose rows are searched. The index is in the same database.
  public let table: TableName
  /// The indexed columns of the table, or the names of computed text columns.
  public let columns: [Column]
  /// The tokenizer, which splits text into words.
  public let tokenizer: Tokenizer
  /// The lengths of prefixes, in characters, that have their own index.
  public let prefixLengths: [Int]
  /// The detail stored for each token.
  public let detail: Detail
  /// The source of the text.
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

  /// A column of the index.
  public struct Column: Hashable, Sendable, ExpressibleByStringLiteral {
    public let name: String
    /// The weight of the column's matches in the rank.
    public let weight: Double
    /// A Boolean value that indicates whether the column is searched. Other columns are only
    /// available in excerpts.
    public let isIndexed: Bool

    public init(_ name: String, weight: Double = 1, isIndexed: Bool = true) {
      self.name = name
      self.weight = weight
      self.isIndexed = isIndexed
    }

    public init(stringLiteral name: String) { self.init(name) }
  }

  /// The detail that an index stores for each token.
  public enum Detail: String, Hashable, Sendable, CaseIterable {
    /// The positions in each column.
    case full
    /// The columns. Phrases, and words that the tokenizer splits, are then errors of SQLite, so
    /// this is for columns whose text you control.
    case column
    /// The rows. Column filters are then errors too.
    case none
  }

  /// The source of an index's text.
  public enum Content: Hashable, Sendable {
    /// Columns of the table.
    case columns
    /// Code: ``FullTextIndex/update(in:batchSize:texts:)`` calls a closure with the rows whose text
    /// must be computed.
    ///
    /// The text is stored in a separate table. Triggers record stale rows: the table's own rows
    /// when one of the columns in `from` changes (any column if the array is empty), and the rows
    /// that the other sources refer to.
    case computed(from: [String] = [], with: [Source] = [])
  }

  /// An additional table from which text is computed.
  public struct Source: Hashable, Sendable {
    /// The table's name. It is in the same database.
    public let table: String
    /// The columns whose changes make text stale; empty for all columns.
    public let columns: [String]
    /// The column that holds the row identifier of the indexed table's row.
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

  /// The row identifier in the tables that belong to the index.
  static let helperKey = "holt_row"

  /// The rows that a statement may have replaced, with their text.
  var replacedTable: String { "\(name)_replaced" }
  /// The computed text.
  var textTable: String { "\(name)_text" }
  /// The rows whose text must be computed.
  var staleTable: String { "\(name)_stale" }
  /// FTS5's own table of indexed rows.
  var sizeTable: String { "\(name)_docsize" }

  /// The additional tables of the index, which a comparison of schemas must include.
  public var companionTables: [String] {
    isComputed ? [textTable, staleTable] : [replacedTable]
  }

  /// The `bm25` function with the weights of the columns.
  func rankFunction(_ weights: [String: Double] = [:]) throws(RelationError) -> String {
    for name in weights.keys where !columns.contains(where: { SQLName.isSame($0.name, name) }) {
      throw unknownColumn(name)
    }
    var values: [String] = []
    for column in columns {
      let weight = weights.first { SQLName.isSame($0.key, column.name) }?.value ?? column.weight
      // FTS5 does not parse exponents.
      guard weight.isFinite, !"\(weight)".contains("e") else {
        throw RelationError(
          .invalidQuery, "a weight must be 0 or between 0.0001 and 1e15", table: name,
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
  /// A table has no `INTEGER PRIMARY KEY`, so its row identifiers may change, or it has none.
  public static let unstableRowID = Self(rawValue: "unstableRowID")
  /// A connection must trust the schema so that triggers can write a full-text index.
  public static let untrustedSchema = Self(rawValue: "untrustedSchema")
  /// Text of a full-text index must still be computed.
  public static let staleIndex = Self(rawValue: "staleIndex")
}

extension FullTextIndex {
  /// An inconsistency of a full-text index.
  public enum Problem: Hashable, Sendable {
    /// The index does not exist, or was created with other settings. Creating it repairs it.
    case outdated
    /// The first rows of the table that are missing from the index.
    case missing([RowID])
    /// The first rows of the index that are missing from the table.
    case leftOver([RowID])
    /// The index contains other words than the text of its rows, or is damaged, with SQLite's
    /// message.
    case differs(String)
    /// The number of rows whose text must still be computed.
    case stale(Int)
  }
}

extension FullTextIndex {
  /// Compares the index with its text and settings.
  ///
  /// ``rebuild(in:)`` repairs the index. For missing or leftover rows of computed text, call
  /// ``markAllStale(in:)`` instead.
  ///
  /// - Parameters:
  ///   - connection: A connection to the index's database.
  ///   - limit: The maximum number of rows to report.
  /// - Returns: The problems found; empty if there are none.
  /// - Throws: The same errors as ``create(in:)``, if the table can't have the index; `SQLiteError`
  ///   if a read or a write fails, since FTS5 performs its check in a write. A problem found by the
  ///   check is not an error.
  /// - Complexity: O(*n*) in the size of the text.
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

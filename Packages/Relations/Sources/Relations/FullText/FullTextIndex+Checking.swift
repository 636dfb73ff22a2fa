public import SQLiteCore

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

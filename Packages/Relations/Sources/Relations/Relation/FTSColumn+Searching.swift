internal import Primitives
public import SQLiteCore

extension FTSColumn {
  /// Finds the rows that contain every word of `text`, best matches first. The last word may be the
  /// beginning of a word.
  ///
  /// ```swift
  /// let page = try await search.search(
  ///   typed, limit: 20, where: "year > \(1980)", after: last?.position,
  ///   excerpts: [.snippet("notes")])
  /// ```
  ///
  /// - Parameters:
  ///   - text: The text that the user typed. It is never a syntax error; text without words matches
  ///     no row.
  ///   - limit: The maximum number of matches.
  ///   - condition: An additional SQL condition, which refers to the table's columns by name.
  ///   - position: The position of the match after which the search continues.
  ///   - excerpts: The excerpts to return with each match.
  /// - Throws: The same errors as ``find(_:limit:where:after:weights:excerpts:)``.
  public func search(
    _ text: String, limit: Int = 100, where condition: SQL? = nil,
    after position: FullTextIndex.Hit.Position? = nil, excerpts: [FullTextIndex.Excerpt] = []
  ) async throws -> [FullTextIndex.Match<Target>] {
    try await find(
      .prefix(text), limit: limit, where: condition, after: position, excerpts: excerpts)
  }

  /// Finds rows by full-text search, best matches first.
  ///
  /// The hits and their rows are read in one read transaction.
  ///
  /// - Parameters:
  ///   - query: The full-text query.
  ///   - limit: The maximum number of matches.
  ///   - condition: An additional SQL condition on the rows.
  ///   - position: The position of the previous page's last match; `nil` for the first page.
  ///   - weights: Column weights that override the index's weights.
  ///   - excerpts: The excerpts to return with each match.
  /// - Throws: ``RelationError`` with code ``RelationError/Code/unstableRowID`` if the table's key
  ///   is not an integer, with ``RelationError/Code/schemaMismatch`` if a column is missing, with
  ///   ``RelationError/Code/untrustedSchema`` if the database must be opened with
  ///   `Configuration.trustsSchema`; `SQLiteError`; any error thrown by the closure that computes
  ///   text.
  public func find(
    _ query: FullTextQuery, limit: Int = 100, where condition: SQL? = nil,
    after position: FullTextIndex.Hit.Position? = nil, weights: [String: Double] = [:],
    excerpts: [FullTextIndex.Excerpt] = []
  ) async throws -> [FullTextIndex.Match<Target>] {
    let session = try await prepared()
    let metadata = try TableMetadata.of(Target.Row.self)
    let index = index
    let revision = session.clock.now
    let (hits, rows) = try await reading(session) { connection in
      let hits = try connection.search(
        index, query, where: condition, after: position, limit: limit, weights: weights,
        excerpts: excerpts)
      return (hits, try connection.fetchRows(Target.Row.self, metadata, rowIDs: hits.map(\.rowID)))
    }
    return hits.compactMap { hit in
      rows[hit.rowID].map {
        FullTextIndex.Match(item: Target.instance(of: $0.read(at: revision), in: session), hit: hit)
      }
    }
  }

  /// Returns the number of rows that match a query.
  ///
  /// - Throws: The same errors as ``find(_:limit:where:after:weights:excerpts:)``.
  public func count(_ query: FullTextQuery, where condition: SQL? = nil) async throws -> Int {
    let (session, index) = (try await prepared(), self.index)
    return try await reading(session) { try $0.count(of: index, query, where: condition) }
  }

  // MARK: Index

  /// Rebuilds the index. Computed text is computed again.
  ///
  /// - Throws: The same errors as ``find(_:limit:where:after:weights:excerpts:)``.
  public func rebuild() async throws {
    let session = try await prepared()
    try await session.database.write { [self] connection in
      try index.rebuild(in: connection)
      guard text != nil else { return }
      try index.markAllStale(in: connection)
      try compute(connection)
    }
  }

  /// Returns the inconsistencies of the index. The result is empty unless the file is damaged or
  /// was written with triggers disabled.
  ///
  /// - Throws: The same errors as ``find(_:limit:where:after:weights:excerpts:)``.
  public func integrityCheck() async throws -> [FullTextIndex.Problem] {
    let (session, index) = (try await prepared(), self.index)
    return try await session.database.write { try index.integrityCheck(in: $0) }
  }

  /// Returns the session after ensuring that its database has the table and the index.
  private func prepared() async throws -> ModelSession {
    let session = try session
    try await session.prepare(Target.Row.self)
    let isCreated = session.fullTextIndexes.withLock { $0.contains(index) }
    guard session.schema.makesTables, !isCreated else { return session }
    try await session.database.write { [self] connection in try create(in: connection) }
    session.fullTextIndexes.withLock { _ = $0.insert(index) }
    return session
  }

  /// Runs `body` in a read transaction. If computed text is stale, updates it first.
  private func reading<Result: Sendable>(
    _ session: ModelSession, _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    do {
      return try await session.database.read(body)
    } catch let error as RelationError where error.code == .staleIndex {
      return try await session.database.write { [self] connection in
        try compute(connection)
        return try body(connection)
      }
    }
  }
}

/// A full-text column of any row type.
protocol AnyFTSColumn: AnyRelation {
  var index: FullTextIndex { get }

  /// Creates the index if it is missing or outdated, and computes its text.
  func create(in connection: Connection) throws

  /// Updates stale computed text.
  func compute(_ connection: Connection) throws
}

extension FTSColumn: AnyFTSColumn {
  func create(in connection: Connection) throws {
    try index.create(in: connection)
    try compute(connection)
  }

  func compute(_ connection: Connection) throws {
    guard let text else { return }
    let metadata = try TableMetadata.of(Target.Row.self)
    try index.update(in: connection) { rowIDs in
      try connection.fetchRows(Target.Row.self, metadata, rowIDs: rowIDs).mapValues {
        try text($0.row)
      }
    }
  }
}

extension Connection {
  /// Returns rows by their row identifiers.
  fileprivate func fetchRows<Row: Table>(
    _ type: Row.Type, _ metadata: TableMetadata, rowIDs: [RowID]
  ) throws -> [RowID: ModelSession.FetchedRow<Row>] {
    let key = "\(SQLName.quoted(metadata.table))._rowid_"
    guard
      let condition = KeyCondition(
        expressions: [key], in: rowIDs.map { [.integer($0.rawValue)] })
    else { return [:] }
    var found: [RowID: ModelSession.FetchedRow<Row>] = [:]
    let sql: SQL = "\(unsafe: metadata.selectSQL) WHERE \(unsafe: condition.sql)"
    for row in try readRows(type, metadata, sql, condition.arguments).all {
      // The key is the row identifier: other tables can't have a full-text index.
      guard case .integer(let rowID)? = row.row.id.keyValues.first else { continue }
      found[RowID(rawValue: rowID)] = row
    }
    return found
  }
}

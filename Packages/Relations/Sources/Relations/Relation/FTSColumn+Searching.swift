public import SQLiteCore

extension FTSColumn {
  /// Finds rows by their texts, the best first: rows with each of the words, of which the last one may be the beginning of one.
  ///
  /// ```swift
  /// let page = try await search.search(
  ///   typed, limit: 20, where: "year > \(1980)", after: last?.position,
  ///   excerpts: [.snippet("notes")])
  /// ```
  ///
  /// - Parameters:
  ///   - text: What a person typed. There is no text that is an error; one without a word finds nothing.
  ///   - limit: How many are found at most.
  ///   - condition: What else has to be so: an expression of SQL, in which the table's columns stand by their names.
  ///   - position: A match of an earlier search, after which this one goes on.
  ///   - excerpts: What is shown of the texts.
  /// - Throws: As ``find(_:limit:where:after:weights:excerpts:)``.
  public func search(
    _ text: String, limit: Int = 100, where condition: SQL? = nil,
    after position: FullTextIndex.Hit.Position? = nil, excerpts: [FullTextIndex.Excerpt] = []
  ) async throws -> [FullTextIndex.Match<Target>] {
    try await find(
      .prefix(text), limit: limit, where: condition, after: position, excerpts: excerpts)
  }

  /// Finds rows by their texts, the best first.
  ///
  /// The hits and their rows are read in one read transaction.
  ///
  /// - Parameters:
  ///   - query: What is to be found.
  ///   - limit: How many are given at most.
  ///   - condition: What else has to hold of the rows.
  ///   - position: Where the page before has ended; `nil` for the first one.
  ///   - weights: What words of some columns count, in place of the index's weights.
  ///   - excerpts: Which excerpts of their texts are given with them.
  /// - Throws: ``RelationError`` with code ``RelationError/Code/unstableRowID`` where the table's key is no integer, with
  ///   ``RelationError/Code/schemaMismatch`` where a column is missing, with ``RelationError/Code/untrustedSchema`` where the
  ///   database has to be opened with `Configuration.trustsSchema`; `SQLiteError`, and what making a text throws.
  public func find(
    _ query: FullTextQuery, limit: Int = 100, where condition: SQL? = nil,
    after position: FullTextIndex.Hit.Position? = nil, weights: [String: Double] = [:],
    excerpts: [FullTextIndex.Excerpt] = []
  ) async throws -> [FullTextIndex.Match<Target>] {
    let session = try await prepared()
    let shape = try TableMetadata.of(Target.Row.self)
    let index = index
    let moment = session.clock.now
    let (hits, rows) = try await reading(session) { connection in
      let hits = try connection.search(
        index, query, where: condition, after: position, limit: limit, weights: weights,
        excerpts: excerpts)
      return (hits, try connection.fetchRows(Target.Row.self, shape, rowIDs: hits.map(\.rowID)))
    }
    return hits.compactMap { hit in
      rows[hit.rowID].map {
        FullTextIndex.Match(item: Target.instance(of: $0.read(at: moment), in: session), hit: hit)
      }
    }
  }

  /// How many rows a search finds.
  ///
  /// - Throws: As ``find(_:limit:where:after:weights:excerpts:)``.
  public func count(_ query: FullTextQuery, where condition: SQL? = nil) async throws -> Int {
    let (session, index) = (try await prepared(), self.index)
    return try await reading(session) { try $0.count(of: index, query, where: condition) }
  }

  // MARK: The index

  /// Fills the index anew; texts that code makes are made anew.
  ///
  /// - Throws: As ``find(_:limit:where:after:weights:excerpts:)``.
  public func rebuild() async throws {
    let session = try await prepared()
    try await session.database.write { [self] connection in
      try index.rebuild(in: connection)
      guard text != nil else { return }
      try index.markAllStale(in: connection)
      try compute(connection)
    }
  }

  /// What is wrong with the index: nothing, unless the file was damaged, or written with triggers switched off.
  ///
  /// - Throws: As ``find(_:limit:where:after:weights:excerpts:)``.
  public func integrityCheck() async throws -> [FullTextIndex.Problem] {
    let (session, index) = (try await prepared(), self.index)
    return try await session.database.write { try index.integrityCheck(in: $0) }
  }

  /// The session, whose database has the table and the index by now.
  private func prepared() async throws -> ModelSession {
    let session = try session
    try await session.prepare(Target.Row.self)
    guard session.schema.makesTables, !session.fullTextIndexes.contains(index) else {
      return session
    }
    try await session.database.write { [self] connection in try create(in: connection) }
    session.fullTextIndexes.add(index)
    return session
  }

  /// Reads, once the texts are made that others' writes have made stale.
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

/// Full-text search of any rows.
protocol AnyFTSColumn: AnyRelation {
  var index: FullTextIndex { get }

  /// Makes the index, where it is not as it should be, and its texts.
  func create(in connection: Connection) throws

  /// Makes the texts that are stale.
  func compute(_ connection: Connection) throws
}

extension FTSColumn: AnyFTSColumn {
  func create(in connection: Connection) throws {
    try index.create(in: connection)
    try compute(connection)
  }

  func compute(_ connection: Connection) throws {
    guard let text else { return }
    let shape = try TableMetadata.of(Target.Row.self)
    try index.update(in: connection) { rowIDs in
      try connection.fetchRows(Target.Row.self, shape, rowIDs: rowIDs).mapValues {
        try text($0.row)
      }
    }
  }
}

extension Connection {
  /// Rows by their numbers.
  fileprivate func fetchRows<Row: Table>(
    _ type: Row.Type, _ shape: TableMetadata, rowIDs: [RowID]
  ) throws -> [RowID: ModelSession.FetchedRow<Row>] {
    let key = "\(SQLName.quoted(shape.table))._rowid_"
    var found: [RowID: ModelSession.FetchedRow<Row>] = [:]
    for part in KeySet(expressions: [key]).conditions(for: rowIDs.map { [.integer($0.rawValue)] }) {
      for row in try fetchRows(
        type, shape, "\(unsafe: shape.selectSQL) WHERE \(unsafe: part.condition)", part.arguments)
      {
        // The key is the number: the index takes no other table.
        guard case .integer(let rowID)? = row.row.id.keyValues.first else { continue }
        found[RowID(rawValue: rowID)] = row
      }
    }
    return found
  }
}

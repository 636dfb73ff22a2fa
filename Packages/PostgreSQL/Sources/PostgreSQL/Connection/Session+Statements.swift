/// The changes that a statement made.
public struct PostgreSQLChanges: Hashable, Sendable {
  /// The command tag of the server, such as `INSERT 0 1`.
  public let tag: String
  /// The number of rows that the statement inserted, updated, deleted, copied or returned.
  public let count: Int

  init(_ reception: Reception) {
    tag = reception.tag
    count = reception.affectedCount
  }

  public init(tag: String, count: Int) {
    self.tag = tag
    self.count = count
  }
}

/// Running of statements. All methods require the turn.
extension Session {
  /// Runs a statement, and passes its rows to `body` as they arrive.
  ///
  /// If `body` throws, the remaining rows are discarded, and its error is thrown at the end.
  ///
  /// - Parameters:
  ///   - query: The statement.
  ///   - isStreamed: Whether rows are passed on before all have arrived.
  ///   - encode: Binds the parameters.
  ///   - body: Reads a row.
  func run(
    _ query: PostgreSQLQuery, isStreamed: Bool,
    encode: (inout PostgreSQLParameters) throws -> Void,
    body: (borrowing PostgreSQLRow) throws -> Void
  ) async throws -> PostgreSQLChanges {
    var isRepeated = false
    while true {
      let statement = try await start(query, isStreamed: isStreamed, encode: encode)
      var reception = reception(of: statement)
      let wasIdle = statement.startedIdle
      try await receive(&reception, body)
      if !isRepeated, wasIdle, reception.rowCount == 0,
        shouldRepeat(after: reception.error)
      {
        isRepeated = true
        continue
      }
      return try finish(reception, statement.prepared)
    }
  }

  /// A statement that was sent.
  struct Started {
    let prepared: PreparedStatement
    /// Indicates whether no transaction was open, so that the statement can be repeated.
    let startedIdle: Bool
  }

  func reception(of started: Started) -> Reception {
    Reception(
      started.prepared, sql: started.prepared.sql, catalog: catalog,
      showsValues: configuration.showsValuesInErrors)
  }

  /// Sends a statement.
  func start(
    _ query: PostgreSQLQuery, isStreamed: Bool, encode: (inout PostgreSQLParameters) throws -> Void
  ) async throws -> Started {
    let prepared: PreparedStatement
    if let cached = cache.statement(for: query) {
      prepared = cached
    } else {
      prepared = try await prepare(query)
    }
    var parameters = PostgreSQLParameters(
      types: prepared.parameters, catalog: catalog, bytes: takeParameterBytes())
    do {
      try encode(&parameters)
      try parameters.checkComplete()
    } catch let error as PostgreSQLError {
      throw error.inStatement(prepared.sql)
    }
    // Preparing takes an exchange with the server.
    try checkInterruption()
    let handle = try openHandle()
    let isIdle = handle.isIdle
    guard handle.send(prepared, parameters.bytes) else { throw sendingFailed(prepared.sql) }
    if isStreamed { handle.setSingleRowMode() }
    parameterBytes = parameters.takeBytes()
    return Started(prepared: prepared, startedIdle: isIdle)
  }

  /// Returns the memory for parameters. The session keeps no reference to it, so that it is changed without a copy.
  private func takeParameterBytes() -> ByteBuffer {
    var bytes = ByteBuffer()
    swap(&bytes, &parameterBytes)
    if bytes.capacity > 1 << 20 { return ByteBuffer() }
    bytes.truncate(to: 0)
    return bytes
  }

  /// The error for a request that libpq refuses, which it does only if the connection has ended.
  func sendingFailed(_ sql: String?) -> PostgreSQLError {
    noteFailure(nil)
    let message = handle?.message ?? ""
    return (failure ?? PostgreSQLError(code: .connectionLost, message: message)).inStatement(sql)
  }

  /// Receives a statement's results until their end.
  func receive(
    _ reception: inout Reception, _ body: (borrowing PostgreSQLRow) throws -> Void
  ) async throws {
    _ = try await receive(&reception, limit: .max, body)
  }

  /// Receives a statement's results until their end, or until a number of rows was passed on.
  ///
  /// - Returns: Whether the results have ended.
  func receive(
    _ reception: inout Reception, limit: Int, _ body: (borrowing PostgreSQLRow) throws -> Void
  ) async throws -> Bool {
    let handle = try openHandle()
    var isPending = try flush()
    while true {
      switch handle.receive(&reception, limit: limit, body) {
      case .complete: return true
      case .limitReached: return false
      case .needsInput: isPending = try await waitForSocket(isWriting: isPending)
      case .copyIn:
        _ = handle.endCopy(failure: "COPY is not allowed here")
        reception.setUnexpectedCopy()
        isPending = try flush()
      case .copyOut:
        reception.setUnexpectedCopy()
        while try await nextCopiedRow() != nil {}
      }
    }
  }

  /// The next row of `COPY TO`, or `nil` at the end.
  func nextCopiedRow() async throws -> CopyBuffer? {
    let handle = try openHandle()
    while true {
      switch handle.nextCopiedRow() {
      case .row(let row): return row
      case .needsInput: _ = try await waitForSocket(isWriting: false)
      // The results that follow contain the error.
      case .complete, .failed: return nil
      }
    }
  }

  /// Throws the error of a statement, or returns its changes.
  func finish(
    _ reception: Reception, _ statement: PreparedStatement?
  ) throws -> PostgreSQLChanges {
    noteFailure(reception.error)
    if let error = reception.error {
      if error.code == .featureNotSupported || error.code == .invalidStatementName, let statement {
        cache.remove(statement, isGone: error.code == .invalidStatementName)
      }
      throw error.inStatement(statement?.sql)
    }
    if let failure { throw failure.inStatement(statement?.sql) }
    noteState(reception.tag, statement?.sql)
    if let error = reception.bodyError { throw error }
    return PostgreSQLChanges(reception)
  }

  /// Determines whether a statement should be prepared and run again after an error.
  private func shouldRepeat(after error: PostgreSQLError?) -> Bool {
    switch error?.code {
    // "cached plan must not change result type", which is reported before the statement runs.
    case .featureNotSupported?: cache.invalidate()
    // A pooler uses another server, or another client has deallocated the statement.
    case .invalidStatementName?:
      shared.requiresUnnamedStatements.store(true, ordering: .relaxed)
      cache.removeAll()
    default: return false
    }
    return true
  }

  /// Notes a statement that can change the state of the session beyond its transaction.
  private func noteState(_ tag: String, _ sql: String?) {
    switch tag {
    case "SET":
      let words =
        sql?.split(maxSplits: 2, whereSeparator: \.isWhitespace).map { $0.uppercased() } ?? []
      if words.count > 1, words[0] == "SET", words[1] == "LOCAL" || words[1] == "TRANSACTION" {
        return
      }
      isStateChanged = true
    case "LISTEN", "PREPARE", "LOAD", "DECLARE CURSOR", "CREATE TABLE", "SELECT INTO":
      isStateChanged = true
    case "DISCARD ALL", "DEALLOCATE ALL": cache.removeAll()
    default: break
    }
  }

  // MARK: Scripts

  /// Runs statements without parameters, and discards their rows.
  func runScript(_ sql: String) async throws {
    if sql.utf8.contains(0) { throw Self.containsNUL(sql) }
    guard try openHandle().sendScript(sql) else { throw sendingFailed(sql) }
    var reception = Reception(
      nil, sql: sql, catalog: catalog, showsValues: configuration.showsValuesInErrors)
    try await receive(&reception) { _ in }
    // The results of the statements before the last one have no tag here.
    isStateChanged = true
    do {
      _ = try finish(reception, nil)
    } catch let error as PostgreSQLError {
      throw error.inStatement(sql)
    }
  }

  /// Describes a query that is not run.
  func describe(_ sql: String) async throws -> PreparedStatement {
    guard let statement = try await prepare([sql], isCached: false).first else {
      throw PostgreSQLError(code: .unexpectedResult, message: "no statement was prepared", sql: sql)
    }
    return statement
  }

  static func containsNUL(_ sql: String) -> PostgreSQLError {
    PostgreSQLError(code: .containsNUL, message: "the SQL contains NUL", sql: sql)
  }

  // MARK: Preparing

  /// Prepares a statement, and adds it to the cache.
  func prepare(_ query: PostgreSQLQuery) async throws -> PreparedStatement {
    let sql = query.text
    var statement: PreparedStatement?
    do {
      statement = try await prepare([sql]).first
    } catch let error as PostgreSQLError where error.code == .duplicatePreparedStatement {
      // Another client of a pooler has prepared the statement. A text always has the same name.
      shared.requiresUnnamedStatements.store(true, ordering: .relaxed)
      statement = try await prepare([sql]).first
    }
    guard let statement else {
      throw PostgreSQLError(code: .unexpectedResult, message: "no statement was prepared", sql: sql)
    }
    return statement
  }

  /// Prepares statements in one exchange with the server.
  ///
  /// The server infers the types of parameters.
  ///
  /// - Parameter isCached: Whether the statements are kept. Others have no name, and are always described anew.
  func prepare(_ texts: [String], isCached: Bool = true) async throws -> [PreparedStatement] {
    for sql in texts where sql.utf8.contains(0) { throw Self.containsNUL(sql) }
    let isNamed =
      isCached && configuration.statements == .prepared
      && !shared.requiresUnnamedStatements.load(ordering: .relaxed)
    let handle = try openHandle()
    let removed = handle.isIdle ? cache.takeRemovedNames() : []
    // In a transaction, the server still has the removed statements. They are prepared without a name until its end.
    let taken = cache.removedNames
    let names = texts.map { text in
      let name = isNamed ? PreparedStatement.name(of: text) : ""
      return taken.contains(name) ? "" : name
    }
    let groups = try await runPipeline(sql: texts.first) { handle in
      for name in removed where !handle.sendCommand("DEALLOCATE \(name)") { return false }
      for (name, sql) in zip(names, texts) {
        guard handle.sendPrepare(name, sql), handle.sendDescribe(name) else { return false }
      }
      return true
    }
    let answers = groups.dropFirst(removed.count)
    var statements: [(sql: String, name: String, description: ResultHandle)] = []
    for (index, sql) in texts.enumerated() {
      let offset = answers.startIndex + 2 * index
      guard offset + 1 < answers.endIndex, let description = answers[offset + 1].last else {
        throw lose("the server did not describe a statement")
      }
      statements.append((sql, names[index], description))
    }
    let types = statements.flatMap { $0.description.parameterTypes + $0.description.columnTypes }
    try await loadTypes(types)
    return statements.map { statement in
      let prepared = PreparedStatement(
        sql: statement.sql, name: statement.name,
        parameters: ParameterTypes(statement.description.parameterTypes, catalog: catalog),
        columns: statement.description.columns(
          sql: statement.sql, catalog: catalog, isDescription: true))
      if isCached, !isNamed || !prepared.name.isEmpty { cache.add(prepared) }
      return prepared
    }
  }

  /// Reads the formats of types that are not PostgreSQL's own.
  func loadTypes(_ types: [PostgreSQLType]) async throws {
    let missing = catalog.missing(from: types)
    guard !missing.isEmpty else { return }
    var rows: [TypeCatalog.Loaded] = []
    _ = try await run(TypeCatalog.query, isStreamed: false) { parameters in
      try parameters.bind(missing.map(\.rawValue))
    } body: { row in
      rows.append(try TypeCatalog.Loaded(row: row))
    }
    catalog.add(rows, requested: missing)
  }
}

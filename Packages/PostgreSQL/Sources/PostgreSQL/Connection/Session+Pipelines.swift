/// Pipelines: several requests that are answered together. All methods require the turn.
extension Session {
  /// Sends requests in a pipeline with one synchronization point, and returns the results of each.
  ///
  /// The statements are one implicit transaction, unless they are in a transaction or end one.
  ///
  /// - Parameters:
  ///   - sql: The text for errors.
  ///   - send: Sends the requests. Returns `false` if libpq refuses one.
  func runPipeline(
    sql: String?, _ send: (ConnectionHandle) throws -> Bool
  ) async throws -> [[ResultHandle]] {
    let handle = try openHandle()
    guard handle.enterPipeline() else { throw sendingFailed(sql) }
    var sent = false
    defer {
      // An incomplete pipeline can't be ended.
      if !sent || !handle.exitPipeline() { _ = lose("a pipeline was not completed") }
    }
    guard try send(handle), handle.sync() else { throw sendingFailed(sql) }
    var groups: [[ResultHandle]] = []
    var group: [ResultHandle] = []
    var firstError: (error: PostgreSQLError, index: Int)?
    var isPending = try flush()
    while true {
      if handle.isBusy {
        isPending = try await waitForSocket(isWriting: isPending)
        continue
      }
      guard let result = handle.nextResult() else {
        // The connection ended before the synchronization point.
        if handle.hasFailed || group.isEmpty { throw firstError?.error ?? sendingFailed(sql) }
        groups.append(group)
        group = []
        continue
      }
      switch result.kind {
      case .sync:
        sent = true
        if let firstError {
          noteFailure(firstError.error)
          throw firstError.error.inStatement(sql)
        }
        return groups
      case .error:
        if firstError == nil {
          firstError = (
            result.error(sql: nil, showsValues: configuration.showsValuesInErrors), groups.count
          )
        }
        group.append(result)
      case .copy:
        // COPY is not possible in a pipeline: libpq can't continue.
        throw lose("COPY was used in a pipeline")
      case .rows, .aborted: group.append(result)
      }
    }
  }

  /// Runs statements in one exchange with the server.
  ///
  /// - Parameters:
  ///   - queries: The statements.
  ///   - values: The values of the parameters that are not interpolated, of a single statement.
  func runPipeline(
    _ queries: [PostgreSQLQuery], values: [any PostgreSQLBindable & Sendable] = []
  ) async throws -> [PostgreSQLResult] {
    guard !queries.isEmpty else { return [] }
    var isRepeated = false
    while true {
      let wasIdle = try openHandle().isIdle
      do {
        return try await runPipelineOnce(queries, values)
      } catch let error as PostgreSQLError
        where (error.code == .invalidStatementName || error.code == .featureNotSupported)
        && isUsable
      {
        let repeats = !isRepeated && wasIdle
        if error.code == .featureNotSupported {
          cache.invalidate()
        } else {
          if repeats { shared.requiresUnnamedStatements.store(true, ordering: .relaxed) }
          cache.removeAll()
        }
        // As for single statements. The pipeline was rolled back as a whole, but a transaction has failed with it.
        if !repeats { throw error }
        isRepeated = true
        // The pipeline itself has begun a transaction.
        if try openHandle().isInTransaction { try await command("ROLLBACK") }
      }
    }
  }

  private func runPipelineOnce(
    _ queries: [PostgreSQLQuery], _ values: [any PostgreSQLBindable & Sendable]
  ) async throws -> [PostgreSQLResult] {
    var missing: [String] = []
    for query in queries where cache.statement(for: query) == nil && !missing.contains(query.text) {
      missing.append(query.text)
    }
    var prepared: [String: PreparedStatement] = [:]
    if !missing.isEmpty {
      for statement in try await prepare(missing) { prepared[statement.sql] = statement }
    }
    var statements: [PreparedStatement] = []
    var offsets: [Int] = []
    var parameters = PostgreSQLParameters(
      types: ParameterTypes([], catalog: catalog), catalog: catalog)
    for query in queries {
      guard let statement = prepared[query.text] ?? cache.statement(for: query) else {
        throw PostgreSQLError(
          code: .unexpectedResult, message: "the statement cache is smaller than the pipeline",
          sql: query.text)
      }
      // Values that do not fit are found before anything is sent.
      statements.append(statement)
      offsets.append(parameters.bytes.count)
      do throws(PostgreSQLError) {
        parameters.beginRow(of: statement.parameters)
        for value in try query.allValues(with: values) { try parameters.bind(value) }
        try parameters.checkComplete()
      } catch {
        throw error.inStatement(statement.sql)
      }
    }
    try checkInterruption()
    let groups = try await runPipeline(sql: nil) { handle in
      zip(statements, offsets).allSatisfy { handle.send($0, parameters.bytes, from: $1) }
    }
    return zip(statements, groups).compactMap { statement, group in
      group.last.map { PostgreSQLResult($0, columns: statement.columns) }
    }
  }

  /// Runs one statement for each row of parameters, in one exchange with the server.
  func run(
    _ query: PostgreSQLQuery, count: Int,
    encode: (Int, inout PostgreSQLParameters) throws -> Void
  ) async throws -> PostgreSQLChanges {
    guard count > 0 else { return PostgreSQLChanges(tag: "", count: 0) }
    let statement: PreparedStatement
    if let cached = cache.statement(for: query) {
      statement = cached
    } else {
      statement = try await prepare(query)
    }
    var parameters = PostgreSQLParameters(types: statement.parameters, catalog: catalog)
    var offsets: [Int] = []
    do {
      for index in 0..<count {
        offsets.append(parameters.bytes.count)
        parameters.beginRow()
        try encode(index, &parameters)
        try parameters.checkComplete()
      }
    } catch let error as PostgreSQLError {
      throw error.inStatement(statement.sql)
    }
    try checkInterruption()
    let groups = try await runPipeline(sql: statement.sql) { handle in
      offsets.allSatisfy { handle.send(statement, parameters.bytes, from: $0) }
    }
    return PostgreSQLChanges(
      tag: groups.last?.last?.tag ?? "",
      count: groups.reduce(0) { $0 + ($1.last?.affectedCount ?? 0) })
  }
}

/// The result of a statement in memory.
public struct PostgreSQLResult: Sendable {
  private let handle: ResultHandle
  private let columns: ResultColumns

  init(_ handle: ResultHandle, columns: ResultColumns) {
    self.handle = handle
    self.columns =
      handle.matches(columns)
      ? columns : handle.columns(sql: columns.sql, catalog: columns.catalog)
  }

  /// The number of rows.
  public var rowCount: Int { Int(handle.rowCount) }

  public var columnNames: [String] { columns.names }

  public var changes: PostgreSQLChanges {
    PostgreSQLChanges(tag: handle.tag, count: handle.affectedCount)
  }

  /// Passes each row to `body`.
  ///
  /// - Throws: The error of `body`, which ends the iteration.
  public func forEach(_ body: (borrowing PostgreSQLRow) throws -> Void) throws {
    try handle.forEachRow(columns, body)
  }

  /// Reads every row as a value.
  ///
  /// - Throws: Any error that `Value` throws.
  public func fetchAll<Value: PostgreSQLRowDecodable>(_ type: Value.Type) throws -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(rowCount)
    try forEach { values.append(try Value(row: $0)) }
    return values
  }

  /// Reads the first column of every row.
  ///
  /// - Throws: ``PostgreSQLError`` if a column can't be read.
  public func values<Value: PostgreSQLReadable>(_ type: Value.Type) throws -> [Value] {
    var values: [Value] = []
    try forEach { values.append(try $0.read(Value.self, at: 0)) }
    return values
  }
}

/// `COPY` in binary format. All methods require the turn.
extension Session {
  /// The start of the format: a signature, flags and the length of an extension.
  private static let header: [UInt8] =
    Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)

  /// Copies rows into a table.
  ///
  /// - Parameters:
  ///   - table: The quoted name of the table.
  ///   - columns: The quoted names of the columns, separated by commas.
  ///   - fill: Writes rows until the block is full. Returns `false` after the last row.
  func copy(
    into table: String, columns: String,
    fill: (inout CopyBlock) async throws -> Bool
  ) async throws -> PostgreSQLChanges {
    // The types of the columns are known from a query that is only described.
    let description = try await describe("SELECT \(columns) FROM \(table) LIMIT 0")
    let sql = "COPY \(table) (\(columns)) FROM STDIN (FORMAT binary)"
    let handle = try openHandle()
    guard handle.sendCommand(sql) else { throw sendingFailed(sql) }
    var reception = Reception(
      nil, sql: sql, catalog: catalog, showsValues: configuration.showsValuesInErrors)
    guard try await beginCopy(&reception) else {
      _ = try finish(reception, nil)
      throw PostgreSQLError(code: .unexpectedResult, message: "COPY did not begin", sql: sql)
    }
    var block = CopyBlock(types: description.columns.types, catalog: catalog)
    block.parameters.bytes.append(Self.header)
    var bodyError: (any Error)?
    do {
      var isAccepted = true
      while isAccepted, try await fill(&block) {
        isAccepted = try await putCopy(&block)
        if Task.isCancelled { throw CancellationError() }
      }
      if isAccepted {
        block.parameters.bytes.append(bigEndian: Int16(-1))
        _ = try await putCopy(&block)
      }
    } catch {
      bodyError = error
    }
    while handle.endCopy(failure: bodyError == nil ? nil : "the client stopped") == .pending {
      _ = try await waitForSocket(isWriting: true)
    }
    try await receive(&reception) { _ in }
    if let bodyError {
      noteFailure(reception.error)
      throw (bodyError as? PostgreSQLError)?.inStatement(sql) ?? bodyError
    }
    return try finish(reception, nil)
  }

  /// Receives the answer to `COPY`. Returns whether the copy has begun.
  private func beginCopy(_ reception: inout Reception) async throws -> Bool {
    let handle = try openHandle()
    var isPending = try flush()
    while true {
      switch handle.receive(&reception, { _ in }) {
      case .copyIn, .copyOut: return true
      case .complete, .limitReached: return false
      case .needsInput: isPending = try await waitForSocket(isWriting: isPending)
      }
    }
  }

  /// Sends a block, and empties it. Returns whether the server still accepts rows.
  ///
  /// The next block waits until the socket has accepted this one: libpq would otherwise keep all rows in memory if the
  /// server is slower than the client.
  private func putCopy(_ block: inout CopyBlock) async throws -> Bool {
    let handle = try openHandle()
    while true {
      switch handle.putCopy(block.parameters.bytes) {
      case .done:
        block.parameters.bytes.truncate(to: 0)
        var isPending = try flush()
        while isPending { isPending = try await waitForSocket(isWriting: true) }
        return true
      case .failed: return false
      case .pending: _ = try await waitForSocket(isWriting: true)
      }
    }
  }

  /// Copies the rows of a query, and passes them to `body` as they arrive.
  func copyRows(
    of query: String, _ body: (borrowing PostgreSQLRow) throws -> Void
  ) async throws -> PostgreSQLChanges {
    let description = try await describe(query)
    let sql = "COPY (\(query)) TO STDOUT (FORMAT binary)"
    guard try openHandle().sendCommand(sql) else { throw sendingFailed(sql) }
    var reception = Reception(
      nil, sql: sql, catalog: catalog, showsValues: configuration.showsValuesInErrors)
    if try await beginCopy(&reception) {
      var isFirst = true
      while let buffer = try await nextCopiedRow() {
        guard reception.bodyError == nil else { continue }
        do {
          let isRow = try buffer.withRow(
            isFirst: isFirst, number: reception.rowCount + 1, columns: description.columns, body)
          if isRow { reception.rowCount += 1 }
        } catch {
          reception.bodyError = error
        }
        isFirst = false
      }
      try await receive(&reception) { _ in }
    }
    return try finish(reception, nil)
  }
}

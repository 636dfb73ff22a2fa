extension PostgreSQLAccess {
  /// Returns the parameters and columns of a statement, without running it.
  ///
  /// The statement is prepared, and remains in the connection's cache: describing it again, or running it, needs no
  /// further exchange with the server.
  ///
  /// - Parameter query: A single statement.
  /// - Throws: ``PostgreSQLError`` if the statement is invalid; `CancellationError`.
  @concurrent
  public func describe(
    _ query: PostgreSQLQuery
  ) async throws -> PostgreSQLStatementDescription {
    try await withConnection { connection in
      try await connection.perform { session in
        let statement = try await session.preparedStatement(for: query)
        return PostgreSQLStatementDescription(statement)
      }
    }
  }
}

extension Session {
  /// Returns the statement of the cache, or prepares it.
  fileprivate func preparedStatement(
    for query: PostgreSQLQuery
  ) async throws -> PreparedStatement {
    if let cached = cache.statement(for: query) { return cached }
    return try await prepare(query)
  }
}

extension PostgreSQLStatementDescription {
  fileprivate init(_ statement: PreparedStatement) {
    let columns = statement.columns
    self.init(
      parameterTypes: statement.parameters.types,
      columns: columns.names.indices.map { index in
        let detail = columns.details.indices.contains(index) ? columns.details[index] : nil
        return Column(
          name: columns.names[index], type: columns.types[index],
          typeModifier: detail.flatMap { $0.typeModifier < 0 ? nil : $0.typeModifier },
          origin: detail.flatMap {
            $0.table == 0 ? nil : Origin(table: $0.table, column: $0.tableColumn)
          })
      })
  }
}

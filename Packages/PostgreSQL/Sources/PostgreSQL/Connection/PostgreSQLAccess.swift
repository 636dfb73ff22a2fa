internal import Primitives

/// A connection or a pool, on which statements can be run.
///
/// ```swift
/// let player = try await database.fetchOne(Player.self, "SELECT * FROM player WHERE id = $1", 42)
/// ```
///
/// The parameters of statements are `$1`, `$2` and so on, or interpolated values: see ``PostgreSQLQuery``.
public protocol PostgreSQLAccess: Sendable {
  /// Lends a connection to `body`.
  ///
  /// - Throws: The error of `body`; the errors of waiting for a connection and of connecting.
  func withConnection<Result: Sendable>(
    _ body: @Sendable (PostgreSQLConnection) async throws -> Result
  ) async throws -> Result
}

extension PostgreSQLAccess {
  /// Reads every row as a value.
  ///
  /// - Parameters:
  ///   - type: The type of the values.
  ///   - query: A single statement.
  ///   - arguments: A value for each parameter.
  /// - Throws: ``PostgreSQLError`` if the statement fails or a column can't be read; `CancellationError`; any error that
  ///   `Value` throws. An empty result is not an error.
  @inlinable @concurrent
  public func fetchAll<
    Value: PostgreSQLRowDecodable & Sendable, each Argument: PostgreSQLBindable & Sendable
  >(
    _ type: Value.Type, _ query: PostgreSQLQuery, _ arguments: repeat each Argument
  ) async throws -> [Value] {
    try await fetchAll(type, query, values: list(repeat each arguments))
  }

  /// Reads every row as a value: ``fetchAll(_:_:_:)`` with a list of arguments.
  @inlinable @concurrent
  public func fetchAll<Value: PostgreSQLRowDecodable & Sendable>(
    _ type: Value.Type, _ query: PostgreSQLQuery, values: [any PostgreSQLBindable & Sendable]
  ) async throws -> [Value] {
    try await withConnection { connection in
      var rows: [Value] = []
      _ = try await connection.rows(query, values, isStreamed: true) { row in
        rows.append(try Value(row: row))
      }
      return rows
    }
  }

  /// Reads the first row as a value; `nil` if there is none.
  ///
  /// The server still sends all rows: add `LIMIT 1` if there can be many.
  ///
  /// - Throws: The same errors as ``fetchAll(_:_:_:)``.
  @inlinable @concurrent
  public func fetchOne<
    Value: PostgreSQLRowDecodable & Sendable, each Argument: PostgreSQLBindable & Sendable
  >(
    _ type: Value.Type, _ query: PostgreSQLQuery, _ arguments: repeat each Argument
  ) async throws -> Value? {
    try await fetchOne(type, query, values: list(repeat each arguments))
  }

  /// Reads the first row as a value: ``fetchOne(_:_:_:)`` with a list of arguments.
  @inlinable @concurrent
  public func fetchOne<Value: PostgreSQLRowDecodable & Sendable>(
    _ type: Value.Type, _ query: PostgreSQLQuery, values: [any PostgreSQLBindable & Sendable]
  ) async throws -> Value? {
    try await withConnection { connection in
      var first: Value?
      _ = try await connection.rows(query, values, isStreamed: false) { row in
        if first == nil { first = try Value(row: row) }
      }
      return first
    }
  }

  /// Passes each row to `body` when it arrives. Memory does not grow with the number of rows.
  ///
  /// - Throws: The errors of ``fetchAll(_:_:_:)``; the error of `body`, after which the remaining rows are discarded.
  @concurrent
  public func forEach<each Argument: PostgreSQLBindable & Sendable>(
    _ query: PostgreSQLQuery, _ arguments: repeat each Argument,
    body: @Sendable (borrowing PostgreSQLRow) throws -> Void
  ) async throws {
    let values = list(repeat each arguments)
    try await withConnection { connection in
      _ = try await connection.rows(query, values, isStreamed: true, body)
    }
  }

  /// Passes each row to `body` when it arrives: ``forEach(_:_:body:)`` with a list of arguments.
  ///
  /// - Returns: The tag of the statement, and the number of its rows.
  @concurrent @discardableResult
  public func forEach(
    _ query: PostgreSQLQuery, values: [any PostgreSQLBindable & Sendable],
    body: @Sendable (borrowing PostgreSQLRow) throws -> Void
  ) async throws -> PostgreSQLChanges {
    try await withConnection { connection in
      try await connection.rows(query, values, isStreamed: true, body)
    }
  }

  /// Reads the first column of the first row; `nil` if there is no row.
  ///
  /// - Throws: The same errors as ``fetchAll(_:_:_:)``. A NULL is an error, unless the type is optional.
  @inlinable @concurrent
  public func value<
    Value: PostgreSQLReadable & Sendable, each Argument: PostgreSQLBindable & Sendable
  >(
    _ type: Value.Type, _ query: PostgreSQLQuery, _ arguments: repeat each Argument
  ) async throws -> Value? {
    try await value(type, query, values: list(repeat each arguments))
  }

  /// Reads the first column of the first row: ``value(_:_:_:)`` with a list of arguments.
  @inlinable @concurrent
  public func value<Value: PostgreSQLReadable & Sendable>(
    _ type: Value.Type, _ query: PostgreSQLQuery, values: [any PostgreSQLBindable & Sendable]
  ) async throws -> Value? {
    try await withConnection { connection in
      var first: Value?
      var isFirst = true
      _ = try await connection.rows(query, values, isStreamed: false) { row in
        if isFirst { first = try row.read(Value.self, at: 0) }
        isFirst = false
      }
      return first
    }
  }

  /// Reads the first column of every row.
  ///
  /// - Throws: The same errors as ``fetchAll(_:_:_:)``.
  @inlinable @concurrent
  public func values<
    Value: PostgreSQLReadable & Sendable, each Argument: PostgreSQLBindable & Sendable
  >(
    _ type: Value.Type, _ query: PostgreSQLQuery, _ arguments: repeat each Argument
  ) async throws -> [Value] {
    try await values(type, query, values: list(repeat each arguments))
  }

  /// Reads the first column of every row: ``values(_:_:_:)`` with a list of arguments.
  @inlinable @concurrent
  public func values<Value: PostgreSQLReadable & Sendable>(
    _ type: Value.Type, _ query: PostgreSQLQuery, values: [any PostgreSQLBindable & Sendable]
  ) async throws -> [Value] {
    try await withConnection { connection in
      var column: [Value] = []
      _ = try await connection.rows(query, values, isStreamed: true) { row in
        column.append(try row.read(Value.self, at: 0))
      }
      return column
    }
  }

  /// Runs a statement, and discards its rows.
  ///
  /// - Throws: ``PostgreSQLError`` if the statement fails; `CancellationError`.
  @concurrent @discardableResult
  public func run<each Argument: PostgreSQLBindable & Sendable>(
    _ query: PostgreSQLQuery, _ arguments: repeat each Argument
  ) async throws -> PostgreSQLChanges {
    try await run(query, values: list(repeat each arguments))
  }

  /// Runs a statement: ``run(_:_:)`` with a list of arguments.
  @concurrent @discardableResult
  public func run(
    _ query: PostgreSQLQuery, values: [any PostgreSQLBindable & Sendable]
  ) async throws -> PostgreSQLChanges {
    try await withConnection { connection in
      try await connection.rows(query, values, isStreamed: false) { _ in }
    }
  }

  /// Runs a statement with the parameters that a value provides.
  ///
  /// - Throws: ``PostgreSQLError`` if the statement fails; `CancellationError`.
  @concurrent @discardableResult
  public func run(
    _ query: PostgreSQLQuery, of value: some PostgreSQLRowEncodable & Sendable
  ) async throws -> PostgreSQLChanges {
    try await withConnection { connection in
      try await connection.perform { session in
        try await session.run(query, isStreamed: false) {
          try value.bind(to: &$0)
        } body: { _ in
        }
      }
    }
  }

  /// Runs a statement once for each value, in one exchange with the server. Either all take effect, or none.
  ///
  /// - Returns: The tag of the last run, and the number of rows of all runs.
  /// - Throws: ``PostgreSQLError`` if a statement fails; `CancellationError`.
  @concurrent @discardableResult
  public func run<Value: PostgreSQLRowEncodable & Sendable>(
    _ query: PostgreSQLQuery, ofEach values: [Value]
  ) async throws -> PostgreSQLChanges {
    try await withConnection { connection in
      try await connection.perform { session in
        try await session.run(query, count: values.count) { index, parameters in
          try values[index].bind(to: &parameters)
        }
      }
    }
  }

  /// Runs statements in one exchange with the server, which saves the time of the network for each.
  ///
  /// The statements are one transaction, unless they run in a transaction. They can also begin and end one themselves:
  ///
  /// ```swift
  /// let results = try await database.pipeline([
  ///   "BEGIN READ ONLY", "SELECT set_config('app.user', \(user), true)", "SELECT name FROM player", "COMMIT",
  /// ])
  /// let names = try results[2].values(String.self)
  /// ```
  ///
  /// - Returns: The results, in memory.
  /// - Throws: ``PostgreSQLError`` for the first statement that fails; `CancellationError`. `COPY` is not possible.
  @concurrent
  public func pipeline(_ queries: [PostgreSQLQuery]) async throws -> [PostgreSQLResult] {
    try await withConnection { connection in
      try await connection.perform { try await $0.runPipeline(queries) }
    }
  }

  /// Runs a statement, and returns its result: the rows in memory, the names of their columns, and the changes.
  ///
  /// - Parameters:
  ///   - query: A single statement.
  ///   - values: A value for each parameter.
  /// - Throws: ``PostgreSQLError`` if the statement fails; `CancellationError`.
  @concurrent
  public func result(
    of query: PostgreSQLQuery, values: [any PostgreSQLBindable & Sendable] = []
  ) async throws -> PostgreSQLResult {
    try await withConnection { connection in
      let results = try await connection.perform {
        try await $0.runPipeline([query], values: values)
      }
      guard let result = results.first else {
        throw PostgreSQLError(
          code: .unexpectedResult, message: "the statement has no result", sql: query.text)
      }
      return result
    }
  }

  /// Runs any number of statements, and discards their rows. They are one transaction, unless they contain `BEGIN` or run
  /// in a transaction.
  ///
  /// - Parameter script: Statements without parameters, separated by semicolons.
  /// - Throws: ``PostgreSQLError`` if a statement fails; with code ``PostgreSQLError/Code/parameterCount`` if a value is
  ///   interpolated.
  @concurrent
  public func execute(_ script: PostgreSQLQuery) async throws {
    guard try script.allValues(with: []).isEmpty else {
      throw PostgreSQLError(
        code: .parameterCount, message: "a script can't have values", sql: script.text)
    }
    try await withConnection { connection in
      try await connection.perform { try await $0.runScript(script.text) }
    }
  }

  /// Copies rows into a table, which is the fastest way to insert many.
  ///
  /// ```swift
  /// try await database.copy(into: "player", columns: ["id", "name"], rows: players)
  /// ```
  ///
  /// - Parameters:
  ///   - table: The name of the table. Without `schema`, the text before a point is the name of its schema.
  ///   - schema: The schema of the table.
  ///   - columns: The names of the columns.
  ///   - rows: The rows. Each binds a value to each column, in their order.
  /// - Returns: The number of rows.
  /// - Throws: ``PostgreSQLError`` if a value does not fit its column or a constraint is violated: no row is inserted
  ///   then; `CancellationError`.
  @inlinable @concurrent @discardableResult
  public func copy<Rows: Sequence & Sendable>(
    into table: String, schema: String? = nil, columns: [String], rows: Rows
  ) async throws -> PostgreSQLChanges where Rows.Element: PostgreSQLRowEncodable {
    try await withConnection { connection in
      var iterator = rows.makeIterator()
      var index = 0
      return try await connection.copy(into: table, schema, columns: columns) { block in
        if let hasMore = try block.fill(with: rows, from: &index) { return hasMore }
        while !block.isFull {
          guard let row = iterator.next() else { return false }
          try block.append(row)
        }
        return true
      }
    }
  }

  /// Copies rows into a table as a sequence produces them.
  ///
  /// - Throws: The errors of copying a sequence; the error of the sequence, after which no row is
  ///   inserted.
  @concurrent @discardableResult
  public func copy<Rows: AsyncSequence & Sendable>(
    into table: String, columns: [String], rows: Rows
  ) async throws -> PostgreSQLChanges where Rows.Element: PostgreSQLRowEncodable {
    try await withConnection { connection in
      var iterator = rows.makeAsyncIterator()
      return try await connection.copy(into: table, nil, columns: columns) { block in
        while !block.isFull {
          guard let row = try await iterator.nextElement() else { return false }
          try block.append(row)
        }
        return true
      }
    }
  }

  /// Copies the rows of a query with `COPY`, and passes each to `body` when it arrives.
  ///
  /// - Parameters:
  ///   - query: A query without parameters.
  ///   - body: Reads a row.
  /// - Throws: ``PostgreSQLError`` if the query fails; the error of `body`; `CancellationError`.
  @concurrent @discardableResult
  public func copyRows(
    of query: PostgreSQLQuery, _ body: @Sendable (borrowing PostgreSQLRow) throws -> Void
  ) async throws -> PostgreSQLChanges {
    guard try query.allValues(with: []).isEmpty else {
      throw PostgreSQLError(
        code: .parameterCount, message: "COPY can't have values", sql: query.text)
    }
    return try await withConnection { connection in
      try await connection.perform { try await $0.copyRows(of: query.text, body) }
    }
  }
}

@inlinable
func list<each Argument: PostgreSQLBindable & Sendable>(
  _ arguments: repeat each Argument
) -> [any PostgreSQLBindable & Sendable] {
  var values: [any PostgreSQLBindable & Sendable] = []
  for argument in repeat each arguments { values.append(argument) }
  return values
}

extension PostgreSQLConnection {
  /// Runs a statement, and passes its rows to `body`.
  @usableFromInline
  func rows(
    _ query: PostgreSQLQuery, _ arguments: [any PostgreSQLBindable & Sendable], isStreamed: Bool,
    _ body: (borrowing PostgreSQLRow) throws -> Void
  ) async throws -> PostgreSQLChanges {
    let values = try query.allValues(with: arguments)
    return try await perform { session in
      try await session.run(query, isStreamed: isStreamed) { parameters in
        for value in values { try parameters.bind(value) }
      } body: {
        try body($0)
      }
    }
  }

  @usableFromInline
  func copy(
    into table: String, _ schema: String?, columns: [String],
    fill: (inout CopyBlock) async throws -> Bool
  ) async throws -> PostgreSQLChanges {
    let parts = table.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let name = try quotedList(schema.map { [$0, table] } ?? parts, separator: ".")
    let columns = try quotedList(columns, separator: ", ")
    return try await perform { session in
      try await session.copy(into: name, columns: columns, fill: fill)
    }
  }
}

/// Returns the quoted names, separated by a text.
private func quotedList(
  _ names: [String], separator: PostgreSQLQuery
) throws(PostgreSQLError) -> String {
  let query = names.map { "\(identifier: $0)" as PostgreSQLQuery }.joined(separator: separator)
  _ = try query.allValues(with: [])
  return query.text
}

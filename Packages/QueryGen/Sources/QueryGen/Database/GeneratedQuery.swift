/// A query that a database executes. A conforming type is generated for each query.
public protocol GeneratedQuery<Input, Output>: Query {
  /// Indicates whether the query is read-only. A read-only query runs on a reader, concurrently with
  /// others.
  static var isReadOnly: Bool { get }
  /// Indicates whether the query reads temporary tables. Their rows exist only on the connection that
  /// writes, so the query runs there. By default, it is false.
  static var readsTemporaryTables: Bool { get }
  /// The region that the result depends on. By default, it is the whole database.
  static var region: Region { get }
  /// The database that the query runs on.
  var database: Database { get }

  /// Returns the region that the result for one input depends on, which may be smaller than
  /// ``region``.
  func region(for input: Input) -> Region

  /// Executes the query on a given connection, for example inside a transaction.
  ///
  /// ```swift
  /// try await db.database.write { connection in
  ///   try db.insertTodo.execute("Buy milk", in: connection)
  ///   try db.insertTodo.execute("Drink it", in: connection)
  /// }
  /// ```
  @discardableResult
  func execute(_ input: Input, in connection: Connection) throws -> Output
}

/// A query that a database executes as one statement.
public protocol StatementQuery<Input, Output>: GeneratedQuery {
  /// Returns the statement's text and bound values for one input.
  func statement(for input: Input) -> Queries.BoundStatement
}

extension GeneratedQuery {
  public static var readsTemporaryTables: Bool { false }

  public static var region: Region { .everything }

  public func region(for input: Input) -> Region { Self.region }

  /// Executes the query in its own transaction.
  @discardableResult
  public func execute(_ input: Input) async throws -> Output {
    if Self.isReadOnly, Self.readsTemporaryTables {
      return try await readWithWriter { connection in try execute(input, in: connection) }
    }
    return Self.isReadOnly
      ? try await database.read { connection in try named { try execute(input, in: connection) } }
      : try await database.write { connection in try named { try execute(input, in: connection) } }
  }

  /// Executes the query for each input in one transaction, so that either all executions take
  /// effect or none.
  @discardableResult
  public func execute(many inputs: [Input]) async throws -> [Output] {
    if Self.isReadOnly, Self.readsTemporaryTables {
      return try await readWithWriter { connection in try execute(many: inputs, in: connection) }
    }
    return Self.isReadOnly
      ? try await database.read { connection in
        try named { try execute(many: inputs, in: connection) }
      }
      : try await database.write { connection in
        try named { try execute(many: inputs, in: connection) }
      }
  }

  /// Executes the query for each input on a given connection, for example inside a transaction.
  @inlinable
  @discardableResult
  public func execute(many inputs: [Input], in connection: Connection) throws -> [Output] {
    var outputs: [Output] = []
    outputs.reserveCapacity(inputs.count)
    for input in inputs { outputs.append(try execute(input, in: connection)) }
    return outputs
  }

  /// Executes the query now, and again after each commit that changes its region.
  ///
  /// A query that writes runs once, when the stream is iterated, and the stream then finishes:
  /// it must not run again because of a write.
  public func observe(_ input: Input) -> Queries.Stream<Output> {
    guard Self.isReadOnly else { return Queries.Stream { try await execute(input) } }
    if Self.readsTemporaryTables {
      return Queries.Stream(
        WriterObservation(database: database, region: region(for: input)) {
          try await execute(input)
        })
    }
    return Queries.Stream(
      database.observe(region(for: input)) { connection in
        try named { try execute(input, in: connection) }
      })
  }

  /// Reads on the connection that writes, without waiting for the writers of other processes.
  private func readWithWriter<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await database.writeWithoutTransaction { connection in
      try connection.transaction(.deferred) { try named { try body(connection) } }
    }
  }

  /// Adds the query's name to the error for a column that can't be read.
  private func named<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError where error.column != nil {
      throw error.addingContext("query `\(Self.name)`")
    }
  }

  /// The query's name in Swift: `todosOf` for `TodosOfStatement`.
  private static var name: String {
    let type = String(describing: Self.self)
    let words = type.hasSuffix("Statement") ? type.dropLast("Statement".count) : type[...]
    return words.prefix(1).lowercased() + words.dropFirst()
  }
}

extension GeneratedQuery where Input == Void {
  /// Executes the query on a given connection, for example inside a transaction.
  @discardableResult
  public func execute(in connection: Connection) throws -> Output {
    try execute((), in: connection)
  }
}

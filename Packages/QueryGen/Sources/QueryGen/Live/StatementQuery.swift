/// A query that a database answers with one statement: what is generated for each query.
public protocol StatementQuery<Input, Output>: Query {
  /// Whether the statement leaves the database as it is: it then runs beside others, on a reader.
  static var isReadOnly: Bool { get }
  /// What the answer depends on: everything, unless something smaller is said.
  static var region: Region { get }
  /// Where the statement runs.
  var database: Database { get }

  /// The text that is run, and what is bound to its parameters.
  func statement(for input: Input) -> Queries.BoundStatement

  /// What the answer to one input depends on, where that can be told more narrowly.
  func region(for input: Input) -> Region

  /// Asks inside a transaction, or wherever else a connection is at hand.
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

extension StatementQuery {
  public static var region: Region { .everything }

  public func region(for input: Input) -> Region { Self.region }

  /// Asks once, in a transaction of its own.
  @discardableResult
  public func execute(_ input: Input) async throws -> Output {
    Self.isReadOnly
      ? try await database.read { try execute(input, in: $0) }
      : try await database.write { try execute(input, in: $0) }
  }

  /// Asks once for each input, in one transaction: all is done, or nothing.
  @discardableResult
  public func execute(many inputs: [Input]) async throws -> [Output] {
    Self.isReadOnly
      ? try await database.read { try execute(many: inputs, in: $0) }
      : try await database.write { try execute(many: inputs, in: $0) }
  }

  /// Asks once for each input, inside a transaction, or wherever else a connection is at hand.
  @inlinable
  @discardableResult
  public func execute(many inputs: [Input], in connection: Connection) throws -> [Output] {
    var outputs: [Output] = []
    outputs.reserveCapacity(inputs.count)
    for input in inputs { outputs.append(try execute(input, in: connection)) }
    return outputs
  }

  /// Asks now, and again after each commit that touches what the answer depends on.
  ///
  /// A statement that writes is run once, when the stream is iterated, and the stream then ends:
  /// to write again because something was written is never meant.
  public func observe(_ input: Input) -> Queries.Stream<Output> {
    guard Self.isReadOnly else { return Queries.Stream { try await execute(input) } }
    return Queries.Stream(database.observe(region(for: input)) { try execute(input, in: $0) })
  }
}

extension StatementQuery where Input == Void {
  /// Asks inside a transaction, or wherever else a connection is at hand.
  @discardableResult
  public func execute(in connection: Connection) throws -> Output {
    try execute((), in: connection)
  }
}

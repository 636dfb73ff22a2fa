public import SQLiteCore

/// A transaction that stays open, as a database. Each write is a savepoint.
final class TransactionDatabase: DatabaseWriter {
  private let transaction: Database.Transaction

  init(_ transaction: Database.Transaction) { self.transaction = transaction }

  func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try transaction.read(body)
  }

  func read<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try await transaction.read(body)
  }

  func write<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try transaction.write(body)
  }

  func write<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try await transaction.write(body)
  }

  func writeWithoutTransaction<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try transaction.write(body)
  }

  func writeWithoutTransaction<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try await transaction.write(body)
  }
}

extension SQLiteRouteExecutor: DatabaseRouteExecutor {
  /// Runs routes and asynchronous code between them in one write transaction: see
  /// ``DatabaseRouteExecutor/transaction(_:)``.
  ///
  /// Without asynchronous code, the variant with a ``RouteTransaction`` is faster, because `body` runs on the writer's
  /// thread.
  ///
  /// - Throws: The error of `body`; then nothing is written. ``RouterError`` with code
  ///   ``RouterError/Code/unsupported`` if the writer is not a `Database`.
  @_disfavoredOverload
  public func transaction<Result: Sendable>(
    _ body: @Sendable (any RouteExecutor) async throws -> Result
  ) async throws -> Result {
    guard let database = try openDatabase() else {
      throw RouterError(
        code: .unsupported, message: "only a `Database` can run asynchronous code in a transaction")
    }
    let transaction = try await database.beginTransaction()
    var executor = SQLiteRouteExecutor(TransactionDatabase(transaction))
    executor.settings = settings
    // What the transaction reads about the schema is valid only within it.
    executor.settings.cache = StatementCache()
    do {
      let result = try await body(executor)
      try Task.checkCancellation()
      try transaction.commit()
      return result
    } catch {
      transaction.rollBack()
      if let error = error as? SQLiteError, let violation = RouterError(violationIn: error) {
        throw violation
      }
      throw error
    }
  }
}

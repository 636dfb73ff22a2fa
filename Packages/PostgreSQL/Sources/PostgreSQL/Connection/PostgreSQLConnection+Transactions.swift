/// The options of a transaction.
public struct PostgreSQLTransactionOptions: Hashable, Sendable {
  /// The isolation level, or `nil` for the session's default.
  public var isolation: Isolation?
  /// Indicates whether the transaction can't write.
  public var isReadOnly: Bool
  /// Indicates whether a serializable, read-only transaction waits for a snapshot that can't fail.
  public var isDeferrable: Bool
  /// The number of times that the transaction is repeated if it fails because of another one, with codes
  /// ``PostgreSQLError/Code/serializationFailure`` and ``PostgreSQLError/Code/deadlockDetected``.
  ///
  /// The closure then runs several times: it must have no effect outside of the transaction. Each repetition waits a
  /// little longer than the one before, by a random time.
  public var repetitions: Int
  /// Settings of the session that are valid until the end of the transaction, such as `role`, `statement_timeout` or
  /// `app.user`.
  ///
  /// A setting with a point in its name is an empty string afterwards, not NULL, on a connection that has once had it:
  /// write `nullif(current_setting('app.user', true), '')` in policies.
  public var settings: [String: String]

  public init(
    isolation: Isolation? = nil, isReadOnly: Bool = false, isDeferrable: Bool = false,
    repetitions: Int = 0, settings: [String: String] = [:]
  ) {
    self.isolation = isolation
    self.isReadOnly = isReadOnly
    self.isDeferrable = isDeferrable
    self.repetitions = repetitions
    self.settings = settings
  }

  /// A statement that changes settings until the end of the transaction, in the order of their names; `nil` if there are
  /// none.
  public static func statement(settings: [String: String]) -> PostgreSQLQuery? {
    if settings.isEmpty { return nil }
    let calls = settings.sorted { $0.key < $1.key }
      .map { "set_config(\($0.key), \($0.value), true)" as PostgreSQLQuery }
    return "SELECT" + calls.joined(separator: ",")
  }

  /// The isolation levels of PostgreSQL. https://www.postgresql.org/docs/current/transaction-iso.html
  public enum Isolation: String, Hashable, Sendable, CaseIterable {
    /// Each statement sees the transactions that were committed before it began.
    case readCommitted = "READ COMMITTED"
    /// The transaction sees one snapshot, and fails if it changes rows that others have changed since.
    case repeatableRead = "REPEATABLE READ"
    /// The result is one that transactions without concurrency could have.
    case serializable = "SERIALIZABLE"
  }

  var beginSQL: String {
    var sql = "BEGIN"
    if let isolation { sql += " ISOLATION LEVEL \(isolation.rawValue)" }
    if isReadOnly { sql += " READ ONLY" }
    if isDeferrable { sql += " DEFERRABLE" }
    return sql
  }
}

extension PostgreSQLConnection {
  /// Runs `body` in a transaction, which is committed at its end and rolled back if it throws.
  ///
  /// ```swift
  /// try await connection.transaction { connection in
  ///   try await connection.run("UPDATE account SET balance = balance - 10 WHERE id = 1")
  ///   try await connection.run("UPDATE account SET balance = balance + 10 WHERE id = 2")
  /// }
  /// ```
  ///
  /// In a transaction, the method sets a savepoint, and its options are ignored. Transactions and savepoints of one
  /// connection must not overlap in several tasks.
  ///
  /// - Parameters:
  ///   - options: The options.
  ///   - body: Uses the connection.
  /// - Throws: The error of `body`; ``PostgreSQLError`` with code ``PostgreSQLError/Code/transactionRolledBack`` if a
  ///   statement of `body` had failed and the server therefore did not commit, or
  ///   ``PostgreSQLError/Code/outcomeUnknown`` if the connection ended during the commit.
  @concurrent @discardableResult
  public func transaction<Result: Sendable>(
    _ options: PostgreSQLTransactionOptions = PostgreSQLTransactionOptions(),
    _ body: @Sendable (PostgreSQLConnection) async throws -> Result
  ) async throws -> Result {
    var attempt = 0
    while true {
      let session = try sessionForTransaction()
      let depth = try await session.beginTransaction(options)
      do {
        let result = try await body(self)
        // A cancelled task must not commit.
        try Task.checkCancellation()
        try await session.commitTransaction(depth: depth)
        return result
      } catch {
        await session.rollbackTransaction(depth: depth)
        // A savepoint does not help: the transaction as a whole must be repeated.
        guard depth == 0, attempt < options.repetitions, !Task.isCancelled,
          (error as? PostgreSQLError)?.code.isRepeatable == true
        else { throw error }
        attempt += 1
        let limit = min(1 << attempt, 64) * 4
        try await Task.sleep(for: .milliseconds(Int.random(in: limit / 2...limit)))
      }
    }
  }
}

extension Session {
  /// Begins a transaction, or sets a savepoint in one. Returns the number of transactions and savepoints before it.
  func beginTransaction(_ options: PostgreSQLTransactionOptions) async throws -> Int {
    try await perform {
      let depth = transactionDepth
      let handle = try openHandle()
      if depth == 0, handle.isInTransaction {
        throw PostgreSQLError(
          code: .transactionEnded,
          message: "a transaction was begun with BEGIN instead of transaction()")
      }
      if depth == 0 {
        try await begin(options)
      } else {
        try await command("SAVEPOINT holt_\(depth)")
      }
      transactionDepth += 1
      return depth
    }
  }

  /// Begins a transaction, and changes its settings.
  func begin(_ options: PostgreSQLTransactionOptions) async throws {
    guard let settings = PostgreSQLTransactionOptions.statement(settings: options.settings) else {
      try await command(options.beginSQL)
      return
    }
    do {
      _ = try await runPipeline([PostgreSQLQuery(unsafe: options.beginSQL), settings])
    } catch {
      if isUsable, try openHandle().isInTransaction { try await command("ROLLBACK") }
      throw error
    }
  }

  func commitTransaction(depth: Int) async throws {
    // The task may be cancelled, but the outcome must be known.
    try await perform(isRequired: true) {
      guard transactionDepth == depth + 1, try openHandle().isInTransaction else {
        throw PostgreSQLError(
          code: .transactionEnded,
          message: "the transaction was ended by a statement, or overlaps with another one")
      }
      guard depth == 0 else {
        try await command("RELEASE SAVEPOINT holt_\(depth)")
        transactionDepth = depth
        return
      }
      let tag: String
      do {
        tag = try await command("COMMIT")
      } catch let error as PostgreSQLError where !isUsable {
        throw PostgreSQLError(
          code: .outcomeUnknown,
          message: "the connection ended during COMMIT: \(error.message)", sql: "COMMIT",
          underlying: error)
      }
      transactionDepth = 0
      guard tag == "COMMIT" else {
        throw PostgreSQLError(
          code: .transactionRolledBack,
          message: "the transaction was rolled back, because one of its statements had failed",
          sql: "COMMIT")
      }
    }
  }

  /// Rolls back to the state before a transaction or savepoint. If that fails, the connection is closed, which also
  /// rolls back.
  func rollbackTransaction(depth: Int) async {
    do {
      try await perform(isRequired: true) {
        guard transactionDepth > depth else { return }
        transactionDepth = depth
        guard try openHandle().isInTransaction else { return }
        if depth == 0 {
          try await command("ROLLBACK")
        } else {
          try await command("ROLLBACK TO SAVEPOINT holt_\(depth)")
          try await command("RELEASE SAVEPOINT holt_\(depth)")
        }
      }
    } catch {
      await close()
    }
  }

  /// Runs a statement without parameters and rows. Returns its tag.
  @discardableResult
  func command(_ sql: String) async throws -> String {
    guard try openHandle().sendCommand(sql) else { throw sendingFailed(sql) }
    var reception = Reception(
      nil, sql: sql, catalog: catalog, showsValues: configuration.showsValuesInErrors)
    try await receive(&reception) { _ in }
    return try finish(reception, nil).tag
  }

  /// Prepares the session for its next user. Returns whether it can be used again.
  func reset() async -> Bool {
    do {
      try await perform(isRequired: true) {
        let handle = try openHandle()
        transactionDepth = 0
        if handle.isInTransaction { try await command("ROLLBACK") }
        if isStateChanged {
          try await command("DISCARD ALL")
          cache.removeAll()
          isStateChanged = false
        }
      }
      return isUsable
    } catch {
      return false
    }
  }
}

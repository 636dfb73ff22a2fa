internal import Primitives

/// A query that a PostgreSQL database executes. A conforming type is generated for each query.
public protocol PostgreSQLStatementQuery<Input, Output>: Query {
  /// Indicates whether the query can't change the database.
  static var isReadOnly: Bool { get }
  /// The statement.
  static var sql: PostgreSQLQuery { get }
  /// The types of the parameters and columns for which the code was generated.
  static var types: Queries.StatementTypes { get }
  /// The database that the query runs on.
  var database: PostgreSQLDatabase { get }
  /// The statements whose types were compared with those of the database.
  var checks: Queries.StatementChecks { get }

  /// Executes the query on a given connection, for example in a transaction.
  ///
  /// ```swift
  /// try await db.database.transaction { connection in
  ///   try await db.insertTodo.execute("Buy milk", in: connection)
  ///   try await db.insertTodo.execute("Drink it", in: connection)
  /// }
  /// ```
  @discardableResult
  func execute(_ input: Input, in connection: PostgreSQLConnection) async throws -> Output
}

extension PostgreSQLStatementQuery {
  /// Executes the query on a connection of the pool.
  ///
  /// - Throws: `PostgreSQLError`: of the statement; with code `PostgreSQLError.Code.statementChanged` if the database
  ///   has other types than the code.
  @discardableResult
  public func execute(_ input: Input) async throws -> Output {
    try await database.withConnection { connection in try await execute(input, in: connection) }
  }

  /// Executes the query for each input in one transaction, so that either all executions take effect or none.
  @discardableResult
  public func execute(many inputs: [Input]) async throws -> [Output] {
    let options = PostgreSQLTransactionOptions(isReadOnly: Self.isReadOnly)
    return try await database.transaction(options) { connection in
      var outputs: [Output] = []
      outputs.reserveCapacity(inputs.count)
      for input in inputs { outputs.append(try await execute(input, in: connection)) }
      return outputs
    }
  }

  /// Fails: changes of a PostgreSQL database are not observed. A query that writes runs once, when the stream is
  /// iterated, as on SQLite.
  ///
  /// The stream throws `PostgreSQLError` with code `PostgreSQLError.Code.notObservable`, instead of a first result that
  /// would never be updated.
  public func observe(_ input: Input) -> Queries.Stream<Output> {
    guard Self.isReadOnly else { return Queries.Stream { try await execute(input) } }
    return Queries.Stream(
      throwing: PostgreSQLError(
        code: .notObservable,
        message: "queries on PostgreSQL can't be observed: execute the query again instead",
        sql: Self.sql.text))
  }

  /// Compares the statement's types with the types of the database, once for each database.
  ///
  /// Preparing the statement, which is necessary anyway, determines its types.
  public func checkTypes(in connection: PostgreSQLConnection) async throws {
    try await checks.check(Self.sql, Self.types, key: ObjectIdentifier(Self.self), in: connection)
  }
}

extension PostgreSQLStatementQuery where Input == Void {
  /// Executes the query on a given connection, for example in a transaction.
  @discardableResult
  public func execute(in connection: PostgreSQLConnection) async throws -> Output {
    try await execute((), in: connection)
  }
}

extension Queries {
  /// The object identifiers of a statement's types; 0 for a type that the database declares.
  public struct StatementTypes: Hashable, Sendable {
    public var parameters: [UInt32]
    public var columns: [UInt32]

    public init(parameters: [UInt32], columns: [UInt32]) {
      self.parameters = parameters
      self.columns = columns
    }

    /// Returns the difference from the types of a database, as a message; `nil` if there is none.
    func difference(from found: PostgreSQLStatementDescription) -> String? {
      let foundColumns = found.columns.map(\.type.rawValue)
      let foundParameters = found.parameterTypes.map(\.rawValue)
      // The columns of a statement without a result are of no interest.
      if foundColumns.count != columns.count {
        return "the result has \(foundColumns.count) columns, not \(columns.count)"
      }
      if foundParameters.count != parameters.count {
        return "the statement has \(foundParameters.count) parameters, not \(parameters.count)"
      }
      for (index, (old, new)) in zip(columns, foundColumns).enumerated()
      where !Self.isEqual(old, new) {
        return "the column \(found.columns[index].name) has another type"
      }
      for (index, (old, new)) in zip(parameters, foundParameters).enumerated()
      where !Self.isEqual(old, new) {
        return "the parameter $\(index + 1) has another type"
      }
      return nil
    }

    private static func isEqual(_ expected: UInt32, _ found: UInt32) -> Bool {
      expected == 0 ? found >= 16_384 : expected == found
    }
  }

  /// The statements of a database whose types were compared with those of the code.
  public final class StatementChecks: Sendable {
    private let checked = Mutex(Set<ObjectIdentifier>())

    public init() {}

    func check(
      _ sql: PostgreSQLQuery, _ types: StatementTypes, key: ObjectIdentifier,
      in connection: PostgreSQLConnection
    ) async throws {
      guard !checked.withLock({ $0.contains(key) }) else { return }
      let found = try await connection.describe(sql)
      if let difference = types.difference(from: found) {
        throw PostgreSQLError(
          code: .statementChanged,
          message:
            "\(difference): the database has another schema than the one of the generated code",
          sql: sql.text)
      }
      checked.withLock { _ = $0.insert(key) }
    }
  }
}

/// Helpers for reading rows in generated code, in addition to the API of `PostgreSQL`.
extension PostgreSQLConnection {
  /// Reads the row of a statement that always returns exactly one.
  public func fetchOnly<
    Value: PostgreSQLRowDecodable & Sendable, each Argument: PostgreSQLBindable & Sendable
  >(
    _ type: Value.Type, _ query: PostgreSQLQuery, _ arguments: repeat each Argument
  ) async throws -> Value {
    guard let value = try await fetchOne(type, query, repeat each arguments) else {
      throw PostgreSQLError.noRow(query)
    }
    return value
  }

  /// Reads the value of a statement that always returns exactly one row.
  public func onlyValue<
    Value: PostgreSQLReadable & Sendable, each Argument: PostgreSQLBindable & Sendable
  >(
    _ type: Value.Type, _ query: PostgreSQLQuery, _ arguments: repeat each Argument
  ) async throws -> Value {
    guard let value = try await value(type, query, repeat each arguments) else {
      throw PostgreSQLError.noRow(query)
    }
    return value
  }
}

extension PostgreSQLError {
  /// The error for a statement that must return a row but returned none.
  fileprivate static func noRow(_ query: PostgreSQLQuery) -> PostgreSQLError {
    PostgreSQLError(
      code: .unexpectedResult, message: "the statement returned no row", sql: query.text)
  }
}

extension PostgreSQLError.Code {
  /// A statement has other types in the database than in the generated code.
  public static let statementChanged = Self(rawValue: "statementChanged")
  /// A query can't be observed.
  public static let notObservable = Self(rawValue: "notObservable")
  /// A newer version of the program has migrated the database.
  public static let databaseIsNewer = Self(rawValue: "databaseIsNewer")
  /// The SQL of an applied migration has changed.
  public static let migrationChanged = Self(rawValue: "migrationChanged")
  /// Two migrations have the same name, or no migration has the given name.
  public static let invalidMigrations = Self(rawValue: "invalidMigrations")
}

public import Observe
public import QueryGen
public import SQLiteCore

/// A generated query as a request: its result is shown, and stays up to date.
///
/// ```swift
/// @Query(\DB.selectTodos) var todos: [Todo]
/// @Query(\DB.todosOf, with: 3) var hers: [Todo]
/// @Query(\DB.todosOf, with: 3, in: \.todoRepository) var his: [Todo]
/// @Query(\DB.countTodos) var count: Int?
/// @Query(\DB.countTodos, in: \.todoRepository) var otherCount: Int?
/// ```
///
/// The query runs in the context's database, which must have the schema that the query was
/// generated for. It only reads: the context may be read-only, or a database manager. It is fetched
/// again after changes of the tables, columns and rows that the query depends on. The value of a
/// query that always returns one row is optional, because there is no row before the first fetch.
///
/// A query that writes causes an error of code `SQLiteError.Code.readOnly`.
public struct QueryRequest<
  DB: GeneratedDatabase, Statement: GeneratedQuery, Value: QueryableRows & Sendable,
  Context: TopLevelDatabaseReader
>: ValueObservationQueryable {
  /// The key path of the query in the generated database.
  private let path: any KeyPath<DB, Statement> & Sendable
  private let input: Statement.Input
  /// The input, unless it is `Void`.
  private let inputKey: (any Hashable & Sendable)?
  private let transform: @Sendable (Statement.Output) -> Value

  private init(
    _ path: any KeyPath<DB, Statement> & Sendable, _ input: Statement.Input,
    _ inputKey: (any Hashable & Sendable)?,
    _ transform: @escaping @Sendable (Statement.Output) -> Value
  ) {
    self.path = path
    self.input = input
    self.inputKey = inputKey
    self.transform = transform
  }

  /// Creates a request for a query that returns any number of rows, or at most one.
  public init(_ query: any KeyPath<DB, Statement> & Sendable, with input: Statement.Input)
  where Statement.Input: Hashable, Value == Statement.Output {
    self.init(query, input, input) { $0 }
  }

  /// Creates a request for a query without input that returns any number of rows, or at most one.
  public init(_ query: any KeyPath<DB, Statement> & Sendable)
  where Statement.Input == Void, Value == Statement.Output {
    self.init(query, (), nil) { $0 }
  }

  /// Creates a request for a query that always returns one row.
  public init(_ query: any KeyPath<DB, Statement> & Sendable, with input: Statement.Input)
  where Statement.Input: Hashable, Value == Statement.Output? {
    self.init(query, input, input) { $0 }
  }

  /// Creates a request for a query without input that always returns one row.
  public init(_ query: any KeyPath<DB, Statement> & Sendable)
  where Statement.Input == Void, Value == Statement.Output? {
    self.init(query, (), nil) { $0 }
  }

  public static var defaultValue: Value { Value.noRows }

  /// The region that the query declares.
  public var region: Region? { try? statement().region(for: input) }

  public func fetch(_ db: Connection) throws -> Value {
    transform(try statement().execute(input, in: db))
  }

  @MainActor public func values(in context: Context) throws -> QueryValues<Value> {
    // Captures the parts of the request, because its context type need not be `Sendable`.
    let (statement, input, transform) = (try statement(), input, transform)
    let region = statement.region(for: input)
    return QueryValues(
      observing: try context.reader, isDuplicate: Value.areEqual, name: "\(Statement.self)"
    ) { connection, observedRegion in
      observedRegion = region
      return transform(try statement.execute(input, in: connection))
    }
  }

  /// Returns the query without a database, to be executed on a given connection.
  private func statement() throws -> Statement {
    guard Statement.isReadOnly else {
      throw SQLiteError(code: .readOnly, message: "a query that writes can't be used in a request")
    }
    return try DB.detachedQuery(path)
  }

  public static func == (a: QueryRequest, b: QueryRequest) -> Bool {
    (a.path as AnyKeyPath) == (b.path as AnyKeyPath)
      && a.inputKey.map { AnyHashable($0) } == b.inputKey.map { AnyHashable($0) }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(path as AnyKeyPath)
    if let inputKey { hasher.combine(AnyHashable(inputKey)) }
  }
}

extension Observe.Query {
  /// Creates a query of the rows of a generated query without input, in the environment's database.
  public init<DB: GeneratedDatabase, Statement: GeneratedQuery>(
    _ query: any KeyPath<DB, Statement> & Sendable
  )
  where
    Request == QueryRequest<DB, Statement, Statement.Output, DatabaseContext>,
    Statement.Input == Void
  {
    self.init(QueryRequest(query))
  }

  /// Creates a query of the rows of a generated query, in the environment's database.
  public init<DB: GeneratedDatabase, Statement: GeneratedQuery>(
    _ query: any KeyPath<DB, Statement> & Sendable, with input: Statement.Input
  )
  where
    Request == QueryRequest<DB, Statement, Statement.Output, DatabaseContext>,
    Statement.Input: Hashable
  {
    self.init(QueryRequest(query, with: input))
  }

  /// Creates a query of a generated query without input that always returns one row, in the
  /// environment's database.
  @_disfavoredOverload
  public init<DB: GeneratedDatabase, Statement: GeneratedQuery>(
    _ query: any KeyPath<DB, Statement> & Sendable
  )
  where
    Request == QueryRequest<DB, Statement, Statement.Output?, DatabaseContext>,
    Statement.Input == Void
  {
    self.init(QueryRequest(query))
  }

  /// Creates a query of a generated query that always returns one row, in the environment's
  /// database.
  @_disfavoredOverload
  public init<DB: GeneratedDatabase, Statement: GeneratedQuery>(
    _ query: any KeyPath<DB, Statement> & Sendable, with input: Statement.Input
  )
  where
    Request == QueryRequest<DB, Statement, Statement.Output?, DatabaseContext>,
    Statement.Input: Hashable
  {
    self.init(QueryRequest(query, with: input))
  }

  /// Creates a query of the result of a generated query without input, in a database from the
  /// environment.
  ///
  /// - Parameters:
  ///   - query: The key path of the query.
  ///   - context: The key path of the database, or of a database manager, in the environment.
  @_disfavoredOverload
  public init<
    DB: GeneratedDatabase, Statement: GeneratedQuery, Context: TopLevelDatabaseReader
  >(
    _ query: any KeyPath<DB, Statement> & Sendable,
    in context: any KeyPath<QueryEnvironment, Context> & Sendable
  )
  where
    Request == QueryRequest<DB, Statement, Statement.Output, Context>, Statement.Input == Void
  {
    self.init(QueryRequest(query), in: context)
  }

  /// Creates a query of a generated query's result, in a database from the environment.
  ///
  /// - Parameters:
  ///   - query: The key path of the query.
  ///   - input: The query's input.
  ///   - context: The key path of the database, or of a database manager, in the environment.
  @_disfavoredOverload
  public init<
    DB: GeneratedDatabase, Statement: GeneratedQuery, Context: TopLevelDatabaseReader
  >(
    _ query: any KeyPath<DB, Statement> & Sendable, with input: Statement.Input,
    in context: any KeyPath<QueryEnvironment, Context> & Sendable
  )
  where
    Request == QueryRequest<DB, Statement, Statement.Output, Context>, Statement.Input: Hashable
  {
    self.init(QueryRequest(query, with: input), in: context)
  }

  /// Creates a query of a generated query without input that always returns one row, in a database
  /// from the environment. The last parameter makes the compiler prefer the overload for any number
  /// of rows.
  @_disfavoredOverload
  public init<
    DB: GeneratedDatabase, Statement: GeneratedQuery, Context: TopLevelDatabaseReader
  >(
    _ query: any KeyPath<DB, Statement> & Sendable,
    in context: any KeyPath<QueryEnvironment, Context> & Sendable, _: Void = ()
  )
  where
    Request == QueryRequest<DB, Statement, Statement.Output?, Context>, Statement.Input == Void
  {
    self.init(QueryRequest(query), in: context)
  }

  /// Creates a query of a generated query that always returns one row, in a database from the
  /// environment.
  @_disfavoredOverload
  public init<
    DB: GeneratedDatabase, Statement: GeneratedQuery, Context: TopLevelDatabaseReader
  >(
    _ query: any KeyPath<DB, Statement> & Sendable, with input: Statement.Input,
    in context: any KeyPath<QueryEnvironment, Context> & Sendable, _: Void = ()
  )
  where
    Request == QueryRequest<DB, Statement, Statement.Output?, Context>, Statement.Input: Hashable
  {
    self.init(QueryRequest(query, with: input), in: context)
  }
}

/// The rows of a query's value: an array for any number of rows, or an optional for at most one.
///
/// Other types need not conform to this protocol.
public protocol QueryableRows {
  /// The value that is shown before the first one is available.
  static var noRows: Self { get }
}

extension Array: QueryableRows {
  public static var noRows: [Element] { [] }
}

extension Optional: QueryableRows {
  public static var noRows: Wrapped? { nil }
}

extension QueryableRows where Self: Sendable {
  /// Returns whether two values can be compared and are equal.
  @Sendable static func areEqual(_ a: Self, _ b: Self) -> Bool {
    func equals<Other: Equatable>(_ a: Other) -> Bool { b as? Other == a }
    guard let a = a as? any Equatable else { return false }
    return equals(a)
  }
}

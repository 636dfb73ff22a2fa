public import Observe
public import QueryGen
public import SQLiteCore

/// A generated query as a request: what it reads is shown, and stays up to date.
///
/// ```swift
/// @Query(\DB.selectTodos) var todos: [Todo]
/// @Query(\DB.todosOf, with: 3) var hers: [Todo]
/// @Query(\DB.todosOf, with: 3, in: \.todoRepository) var his: [Todo]
/// @Query(\DB.countTodos) var count: Int?
/// @Query(\DB.countTodos, in: \.todoRepository) var countThere: Int?
/// ```
///
/// It runs in the context's database, which has the schema that the query was generated for, and only reads there: the
/// context may be read-only, or a manager of a database. It is fetched anew for the tables, the columns and the rows that
/// the query depends on. A query that always gives one row is an optional here, since there is none before the first
/// fetch.
///
/// A query that writes is an error of code `SQLiteError.Code.readOnly`.
public struct QueryRequest<
  DB: GeneratedDatabase, Statement: StatementQuery, Value: QueryableRows & Sendable,
  Context: TopLevelDatabaseReader
>: ValueObservationQueryable {
  /// Which query of the generated database.
  private let path: any KeyPath<DB, Statement> & Sendable
  private let input: Statement.Input
  /// The input, where it is more than nothing.
  private let inputKey: (any Hashable & Sendable)?
  private let shown: @Sendable (Statement.Output) -> Value

  private init(
    _ path: any KeyPath<DB, Statement> & Sendable, _ input: Statement.Input,
    _ inputKey: (any Hashable & Sendable)?,
    _ shown: @escaping @Sendable (Statement.Output) -> Value
  ) {
    self.path = path
    self.input = input
    self.inputKey = inputKey
    self.shown = shown
  }

  /// A query that gives any number of rows, or one at most.
  public init(_ query: any KeyPath<DB, Statement> & Sendable, with input: Statement.Input)
  where Statement.Input: Hashable, Value == Statement.Output {
    self.init(query, input, input) { $0 }
  }

  /// A query without an input that gives any number of rows, or one at most.
  public init(_ query: any KeyPath<DB, Statement> & Sendable)
  where Statement.Input == Void, Value == Statement.Output {
    self.init(query, (), nil) { $0 }
  }

  /// A query that always gives one row.
  public init(_ query: any KeyPath<DB, Statement> & Sendable, with input: Statement.Input)
  where Statement.Input: Hashable, Value == Statement.Output? {
    self.init(query, input, input) { $0 }
  }

  /// A query without an input that always gives one row.
  public init(_ query: any KeyPath<DB, Statement> & Sendable)
  where Statement.Input == Void, Value == Statement.Output? {
    self.init(query, (), nil) { $0 }
  }

  public static var defaultValue: Value { Value.noRows }

  /// What the query says that it depends on.
  public var region: Region? { try? statement().region(for: input) }

  public func fetch(_ db: Connection) throws -> Value {
    shown(try statement().execute(input, in: db))
  }

  @MainActor public func values(in context: Context) throws -> QueryValues<Value> {
    // The request itself, which knows the type of its context, stays out of what runs elsewhere.
    let (statement, input, shown) = (try statement(), input, shown)
    let region = statement.region(for: input)
    return QueryValues(
      observing: try context.reader, isDuplicate: Value.areEqual, name: "\(Statement.self)"
    ) { connection, told in
      told = region
      return shown(try statement.execute(input, in: connection))
    }
  }

  /// The query without a database: it is run on a connection that is given.
  private func statement() throws -> Statement {
    guard Statement.isReadOnly else {
      throw SQLiteError(code: .readOnly, message: "a query that writes is not shown")
    }
    return try Unconnected.query(path)
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
  /// A query of the rows that a generated query without an input gives, in the environment's database.
  public init<DB: GeneratedDatabase, Statement: StatementQuery>(
    _ query: any KeyPath<DB, Statement> & Sendable
  )
  where
    Request == QueryRequest<DB, Statement, Statement.Output, DatabaseContext>,
    Statement.Input == Void
  {
    self.init(QueryRequest(query))
  }

  /// A query of the rows that a generated query gives, in the environment's database.
  public init<DB: GeneratedDatabase, Statement: StatementQuery>(
    _ query: any KeyPath<DB, Statement> & Sendable, with input: Statement.Input
  )
  where
    Request == QueryRequest<DB, Statement, Statement.Output, DatabaseContext>,
    Statement.Input: Hashable
  {
    self.init(QueryRequest(query, with: input))
  }

  /// A query of the one row that a generated query without an input always gives, in the environment's database.
  @_disfavoredOverload
  public init<DB: GeneratedDatabase, Statement: StatementQuery>(
    _ query: any KeyPath<DB, Statement> & Sendable
  )
  where
    Request == QueryRequest<DB, Statement, Statement.Output?, DatabaseContext>,
    Statement.Input == Void
  {
    self.init(QueryRequest(query))
  }

  /// A query of the one row that a generated query always gives, in the environment's database.
  @_disfavoredOverload
  public init<DB: GeneratedDatabase, Statement: StatementQuery>(
    _ query: any KeyPath<DB, Statement> & Sendable, with input: Statement.Input
  )
  where
    Request == QueryRequest<DB, Statement, Statement.Output?, DatabaseContext>,
    Statement.Input: Hashable
  {
    self.init(QueryRequest(query, with: input))
  }

  /// A query of what a generated query without an input gives, in a database of the environment's.
  ///
  /// - Parameter context: Where the environment has the database, or a manager of one.
  @_disfavoredOverload
  public init<
    DB: GeneratedDatabase, Statement: StatementQuery, Context: TopLevelDatabaseReader
  >(
    _ query: any KeyPath<DB, Statement> & Sendable,
    in context: any KeyPath<QueryEnvironment, Context> & Sendable
  )
  where
    Request == QueryRequest<DB, Statement, Statement.Output, Context>, Statement.Input == Void
  {
    self.init(QueryRequest(query), in: context)
  }

  /// A query of what a generated query gives, in a database of the environment's.
  ///
  /// - Parameter context: Where the environment has the database, or a manager of one.
  @_disfavoredOverload
  public init<
    DB: GeneratedDatabase, Statement: StatementQuery, Context: TopLevelDatabaseReader
  >(
    _ query: any KeyPath<DB, Statement> & Sendable, with input: Statement.Input,
    in context: any KeyPath<QueryEnvironment, Context> & Sendable
  )
  where
    Request == QueryRequest<DB, Statement, Statement.Output, Context>, Statement.Input: Hashable
  {
    self.init(QueryRequest(query, with: input), in: context)
  }

  /// A query of the one row that a generated query without an input always gives, in a database of the environment's. The
  /// last parameter is for the compiler, which takes the form for any number of rows before this one.
  @_disfavoredOverload
  public init<
    DB: GeneratedDatabase, Statement: StatementQuery, Context: TopLevelDatabaseReader
  >(
    _ query: any KeyPath<DB, Statement> & Sendable,
    in context: any KeyPath<QueryEnvironment, Context> & Sendable, _: Void = ()
  )
  where
    Request == QueryRequest<DB, Statement, Statement.Output?, Context>, Statement.Input == Void
  {
    self.init(QueryRequest(query), in: context)
  }

  /// A query of the one row that a generated query always gives, in a database of the environment's.
  @_disfavoredOverload
  public init<
    DB: GeneratedDatabase, Statement: StatementQuery, Context: TopLevelDatabaseReader
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

/// Rows as a query shows them: an array of any number, or an optional for one at most.
///
/// Nothing else need conform to it.
public protocol QueryableRows {
  /// What is shown before there is a value.
  static var noRows: Self { get }
}

extension Array: QueryableRows {
  public static var noRows: [Element] { [] }
}

extension Optional: QueryableRows {
  public static var noRows: Wrapped? { nil }
}

extension QueryableRows where Self: Sendable {
  /// Whether two values can be compared, and are equal.
  @Sendable static func areEqual(_ a: Self, _ b: Self) -> Bool {
    func equals<Other: Equatable>(_ a: Other) -> Bool { b as? Other == a }
    guard let a = a as? any Equatable else { return false }
    return equals(a)
  }
}

public import Observe
public import SQLiteCore

/// Runs the routes of a collection, or answers them with overrides.
///
/// ```swift
/// var router = DatabaseRouter<Routes>(database)
/// let todos: [Todo] = try await router(.todos(.fetch))
/// let saved: Todo = try await router(.todos(.save(todo)))
/// try await router(.todos(.delete(id: 3)))
///
/// router.override(\.todos.fetch, with: [Todo.milk])
/// router.override(.method(.delete, with: .failure(Offline())))
/// ```
///
/// The type of the result determines the expected number of rows: any number for an array, exactly one for a value, at
/// most one for an optional, and any number if there is no result.
///
/// A router is a value: a copy has the overrides at the time of copying, and no later ones. The most recently added
/// override that matches a call answers it; overrides of a scope take precedence: see
/// ``withOverrides(_:log:operation:file:line:)``. Without overrides, a call costs no more than a call of the executor.
@dynamicMemberLookup
public struct DatabaseRouter<Routes: Sendable>: Sendable {
  /// The executor of the routes that no override answers.
  public let executor: any RouteExecutor
  /// The log that records calls; `nil` for none.
  public var log: RouteLog?
  let identity: RouterIdentity
  var overrides = OverrideTable()
  /// The path of the collection within the root collection.
  let casePath: Case<Routes>
  var isSealed = false

  /// Creates a router with an executor.
  public init(_ executor: any RouteExecutor) {
    self.executor = executor
    identity = RouterIdentity()
    casePath = .root
  }

  /// Creates a router for a database, with a ``SQLiteRouteExecutor``.
  public init(_ database: any DatabaseWriter) { self.init(SQLiteRouteExecutor(database)) }

  /// Creates a read-only router.
  public init(readingFrom reader: any DatabaseReader) {
    self.init(SQLiteRouteExecutor(readingFrom: reader))
  }

  private init<Whole>(
    _ router: DatabaseRouter<Whole>, at casePath: Case<Routes>, on executor: any RouteExecutor
  ) {
    self.executor = executor
    log = router.log
    identity = router.identity
    overrides = router.overrides
    isSealed = router.isSealed
    self.casePath = casePath
  }

  /// The router of a nested collection: `router.todos(.fetch)`. It has the same overrides.
  public subscript<Next: Sendable>(
    dynamicMember path: any KeyPath<Routes.AllCasePaths, CasePath<Routes, Next>> & Sendable
  ) -> DatabaseRouter<Next> where Routes: CasePathable {
    DatabaseRouter<Next>(
      self, at: casePath.appending(Routes.allCasePaths[keyPath: path]), on: executor)
  }

  /// Returns the router with another executor.
  func running(on executor: any RouteExecutor) -> DatabaseRouter {
    DatabaseRouter(self, at: casePath, on: executor)
  }

  /// Returns the router without overrides, including those of scopes, now and later, to ensure that the database
  /// answers.
  public func sealed() -> DatabaseRouter {
    var copy = self
    copy.isSealed = true
    return copy
  }
}

/// A router for routes that belong to no collection.
///
/// ```swift
/// var router = GeneralRouter(database)
/// router.override(.method(.fetch, in: "todos", with: [Todo.milk]))
/// let todos: [Todo] = try await router(.fetch(from: "todos"))
/// ```
public typealias GeneralRouter = DatabaseRouter<Never>

/// A router as the context of queries. Copies of a router have equal identities if they have the same overrides,
/// including those of the caller's scopes, so that no query shows another one's override.
extension DatabaseRouter: IdentifiedContext {
  public var contextIdentity: DatabaseContext.Identity {
    let scopes = OverrideScope.current.filter { $0.router === identity }
    let tables = isSealed ? [] : scopes.map(\.overrides) + [overrides]
    let logs = scopes.compactMap(\.log) + (log.map { [$0] } ?? [])
    let parts: [AnyHashable] = [
      ObjectIdentifier(identity), casePath.names, isSealed,
      tables.map { $0.entries.map(\.number) }, logs.map { ObjectIdentifier($0) },
    ]
    return DatabaseContext.Identity(parts)
  }
}

/// Overrides of one router.
extension DatabaseRouter {
  /// Identifies an override of a router, for its removal.
  public struct OverrideID: Hashable, Sendable {
    fileprivate let number: Int
  }

  /// Adds an override. It takes precedence over all existing ones.
  @discardableResult
  public mutating func override(
    _ override: Override, file: String = #fileID, line: Int = #line
  ) -> OverrideID {
    OverrideID(
      number: overrides.add(override.makeOverride(casePath), file: file, line: line).number)
  }

  /// Overrides a case. The answer receives the case's associated values.
  @discardableResult
  public mutating func override<Value: Sendable>(
    _ path: CaseKeyPath<Routes, Value>, file: String = #fileID, line: Int = #line,
    with answer: @escaping Override.Answer<Value>
  ) -> OverrideID where Routes: CasePathable {
    override(.case(path, with: answer), file: file, line: line)
  }

  /// Overrides a case, regardless of its associated values.
  @discardableResult
  public mutating func override<Value: Sendable>(
    _ path: CaseKeyPath<Routes, Value>, with reply: DatabaseRoute.Reply = .success(),
    file: String = #fileID, line: Int = #line
  ) -> OverrideID where Routes: CasePathable {
    override(.case(path, with: reply), file: file, line: line)
  }

  /// Overrides a case, regardless of its associated values.
  @discardableResult
  public mutating func override<Value: Sendable>(
    _ path: CaseKeyPath<Routes, Value>, with value: some Encodable & Sendable,
    file: String = #fileID, line: Int = #line
  ) -> OverrideID where Routes: CasePathable {
    override(.case(path, with: value), file: file, line: line)
  }

  /// Overrides a case with a value computed from its associated values.
  @discardableResult
  @_disfavoredOverload
  public mutating func override<Value: Sendable, Result: Encodable & Sendable>(
    _ path: CaseKeyPath<Routes, Value>, file: String = #fileID, line: Int = #line,
    with value: @escaping @Sendable (Value) async throws -> Result
  ) -> OverrideID where Routes: CasePathable {
    override(.case(path) { .value(try await value($0)) }, file: file, line: line)
  }

  /// Removes an override.
  public mutating func removeOverride(_ id: OverrideID) { overrides.remove(id.number) }

  /// Removes all overrides.
  public mutating func resetOverrides() { overrides = OverrideTable() }

  /// The overrides that were not called by this router or its copies, with their source locations.
  ///
  /// ```swift
  /// #expect(router.unusedOverrides.isEmpty)
  /// ```
  public var unusedOverrides: [DatabaseRoute.UnusedOverride] { overrides.unused }

  /// Runs `operation` with overrides that apply to its task and the tasks that it starts, for this router and all its
  /// copies. Concurrent tests don't affect each other.
  ///
  /// ```swift
  /// try await app.router.withOverrides([.case(\.todos.fetch, with: [Todo.milk])]) {
  ///   try await app.refresh()
  /// }
  /// ```
  ///
  /// Detached tasks, and tasks that already run, are not affected.
  ///
  /// - Parameters:
  ///   - overrides: The overrides, which take precedence over existing ones.
  ///   - log: Also records the calls within the scope and, at its end, the overrides that were not called:
  ///     ``RouteLog/unusedOverrides``.
  ///   - operation: The operation to run.
  ///   - file: The source file of the scope, for messages.
  ///   - line: The source line of the scope, for messages.
  @discardableResult
  public func withOverrides<Result>(
    _ overrides: [Override] = [], log: RouteLog? = nil,
    operation: () async throws -> Result, file: String = #fileID, line: Int = #line
  ) async rethrows -> Result {
    var table = OverrideTable()
    for override in overrides {
      _ = table.add(override.makeOverride(casePath), file: file, line: line)
    }
    let scope = OverrideScope(router: identity, overrides: table, log: log)
    defer { log?.append(table.unused) }
    return try await OverrideScope.$current.withValue(
      OverrideScope.current + [scope], operation: operation)
  }
}

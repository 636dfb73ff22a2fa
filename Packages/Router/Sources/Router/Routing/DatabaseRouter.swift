public import Observe
public import SQLiteCore

/// Runs the routes of a collection, or has them answered by overrides.
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
/// What the call is assigned to decides how many rows there have to be: an array takes any number, a value exactly
/// one, an optional one at most, nothing whatever there is.
///
/// A router is a value: a copy has the overrides that there were, and no later ones. The last override that suits a
/// call answers it; overrides of a scope come before all others: see
/// ``withOverrides(_:log:operation:file:line:)``. Without an override, a call costs no more than that of the executor.
@dynamicMemberLookup
public struct DatabaseRouter<Routes: Sendable>: Sendable {
  /// What runs the routes that no override answers.
  public let executor: any RouteExecutor
  /// Keeps what is called; `nil` for nothing.
  public var log: RouteLog?
  let identity: RouterIdentity
  var overrides = OverrideTable()
  /// Where the routes are in those of the whole router.
  let place: RoutePlace<Routes>
  var isSealed = false

  /// A router over an executor.
  public init(_ executor: any RouteExecutor) {
    self.executor = executor
    identity = RouterIdentity()
    place = RoutePlace(names: [], embed: { $0 }, extract: { $0 as? Routes })
  }

  /// A router over a database, with a ``SQLiteRouteExecutor``.
  public init(_ database: any DatabaseWriter) { self.init(SQLiteRouteExecutor(database)) }

  /// A router that only reads.
  public init(readingFrom reader: any DatabaseReader) {
    self.init(SQLiteRouteExecutor(readingFrom: reader))
  }

  private init<Whole>(_ router: DatabaseRouter<Whole>, at place: RoutePlace<Routes>) {
    executor = router.executor
    log = router.log
    identity = router.identity
    overrides = router.overrides
    isSealed = router.isSealed
    self.place = place
  }

  /// The router of a collection within: `router.todos(.fetch)`. It has the same overrides.
  public subscript<Next: Sendable>(
    dynamicMember path: any KeyPath<Routes.AllCasePaths, CasePath<Routes, Next>> & Sendable
  ) -> DatabaseRouter<Next> where Routes: CasePathable {
    DatabaseRouter<Next>(self, at: place.appending(Routes.allCasePaths[keyPath: path]))
  }

  /// The router without overrides, its own ones and those of scopes, now and later: for who must be sure that the
  /// database answers.
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

/// Where routes are in those of a whole router.
struct RoutePlace<Routes: Sendable>: Sendable {
  let names: [String]
  let embed: @Sendable (Routes) -> any Sendable
  let extract: @Sendable (any Sendable) -> Routes?

  func appending<Next>(_ path: CasePath<Routes, Next>) -> RoutePlace<Next> {
    RoutePlace<Next>(
      names: names + [path.name],
      embed: { [embed] in embed(path.embed($0)) },
      extract: { [extract] in extract($0).flatMap(path.extract) })
  }
}

/// A router as the context of queries: copies of one are the same as long as they have the same overrides, those of the
/// scopes that the caller is in too. So nobody is shown what an override answers to someone else.
extension DatabaseRouter: IdentifiedContext {
  public var contextIdentity: DatabaseContext.Identity {
    let scopes = OverrideScope.current.filter { $0.router === identity }
    let tables = isSealed ? [] : scopes.map(\.overrides) + [overrides]
    return DatabaseContext.Identity(
      RouterContext(
        router: ObjectIdentifier(identity), place: place.names, isSealed: isSealed,
        overrides: tables.map { $0.entries.map(\.number) },
        logs: (scopes.compactMap(\.log) + (log.map { [$0] } ?? [])).map { ObjectIdentifier($0) }))
  }
}

/// What tells routers apart.
private struct RouterContext: Hashable {
  let router: ObjectIdentifier
  let place: [String]
  let isSealed: Bool
  /// The numbers of the overrides, of which no two are equal.
  let overrides: [[Int]]
  let logs: [ObjectIdentifier]
}

/// Overrides of one router.
extension DatabaseRouter {
  /// One override of a router: what it is removed by.
  public struct OverrideID: Hashable, Sendable {
    fileprivate let number: Int
  }

  /// Adds an override. It answers before all that there are.
  @discardableResult
  public mutating func override(
    _ override: Override, file: String = #fileID, line: Int = #line
  ) -> OverrideID {
    OverrideID(
      number: overrides.add(override.make(place), source: SourcePlace(file: file, line: line))
        .number)
  }

  /// Overrides a case, whatever it carries; the answer is told what that is.
  @discardableResult
  public mutating func override<Value: Sendable>(
    _ path: CaseKeyPath<Routes, Value>, file: String = #fileID, line: Int = #line,
    with answer: @escaping Override.Answer<Value>
  ) -> OverrideID where Routes: CasePathable {
    override(.case(path, with: answer), file: file, line: line)
  }

  /// Overrides a case, whatever it carries.
  @discardableResult
  public mutating func override<Value: Sendable>(
    _ path: CaseKeyPath<Routes, Value>, with reply: DatabaseRoute.Reply = .success(),
    file: String = #fileID, line: Int = #line
  ) -> OverrideID where Routes: CasePathable {
    override(.case(path, with: reply), file: file, line: line)
  }

  /// Overrides a case, whatever it carries.
  @discardableResult
  public mutating func override<Value: Sendable>(
    _ path: CaseKeyPath<Routes, Value>, with value: some Encodable & Sendable,
    file: String = #fileID, line: Int = #line
  ) -> OverrideID where Routes: CasePathable {
    override(.case(path, with: value), file: file, line: line)
  }

  /// Overrides a case, whatever it carries, with a value that is made of that.
  @discardableResult
  @_disfavoredOverload
  public mutating func override<Value: Sendable, Result: Encodable & Sendable>(
    _ path: CaseKeyPath<Routes, Value>, file: String = #fileID, line: Int = #line,
    with value: @escaping @Sendable (Value) async throws -> Result
  ) -> OverrideID where Routes: CasePathable {
    override(.case(path) { .value(try await value($0)) }, file: file, line: line)
  }

  /// Takes an override away.
  public mutating func removeOverride(_ id: OverrideID) { overrides.remove(id.number) }

  /// Takes all overrides away.
  public mutating func resetOverrides() { overrides = OverrideTable() }

  /// The overrides that were not called, by this router or a copy of it, and where they were added.
  ///
  /// ```swift
  /// #expect(router.unusedOverrides.isEmpty)
  /// ```
  public var unusedOverrides: [DatabaseRoute.UnusedOverride] { overrides.unused }

  /// Runs `operation` with overrides that hold in its task, and in those that it starts: for this router and every
  /// copy of it, whoever has it. Tests that run at the same time don't meet in them.
  ///
  /// ```swift
  /// try await app.router.withOverrides([.case(\.todos.fetch, with: [Todo.milk])]) {
  ///   try await app.refresh()
  /// }
  /// ```
  ///
  /// A detached task, and work that was there before, are outside.
  ///
  /// - Parameters:
  ///   - overrides: What answers within, before the overrides that there are.
  ///   - log: Is told of the calls within, too, and at the end of the overrides that were not called:
  ///     ``RouteLog/unusedOverrides``.
  ///   - operation: What is done.
  ///   - file: Where the scope stands, for messages.
  ///   - line: Where the scope stands, for messages.
  @discardableResult
  public func withOverrides<Result>(
    _ overrides: [Override] = [], log: RouteLog? = nil,
    operation: () async throws -> Result, file: String = #fileID, line: Int = #line
  ) async rethrows -> Result {
    let source = SourcePlace(file: file, line: line)
    var table = OverrideTable()
    for override in overrides { _ = table.add(override.make(place), source: source) }
    let scope = OverrideScope(router: identity, overrides: table, log: log)
    defer { log?.append(table.unused) }
    return try await OverrideScope.$current.withValue(
      OverrideScope.current + [scope], operation: operation)
  }
}

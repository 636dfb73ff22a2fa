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

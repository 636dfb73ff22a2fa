public import SQLiteCore

/// Runs routes: on a local or remote database, or in place of one.
///
/// The call, not the route, determines the expected number of rows:
///
/// ```swift
/// let todos = try await executor.values(Todo.self, for: .fetch(from: "todos"))
/// let saved = try await executor.value(Todo.self, for: .upsert(todo, in: "todos"))
/// let maybe = try await executor.optionalValue(Todo.self, for: .fetchOne(id: 3, from: "todos"))
/// let count = try await executor.affectedCount(of: .delete(id: 3, from: "todos"))
/// ```
///
/// Implementations only need to provide ``run(_:)-(DatabaseRoute)``; the other methods can be overridden for speed.
public protocol RouteExecutor: Sendable {
  /// The decoder that converts rows to values.
  var decoder: RowDecoder { get }

  /// Runs a route. A write is atomic.
  ///
  /// - Throws: ``RouterError``, with code ``RouterError/Code/constraintViolation`` if a constraint is violated; other
  ///   errors of the database.
  func run(_ route: DatabaseRoute) async throws -> DatabaseRoute.Response

  /// Runs a route, and returns its rows as values: the rows that it reads, writes or deletes.
  ///
  /// - Parameters:
  ///   - type: The type of each row's value.
  ///   - route: The route to run.
  ///   - expectation: The expected number of rows, in addition to the route's own expectation. A write that does not
  ///     meet it must be rolled back.
  /// - Throws: ``RouterError``, with code ``RouterError/Code/notFound`` or ``RouterError/Code/multipleRows`` if the
  ///   expectation is not met.
  func values<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute, expecting expectation: DatabaseRoute.Expectation?
  ) async throws -> [Value]

  /// Runs routes one after another in one transaction.
  ///
  /// - Throws: The same errors as ``run(_:)-(DatabaseRoute)``, for the first route that fails;
  ///   ``RouterError`` with code ``RouterError/Code/unsupported`` if the executor does not support
  ///   transactions.
  func run(_ routes: [DatabaseRoute]) async throws -> [DatabaseRoute.Response]

  /// Runs routes one after another in one transaction, and returns the rows of each as values.
  ///
  /// - Parameters:
  ///   - type: The type of each row's value.
  ///   - routes: The routes, in order.
  ///   - expectation: The expected number of rows of each route, in addition to its own expectation.
  /// - Throws: The same errors as ``values(_:for:expecting:)`` for the first route that fails, and
  ///   as ``run(_:)-([DatabaseRoute])``. An executor that decodes responses, as the default
  ///   implementation does, may have committed before decoding fails.
  func values<Value: Decodable & Sendable>(
    _ type: Value.Type, forEach routes: [DatabaseRoute],
    expecting expectation: DatabaseRoute.Expectation?
  ) async throws -> [[Value]]

  /// Runs a route without returning rows.
  ///
  /// - Returns: The number of written rows.
  /// - Throws: ``RouterError``, and errors of the database.
  @discardableResult
  func affectedCount(of route: DatabaseRoute) async throws -> Int
}

extension RouteExecutor {
  public var decoder: RowDecoder { RowDecoder() }

  public func values<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute, expecting expectation: DatabaseRoute.Expectation?
  ) async throws -> [Value] {
    try await values(type, for: route, expecting: expectation, with: decoder)
  }

  public func run(_ routes: [DatabaseRoute]) async throws -> [DatabaseRoute.Response] {
    throw RouterError(code: .unsupported, message: "\(Self.self) does not support transactions")
  }

  public func values<Value: Decodable & Sendable>(
    _ type: Value.Type, forEach routes: [DatabaseRoute],
    expecting expectation: DatabaseRoute.Expectation?
  ) async throws -> [[Value]] {
    let responses = try await run(routes.map { $0.addingExpectation(expectation) })
    return try zip(routes, responses).map { route, response in
      let values = try response.values(type, of: route, with: decoder)
      try expectation?.check(values.count, of: route)
      return values
    }
  }

  /// Runs a route, and returns any number of rows as values.
  ///
  /// - Throws: ``RouterError``, and errors of the database. An empty result is not an error.
  public func values<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, for route: DatabaseRoute
  ) async throws -> [Value] {
    try await values(type, for: route, expecting: nil)
  }

  /// Runs a route, and returns exactly one row as a value.
  ///
  /// - Throws: ``RouterError`` with code ``RouterError/Code/notFound`` if there is no row, or with code
  ///   ``RouterError/Code/multipleRows`` if there are several. A write is then rolled back.
  public func value<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, for route: DatabaseRoute
  ) async throws -> Value {
    try route.firstValue(of: await values(type, for: route, expecting: .one))
  }

  /// Runs a route, and returns at most one row as a value.
  ///
  /// - Throws: ``RouterError`` with code ``RouterError/Code/multipleRows`` if there are several rows. A write is then
  ///   rolled back. An empty result is not an error.
  public func optionalValue<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, for route: DatabaseRoute
  ) async throws -> Value? {
    try await values(type, for: route, expecting: .atMost(1)).first
  }

  /// Runs a route without returning rows. The rows of a write are not even read.
  ///
  /// - Throws: ``RouterError``, and errors of the database.
  public func perform(_ route: DatabaseRoute) async throws {
    _ = try await affectedCount(of: route)
  }

  @discardableResult
  public func affectedCount(of route: DatabaseRoute) async throws -> Int {
    try await run(route.isReadOnly ? route : route.returning(.minimal)).affected
  }
}

extension DatabaseRoute {
  /// The route with its written rows returned, regardless of its own setting.
  var returningRows: DatabaseRoute {
    returning == .representation ? self : returning(.representation)
  }

  /// Returns the value of the only row, or throws ``RouterError/Code/notFound`` if there is no row.
  func firstValue<Value>(of values: [Value]) throws(RouterError) -> Value {
    guard let value = values.first else { throw .notFound(self) }
    return value
  }
}

extension RouteExecutor {
  /// Runs a route, and decodes its response.
  func values<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute,
    expecting expectation: DatabaseRoute.Expectation?, with decoder: RowDecoder
  ) async throws -> [Value] {
    let values = try await run(route.addingExpectation(expectation))
      .values(type, of: route, with: decoder)
    try expectation?.check(values.count, of: route)
    return values
  }
}

extension DatabaseRoute.Expectation {
  /// Returns the combination of two expectations.
  func and(_ other: DatabaseRoute.Expectation?) -> DatabaseRoute.Expectation {
    switch (self, other) {
    case (_, nil): self
    case (.one, .one): .one
    case (.atMost(let most), .atMost(let least)): .atMost(min(most, least))
    // A maximum below one is stricter than exactly one.
    case (.one, .atMost(let most)), (.atMost(let most), .one): most < 1 ? .atMost(most) : .one
    }
  }
}

extension DatabaseRoute {
  /// Returns the route with an additional expectation, and with its written rows returned.
  func addingExpectation(_ expectation: Expectation?) -> DatabaseRoute {
    var route = returningRows
    if let expectation { route.expectation = expectation.and(self.expectation) }
    return route
  }

  /// Checks a response against the route's own expectation.
  func check(_ response: Response) throws(RouterError) {
    let count =
      isReadOnly
      ? response.rows.count
      : writesRecords ? max(response.affected, response.rows.count) : response.affected
    try check(rows: count)
  }

  /// Checks a number of rows against the route's own expectation.
  func check(rows count: Int) throws(RouterError) {
    try expectation?.check(count, of: self)
    if method == .fetchOne { try Expectation.atMost(1).check(count, of: self) }
  }

  /// Indicates whether the route writes by a filter or by records, and not by custom SQL.
  var writesRecords: Bool {
    switch method {
    case .insert, .update, .upsert, .delete: true
    case .fetch, .fetchOne, .count, .custom: false
    }
  }
}

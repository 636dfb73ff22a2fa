public import SQLiteCore

/// What runs routes: a database here, one elsewhere, or something in a database's place.
///
/// How many values there have to be is decided by the call, not by the route:
///
/// ```swift
/// let todos = try await executor.values(Todo.self, for: .fetch(from: "todos"))
/// let saved = try await executor.value(Todo.self, for: .upsert(todo, in: "todos"))
/// let maybe = try await executor.optionalValue(Todo.self, for: .fetchOne(id: 3, from: "todos"))
/// let count = try await executor.affectedCount(of: .delete(id: 3, from: "todos"))
/// ```
///
/// An implementation needs ``run(_:)-(DatabaseRoute)`` alone; the others can be faster by themselves.
public protocol RouteExecutor: Sendable {
  /// How rows become values.
  var decoder: RowDecoder { get }

  /// Runs a route. A write is done whole or not at all.
  ///
  /// - Throws: ``RouterError``, with code ``RouterError/Code/constraintViolation`` if a constraint is not satisfied;
  ///   whatever else the database throws.
  func run(_ route: DatabaseRoute) async throws -> DatabaseRoute.Response

  /// Runs a route, and gives its rows as values: those that it reads, or those that it writes, a deletion too.
  ///
  /// - Parameters:
  ///   - type: What each row is read as.
  ///   - route: What is asked.
  ///   - expectation: How many there have to be, besides what the route itself expects. A write that gives more or
  ///     fewer has to be undone.
  /// - Throws: ``RouterError``: with code ``RouterError/Code/notFound`` or ``RouterError/Code/multipleRows`` where
  ///   there are not as many as there have to be.
  func values<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute, expecting expectation: DatabaseRoute.Expectation?
  ) async throws -> [Value]

  /// Runs routes one after another, all or none.
  ///
  /// - Throws: As ``run(_:)-(DatabaseRoute)``, of the first that fails; ``RouterError`` with code
  ///   ``RouterError/Code/unsupported`` where that can't be had.
  func run(_ routes: [DatabaseRoute]) async throws -> [DatabaseRoute.Response]

  /// Runs routes one after another, all or none, and gives the rows of each as values.
  ///
  /// - Parameters:
  ///   - type: What the rows of each become.
  ///   - routes: The routes, in their order.
  ///   - expectation: How many rows each has to give, besides what it expects itself.
  /// - Throws: As ``values(_:for:expecting:)`` of the first that fails, and as ``run(_:)-([DatabaseRoute])``. An
  ///   executor that makes values of responses, as by default, may have written where they can't be made.
  func values<Value: Decodable & Sendable>(
    _ type: Value.Type, forEach routes: [DatabaseRoute],
    expecting expectation: DatabaseRoute.Expectation?
  ) async throws -> [[Value]]

  /// Runs a route for its effect.
  ///
  /// - Returns: How many rows it wrote.
  /// - Throws: ``RouterError``, and whatever the database throws.
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
    throw RouterError(code: .unsupported, message: "\(Self.self) has no transactions")
  }

  public func values<Value: Decodable & Sendable>(
    _ type: Value.Type, forEach routes: [DatabaseRoute],
    expecting expectation: DatabaseRoute.Expectation?
  ) async throws -> [[Value]] {
    let responses = try await run(routes.map { $0.demanding(expectation) })
    return try zip(routes, responses).map { route, response in
      let values = try response.values(type, of: route, with: decoder)
      try expectation?.check(values.count, of: route)
      return values
    }
  }

  /// Runs a route, and gives its rows as values: any number.
  ///
  /// - Throws: ``RouterError``, and whatever the database throws. No row is not an error.
  public func values<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, for route: DatabaseRoute
  ) async throws -> [Value] {
    try await values(type, for: route, expecting: nil)
  }

  /// Runs a route that gives exactly one row.
  ///
  /// - Throws: ``RouterError`` with code ``RouterError/Code/notFound`` where there is none, with code
  ///   ``RouterError/Code/multipleRows`` where there are more. A write is undone then.
  public func value<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, for route: DatabaseRoute
  ) async throws -> Value {
    try route.one(of: await values(type, for: route, expecting: .one))
  }

  /// Runs a route that gives one row at most.
  ///
  /// - Throws: ``RouterError`` with code ``RouterError/Code/multipleRows`` where there are more. A write is
  ///   undone then. No row is not an error.
  public func optionalValue<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, for route: DatabaseRoute
  ) async throws -> Value? {
    try await values(type, for: route, expecting: .atMost(1)).first
  }

  /// Runs a route for its effect: what a write would give back is not even made.
  ///
  /// - Throws: ``RouterError``, and whatever the database throws.
  public func perform(_ route: DatabaseRoute) async throws {
    _ = try await affectedCount(of: route)
  }

  @discardableResult
  public func affectedCount(of route: DatabaseRoute) async throws -> Int {
    try await run(route.isReadOnly ? route : route.returning(.minimal)).affected
  }
}

extension DatabaseRoute {
  /// The route as it is run for values: what is written is given back, whatever it says itself.
  var givingRows: DatabaseRoute {
    returning == .representation ? self : returning(.representation)
  }

  /// What is given where one row was demanded.
  func one<Value>(of values: [Value]) throws(RouterError) -> Value {
    guard let value = values.first else { throw .notFound(self) }
    return value
  }
}

extension DatabaseRoute.Expectation {
  /// One more row than there may be: enough to know.
  var probe: Int {
    switch self {
    case .one: 2
    case .atMost(let count): count == Int.max ? count : count + 1
    }
  }

  func check(_ count: Int, of route: DatabaseRoute) throws(RouterError) {
    switch self {
    case .one where count == 0: throw .notFound(route)
    case .one where count > 1, .atMost(1) where count > 1:
      throw RouterError(
        code: .multipleRows, message: "there is more than one row", table: route.table.name,
        routeId: route.id, route: route.description)
    case .atMost(let most) where count > most:
      throw .tooManyRows(most, route)
    default: break
    }
  }
}

extension RouterError {
  static func notFound(_ route: DatabaseRoute) -> RouterError {
    RouterError(
      code: .notFound, message: "there is no such row", table: route.table.name,
      routeId: route.id, route: route.description)
  }

  static func tooManyRows(_ most: Int, _ route: DatabaseRoute) -> RouterError {
    RouterError(
      code: .tooManyRows, message: "there are more than \(most) rows", table: route.table.name,
      routeId: route.id, route: route.description)
  }

  /// The error with what is known of the route, where it does not say so itself.
  func of(_ route: DatabaseRoute) -> RouterError {
    var error = self
    error.table = table ?? route.table.name
    error.routeId = routeId ?? route.id
    error.route = self.route ?? route.description
    return error
  }
}

extension RouteExecutor {
  /// The rows of a route as values, by running it and reading its response.
  func values<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute,
    expecting expectation: DatabaseRoute.Expectation?, with decoder: RowDecoder
  ) async throws -> [Value] {
    let values = try await run(route.demanding(expectation))
      .values(type, of: route, with: decoder)
    try expectation?.check(values.count, of: route)
    return values
  }
}

extension DatabaseRoute.Expectation {
  /// What has to hold where another has to hold too.
  func and(_ other: DatabaseRoute.Expectation?) -> DatabaseRoute.Expectation {
    switch (self, other) {
    case (_, nil): self
    case (.one, .one): .one
    case (.atMost(let most), .atMost(let least)): .atMost(min(most, least))
    // Fewer than one is what both together leave of that.
    case (.one, .atMost(let most)), (.atMost(let most), .one): most < 1 ? .atMost(most) : .one
    }
  }
}

extension DatabaseRoute {
  /// The route as it is run for so many values.
  func demanding(_ expectation: Expectation?) -> DatabaseRoute {
    var demanding = givingRows
    if let expectation { demanding.expectation = expectation.and(self.expectation) }
    return demanding
  }

  /// Checks a response by what the route itself demands of the number of rows.
  func check(_ response: Response) throws(RouterError) {
    let count =
      isReadOnly
      ? response.rows.count
      : writesRecords ? max(response.affected, response.rows.count) : response.affected
    try check(rows: count)
  }

  /// Checks how many rows are given by what the route itself demands.
  func check(rows count: Int) throws(RouterError) {
    try expectation?.check(count, of: self)
    if method == .fetchOne { try Expectation.atMost(1).check(count, of: self) }
  }

  /// Whether it writes by a filter or by records, and not by SQL of its own.
  var writesRecords: Bool {
    switch method {
    case .insert, .update, .upsert, .delete: true
    case .fetch, .fetchOne, .count, .custom: false
    }
  }
}

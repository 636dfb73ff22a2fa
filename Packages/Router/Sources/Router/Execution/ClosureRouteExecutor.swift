public import SQLiteCore

/// An executor that answers routes with a closure, for tests and for data sources that are not databases.
///
/// ```swift
/// let executor = ClosureRouteExecutor { route in
///   guard route.table == "todos" else { throw Offline() }
///   return DatabaseRoute.Response(columns: ["id", "name"], rows: [[1, "Milk"]])
/// }
/// let todos = try await executor.values(Todo.self, for: .fetch(from: "todos"))
/// ```
///
/// The executor checks the expectations of the route and the call about the number of rows, so that the closure need
/// not. The closure receives the expectation in ``DatabaseRoute/expectation``, and must check it only if it actually
/// writes, to roll back. If the response to a write has rows but no number of affected rows, the number of its rows is
/// used.
public struct ClosureRouteExecutor: RouteExecutor {
  /// Answers a route.
  public typealias Body = @Sendable (DatabaseRoute) async throws -> DatabaseRoute.Response
  /// Answers routes that run in one transaction, with a response for each.
  public typealias BatchBody = @Sendable ([DatabaseRoute]) async throws -> [DatabaseRoute.Response]

  /// The decoder that converts rows to values.
  public let decoder: RowDecoder
  private let body: Body
  private let batch: BatchBody?

  /// Creates an executor.
  ///
  /// - Parameters:
  ///   - decoder: The decoder that converts the rows of a response to values.
  ///   - body: Answers each route that runs on its own.
  ///   - batch: Answers routes that run together. If it is `nil`, running them throws ``RouterError/Code/unsupported``,
  ///     because the first route could not be rolled back if the second one fails.
  public init(
    decoder: RowDecoder = RowDecoder(), _ body: @escaping Body, batch: BatchBody? = nil
  ) {
    self.decoder = decoder
    self.body = body
    self.batch = batch
  }

  public func run(_ route: DatabaseRoute) async throws -> DatabaseRoute.Response {
    try route.checkNesting()
    return try Self.checked(try await body(route), of: route)
  }

  public func values<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute, expecting expectation: DatabaseRoute.Expectation?
  ) async throws -> [Value] {
    try await values(type, for: route, expecting: expectation, with: decoder)
  }

  public func run(_ routes: [DatabaseRoute]) async throws -> [DatabaseRoute.Response] {
    guard let batch else {
      throw RouterError(
        code: .unsupported,
        message: "without a `batch` closure, the executor can't run routes in a transaction")
    }
    for route in routes { try route.checkNesting() }
    let responses = try await batch(routes)
    guard responses.count == routes.count else {
      throw RouterError(
        code: .mismatch,
        message: "the closure returned \(responses.count) responses for \(routes.count) routes")
    }
    return try zip(responses, routes).map(Self.checked)
  }

  private static func checked(
    _ response: DatabaseRoute.Response, of route: DatabaseRoute
  ) throws(RouterError) -> DatabaseRoute.Response {
    var response = response
    if route.writesRecords, response.affected == 0 { response.affected = response.rows.count }
    try route.check(response)
    return response
  }
}

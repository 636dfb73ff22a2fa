public import SQLiteCore

/// A closure in the place of a database: for tests, and for what is no database at all.
///
/// ```swift
/// let executor = ClosureRouteExecutor { route in
///   guard route.table == "todos" else { throw Offline() }
///   return DatabaseRoute.Response(columns: ["id", "name"], rows: [[1, "Milk"]])
/// }
/// let todos = try await executor.values(Todo.self, for: .fetch(from: "todos"))
/// ```
///
/// What the route and the call demand of the number of rows is checked here, so that the closure need not: it is
/// given the demand in ``DatabaseRoute/expectation``, and has to look at it where it really writes, to undo what it
/// did. A write that gives rows and no number has written as many as it gives.
public struct ClosureRouteExecutor: RouteExecutor {
  /// Answers a route.
  public typealias Body = @Sendable (DatabaseRoute) async throws -> DatabaseRoute.Response
  /// Answers routes that run together, all or none: a response for each.
  public typealias BatchBody = @Sendable ([DatabaseRoute]) async throws -> [DatabaseRoute.Response]

  /// How rows become values.
  public let decoder: RowDecoder
  private let body: Body
  private let batch: BatchBody?

  /// - Parameters:
  ///   - decoder: How the rows of a response become values.
  ///   - body: Answers each route that runs by itself.
  ///   - batch: Answers routes that run together. Without it, running them is ``RouterError/Code/unsupported``, for
  ///     nobody could undo the first where the second fails.
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
        code: .unsupported, message: "the closure answers one route at a time, and no transaction")
    }
    for route in routes { try route.checkNesting() }
    let responses = try await batch(routes)
    guard responses.count == routes.count else {
      throw RouterError(
        code: .mismatch,
        message: "the closure gives \(responses.count) responses to \(routes.count) routes")
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

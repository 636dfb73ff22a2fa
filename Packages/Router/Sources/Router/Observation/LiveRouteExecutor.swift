public import Observe
internal import SQLiteCore

/// A ``RouteExecutor`` that can observe routes: it delivers a new value whenever the result may have changed.
///
/// The methods correspond to the methods that run a route once, with the same expectations about the number of rows:
///
/// ```swift
/// for try await todos in executor.observeValues(Todo.self, for: .fetch(from: "todos")) { show(todos) }
///
/// let first: DatabaseRoute.Observation<Todo?> = executor.observeOptionalValue(
///   for: .fetch(from: "todos", order: .ascending("due")).first())
/// let open: DatabaseRoute.Observation<Int> = executor.observeCount(of: .fetch(from: "todos"))
/// ```
///
/// Nothing is done until the sequence is iterated. Implementations only need to provide ``observe(_:for:expecting:)``.
public protocol LiveRouteExecutor: RouteExecutor {
  /// Observes the rows that a route reads, as values.
  ///
  /// Policies, row filters and limits are applied for each value, as for a route that runs once. The iteration throws
  /// ``RouterError`` with code ``RouterError/Code/invalidRoute`` for a route that writes.
  ///
  /// - Parameters:
  ///   - type: The type of each row's value.
  ///   - route: The route to observe.
  ///   - expectation: The expected number of rows, in addition to the route's own expectation.
  func observe<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute, expecting expectation: DatabaseRoute.Expectation?
  ) -> DatabaseRoute.Observation<[Value]>
}

extension LiveRouteExecutor {
  /// Observes any number of rows that a route reads, as values.
  public func observeValues<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, for route: DatabaseRoute
  ) -> DatabaseRoute.Observation<[Value]> {
    observe(type, for: route, expecting: nil)
  }

  /// Observes the single row that a route reads.
  ///
  /// No row is an error of code ``RouterError/Code/notFound``; several rows are an error of code
  /// ``RouterError/Code/multipleRows``. Neither ends ``DatabaseRoute/Observation/results``.
  public func observeValue<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, for route: DatabaseRoute
  ) -> DatabaseRoute.Observation<Value> {
    observe(type, for: route, expecting: .one).transformed { try route.firstValue(of: $0) }
  }

  /// Observes at most one row that a route reads. Several rows are an error of code ``RouterError/Code/multipleRows``.
  public func observeOptionalValue<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, for route: DatabaseRoute
  ) -> DatabaseRoute.Observation<Value?> {
    observe(type, for: route, expecting: .atMost(1)).transformed(\.first)
  }

  /// Observes the number of rows that a route counts, or the number of rows of a fetch without its limit.
  ///
  /// A fetch is converted to a count, on which policies decide.
  public func observeCount(of route: DatabaseRoute) -> DatabaseRoute.Observation<Int> {
    switch route.method {
    case .count: observeValue(Int.self, for: route)
    case .fetch, .fetchOne: observeValue(Int.self, for: route.countingRows)
    default:
      DatabaseRoute.Observation(
        throwing: RouterError.invalid("only the rows of a fetch can be counted").of(route))
    }
  }
}

extension SQLiteRouteExecutor: LiveRouteExecutor {
  /// Observes the rows that a route reads, as values.
  ///
  /// The route runs again after commits that affect the tables and columns that SQLite reports, restricted to the rows
  /// selected by the route's filter and by the row filters: a commit to the rows of team 2 does not affect an observer
  /// of team 1. Equal routes that are affected by one commit run once for all observers that use copies of one
  /// executor.
  ///
  /// The iteration throws ``RouterError`` with code ``RouterError/Code/invalidRoute`` for a route that writes, and with
  /// code ``RouterError/Code/unsupported`` if the reader is a snapshot.
  public func observe<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute, expecting expectation: DatabaseRoute.Expectation?
  ) -> DatabaseRoute.Observation<[Value]> {
    do throws(RouterError) {
      return DatabaseRoute.Observation(
        try observation(of: type, for: route, expecting: expectation))
    } catch {
      return DatabaseRoute.Observation(throwing: error)
    }
  }

  /// Observes the rows that a route reads, as an observation of Observe, which supports differences, throttling and
  /// publishers.
  ///
  /// ```swift
  /// let todos = try executor.observation(of: Todo.self, for: .fetch(from: "todos"))
  /// for try await change in todos.differences(by: \.id) { apply(change) }
  /// ```
  ///
  /// - Throws: ``RouterError``, as the iteration of ``observe(_:for:expecting:)``.
  public func observation<Value: Decodable & Sendable>(
    of type: Value.Type = Value.self, for route: DatabaseRoute,
    expecting expectation: DatabaseRoute.Expectation? = nil
  ) throws(RouterError) -> ValueObservation<[Value]> {
    let live = try LiveRoute<Value>(route, expecting: expectation, settings: settings)
    guard let values = reader.observation(trackingRegion: { try live.fetch($0, &$1) }) else {
      throw RouterError(
        code: .unsupported, message: "a snapshot can't be observed, because it never changes"
      ).of(route)
    }
    return values.shared(by: live.key).named(route.description)
  }
}

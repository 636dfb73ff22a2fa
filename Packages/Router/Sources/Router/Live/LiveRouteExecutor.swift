public import Observe
internal import SQLiteCore

/// A ``RouteExecutor`` that can watch: what a route reads comes again whenever it may be another.
///
/// The calls say how many values there have to be, as those that run a route once:
///
/// ```swift
/// for try await todos in executor.observeValues(Todo.self, for: .fetch(from: "todos")) { show(todos) }
///
/// let first: DatabaseRoute.Observation<Todo?> = executor.observeOptionalValue(
///   for: .fetch(from: "todos", order: .ascending("due")).first())
/// let open: DatabaseRoute.Observation<Int> = executor.observeCount(of: .fetch(from: "todos"))
/// ```
///
/// Nothing is done before the sequence is iterated. An implementation needs ``observe(_:for:expecting:)`` alone.
public protocol LiveRouteExecutor: RouteExecutor {
  /// Observes the rows that a route reads, as values.
  ///
  /// Policies, filters of rows and limits are looked at for each value anew, as they are for a route that runs once.
  /// What can't be observed is an error of the iteration: ``RouterError`` with code
  /// ``RouterError/Code/invalidRoute`` for a route that writes.
  ///
  /// - Parameters:
  ///   - type: What each row is read as.
  ///   - route: What is asked.
  ///   - expectation: How many there have to be, besides what the route itself expects.
  func observe<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute, expecting expectation: DatabaseRoute.Expectation?
  ) -> DatabaseRoute.Observation<[Value]>
}

extension LiveRouteExecutor {
  /// Observes the rows that a route reads, as values: any number.
  public func observeValues<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, for route: DatabaseRoute
  ) -> DatabaseRoute.Observation<[Value]> {
    observe(type, for: route, expecting: nil)
  }

  /// Observes the one row that a route reads.
  ///
  /// None is an error of code ``RouterError/Code/notFound``, more are one of code
  /// ``RouterError/Code/multipleRows``. Neither is the end for who asks for ``DatabaseRoute/Observation/results``.
  public func observeValue<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, for route: DatabaseRoute
  ) -> DatabaseRoute.Observation<Value> {
    observe(type, for: route, expecting: .one).transformed { try route.one(of: $0) }
  }

  /// Observes the one row that a route reads, where there is one; more are an error of code
  /// ``RouterError/Code/multipleRows``.
  public func observeOptionalValue<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, for route: DatabaseRoute
  ) -> DatabaseRoute.Observation<Value?> {
    observe(type, for: route, expecting: .atMost(1)).transformed(\.first)
  }

  /// Observes how many rows a route counts; of one that fetches, how many there are without its limit.
  ///
  /// A route that fetches is run as one that counts: that is what a policy sees.
  public func observeCount(of route: DatabaseRoute) -> DatabaseRoute.Observation<Int> {
    switch route.method {
    case .count: observeValue(Int.self, for: route)
    case .fetch, .fetchOne: observeValue(Int.self, for: route.countingRows)
    default:
      DatabaseRoute.Observation(
        throwing: RouterError.invalid("only the rows of a fetch are counted").of(route))
    }
  }
}

extension SQLiteRouteExecutor: LiveRouteExecutor {
  /// Observes the rows that a route reads, as values.
  ///
  /// What a commit has to change for the route to run again is told by SQLite, which tables and columns it reads, and
  /// by the route's own filter and the filters of rows, which rows: a commit to the rows of team 2 does not concern who
  /// observes those of team 1. Equal routes that one commit concerns run once for all who observe them through
  /// copies of one executor.
  ///
  /// An error of the iteration is ``RouterError`` with code ``RouterError/Code/invalidRoute`` for a route that
  /// writes, with code ``RouterError/Code/unsupported`` where the reader is a snapshot.
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

  /// Observes the rows that a route reads, with all that Observe makes of an observation: differences, intervals,
  /// publishers.
  ///
  /// ```swift
  /// let todos = try executor.observation(of: Todo.self, for: .fetch(from: "todos"))
  /// for try await change in todos.differences(by: \.id) { apply(change) }
  /// ```
  ///
  /// - Throws: ``RouterError`` as ``observe(_:for:expecting:)`` does in the iteration.
  public func observation<Value: Decodable & Sendable>(
    of type: Value.Type = Value.self, for route: DatabaseRoute,
    expecting expectation: DatabaseRoute.Expectation? = nil
  ) throws(RouterError) -> ValueObservation<[Value]> {
    let live = try LiveRoute<Value>(route, expecting: expectation, settings: shared)
    guard let values = reader.observation(telling: { try live.fetch($0, &$1) }) else {
      throw RouterError(
        code: .unsupported, message: "of what is only a moment of a database there is no change"
      ).of(route)
    }
    return values.shared(by: live.key).named(route.description)
  }
}

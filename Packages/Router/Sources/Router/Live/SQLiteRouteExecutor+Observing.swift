public import Observe
internal import SQLiteCore

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

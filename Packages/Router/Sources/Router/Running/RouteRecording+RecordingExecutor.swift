public import SQLiteCore
internal import Primitives

extension RouteRecording {
  /// Runs routes on another executor, and keeps what came of them: see ``RouteRecording``.
  ///
  /// ```swift
  /// let recorder = RouteRecording.RecordingExecutor(SQLiteRouteExecutor(database))
  /// try await refresh(recorder)
  /// try recorder.recording.write(to: file)
  /// ```
  ///
  /// A call that asks for values runs as a route too, and its rows are kept as they came, so that a replay can read
  /// them as another type. Calls stand in the order in which they began; one that is still running is not in the
  /// recording yet, and one that was cancelled never is.
  public final class RecordingExecutor<Base: RouteExecutor>: RouteExecutor {
    /// What runs the routes.
    public let base: Base
    /// How rows become values.
    public let decoder: RowDecoder
    private let state = Mutex(State())

    private struct State {
      /// The number of the first call that is wanted, and of the next one.
      var first = 0
      var next = 0
      var calls: [Int: RouteRecording.Call] = [:]
    }

    /// - Parameters:
    ///   - base: What runs the routes.
    ///   - decoder: How rows become values: what `base` has is not asked.
    public init(_ base: Base, decoder: RowDecoder = RowDecoder()) {
      self.base = base
      self.decoder = decoder
    }

    /// What was called so far.
    public var recording: RouteRecording {
      let calls = state.withLock { $0.calls }
      return RouteRecording(calls: calls.sorted { $0.key < $1.key }.map(\.value))
    }

    /// Forgets what was called so far, and what is running.
    public func reset() {
      state.withLock {
        $0.first = $0.next
        $0.calls = [:]
      }
    }

    public func run(_ route: DatabaseRoute) async throws -> DatabaseRoute.Response {
      try route.checkNesting()
      return try await keeping {
        try await base.run(route)
      } as: { response in
        .init(route, response)
      } failure: { error in
        .init(route, failure: error)
      }
    }

    public func values<Value: Decodable & Sendable>(
      _ type: Value.Type, for route: DatabaseRoute,
      expecting expectation: DatabaseRoute.Expectation?
    ) async throws -> [Value] {
      try await values(type, for: route, expecting: expectation, with: decoder)
    }

    public func run(_ routes: [DatabaseRoute]) async throws -> [DatabaseRoute.Response] {
      for route in routes { try route.checkNesting() }
      return try await keeping {
        try await base.run(routes)
      } as: { responses in
        .init(together: routes, responses)
      } failure: { error in
        .init(together: routes, failure: error)
      }
    }

    private func keeping<Response>(
      _ body: () async throws -> Response, as call: (Response) -> RouteRecording.Call,
      failure: (any Error) -> RouteRecording.Call
    ) async throws -> Response {
      let number = state.withLock { state in
        defer { state.next += 1 }
        return state.next
      }
      do {
        let response = try await body()
        keep(call(response), number)
        return response
      } catch let error as CancellationError {
        // It tells of the caller, and nothing of the database.
        throw error
      } catch {
        keep(failure(error), number)
        throw error
      }
    }

    private func keep(_ call: RouteRecording.Call, _ number: Int) {
      state.withLock { if number >= $0.first { $0.calls[number] = call } }
    }
  }
}

public import SQLiteCore
internal import Primitives

extension RouteRecording {
  /// Runs routes on another executor, and records the calls: see ``RouteRecording``.
  ///
  /// ```swift
  /// let recorder = RouteRecording.RecordingExecutor(SQLiteRouteExecutor(database))
  /// try await refresh(recorder)
  /// try recorder.recording.write(to: file)
  /// ```
  ///
  /// A call for values also runs as a route, and its undecoded rows are recorded, so that a replay can decode them as
  /// another type. Calls are recorded in the order in which they began. A call that is still running is not in the
  /// recording yet, and a cancelled one is never recorded.
  public final class RecordingExecutor<Base: RouteExecutor>: RouteExecutor {
    /// The executor that runs the routes.
    public let base: Base
    /// The decoder that converts rows to values.
    public let decoder: RowDecoder
    private let state = Mutex(State())

    private struct State {
      /// The numbers of the first call to record, and of the next call.
      var first = 0
      var next = 0
      var calls: [Int: RouteRecording.Call] = [:]
    }

    /// Creates a recording executor.
    ///
    /// - Parameters:
    ///   - base: The executor that runs the routes.
    ///   - decoder: The decoder that converts rows to values, instead of the decoder of `base`.
    public init(_ base: Base, decoder: RowDecoder = RowDecoder()) {
      self.base = base
      self.decoder = decoder
    }

    /// The calls so far.
    public var recording: RouteRecording {
      let calls = state.withLock { $0.calls }
      return RouteRecording(calls: calls.sorted { $0.key < $1.key }.map(\.value))
    }

    /// Discards all calls so far, including running ones.
    public func reset() {
      state.withLock {
        $0.first = $0.next
        $0.calls = [:]
      }
    }

    public func run(_ route: DatabaseRoute) async throws -> DatabaseRoute.Response {
      try route.checkNesting()
      return try await record {
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
      return try await record {
        try await base.run(routes)
      } as: { responses in
        .init(batch: routes, responses)
      } failure: { error in
        .init(batch: routes, failure: error)
      }
    }

    private func record<Response>(
      _ body: () async throws -> Response, as call: (Response) -> RouteRecording.Call,
      failure: (any Error) -> RouteRecording.Call
    ) async throws -> Response {
      let number = state.withLock { state in
        defer { state.next += 1 }
        return state.next
      }
      do {
        let response = try await body()
        store(call(response), number)
        return response
      } catch let error as CancellationError {
        // Cancellation is a property of the caller, not of the database.
        throw error
      } catch {
        store(failure(error), number)
        throw error
      }
    }

    private func store(_ call: RouteRecording.Call, _ number: Int) {
      state.withLock { if number >= $0.first { $0.calls[number] = call } }
    }
  }
}

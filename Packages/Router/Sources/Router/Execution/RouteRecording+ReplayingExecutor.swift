public import SQLiteCore
internal import Primitives

extension RouteRecording {
  /// Answers routes with a recording instead of a database.
  ///
  /// ```swift
  /// let executor = RouteRecording.ReplayingExecutor(try RouteRecording(contentsOf: file))
  /// let todos = try await executor.values(Todo.self, for: .fetch(from: "todos"))
  /// #expect(executor.unusedCalls.isEmpty)
  /// ```
  ///
  /// A call is answered by a recorded call of an equal route, regardless of the expectations of both and of whether
  /// they return rows: recorded rows also answer a call for their number, and any number of rows also answers a call
  /// for one row, or shows that there are too many. If the database's answer can't be derived (a write was recorded
  /// without the rows that are now requested, or it failed by an expectation that the call does not have), the call
  /// throws ``RouterError/Code/unanswered``, like a call that is not in the recording. The message names the most
  /// similar recorded call, and the difference.
  ///
  /// Concurrent calls are answered in the order in which they arrive.
  public final class ReplayingExecutor: RouteExecutor {
    /// The order in which recorded calls are used.
    public enum Order: String, Hashable, Sendable, CaseIterable {
      /// Calls must be the recorded calls, in the same order and each once.
      case strict
      /// Calls of equal routes are answered in the order in which they were recorded, independently of other calls.
      /// When all have been used, the last one answers further calls of a route that only reads; a further call of a
      /// route that writes is not answered, because writing twice has another effect.
      case any
    }

    /// The recording that answers calls.
    public let recording: RouteRecording
    /// The order in which recorded calls are used.
    public let order: Order
    /// The decoder that converts rows to values.
    public let decoder: RowDecoder
    private let indices: [RouteCallKey: [Int]]
    private let state: Mutex<State>

    private struct State {
      var isUsed: [Bool]
      /// The index of the next call in strict order.
      var next = 0
      /// The number of used calls of equal routes, from the first on without a gap.
      var usedCounts: [RouteCallKey: Int] = [:]
    }

    /// Creates a replaying executor.
    ///
    /// - Parameters:
    ///   - recording: The recording that answers calls.
    ///   - order: The order in which recorded calls are used.
    ///   - decoder: The decoder that converts rows to values.
    public init(
      _ recording: RouteRecording, order: Order = .any, decoder: RowDecoder = RowDecoder()
    ) {
      self.recording = recording
      self.order = order
      self.decoder = decoder
      var indices: [RouteCallKey: [Int]] = [:]
      for (index, call) in recording.calls.enumerated() {
        indices[RouteCallKey(call), default: []].append(index)
      }
      self.indices = indices
      state = Mutex(State(isUsed: recording.calls.map { _ in false }))
    }

    /// The recorded calls that have not been used, in order.
    public var unusedCalls: [RouteRecording.Call] {
      let isUsed = state.withLock { $0.isUsed }
      return zip(recording.calls, isUsed).filter { !$0.1 }.map(\.0)
    }

    public func run(_ route: DatabaseRoute) async throws -> DatabaseRoute.Response {
      let responses = try answer([route], isBatch: false)
      guard let response = responses.first else {
        throw unanswered([route], "the recorded call has no response")
      }
      return response
    }

    public func values<Value: Decodable & Sendable>(
      _ type: Value.Type, for route: DatabaseRoute,
      expecting expectation: DatabaseRoute.Expectation?
    ) async throws -> [Value] {
      try await values(type, for: route, expecting: expectation, with: decoder)
    }

    public func run(_ routes: [DatabaseRoute]) async throws -> [DatabaseRoute.Response] {
      try answer(routes, isBatch: true)
    }

    // MARK: Answers

    private func answer(_ routes: [DatabaseRoute], isBatch: Bool) throws -> [DatabaseRoute
      .Response]
    {
      for route in routes { try route.checkNesting() }
      let key = RouteCallKey(routes, isBatch: isBatch)
      let found: ReplayResult
      switch order {
      case .strict: found = state.withLock { next(key, routes, &$0) }
      case .any:
        if let indices = indices[key] {
          found = state.withLock { first(of: indices, key, routes, &$0) }
        } else {
          found = .none(missing(key))
        }
      }
      switch found {
      case .responses(let responses): return responses
      case .failure(let error): throw error
      case .none(let reason): throw unanswered(routes, reason)
      }
    }

    private func next(
      _ key: RouteCallKey, _ routes: [DatabaseRoute], _ state: inout State
    ) -> ReplayResult {
      guard state.next < recording.calls.count else {
        return .none("the recording has ended after \(recording.calls.count) calls")
      }
      let call = recording.calls[state.next]
      let number = "call \(state.next + 1) of the recording is \(call)"
      guard RouteCallKey(call) == key else {
        return .none("\(number), which differs in \(key.differences(from: RouteCallKey(call)))")
      }
      let answer = call.answer(to: routes)
      if case .none(let reason) = answer { return .none("\(number): \(reason)") }
      state.isUsed[state.next] = true
      state.next += 1
      return answer
    }

    /// Returns the answer of the first unused call of equal routes that can answer.
    private func first(
      of indices: [Int], _ key: RouteCallKey, _ routes: [DatabaseRoute], _ state: inout State
    ) -> ReplayResult {
      var used = state.usedCounts[key] ?? 0
      while used < indices.count, state.isUsed[indices[used]] { used += 1 }
      state.usedCounts[key] = used
      var reason: String?
      for index in indices[used...] where !state.isUsed[index] {
        let answer = recording.calls[index].answer(to: routes)
        if case .none(let why) = answer {
          reason = reason ?? why
          continue
        }
        state.isUsed[index] = true
        return answer
      }
      if routes.allSatisfy(\.isReadOnly) {
        for index in indices.reversed() {
          let answer = recording.calls[index].answer(to: routes)
          if case .none = answer { continue }
          return answer
        }
      }
      return .none(
        reason
          ?? "the route writes, and was recorded "
          + (indices.count == 1 ? "once" : "\(indices.count) times")
      )
    }

    /// Returns why a route that was not recorded is not answered.
    private func missing(_ key: RouteCallKey) -> String {
      let distances = recording.calls.map { key.distance(from: RouteCallKey($0)) }
      guard let least = distances.min(), let index = distances.firstIndex(of: least) else {
        return "the recording is empty"
      }
      let call = recording.calls[index]
      return """
        the call is not in the recording; the most similar one is \(call), which differs in \
        \(key.differences(from: RouteCallKey(call)))
        """
    }

    private func unanswered(_ routes: [DatabaseRoute], _ reason: String) -> RouterError {
      RouterError(
        code: .unanswered, message: reason, table: routes.first?.table.name,
        routeId: routes.first?.id,
        route: routes.map(\.description).joined(separator: "; "))
    }
  }
}

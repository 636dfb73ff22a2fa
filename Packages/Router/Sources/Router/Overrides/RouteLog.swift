internal import Primitives

/// Records a router's calls, in the order in which they ended, for tests and diagnostics.
///
/// ```swift
/// let log = RouteLog()
/// router.log = log
/// try await model.save()
/// #expect(log.calls.map(\.name) == ["todos.save", "todos.fetch"])
/// ```
///
/// The log stores the routes with their values, up to its capacity.
public final class RouteLog: Sendable {
  private struct State {
    var calls: [Call] = []
    /// The index of the oldest call, once the capacity is reached.
    var first = 0
    var dropped = 0
    var unused: [DatabaseRoute.UnusedOverride] = []
  }

  private let state = Mutex(State())
  /// The maximum number of calls. The log keeps the most recent ones.
  public let capacity: Int

  public init(capacity: Int = 1_000) { self.capacity = max(1, capacity) }

  /// The recorded calls, oldest first.
  public var calls: [Call] {
    state.withLock { Array($0.calls[$0.first...] + $0.calls[..<$0.first]) }
  }

  /// The number of calls that were discarded.
  public var droppedCount: Int { state.withLock { $0.dropped } }

  /// The overrides of ended scopes that were not called within them: see
  /// ``DatabaseRouter/withOverrides(_:log:operation:file:line:)``.
  public var unusedOverrides: [DatabaseRoute.UnusedOverride] { state.withLock { $0.unused } }

  public func removeAll() { state.withLock { $0 = State() } }

  func append(_ call: Call) {
    state.withLock { state in
      guard state.calls.count == capacity else { return state.calls.append(call) }
      state.calls[state.first] = call
      state.first = (state.first + 1) % capacity
      state.dropped += 1
    }
  }

  func append(_ unused: [DatabaseRoute.UnusedOverride]) { state.withLock { $0.unused += unused } }
}

extension RouteLog {
  /// One call of a router.
  public struct Call: Sendable {
    /// The source of the result.
    public enum Answer: Hashable, Sendable {
      case database
      /// An override, with its description.
      case override(String)
    }

    /// The names of the called case, such as `todos.fetchOne`; `nil` for a route without a collection.
    public let name: String?
    /// The database route; `nil` if the collection's `route()` threw an error.
    public let route: DatabaseRoute?
    public let answer: Answer
    /// The duration, including an override's delay.
    public let duration: Duration
    /// The error of the call; `nil` if it succeeded.
    public let failure: (any Error)?
  }
}

extension RouteLog.Call: CustomStringConvertible {
  public var description: String {
    let source = if case .override(let name) = answer { " by \(name)" } else { "" }
    let outcome = failure.map { " failed: \($0)" } ?? ""
    let subject = [name, route?.description].compactMap(\.self).joined(separator: ": ")
    return "\(subject)\(source)\(outcome)"
  }
}

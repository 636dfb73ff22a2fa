internal import Synchronization

/// What was called, in the order in which it ended: for tests, and for who wants to know.
///
/// ```swift
/// let log = RouteLog()
/// router.log = log
/// try await model.save()
/// #expect(log.calls.map(\.name) == ["todos.save", "todos.fetch"])
/// ```
///
/// It keeps no value of a route longer than its calls are kept.
public final class RouteLog: Sendable {
  private struct State {
    var calls: [RouteCall] = []
    var dropped = 0
  }

  private let state = Mutex(State())
  /// How many calls are kept: of more, the last ones.
  public let capacity: Int

  public init(capacity: Int = 1_000) { self.capacity = max(1, capacity) }

  /// The calls, the first one first.
  public var calls: [RouteCall] { state.withLock { $0.calls.suffix(capacity) } }

  /// How many calls are no longer kept.
  public var droppedCount: Int {
    state.withLock { $0.dropped + max(0, $0.calls.count - capacity) }
  }

  public func removeAll() { state.withLock { $0 = State() } }

  func append(_ call: RouteCall) {
    state.withLock { state in
      // Half of them at once, so that a full log costs no more than another.
      if state.calls.count >= capacity * 2 {
        state.calls.removeFirst(capacity)
        state.dropped += capacity
      }
      state.calls.append(call)
    }
  }
}

/// One call of a router.
public struct RouteCall: Sendable {
  /// Who answered.
  public enum Answer: Hashable, Sendable {
    case database
    /// An override, in words.
    case override(String)
  }

  /// The names of the case that was called, as `todos.fetchOne`; `nil` for a route without a collection.
  public let name: String?
  /// What was asked of the database.
  public let route: DatabaseRoute
  public let answer: Answer
  /// How long it took, with the time that an override waited.
  public let duration: Duration
  /// What went wrong; `nil` where nothing did.
  public let failure: (any Error)?
}

extension RouteCall: CustomStringConvertible {
  public var description: String {
    let who = if case .override(let name) = answer { " by \(name)" } else { "" }
    let how = failure.map { " failed: \($0)" } ?? ""
    return "\(name.map { "\($0): " } ?? "")\(route)\(who)\(how)"
  }
}

internal import Primitives

/// What was called, in the order in which it ended: for tests, and for who wants to know.
///
/// ```swift
/// let log = RouteLog()
/// router.log = log
/// try await model.save()
/// #expect(log.calls.map(\.name) == ["todos.save", "todos.fetch"])
/// ```
///
/// It keeps the routes with their values, and no more of them than its calls.
public final class RouteLog: Sendable {
  private struct State {
    var calls: [Call] = []
    /// Where the first call is, once there are as many as there may be.
    var first = 0
    var dropped = 0
    var unused: [DatabaseRoute.UnusedOverride] = []
  }

  private let state = Mutex(State())
  /// How many calls are kept: of more, the last ones.
  public let capacity: Int

  public init(capacity: Int = 1_000) { self.capacity = max(1, capacity) }

  /// The calls, the first one first.
  public var calls: [Call] {
    state.withLock { Array($0.calls[$0.first...] + $0.calls[..<$0.first]) }
  }

  /// How many calls are no longer kept.
  public var droppedCount: Int { state.withLock { $0.dropped } }

  /// The overrides of scopes that have ended, which were not called in them: see
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
    /// Who answered.
    public enum Answer: Hashable, Sendable {
      case database
      /// An override, in words.
      case override(String)
    }

    /// The names of the case that was called, as `todos.fetchOne`; `nil` for a route without a collection.
    public let name: String?
    /// What was asked of the database; `nil` where the collection's route threw, and could not say.
    public let route: DatabaseRoute?
    public let answer: Answer
    /// How long it took, with the time that an override waited.
    public let duration: Duration
    /// What went wrong; `nil` where nothing did.
    public let failure: (any Error)?
  }
}

extension RouteLog.Call: CustomStringConvertible {
  public var description: String {
    let who = if case .override(let name) = answer { " by \(name)" } else { "" }
    let how = failure.map { " failed: \($0)" } ?? ""
    let what = [name, route?.description].compactMap(\.self).joined(separator: ": ")
    return "\(what)\(who)\(how)"
  }
}

internal import Primitives

extension DatabaseObservation {
  /// Pauses observations, and resumes them: those of a view that is out of sight, say.
  ///
  /// ```swift
  /// let control = DatabaseObservation.Control()
  /// let players = database.observe(fetch).controlled(by: control)
  /// control.pause()  // commits cause no fetch any more
  /// control.resume()  // whose value is stale by now gets the latest
  /// ```
  ///
  /// A paused iteration waits. A fetch that runs when it is paused is not interrupted, and gives its value. Closing
  /// the database and cancelling the task end it as ever.
  public final class Control: Sendable {
    private struct State {
      var isPaused: Bool
      var members: [ObjectIdentifier: Member] = [:]
    }

    /// An iteration, as its hub knows it.
    private struct Member {
      weak var hub: ChangeHub?
      let id: Schedule.ID
    }

    private let state: Mutex<State>

    /// - Parameter isPaused: Whether observations begin paused, without a first value.
    public init(isPaused: Bool = false) { state = Mutex(State(isPaused: isPaused)) }

    /// Whether the observations are paused.
    public var isPaused: Bool { state.withLock { $0.isPaused } }

    /// Pauses all iterations of observations under this control, later ones too.
    public func pause() { set(isPaused: true) }

    /// Resumes them: each whose value is stale gets the latest.
    public func resume() { set(isPaused: false) }

    private func set(isPaused: Bool) {
      // Under the lock, so that the last call counts; no user code is run.
      state.withLock { state in
        state.isPaused = isPaused
        for member in state.members.values {
          if isPaused { member.hub?.pause(member.id) } else { member.hub?.resume(member.id) }
        }
      }
    }

    func add(_ key: AnyObject, _ id: Schedule.ID, in hub: ChangeHub) {
      state.withLock { state in
        state.members[ObjectIdentifier(key)] = Member(hub: hub, id: id)
        if state.isPaused { hub.pause(id) }
      }
    }

    func remove(_ key: AnyObject) {
      state.withLock { $0.members[ObjectIdentifier(key)] = nil }
    }
  }
}

extension ValueObservation {
  /// Puts the observation's iterations under a control, which pauses and resumes them.
  public func controlled(by control: DatabaseObservation.Control) -> ValueObservation {
    var observation = self
    observation.control = control
    return observation
  }
}

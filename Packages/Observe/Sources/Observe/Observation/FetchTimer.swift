internal import Synchronization

/// A pacer by the clock.
///
/// Its task sleeps only while the consumer waits, and no longer than that: who is busy, gone or cancelled has
/// no timer.
final class FetchTimer<Pace: Clock>: FetchPacer where Pace.Duration == Duration {
  enum Rule: Sendable {
    /// A value is stale so long after it was fetched.
    case staleness(Duration)
    /// After a fetch nothing is fetched for so many times as long as it took.
    case rest(Double)
  }

  private struct State {
    weak var hub: ChangeHub?
    var id: Schedule.ID = 0
    var isWaiting = false
    var fetchBegan: Pace.Instant?
    /// When the value is stale, or the rest is over.
    var deadline: Pace.Instant?
    /// Sleeps until then.
    var task: Task<Void, Never>?
  }

  private let rule: Rule
  private let clock: Pace
  private let state = Mutex(State())

  init(_ rule: Rule, clock: Pace) {
    self.rule = rule
    self.clock = clock
  }

  func begin(_ id: Schedule.ID, in hub: ChangeHub) {
    state.withLock {
      $0.id = id
      $0.hub = hub
    }
  }

  func fetchBegins() { state.withLock { $0.fetchBegan = clock.now } }

  func fetchEnds() {
    let now = clock.now
    let (hub, id) = state.withLock { state -> (ChangeHub?, Schedule.ID) in
      switch rule {
      case .staleness(let maximum): state.deadline = now.advanced(by: maximum)
      case .rest(let factor):
        let cost = state.fetchBegan?.duration(to: now) ?? .zero
        state.deadline = cost > .zero && factor > 0 ? now.advanced(by: cost * factor) : nil
      }
      arm(&state, at: now)
      return (state.deadline == nil ? nil : state.hub, state.id)
    }
    if case .rest = rule { hub?.pause(id, .rest) }
  }

  func consumerWaits() {
    let now = clock.now
    let isDue = state.withLock { state in
      state.isWaiting = true
      if state.deadline == nil, case .staleness(let maximum) = rule {
        state.deadline = now.advanced(by: maximum)
      }
      arm(&state, at: now)
      return state.deadline.map { $0 <= now } ?? false
    }
    if isDue { ring() }
  }

  func consumerIsServed() {
    state.withLock { state in
      state.isWaiting = false
      state.task?.cancel()
      state.task = nil
    }
  }

  /// Has a task sleep until the deadline, or none where nobody waits or it is over.
  private func arm(_ state: inout State, at now: Pace.Instant) {
    state.task?.cancel()
    state.task = nil
    guard state.isWaiting, let deadline = state.deadline, now < deadline else { return }
    state.task = Task { [clock, weak self] in
      guard (try? await clock.sleep(until: deadline, tolerance: nil)) != nil else { return }
      self?.ring()
    }
  }

  private func ring() {
    let now = clock.now
    let (hub, id) = state.withLock { state -> (ChangeHub?, Schedule.ID) in
      guard state.isWaiting, let deadline = state.deadline, deadline <= now else {
        return (nil, state.id)
      }
      // The next one is counted from the fetch that comes of this, or, if none can be made, from now.
      state.deadline =
        if case .staleness(let maximum) = rule { now.advanced(by: maximum) } else { nil }
      return (state.hub, state.id)
    }
    switch rule {
    case .staleness: hub?.expire(id)
    case .rest: hub?.resume(id, .rest)
    }
  }
}

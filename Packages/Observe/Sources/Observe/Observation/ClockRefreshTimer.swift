internal import Primitives
internal import SQLiteCore

/// A ``RefreshTimer`` that uses a clock.
///
/// Its task sleeps only while the consumer waits: a consumer that is busy, released or cancelled
/// has no timer.
final class ClockRefreshTimer<Pace: Clock>: RefreshTimer where Pace.Duration == Duration {
  enum Rule: Sendable {
    /// A value is stale when this time has passed since its fetch.
    case staleness(Duration)
    /// After each fetch, no fetch begins for this multiple of the fetch's duration.
    case rest(Double)
  }

  private struct State {
    weak var hub: ChangeHub?
    var id: Schedule.ID = 0
    var isWaiting = false
    var fetchBegan: Pace.Instant?
    /// The time when the value becomes stale, or the rest ends.
    var deadline: Pace.Instant?
    /// Sleeps until `deadline`.
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

  func fetchBegins() {
    let now = clock.now
    state.withLock { $0.fetchBegan = now }
  }

  func fetchEnds() {
    let now = clock.now
    let (hub, id, began) = state.withLock { ($0.hub, $0.id, $0.fetchBegan) }
    var deadline: Pace.Instant?
    switch rule {
    case .staleness(let maximum): deadline = now.advanced(by: maximum)
    case .rest(let factor):
      let cost = began?.duration(to: now) ?? .zero
      if cost > .zero, factor > 0 {
        // Paused before the timer is set, which ends the pause.
        hub?.pause(id, .rest)
        deadline = now.advanced(by: cost * factor)
      }
    }
    set(at: now) { $0.deadline = deadline }
  }

  func consumerWaits() {
    let now = clock.now
    let first: Pace.Instant? =
      if case .staleness(let maximum) = rule { now.advanced(by: maximum) } else { nil }
    set(at: now) { state in
      state.isWaiting = true
      if state.deadline == nil { state.deadline = first }
    }
    fire(at: now)
  }

  func consumerDidReceive() { set(at: clock.now) { $0.isWaiting = false } }

  /// Changes the state, and starts a task that sleeps until the deadline, if a consumer waits and
  /// the deadline is in the future.
  private func set(at now: Pace.Instant, _ change: (inout State) -> Void) {
    let replaced = state.withLock { state in
      change(&state)
      let replaced = state.task
      state.task = nil
      if state.isWaiting, let deadline = state.deadline, now < deadline {
        state.task = Task { [clock, weak self] in
          guard (try? await clock.sleep(until: deadline, tolerance: nil)) != nil else { return }
          self?.fire(at: clock.now)
        }
      }
      return replaced
    }
    // Not under the lock, because cancelling calls the clock.
    replaced?.cancel()
  }

  /// Applies the rule if the deadline has passed and the consumer waits.
  private func fire(at now: Pace.Instant) {
    // The next deadline is counted from the resulting fetch or, if none can begin, from now.
    let next: Pace.Instant? =
      if case .staleness(let maximum) = rule { now.advanced(by: maximum) } else { nil }
    let (hub, id) = state.withLock { state -> (ChangeHub?, Schedule.ID) in
      guard state.isWaiting, let deadline = state.deadline, deadline <= now else {
        return (nil, state.id)
      }
      state.deadline = next
      return (state.hub, state.id)
    }
    switch rule {
    case .staleness: hub?.expire(id)
    case .rest: hub?.resume(id, .rest)
    }
  }
}

/// Decides, in addition to commits, when an iteration fetches next.
///
/// The timer is notified of the iteration's fetches and of its consumer's waits. A timer may run only
/// while the consumer waits.
protocol RefreshTimer: AnyObject, Sendable {
  /// Sets the iteration. Called before all other methods.
  func begin(_ id: Schedule.ID, in hub: ChangeHub)

  func fetchBegins()
  /// Called when the fetch has ended, before its result is delivered.
  func fetchEnds()

  /// Called when the consumer is about to wait for an element.
  func consumerWaits()
  /// Called when the consumer has received its element, or was released.
  func consumerDidReceive()
}

/// The factories of an observation's refresh timers.
struct FetchTiming: Sendable {
  var staleness: (@Sendable () -> any RefreshTimer)?
  var load: (@Sendable () -> any RefreshTimer)?

  /// Creates the timers of a new iteration.
  var refreshTimers: [any RefreshTimer] { [staleness, load].compactMap { $0?() } }
}

extension Fetcher {
  /// Returns a fetcher that notifies the timers of its fetches.
  func timed(by refreshTimers: [any RefreshTimer]) -> Fetcher {
    if refreshTimers.isEmpty { return self }
    return Fetcher(region: region) { [fetch] context in
      for timer in refreshTimers { timer.fetchBegins() }
      defer { for timer in refreshTimers { timer.fetchEnds() } }
      return try fetch(&context)
    }
  }
}

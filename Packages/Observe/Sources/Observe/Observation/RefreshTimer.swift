internal import Primitives
internal import SQLiteCore

/// Decides, in addition to commits, when an iteration fetches next.
///
/// The timer is notified of the iteration's fetches and of its consumer's waits. Its task sleeps
/// only while the consumer waits: a consumer that is busy, released or cancelled has no timer.
///
/// All times are relative to the timer's creation.
final class RefreshTimer: Sendable {
  enum Rule: Sendable {
    /// A value is stale when this time has passed since its fetch.
    case staleness(Duration)
    /// After each fetch, no fetch begins for this multiple of the fetch's duration.
    case cooldown(Double)
  }

  private struct State {
    weak var hub: ChangeHub?
    var id: Schedule.ID = 0
    var isWaiting = false
    var fetchBegan: Duration?
    /// The time when the value becomes stale, or the cooldown ends.
    var deadline: Duration?
    /// Sleeps until `deadline`.
    var task: Task<Void, Never>?
  }

  private let rule: Rule
  private let currentTime: @Sendable () -> Duration
  private let sleep: @Sendable (_ deadline: Duration) async throws -> Void
  private let state = Mutex(State())

  init<C: Clock>(_ rule: Rule, clock: C) where C.Duration == Duration {
    self.rule = rule
    let start = clock.now
    currentTime = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  /// Sets the iteration. Called before all other methods.
  func begin(_ id: Schedule.ID, in hub: ChangeHub) {
    state.withLock {
      $0.id = id
      $0.hub = hub
    }
  }

  func fetchBegins() {
    let now = currentTime()
    state.withLock { $0.fetchBegan = now }
  }

  /// Called when the fetch has ended, before its result is delivered.
  func fetchEnds() {
    let now = currentTime()
    let (hub, id, began) = state.withLock { ($0.hub, $0.id, $0.fetchBegan) }
    var deadline: Duration?
    switch rule {
    case .staleness(let maximum): deadline = now + maximum
    case .cooldown(let factor):
      let cost = began.map { now - $0 } ?? .zero
      if cost > .zero, factor > 0 {
        // Paused before the timer is set, which ends the pause.
        hub?.pause(id, .cooldown)
        deadline = now + cost * factor
      }
    }
    set(at: now) { $0.deadline = deadline }
  }

  /// Called when the consumer is about to wait for an element.
  func consumerWaits() {
    let now = currentTime()
    let first: Duration? =
      if case .staleness(let maximum) = rule { now + maximum } else { nil }
    set(at: now) { state in
      state.isWaiting = true
      if state.deadline == nil { state.deadline = first }
    }
    fire(at: now)
  }

  /// Called when the consumer has received its element, or was released.
  func consumerDidReceive() { set(at: currentTime()) { $0.isWaiting = false } }

  /// Changes the state, and starts a task that sleeps until the deadline, if a consumer waits and
  /// the deadline is in the future.
  private func set(at now: Duration, _ change: (inout State) -> Void) {
    let replaced = state.withLock { state in
      change(&state)
      let replaced = state.task
      state.task = nil
      if state.isWaiting, let deadline = state.deadline, now < deadline {
        state.task = Task { [currentTime, sleep, weak self] in
          guard (try? await sleep(deadline)) != nil else { return }
          self?.fire(at: currentTime())
        }
      }
      return replaced
    }
    // Not under the lock, because cancelling calls the clock.
    replaced?.cancel()
  }

  /// Applies the rule if the deadline has passed and the consumer waits.
  private func fire(at now: Duration) {
    // The next deadline is counted from the resulting fetch or, if none can begin, from now.
    let next: Duration? =
      if case .staleness(let maximum) = rule { now + maximum } else { nil }
    let (hub, id) = state.withLock { state -> (ChangeHub?, Schedule.ID) in
      guard state.isWaiting, let deadline = state.deadline, deadline <= now else {
        return (nil, state.id)
      }
      state.deadline = next
      return (state.hub, state.id)
    }
    switch rule {
    case .staleness: hub?.expire(id)
    case .cooldown: hub?.resume(id, .cooldown)
    }
  }
}

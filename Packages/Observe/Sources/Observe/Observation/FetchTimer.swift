internal import Primitives
internal import SQLiteCore

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
        // Before the timer, which ends it.
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
    ring(at: now)
  }

  func consumerIsServed() { set(at: clock.now) { $0.isWaiting = false } }

  /// Changes the state, and has a task sleep until the deadline: none where nobody waits or it is over.
  private func set(at now: Pace.Instant, _ change: (inout State) -> Void) {
    let replaced = state.withLock { state in
      change(&state)
      let replaced = state.task
      state.task = nil
      if state.isWaiting, let deadline = state.deadline, now < deadline {
        state.task = Task { [clock, weak self] in
          guard (try? await clock.sleep(until: deadline, tolerance: nil)) != nil else { return }
          self?.ring(at: clock.now)
        }
      }
      return replaced
    }
    // Not under the lock: the clock hears of it.
    replaced?.cancel()
  }

  /// Does what the rule says, if the deadline is over and the consumer waits.
  private func ring(at now: Pace.Instant) {
    // The next one is counted from the fetch that comes of this, or, if none can be made, from now.
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

/// What decides, beside commits, when one iteration fetches next.
///
/// It is told of the iteration's fetches, and of when its consumer waits; only then may a timer run.
protocol FetchPacer: AnyObject, Sendable {
  /// Says whose fetches they are, before anything else.
  func begin(_ id: Schedule.ID, in hub: ChangeHub)

  func fetchBegins()
  /// The fetch is over, and nobody has been told yet.
  func fetchEnds()

  /// The consumer is about to ask.
  func consumerWaits()
  /// The consumer has been given what it asked for, or is gone.
  func consumerIsServed()
}

/// How an observation has the fetches of its iterations timed.
struct FetchTiming: Sendable {
  var staleness: (@Sendable () -> any FetchPacer)?
  var load: (@Sendable () -> any FetchPacer)?

  /// Those of a new iteration.
  var pacers: [any FetchPacer] { [staleness, load].compactMap { $0?() } }
}

extension Fetcher {
  /// Tells pacers when it fetches.
  func paced(by pacers: [any FetchPacer]) -> Fetcher {
    if pacers.isEmpty { return self }
    return Fetcher(region: region) { [fetch] run in
      for pacer in pacers { pacer.fetchBegins() }
      defer { for pacer in pacers { pacer.fetchEnds() } }
      return try fetch(&run)
    }
  }
}

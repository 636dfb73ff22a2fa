internal import SQLiteCore

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

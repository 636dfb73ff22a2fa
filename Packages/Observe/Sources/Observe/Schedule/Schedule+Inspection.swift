internal import SQLiteCore

extension Schedule {
  /// Why an observer is fetched, as far as is noted for everyone.
  struct WakeUp {
    let trigger: DatabaseObservation.Trigger
    /// What the value depends on that has become stale.
    let region: Region
    /// The last commit that it is known to show; `nil` where there is no value.
    let seen: UInt64?
  }

  func wakeUp(of id: ID) -> WakeUp? {
    observers[id].map { WakeUp(trigger: $0.trigger, region: $0.region, seen: $0.seen) }
  }
}

extension ChangeLog {
  /// Finds what made a value stale: costs a pass over the log, so that it is done for who asks.
  func cause(of wakeUp: Schedule.WakeUp, upTo last: UInt64) -> DatabaseObservation.Cause {
    var matches: [DatabaseObservation.Cause.Match] = []
    if var seen = wakeUp.seen {
      while seen < last, let changes = next(after: seen, in: wakeUp.region) {
        if changes.sequences.lowerBound > last { break }
        matches += DatabaseObservation.Cause.Match.all(of: changes, in: wakeUp.region)
        seen = changes.sequence
      }
    }
    return DatabaseObservation.Cause(trigger: wakeUp.trigger, matches: matches)
  }
}

extension ChangeHub {
  /// Looks up what made a value stale, outside of the hub's lock.
  func cause(of wakeUp: Schedule.WakeUp, upTo last: UInt64) -> DatabaseObservation.Cause {
    inspect { $0.log }.cause(of: wakeUp, upTo: last)
  }

  func statistics() -> DatabaseObservation.Statistics {
    let (observers, commits, flushes, wakeUps) = inspect {
      ($0.observers, $0.log.latest, $0.flushCount, $0.wakeUpCount)
    }
    let entries = inspector.records.compactMap { record -> DatabaseObservation.Statistics.Entry? in
      guard let observer = observers[record.observation.number] else { return nil }
      return DatabaseObservation.Statistics.Entry(
        observation: record.observation, phase: .init(observer),
        region: observer.seen.map { _ in observer.region }, counts: record.counts)
    }
    return DatabaseObservation.Statistics(
      commits: commits, flushes: flushes, wakeUps: wakeUps, observations: entries)
  }
}

extension DatabaseObservation.Statistics.Phase {
  fileprivate init(_ observer: Schedule.Observer) {
    switch observer.phase {
    case .fetching: self = .fetching
    case _ where !observer.pauses.isEmpty: self = .paused
    case .idle: self = .idle
    case .waiting: self = .waiting
    case .queued: self = .queued
    }
  }
}

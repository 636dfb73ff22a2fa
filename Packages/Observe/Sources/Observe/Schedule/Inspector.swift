internal import Primitives
internal import SQLiteCore

/// Counts the fetches of each observation, and delivers observation events.
///
/// Every fetch is counted. Events are created only while there are listeners.
final class Inspector: Sendable {
  typealias ID = UInt64

  typealias Record = (
    observation: DatabaseObservation.Label, counts: DatabaseObservation.Statistics.Counts
  )

  /// The events that one listener has not received.
  private struct Listener {
    let inbox: Inbox<DatabaseObservation.Event>
    /// The number of runs from which a repeated query is reported; `nil` to report none.
    let repeatedQueryThreshold: Int?
    var events: [DatabaseObservation.Event] = []
    var missedCount = 0
    var isWaiting = false

    /// - Returns: Whether the listener must receive the event now.
    mutating func add(_ event: DatabaseObservation.Event, limit: Int) -> Bool {
      if let query = event.repeatedQuery, query.count < repeatedQueryThreshold ?? .max {
        return false
      }
      if isWaiting {
        isWaiting = false
        return true
      }
      events.append(event)
      if events.count > limit {
        let count = events.count / 2
        events.removeFirst(count)
        missedCount += count
      }
      return false
    }

    mutating func next() -> DatabaseObservation.Event? {
      if events.isEmpty { return nil }
      var event = events.removeFirst()
      event.missedCount = missedCount
      missedCount = 0
      return event
    }
  }

  private struct State {
    var records: [ID: Record] = [:]
    var listeners: [ID: Listener] = [:]
    var lastListenerID: ID = 0
    var isClosed = false

    /// - Returns: The inboxes of the listeners that must receive the event now.
    mutating func notify(_ event: DatabaseObservation.Event, limit: Int) -> [Inbox<
      DatabaseObservation.Event
    >] {
      listeners.keys.sorted().compactMap { id in
        listeners[id]?.add(event, limit: limit) == true ? listeners[id]?.inbox : nil
      }
    }
  }

  private let state = Mutex(State())
  private let listenerCount = Atomic<Int>(0)
  /// The maximum number of events stored for a listener.
  private let limit: Int

  init(limit: Int = 1_024) { self.limit = limit }

  /// Indicates whether there are listeners.
  var hasListeners: Bool { listenerCount.load(ordering: .relaxed) > 0 }

  /// Indicates whether each listener has received all its events.
  var isIdle: Bool {
    guard hasListeners else { return true }
    return state.withLock { $0.isClosed || $0.listeners.values.allSatisfy(\.isWaiting) }
  }

  /// The current observations, in the order in which they began.
  var records: [Record] {
    state.withLock { $0.records.values.sorted { $0.observation.number < $1.observation.number } }
  }

  // MARK: Observations

  func didBegin(_ id: ID, name: String?) {
    let observation = DatabaseObservation.Label(number: id, name: name)
    notify { state in
      if state.isClosed { return nil }
      state.records[id] = (observation, DatabaseObservation.Statistics.Counts())
      return DatabaseObservation.Event(observation, .began)
    }
  }

  /// Records a fetch, before its consumer receives the result.
  ///
  /// - Parameter cause: `nil` if there were no listeners when the fetch began.
  func didFetch(
    _ id: ID, _ trigger: DatabaseObservation.Trigger, _ cause: DatabaseObservation.Cause?,
    _ fetched: FetchResult,
    in duration: Duration
  ) {
    notify { state in
      state.records[id]?.counts.add(fetched, trigger, duration)
      guard let observation = state.records[id]?.observation, let cause else { return nil }
      let outcome: DatabaseObservation.Fetch.Outcome =
        if let error = fetched.error { .failed(error) } else {
          fetched.isNew ? .delivered : .duplicate
        }
      let fetch = DatabaseObservation.Fetch(
        cause: cause, region: fetched.region, outcome: outcome, duration: duration)
      return DatabaseObservation.Event(observation, .fetched(fetch))
    }
    if fetched.region == nil { didEnd(id, fetched.error) }
  }

  /// Records that a fetch could not begin.
  ///
  /// - Parameter isLast: Whether the observation ends.
  func didFail(_ id: ID, _ error: any Error, isLast: Bool) {
    if isLast { return didEnd(id, error) }
    notify { state in
      state.records[id]?.counts.failures += 1
      return state.records[id].map { DatabaseObservation.Event($0.observation, .unreadable(error)) }
    }
  }

  /// Records queries that ran repeatedly in one access.
  ///
  /// - Parameter id: The observation that fetched, or `nil` for another access.
  func didRepeat(_ queries: [DatabaseObservation.RepeatedQuery], in id: ID? = nil) {
    for query in queries {
      notify { state in
        if state.isClosed { return nil }
        let observation = id.flatMap { state.records[$0]?.observation }
        return DatabaseObservation.Event(observation, .repeatedQuery(query))
      }
    }
  }

  func didEnd(_ id: ID, _ error: (any Error)? = nil) {
    notify { state in
      state.records.removeValue(forKey: id).map {
        DatabaseObservation.Event($0.observation, .ended(error))
      }
    }
  }

  private func notify(_ body: (inout State) -> DatabaseObservation.Event?) {
    let notification = state.withLock {
      state -> (DatabaseObservation.Event, [Inbox<DatabaseObservation.Event>])? in
      guard let event = body(&state), !state.listeners.isEmpty else { return nil }
      return (event, state.notify(event, limit: limit))
    }
    guard let (event, inboxes) = notification else { return }
    for inbox in inboxes { inbox.deliver(event) }
  }

  /// Ends all observations, because the database is closed.
  func close() {
    for record in records {
      didEnd(record.observation.number, ChangeHub.closedError)
    }
    let waiting = state.withLock { state in
      state.isClosed = true
      return state.listeners.values.filter(\.isWaiting).map(\.inbox)
    }
    for inbox in waiting { inbox.end() }
  }

  // MARK: Listeners

  /// Indicates whether a listener receives repeated queries.
  var reportsRepeatedQueries: Bool {
    state.withLock { $0.listeners.values.contains { $0.repeatedQueryThreshold != nil } }
  }

  func addListener(
    _ inbox: Inbox<DatabaseObservation.Event>, repeatedQueryThreshold: Int? = nil
  ) -> ID {
    listenerCount.add(1, ordering: .relaxed)
    return state.withLock { state in
      state.lastListenerID += 1
      state.listeners[state.lastListenerID] = Listener(
        inbox: inbox, repeatedQueryThreshold: repeatedQueryThreshold)
      return state.lastListenerID
    }
  }

  /// Returns and removes a listener's oldest event.
  func next(_ id: ID) -> DatabaseObservation.Event? { state.withLock { $0.listeners[id]?.next() } }

  /// Called when a listener requests the next event.
  func demand(_ id: ID) {
    let (inbox, event, hasEnded) = state.withLock { state in
      let event = state.listeners[id]?.next()
      let hasEnded = event == nil && state.isClosed
      state.listeners[id]?.isWaiting = event == nil && !hasEnded
      return (state.listeners[id]?.inbox, event, hasEnded)
    }
    if let event { inbox?.deliver(event) }
    if hasEnded { inbox?.end() }
  }

  func removeListener(_ id: ID) {
    let listener = state.withLock { $0.listeners.removeValue(forKey: id) }
    if listener != nil { listenerCount.subtract(1, ordering: .relaxed) }
  }
}

extension DatabaseObservation.Statistics.Counts {
  fileprivate mutating func add(
    _ fetched: FetchResult, _ trigger: DatabaseObservation.Trigger, _ duration: Duration
  ) {
    fetches += 1
    if fetched.error != nil {
      failures += 1
    } else if fetched.isNew {
      deliveries += 1
    } else {
      duplicates += 1
    }
    totalDuration += duration
    lastDuration = duration
    lastTrigger = trigger
  }
}

extension ChangeLog {
  /// Returns the changes that made the value of a queued observer stale. This scans the log, so it
  /// is done only on request.
  func cause(of observer: Schedule.Observer, upTo last: UInt64) -> DatabaseObservation.Cause {
    var matches: [DatabaseObservation.Cause.Match] = []
    if var seen = observer.seen {
      while seen < last, let changes = next(after: seen, in: observer.region) {
        if changes.sequences.lowerBound > last { break }
        matches += DatabaseObservation.Cause.Match.all(of: changes, in: observer.region)
        seen = changes.sequence
      }
    }
    return DatabaseObservation.Cause(trigger: observer.trigger, matches: matches)
  }
}

extension ChangeHub {
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

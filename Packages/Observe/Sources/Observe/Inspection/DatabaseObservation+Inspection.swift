extension DatabaseObservation {
  /// An action of an observation and its cause, as delivered by `Database.observationEvents`.
  ///
  /// An event prints as a line for a log or a debug panel:
  ///
  /// ```
  /// players began
  /// players ← first value | delivered in 212 µs | reads player(name, score)
  /// players ← commit 2: player.score: updated 1 row (score: 10 → 12) | delivered in 95 µs
  /// players ← caught up with commits 3–4: player[7]: deleted 1 row (id: 7) | failed in 80 µs: not now
  /// players ended
  /// ```
  ///
  /// ``RepeatedQuery`` shows the line of a query in a loop, which any access to the database can
  /// cause.
  public struct Event: Sendable {
    /// The kinds of events.
    public enum Kind: Sendable {
      /// An iteration was created. It fetches nothing until the first element is requested.
      case began
      /// A value was fetched, or a fetch failed.
      case fetched(Fetch)
      /// A fetch could not begin because no reader was available.
      case unreadable(any Error)
      /// An observation's fetch, or another access to the database, ran a query in a loop.
      case repeatedQuery(RepeatedQuery)
      /// The iteration ended, with an error if there was one. It is the iteration's last event.
      case ended((any Error)?)
    }

    /// The observation that caused the event; `nil` for an access by other code.
    public let observation: Label?
    /// The kind of event.
    public let kind: Kind
    /// The number of earlier events that were dropped because they were not consumed in time.
    public internal(set) var missedCount = 0

    init(_ observation: Label?, _ kind: Kind) {
      self.observation = observation
      self.kind = kind
    }

    /// The fetch, if this is a fetch event.
    public var fetch: Fetch? {
      if case .fetched(let fetch) = kind { fetch } else { nil }
    }

    /// The repeated query, if this is the event of one.
    public var repeatedQuery: RepeatedQuery? {
      if case .repeatedQuery(let query) = kind { query } else { nil }
    }
  }
}

extension DatabaseObservation {
  /// One fetch of an observation: its cause, its outcome and its duration.
  public struct Fetch: Sendable {
    /// The outcome of a fetch.
    public enum Outcome: Sendable {
      /// The consumer received the value.
      case delivered
      /// The value was equal to the previous one, and the consumer continues to wait.
      case duplicate
      /// The fetch threw an error.
      case failed(any Error)
    }

    /// The cause of the fetch.
    public let cause: Cause
    /// The region that the value depends on; `nil` if the fetch ended the observation with an
    /// error.
    public let region: Region?
    /// The outcome of the fetch.
    public let outcome: Outcome
    /// The duration of the fetch on the reader's thread.
    public let duration: Duration
  }
}

extension DatabaseObservation.Event: CustomStringConvertible {
  public var description: String {
    let missed = missedCount == 0 ? "" : "(\(missedCount) left out) "
    let subject = missed + (observation?.description ?? "access")
    return switch kind {
    case .began: "\(subject) began"
    case .fetched(let fetch): "\(subject) ← \(fetch)"
    case .unreadable(let error): "\(subject) could not be fetched: \(error)"
    case .repeatedQuery(let query): "\(subject) repeated a query \(query)"
    case .ended(let error): "\(subject) ended" + (error.map { ": \($0)" } ?? "")
    }
  }
}

extension DatabaseObservation.Fetch: CustomStringConvertible {
  public var description: String {
    var parts = [cause.description]
    switch outcome {
    case .delivered: parts.append("delivered in \(duration.shortDescription)")
    case .duplicate: parts.append("equal to the last in \(duration.shortDescription)")
    case .failed(let error): parts.append("failed in \(duration.shortDescription): \(error)")
    }
    if cause.trigger == .first, let region { parts.append("reads \(region)") }
    return parts.joined(separator: " | ")
  }
}

extension Duration {
  /// A short form of the duration for display, with about three digits.
  var shortDescription: String {
    let (seconds, attoseconds) = components
    let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    func tenths(_ value: Int64, _ unit: String) -> String {
      "\(value / 10).\(abs(value % 10)) \(unit)"
    }
    switch microseconds {
    case ..<1_000: return "\(microseconds) µs"
    case ..<1_000_000: return tenths(microseconds / 100, "ms")
    default: return tenths(microseconds / 100_000, "s")
    }
  }
}

extension DatabaseObservation {
  /// Identifies an observation in events and statistics: one iteration, from its creation until its
  /// end.
  public struct Label: Hashable, Sendable {
    /// The observation's number within its database, counted from 1 together with other sequences.
    public let number: UInt64
    /// The name set by `ValueObservation.named(_:)`. Names need not be unique.
    public let name: String?
  }
}

extension DatabaseObservation.Label: CustomStringConvertible {
  /// The name, or the number if there is no name.
  public var description: String { name ?? "observation \(number)" }
}

extension DatabaseObservation {
  /// A database's observations, their current phases and their costs.
  ///
  /// Statistics print as a table:
  ///
  /// ```
  /// 2 observations; 4 commits, 5 flushes, 1.2 woken per commit
  /// observation    phase    fetches  delivered  equal  failed   last   total  last cause   reads
  /// players        waiting        3          3      0       0  95 µs  301 µs  commit       player(name, score)
  /// observation 2  idle           2          1      1       0  20 µs   51 µs  first value  team(id)
  /// ```
  public struct Statistics: Sendable {
    /// The phase of an observation.
    public enum Phase: String, Hashable, Sendable {
      /// The consumer is processing the last value, or has not requested one.
      case idle
      /// The consumer waits, and the value is current.
      case waiting
      /// A fetch is scheduled and has not begun.
      case queued
      /// The value is being fetched.
      case fetching
      /// The observation is paused: see ``DatabaseObservation/Control``.
      case paused
    }

    /// The counters of an observation since it began.
    public struct Counts: Hashable, Sendable {
      /// The number of fetches, regardless of their outcome.
      public internal(set) var fetches = 0
      /// The number of values that the consumer received.
      public internal(set) var deliveries = 0
      /// The number of fetched values that were skipped because they were equal to the previous
      /// one.
      public internal(set) var duplicates = 0
      /// The number of fetches that failed or could not begin.
      public internal(set) var failures = 0
      /// The total duration of all fetches.
      public internal(set) var totalDuration = Duration.zero
      /// The duration of the last fetch.
      public internal(set) var lastDuration = Duration.zero
      /// The trigger of the last fetch; `nil` before the first.
      public internal(set) var lastTrigger: Trigger?
    }

    /// The statistics of one observation.
    public struct Entry: Hashable, Sendable {
      public let observation: Label
      public let phase: Phase
      /// The region that the last value depends on; `nil` before the first value.
      public let region: Region?
      public let counts: Counts
    }

    /// The number of commits since the first observation, including calls of
    /// `Database.notifyChanges(in:)`.
    public let commits: UInt64
    /// The number of read transactions that fetched values.
    public let flushes: Int
    /// The total number of observations woken by commits.
    public let wakeUps: Int
    /// The current observations, in the order in which they began.
    public let observations: [Entry]

    /// The average number of observations that a commit wakes.
    public var wakeUpsPerCommit: Double { commits == 0 ? 0 : Double(wakeUps) / Double(commits) }
  }
}

extension DatabaseObservation.Statistics: CustomStringConvertible {
  public var description: String {
    let rate = Int((wakeUpsPerCommit * 10).rounded())
    let summary =
      "\(observations.count) observation\(observations.count == 1 ? "" : "s"); "
      + "\(commits) commits, \(flushes) flushes, \(rate / 10).\(rate % 10) woken per commit"
    if observations.isEmpty { return summary }
    var rows = [
      [
        "observation", "phase", "fetches", "delivered", "equal", "failed", "last", "total",
        "last cause", "reads",
      ]
    ]
    rows += observations.map(\.cells)
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in
      row.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - row[column].count)
        if column == row.count - 1 { return row[column] }
        return (2...7).contains(column) ? padding + row[column] : row[column] + padding
      }.joined(separator: "  ")
    }
    return ([summary] + lines).joined(separator: "\n")
  }
}

extension DatabaseObservation.Statistics.Entry {
  fileprivate var cells: [String] {
    [
      observation.description, phase.rawValue, "\(counts.fetches)", "\(counts.deliveries)",
      "\(counts.duplicates)", "\(counts.failures)", counts.lastDuration.shortDescription,
      counts.totalDuration.shortDescription, counts.lastTrigger?.description ?? "–",
      region?.description ?? "–",
    ]
  }
}

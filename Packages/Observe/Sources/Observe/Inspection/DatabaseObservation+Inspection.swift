extension DatabaseObservation {
  /// Something that an observation did, and why: what `Database.observationEvents` tells.
  ///
  /// Printing one gives a line for a log or a debug panel:
  ///
  /// ```
  /// players began
  /// players ← first value | delivered in 212 µs | reads player(name, score)
  /// players ← commit 2: player.score: updated 1 row (score: 10 → 12) | delivered in 95 µs
  /// players ← caught up with commits 3–4: player[7]: deleted 1 row (id: 7) | failed in 80 µs: not now
  /// players ended
  /// ```
  public struct Event: Sendable {
    /// What is told.
    public enum Kind: Sendable {
      /// An iteration was made. It fetches nothing before it asks.
      case began
      /// A value was fetched, or a fetch has failed.
      case fetched(Fetch)
      /// No reader could begin to fetch.
      case unreadable(any Error)
      /// The iteration is over, by this error if there was one: nothing more is told of it.
      case ended((any Error)?)
    }

    /// Which observation did it.
    public let observation: Label
    /// What it did.
    public let kind: Kind
    /// How many events before this one were left out, because they were not taken in time.
    public internal(set) var missedCount = 0

    init(_ observation: Label, _ kind: Kind) {
      self.observation = observation
      self.kind = kind
    }

    /// The fetch, where the event is one.
    public var fetch: Fetch? {
      if case .fetched(let fetch) = kind { fetch } else { nil }
    }
  }
}

extension DatabaseObservation {
  /// One fetch of an observation: why it was done, what it came to and what it cost.
  public struct Fetch: Sendable {
    /// What became of the value.
    public enum Outcome: Sendable {
      /// The consumer got it.
      case delivered
      /// It was equal to the one before, and the consumer waits on.
      case duplicate
      /// The fetch has thrown.
      case failed(any Error)
    }

    /// Why it was done.
    public let cause: Cause
    /// What the value depends on; `nil` where the fetch failed for good.
    public let region: Region?
    /// What became of the value.
    public let outcome: Outcome
    /// How long it took, on the thread of the reader.
    public let duration: Duration
  }
}

extension DatabaseObservation.Event: CustomStringConvertible {
  public var description: String {
    let missed = missedCount == 0 ? "" : "(\(missedCount) left out) "
    return switch kind {
    case .began: "\(missed)\(observation) began"
    case .fetched(let fetch): "\(missed)\(observation) ← \(fetch)"
    case .unreadable(let error): "\(missed)\(observation) could not be fetched: \(error)"
    case .ended(let error): "\(missed)\(observation) ended" + (error.map { ": \($0)" } ?? "")
    }
  }
}

extension DatabaseObservation.Fetch: CustomStringConvertible {
  public var description: String {
    var parts = [cause.description]
    switch outcome {
    case .delivered: parts.append("delivered in \(duration.shown)")
    case .duplicate: parts.append("equal to the last in \(duration.shown)")
    case .failed(let error): parts.append("failed in \(duration.shown): \(error)")
    }
    if cause.trigger == .first, let region { parts.append("reads \(region)") }
    return parts.joined(separator: " | ")
  }
}

extension Duration {
  /// The duration for people: three or so digits.
  var shown: String {
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
  /// Which observation something is told of: one iteration, from when it is made until it ends.
  public struct Label: Hashable, Sendable {
    /// The observation's number among those of its database, counted from 1 together with other
    /// sequences.
    public let number: UInt64
    /// What `ValueObservation.named(_:)` has called it; several may have one name.
    public let name: String?
  }
}

extension DatabaseObservation.Label: CustomStringConvertible {
  /// The name, or the number where there is none.
  public var description: String { name ?? "observation \(number)" }
}

extension DatabaseObservation {
  /// A database's observations, what they do now and what they have cost.
  ///
  /// Printing them gives a table:
  ///
  /// ```
  /// 2 observations; 4 commits, 5 flushes, 1.2 woken per commit
  /// observation    phase    fetches  delivered  equal  failed   last   total  last cause   reads
  /// players        waiting        3          3      0       0  95 µs  301 µs  commit       player(name, score)
  /// observation 2  idle           2          1      1       0  20 µs   51 µs  first value  team(id)
  /// ```
  public struct Statistics: Sendable {
    /// What an observation does.
    public enum Phase: String, Hashable, Sendable {
      /// Its consumer is busy with the last value, or has not asked for any.
      case idle
      /// Its consumer waits, and its value is fresh.
      case waiting
      /// A fetch is asked for, and has not begun.
      case queued
      /// Its value is being fetched.
      case fetching
      /// It is paused: see ``DatabaseObservation/Control``.
      case paused
    }

    /// What an observation has done since it began.
    public struct Counts: Hashable, Sendable {
      /// How often a value was fetched, whatever came of it.
      public internal(set) var fetches = 0
      /// How many values its consumer got.
      public internal(set) var deliveries = 0
      /// How many fetched values were equal to the one before, and skipped.
      public internal(set) var duplicates = 0
      /// How many fetches have failed, or could not begin.
      public internal(set) var failures = 0
      /// How long all fetches took.
      public internal(set) var totalDuration = Duration.zero
      /// How long the last fetch took.
      public internal(set) var lastDuration = Duration.zero
      /// What had it fetch the last time; `nil` before it has.
      public internal(set) var lastTrigger: Trigger?
    }

    /// One observation.
    public struct Entry: Hashable, Sendable {
      public let observation: Label
      public let phase: Phase
      /// What the last value depends on; `nil` before there is one.
      public let region: Region?
      public let counts: Counts
    }

    /// How many commits there were since the first observation, calls of `Database.notifyChanges(in:)` among
    /// them.
    public let commits: UInt64
    /// How many read transactions have fetched values.
    public let flushes: Int
    /// How many observations were woken by commits, over all.
    public let wakeUps: Int
    /// The observations that there are now, in the order in which they began.
    public let observations: [Entry]

    /// How many observations a commit wakes, on average.
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
      "\(counts.duplicates)", "\(counts.failures)", counts.lastDuration.shown,
      counts.totalDuration.shown, counts.lastTrigger?.description ?? "–",
      region?.description ?? "–",
    ]
  }
}

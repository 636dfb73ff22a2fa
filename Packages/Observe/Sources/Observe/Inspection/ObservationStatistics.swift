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

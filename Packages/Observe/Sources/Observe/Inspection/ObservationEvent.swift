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

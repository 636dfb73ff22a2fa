internal import Primitives
internal import SQLiteCore

/// The change sets of a database's recent commits, by number; older ones are merged into one.
///
/// Who knows up to which commit he has seen can so be told what he missed, however long he was away:
/// exactly, or, after very long, by tables and columns.
struct ChangeLog {
  /// How much is kept apart.
  struct Limits: Sendable {
    var count = 256
    var bytes = 4 * 1_024 * 1_024
  }

  /// The number of the last commit; 0 before the first.
  private(set) var latest: UInt64 = 0
  private let limits: Limits
  private var recent: [ChangeSet] = []
  private var recentWeight = 0
  /// Everything before ``recent``.
  private var merged: ChangeSet?

  init(limits: Limits = Limits()) { self.limits = limits }

  /// Numbers a commit and keeps what it changed.
  mutating func append(_ changes: ChangeSet) -> ChangeSet {
    latest += 1
    var changes = changes
    changes.sequences = latest...latest
    recent.append(changes)
    recentWeight += changes.weight
    if recent.count > limits.count || (recentWeight > limits.bytes && recent.count > 1) {
      mergeOldest()
    }
    return changes
  }

  /// Numbers a commit that matters to nobody who has seen less, and forgets all that came before.
  mutating func skip() {
    latest += 1
    recent.removeAll(keepingCapacity: true)
    recentWeight = 0
    merged = nil
  }

  /// Whether a value that was read when commit `sequence` was the last may be another by now.
  func overlaps(_ region: Region, after sequence: UInt64) -> Bool {
    if sequence >= latest { return false }
    if sequence < firstRecent - 1, let merged, region.overlaps(merged) { return true }
    return recent[index(after: sequence)...].contains { region.overlaps($0) }
  }

  /// The first change set after a commit that matters to a region.
  func next(after sequence: UInt64, in region: Region) -> ChangeSet? {
    if sequence >= latest { return nil }
    if sequence < firstRecent - 1, var merged, region.overlaps(merged) {
      merged.sequences = (sequence + 1)...merged.sequences.upperBound
      return merged
    }
    return recent[index(after: sequence)...].first { region.overlaps($0) }
  }

  private var firstRecent: UInt64 { latest + 1 - UInt64(recent.count) }

  private func index(after sequence: UInt64) -> Int {
    sequence < firstRecent ? 0 : Int(sequence + 1 - firstRecent)
  }

  /// Half at once, so that most commits cost nothing here.
  private mutating func mergeOldest() {
    let count = max(1, recent.count / 2)
    for changes in recent[..<count] {
      if merged == nil { merged = changes }
      merged?.merge(changes)
    }
    recent.removeFirst(count)
    recentWeight = recent.reduce(0) { $0 + $1.weight }
  }
}

/// The events that one consumer has not been told yet.
struct EventQueue {
  /// How many are kept apart.
  private let limit: Int
  private var events: [DatabaseObservation.TransactionEvent] = []
  var isWaiting = false

  init(limit: Int = 256) { self.limit = limit }

  var isEmpty: Bool { events.isEmpty }

  /// Adds an event.
  ///
  /// - Returns: The one to tell now, if the consumer waits.
  mutating func add(_ event: DatabaseObservation.TransactionEvent) -> DatabaseObservation
    .TransactionEvent?
  {
    if isWaiting {
      isWaiting = false
      return event
    }
    events.append(event)
    if events.count > limit { mergeOldest() }
    return nil
  }

  /// The consumer asks: it gets the oldest event, or waits.
  mutating func next() -> DatabaseObservation.TransactionEvent? {
    isWaiting = events.isEmpty
    return events.isEmpty ? nil : events.removeFirst()
  }

  /// Half at once, to one rollback and one commit, so that most events cost nothing here.
  private mutating func mergeOldest() {
    let count = events.count / 2
    var rolledBack: Set<TableName> = []
    var committed: ChangeSet?
    for event in events[..<count] {
      switch event {
      case .rollback(let tables): rolledBack.formUnion(tables)
      case .commit(let changes):
        if committed == nil { committed = changes }
        committed?.merge(changes)
      }
    }
    var merged: [DatabaseObservation.TransactionEvent] =
      rolledBack.isEmpty ? [] : [.rollback(tables: rolledBack)]
    if let committed { merged.append(.commit(committed)) }
    events.replaceSubrange(..<count, with: merged)
  }
}

/// Where one consumer waits for its next element: it is resumed exactly once for each time that it
/// waits, and never after it has ended.
final class Inbox<Element: Sendable>: Sendable {
  typealias Continuation = CheckedContinuation<Element?, any Error>

  private enum Phase {
    case idle
    case waiting(Continuation)
    case ended
  }

  private let phase = Mutex(Phase.idle)

  /// Begins to wait.
  ///
  /// - Returns: Whether there is anything to wait for.
  func wait(_ continuation: Continuation) -> Bool {
    let hasEnded = phase.withLock { phase in
      switch phase {
      case .idle:
        phase = .waiting(continuation)
        return false
      case .waiting:
        preconditionFailure("an iterator is asked for one element at a time")
      case .ended: return true
      }
    }
    if hasEnded { continuation.resume(returning: nil) }
    return !hasEnded
  }

  /// Gives the consumer what it waits for; one that has ended gets nothing.
  func deliver(_ element: Element) { takeWaiting(then: .idle)?.resume(returning: element) }

  /// Ends the iteration with an error.
  func fail(_ error: any Error) { takeWaiting(then: .ended)?.resume(throwing: error) }

  /// Ends the iteration.
  func end() { takeWaiting(then: .ended)?.resume(returning: nil) }

  private func takeWaiting(then next: Phase) -> Continuation? {
    phase.withLock { phase in
      switch phase {
      case .waiting(let continuation):
        phase = next
        return continuation
      case .idle:
        if case .ended = next { phase = .ended }
        return nil
      case .ended: return nil
      }
    }
  }
}

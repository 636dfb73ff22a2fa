internal import Primitives
internal import SQLiteCore

/// The change sets of a database's recent commits, by sequence number. Older ones are merged into
/// one.
///
/// A consumer that stores the number of its last seen commit can catch up at any time: with exact
/// changes or, after very many commits, with tables and columns only.
struct ChangeLog {
  /// The number of the last commit; 0 before the first.
  private(set) var latest: UInt64 = 0
  /// The limits for storing commits individually: their number, and the size of their rows.
  private let maximumCount: Int
  private let maximumBytes: Int
  private var recent: [ChangeSet] = []
  private var recentSize = 0
  /// The merged changes of all commits before ``recent``.
  private var merged: ChangeSet?

  init(maximumCount: Int = 256, maximumBytes: Int = 4 * 1_024 * 1_024) {
    self.maximumCount = maximumCount
    self.maximumBytes = maximumBytes
  }

  /// Assigns a number to a commit, and stores its changes.
  mutating func append(_ changes: ChangeSet) -> ChangeSet {
    latest += 1
    var changes = changes
    changes.sequences = latest...latest
    recent.append(changes)
    recentSize += changes.estimatedSize
    if recent.count > maximumCount || (recentSize > maximumBytes && recent.count > 1) {
      mergeOldest()
    }
    return changes
  }

  /// Assigns a number to a commit that affects no observer, and discards all earlier changes.
  mutating func skip() {
    latest += 1
    recent.removeAll(keepingCapacity: true)
    recentSize = 0
    merged = nil
  }

  /// Returns whether a value that was read after commit `sequence` may have changed since.
  func overlaps(_ region: Region, after sequence: UInt64) -> Bool {
    if sequence >= latest { return false }
    if sequence < firstRecent - 1, let merged, region.overlaps(merged) { return true }
    return recent[index(after: sequence)...].contains { region.overlaps($0) }
  }

  /// Returns whether a value that was read after commit `sequence` may have been changed by a commit until `last`.
  func overlaps(_ region: Region, after sequence: UInt64, through last: UInt64) -> Bool {
    guard let first = next(after: sequence, in: region) else { return false }
    return first.sequences.lowerBound <= last
  }

  /// Returns the first change set after a commit that overlaps a region.
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

  /// Merges half of the commits together, so that most commits have no cost here.
  private mutating func mergeOldest() {
    let count = max(1, recent.count / 2)
    for changes in recent[..<count] {
      if merged == nil { merged = changes }
      merged?.merge(changes)
    }
    recent.removeFirst(count)
    recentSize = recent.reduce(0) { $0 + $1.estimatedSize }
  }
}

/// The transaction events that one consumer has not received.
struct EventQueue {
  /// The maximum number of events that are stored individually.
  private let limit: Int
  private var events: [DatabaseObservation.TransactionEvent] = []
  var isWaiting = false

  init(limit: Int = 256) { self.limit = limit }

  var isEmpty: Bool { events.isEmpty }

  /// Adds an event.
  ///
  /// - Returns: The event, if the consumer waits and must receive it now.
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

  /// Called when the consumer requests an event: returns the oldest one, or marks the consumer as
  /// waiting.
  mutating func next() -> DatabaseObservation.TransactionEvent? {
    isWaiting = events.isEmpty
    return events.isEmpty ? nil : events.removeFirst()
  }

  /// Merges half of the events into one rollback and one commit, so that most events have no cost
  /// here.
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

/// Holds the continuation of one consumer while it waits for its next element. The continuation is
/// resumed exactly once for each wait, and never after the end.
final class Inbox<Element: Sendable>: Sendable {
  typealias Continuation = CheckedContinuation<Element?, any Error>

  private enum Phase {
    case idle
    case waiting(Continuation)
    case ended
    /// The iteration ends with an error at the next wait.
    case failed(any Error)
  }

  private let phase = Mutex(Phase.idle)

  /// Begins to wait.
  ///
  /// - Returns: `false` if the inbox has ended.
  func wait(_ continuation: Continuation) -> Bool {
    let end: Result<Element?, any Error>? = phase.withLock { phase in
      switch phase {
      case .idle:
        phase = .waiting(continuation)
        return nil
      case .waiting:
        preconditionFailure("`next()` must not be called before the previous call has returned")
      case .ended: return .success(nil)
      case .failed(let error):
        phase = .ended
        return .failure(error)
      }
    }
    guard let end else { return true }
    continuation.resume(with: end)
    return false
  }

  /// Resumes the waiting consumer with an element. Has no effect after the end.
  func deliver(_ element: Element) { takeWaiting(then: .idle)?.resume(returning: element) }

  /// Ends the iteration with an error, now or when the consumer waits again.
  func fail(_ error: any Error) {
    let continuation: Continuation? = phase.withLock { phase in
      switch phase {
      case .waiting(let continuation):
        phase = .ended
        return continuation
      case .idle: phase = .failed(error)
      case .ended, .failed: break
      }
      return nil
    }
    continuation?.resume(throwing: error)
  }

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
      case .failed:
        // A cancelled consumer receives no error.
        if case .ended = next { phase = .ended }
        return nil
      case .ended: return nil
      }
    }
  }
}

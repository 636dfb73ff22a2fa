internal import SQLiteCore

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

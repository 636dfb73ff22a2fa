/// The order in which a list is loaded and saved: a state machine without locks, tasks or database
/// access.
///
/// One load reads the database at a time; the other loads wait in the order of their requests. Rows
/// are shown only if no write of the session has affected them since the read began. A load that
/// overlaps a save of the list, or a deletion of rows, reads again. Saves never wait for loads.
struct ListSchedule: Sendable {
  /// Identifies a load from its request to its end.
  typealias LoadID = Int

  /// The load that may read.
  private(set) var running: LoadID?
  /// A Boolean value that indicates whether the running load waits for a save to end.
  private var isBlocked = false
  /// The loads waiting for the running load to end.
  private var waiting: [LoadID] = []
  /// The number of saves that are planned or running.
  private var saveCount = 0
  /// The session's revision at which the rows were read. Rows that were read at an earlier revision
  /// are stale.
  private(set) var current: UInt64
  private var lastID: LoadID = 0

  init(current: UInt64 = 0) { self.current = current }

  /// A Boolean value that indicates whether no load and no save of the list is running, so that
  /// rows from other reads may be shown.
  var isIdle: Bool { running == nil && saveCount == 0 }
  var isSaving: Bool { saveCount > 0 }

  // MARK: Loads

  mutating func makeID() -> LoadID {
    lastID += 1
    return lastID
  }

  /// Registers a load that is about to read.
  ///
  /// - Returns: `true` if the load may read now. Otherwise ``end(_:)`` or ``endSave()`` returns its
  ///   identifier when it may read.
  mutating func begin(_ load: LoadID) -> Bool {
    if running == nil { running = load }
    guard running == load else {
      waiting.append(load)
      return false
    }
    isBlocked = saveCount > 0
    return !isBlocked
  }

  /// Reports rows read by the running load, or by a read of many lists.
  ///
  /// - Parameter revision: The session's revision when the read began.
  /// - Returns: `true` if the rows may be shown; `false` if they must be read again.
  mutating func finishRead(at revision: UInt64) -> Bool {
    guard saveCount == 0, revision >= current else { return false }
    current = revision
    return true
  }

  /// Ends a load that has shown its rows or has failed.
  ///
  /// - Returns: The load that may read now.
  mutating func end(_ load: LoadID) -> LoadID? {
    guard running == load else {
      waiting.removeAll { $0 == load }
      return nil
    }
    running = waiting.isEmpty ? nil : waiting.removeFirst()
    isBlocked = running != nil && saveCount > 0
    return isBlocked ? nil : running
  }

  // MARK: Saves

  /// Registers a save whose writes have been planned.
  mutating func beginSave() { saveCount += 1 }

  /// Ends a save, whether it was committed or rolled back.
  ///
  /// - Returns: The load that may read now.
  mutating func endSave() -> LoadID? {
    saveCount -= 1
    guard saveCount == 0, isBlocked else { return nil }
    isBlocked = false
    return running
  }

  /// Records that rows of the list were written or deleted: rows read before `revision` are stale.
  mutating func recordWrite(at revision: UInt64) { current = max(current, revision) }
}

/// The order in which a list is loaded and saved: a state machine without locks, tasks or a database.
///
/// One load reads the database at a time, and the others wait in the order of their requests. Rows are shown only if nothing that
/// the session has written concerns them since the read began: a load that overlaps a save of the list, or the deletion of rows,
/// reads again. Saves never wait for loads.
struct ListSchedule: Sendable {
  /// A load, from its request to its end.
  typealias LoadID = Int

  /// The load that may read.
  private(set) var running: LoadID?
  /// Whether the running load waits for a save to end.
  private var isHeld = false
  /// The loads that wait for their turn.
  private var waiting: [LoadID] = []
  /// The number of saves that have been planned and not ended.
  private var saveCount = 0
  /// The session's moment as of which the rows are known: those that were read before it are stale.
  private(set) var current: UInt64
  private var lastID: LoadID = 0

  init(current: UInt64 = 0) { self.current = current }

  /// Whether rows may be shown that neither a load of the list has read nor a save has written.
  var isIdle: Bool { running == nil && saveCount == 0 }
  var isSaving: Bool { saveCount > 0 }

  // MARK: Loads

  mutating func makeID() -> LoadID {
    lastID += 1
    return lastID
  }

  /// A load is about to read.
  ///
  /// - Returns: Whether it reads now. Otherwise ``end(_:)`` or ``endSave()`` returns it when it may.
  mutating func begin(_ load: LoadID) -> Bool {
    if running == nil { running = load }
    guard running == load else {
      waiting.append(load)
      return false
    }
    isHeld = saveCount > 0
    return !isHeld
  }

  /// The running load, or a read of many lists, has read rows.
  ///
  /// - Parameter moment: The session's moment when the read began.
  /// - Returns: Whether they are to be shown. Otherwise they are to be read again.
  mutating func finishRead(at moment: UInt64) -> Bool {
    guard saveCount == 0, moment >= current else { return false }
    current = moment
    return true
  }

  /// A load has shown its rows, or has failed.
  ///
  /// - Returns: The load that reads now.
  mutating func end(_ load: LoadID) -> LoadID? {
    guard running == load else {
      waiting.removeAll { $0 == load }
      return nil
    }
    running = waiting.isEmpty ? nil : waiting.removeFirst()
    isHeld = running != nil && saveCount > 0
    return isHeld ? nil : running
  }

  // MARK: Saves

  /// A save has found out what it writes of the list.
  mutating func beginSave() { saveCount += 1 }

  /// A save has ended, whether it was committed or not.
  ///
  /// - Returns: The load that reads now.
  mutating func endSave() -> LoadID? {
    saveCount -= 1
    guard saveCount == 0, isHeld else { return nil }
    isHeld = false
    return running
  }

  /// Rows of the list were written or deleted: what was read before does not show it.
  mutating func noteWrite(at moment: UInt64) { current = max(current, moment) }
}

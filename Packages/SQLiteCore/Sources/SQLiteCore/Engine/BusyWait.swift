internal import CSQLite

/// How long a connection waits for another's lock: SQLite's own wait does not end when an access is
/// cancelled.
@safe final class BusyWait {
  private let interrupter: Interrupter
  private let limit: Duration
  private var start = ContinuousClock.now

  init(milliseconds: Int32, interrupter: Interrupter) {
    limit = .milliseconds(milliseconds)
    self.interrupter = interrupter
  }

  /// Has `db` ask here; this object must live as long as `db` is open.
  func attach(to db: OpaquePointer) {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe sqlite3_busy_handler(db, waitCallback, context)
  }

  /// Waits a little, unless it has been enough.
  ///
  /// - Parameter attempt: How often this lock was waited for before.
  /// - Returns: Whether to try again.
  fileprivate func wait(attempt: Int32) -> Bool {
    if attempt == 0 { start = .now }
    let left = limit - (.now - start)
    guard left > .zero, !interrupter.isCancelled else { return false }
    sqlite3_sleep(min(left.wholeMilliseconds + 1, attempt < 12 ? 1 + 2 * attempt : 25))
    return !interrupter.isCancelled
  }
}

private func waitCallback(context: UnsafeMutableRawPointer?, attempt: Int32) -> Int32 {
  guard let context = unsafe context else { return 0 }
  let wait = unsafe Unmanaged<BusyWait>.fromOpaque(context).takeUnretainedValue()
  return wait.wait(attempt: attempt) ? 1 : 0
}

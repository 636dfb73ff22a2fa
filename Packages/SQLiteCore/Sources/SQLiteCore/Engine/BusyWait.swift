internal import CSQLite

extension Configuration {
  /// What a statement does that meets another connection's lock.
  ///
  /// Whatever it is, cancelling the access ends the wait.
  public enum BusyPolicy: Sendable {
    /// Fails with ``SQLiteError/Code/busy``.
    case failAtOnce
    /// Tries again and again, and fails when the time is up.
    case wait(upTo: Duration)
    /// Asks before each further try, on the thread that waits, and fails where the answer is `false`.
    ///
    /// A pause of a few milliseconds follows each `true`. The closure is told how often this lock was
    /// tried again before, from 0 on, and how long that has taken. It must not use the connection.
    ///
    /// ```swift
    /// configuration.busyPolicy = .ask { attempt, waited in waited < .seconds(2) }
    /// ```
    case ask(@Sendable (_ attempt: Int, _ waited: Duration) -> Bool)
  }
}

/// How long a connection waits for another's lock: SQLite's own wait does not end when an access is
/// cancelled.
@safe final class BusyWait {
  private let interrupter: Interrupter
  private let policy: Configuration.BusyPolicy
  private var start = ContinuousClock.now
  private var attempts: Int32 = 0

  init(_ policy: Configuration.BusyPolicy, interrupter: Interrupter) {
    self.policy = policy
    self.interrupter = interrupter
  }

  /// Has `db` ask here; this object must live as long as `db` is open.
  func attach(to db: OpaquePointer) {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe sqlite3_busy_handler(db, waitCallback, context)
  }

  /// Waits a little, unless it has been enough since this object was made.
  func again() -> Bool {
    defer { attempts += 1 }
    return wait(attempt: attempts)
  }

  /// As SQLite asks: the count begins anew with each lock.
  fileprivate func answer(attempt: Int32) -> Bool {
    if attempt == 0 { start = .now }
    return wait(attempt: attempt)
  }

  /// Waits a little, unless it has been enough.
  ///
  /// - Parameter attempt: How often this lock was waited for before.
  /// - Returns: Whether to try again.
  private func wait(attempt: Int32) -> Bool {
    guard !interrupter.isCancelled else { return false }
    let pause = attempt < 12 ? 1 + 2 * attempt : 25
    switch policy {
    case .failAtOnce: return false
    case .wait(let limit):
      let left = limit - (.now - start)
      guard left > .zero else { return false }
      sqlite3_sleep(min(left.wholeMilliseconds, pause - 1) + 1)
    case .ask(let isToTryAgain):
      guard isToTryAgain(Int(attempt), .now - start), !interrupter.isCancelled else { return false }
      sqlite3_sleep(pause)
    }
    return !interrupter.isCancelled
  }
}

private func waitCallback(context: UnsafeMutableRawPointer?, attempt: Int32) -> Int32 {
  guard let context = unsafe context else { return 0 }
  let wait = unsafe Unmanaged<BusyWait>.fromOpaque(context).takeUnretainedValue()
  return wait.answer(attempt: attempt) ? 1 : 0
}

internal import CSQLite

extension Configuration {
  /// The behavior of a statement that meets another connection's lock.
  ///
  /// Cancelling the access ends the wait under every policy.
  public enum BusyPolicy: Sendable {
    /// Fails with ``SQLiteError/Code/busy``.
    case failImmediately
    /// Retries until the time is up, and then fails with ``SQLiteError/Code/busy``.
    case wait(upTo: Duration)
    /// Calls a closure before each retry, on the waiting thread. The statement fails if it returns
    /// `false`.
    ///
    /// A pause of a few milliseconds follows each `true`. The arguments are the number of earlier
    /// retries for this lock, and the time spent waiting for it. The closure must not use the
    /// connection.
    ///
    /// ```swift
    /// configuration.busyPolicy = .callback { attempt, waited in waited < .seconds(2) }
    /// ```
    case callback(@Sendable (_ attempt: Int, _ waited: Duration) -> Bool)
  }
}

/// A connection's busy handler. SQLite's own busy timeout does not end when an access is cancelled.
@safe final class BusyWait {
  private let interrupter: Interrupter
  private let policy: Configuration.BusyPolicy
  private var start = ContinuousClock.now
  private var attempts: Int32 = 0

  init(_ policy: Configuration.BusyPolicy, interrupter: Interrupter) {
    self.policy = policy
    self.interrupter = interrupter
  }

  /// Installs this object as the busy handler of `db`. It must live until `db` is closed.
  func attach(to db: OpaquePointer) {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe sqlite3_busy_handler(db, waitCallback, context)
  }

  /// Waits for one pause. Returns `false` if the policy, counted from this object's creation, is
  /// exhausted.
  func waitAgain() -> Bool {
    defer { attempts += 1 }
    return wait(attempt: attempts)
  }

  /// Called by the busy handler. SQLite restarts the count for each lock.
  fileprivate func handleBusy(attempt: Int32) -> Bool {
    if attempt == 0 { start = .now }
    return wait(attempt: attempt)
  }

  /// Waits for one pause, unless the policy is exhausted.
  ///
  /// - Parameter attempt: The number of earlier waits for this lock.
  /// - Returns: Whether to retry.
  private func wait(attempt: Int32) -> Bool {
    guard !interrupter.isCancelled else { return false }
    let pause = attempt < 12 ? 1 + 2 * attempt : 25
    switch policy {
    case .failImmediately: return false
    case .wait(let limit):
      let remaining = limit - (.now - start)
      guard remaining > .zero else { return false }
      sqlite3_sleep(min(remaining.wholeMilliseconds, pause - 1) + 1)
    case .callback(let shouldRetry):
      guard shouldRetry(Int(attempt), .now - start), !interrupter.isCancelled else { return false }
      sqlite3_sleep(pause)
    }
    return !interrupter.isCancelled
  }
}

private func waitCallback(context: UnsafeMutableRawPointer?, attempt: Int32) -> Int32 {
  guard let context = unsafe context else { return 0 }
  let wait = unsafe Unmanaged<BusyWait>.fromOpaque(context).takeUnretainedValue()
  return wait.handleBusy(attempt: attempt) ? 1 : 0
}

extension Duration {
  /// The duration in milliseconds, clamped to 0 and the maximum that SQLite can wait.
  var wholeMilliseconds: Int32 {
    let (seconds, attoseconds) = components
    let limit = Int64(Int32.max)
    guard seconds < limit / 1_000 else { return Int32.max }
    return Int32(clamping: max(0, seconds * 1_000 + attoseconds / 1_000_000_000_000_000))
  }
}

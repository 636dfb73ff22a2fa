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

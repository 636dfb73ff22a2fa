internal import CSQLite

extension Connection {
  /// Where a database's write-ahead log stands, as all processes see it: another one after each commit.
  @_spi(Observing) public struct LogState: Hashable, Sendable {
    /// How many commits there were, modulo 2³²; it begins anew where the log's index was made anew.
    public let number: UInt32
    /// The checksum of the log up to the last commit.
    public let checksum: UInt64

    public init(number: UInt32, checksum: UInt64) {
      self.number = number
      self.checksum = checksum
    }
  }
}

extension ConnectionHandle {
  /// The state of the main database's log; `nil` where it has none that processes share.
  func logState() throws(SQLiteError) -> Connection.LogState? {
    var number: UInt32 = 0
    var checksum: UInt64 = 0
    guard unsafe holt_log_state(try pointer(), &number, &checksum) != 0 else { return nil }
    return Connection.LogState(number: number, checksum: checksum)
  }
}

extension Connection {
  /// Where the main database's write-ahead log stands.
  ///
  /// It may be asked for in ``TransactionObserver/willCommit()`` too, where it is the state that the
  /// transaction follows upon. Elsewhere, ask in a transaction.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/closed``. That there is no log, or one that no other
  ///   process can see, is `nil`.
  @_spi(Observing) public func logState() throws(SQLiteError) -> LogState? {
    try handle.logState()
  }
}

extension Connection {
  /// How hard a checkpoint tries to bring a write-ahead log into its file.
  public enum CheckpointMode: String, Hashable, Sendable, CaseIterable {
    /// As much as it can without waiting for anyone.
    case passive
    /// Waits for writers and for readers of older states, and brings all of the log over.
    case full
    /// As ``full``, and waits until readers have left the log, so that it begins anew.
    case restart
    /// As ``restart``, and cuts the log's file to nothing.
    case truncate
  }
}

extension Connection {
  /// What a checkpoint came to.
  public struct CheckpointResult: Hashable, Sendable {
    /// Whether it did all that its mode asks for. Where other connections' locks kept it from that,
    /// that is no error.
    public let isComplete: Bool
    /// The pages in the log; `nil` where the database has no log.
    public let logPages: Int?
    /// The pages of the log that are in the file now; `nil` where the database has no log.
    public let checkpointedPages: Int?

    /// Whether other connections' locks kept it from doing all that its mode asks for.
    public var isBusy: Bool { !isComplete }
  }
}

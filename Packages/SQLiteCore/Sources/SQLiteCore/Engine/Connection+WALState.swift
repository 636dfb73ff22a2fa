internal import CSQLite

extension Connection {
  /// The position of a database's write-ahead log, as shared by all processes. It differs after
  /// each commit.
  @_spi(Observing) public struct WALState: Hashable, Sendable {
    /// The number of commits, modulo 2³². It restarts when the log's index is rebuilt.
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
  /// The state of the main database's log; `nil` if the database has no log that processes share.
  func walState() throws(SQLiteError) -> Connection.WALState? {
    var number: UInt32 = 0
    var checksum: UInt64 = 0
    guard unsafe holt_log_state(try pointer(), &number, &checksum) != 0 else { return nil }
    return Connection.WALState(number: number, checksum: checksum)
  }
}

extension Connection {
  /// Returns the state of the main database's write-ahead log; `nil` if there is no log, or no
  /// other process can see it.
  ///
  /// Call this inside a transaction, or in ``TransactionObserver/willCommit()``. The latter returns
  /// the state before the transaction.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/closed``.
  @_spi(Observing) public func walState() throws(SQLiteError) -> WALState? {
    try handle.walState()
  }
}

extension Connection {
  /// The extent to which a checkpoint copies a write-ahead log into the database file.
  public enum CheckpointMode: String, Hashable, Sendable, CaseIterable {
    /// Copies as much as possible without waiting.
    case passive
    /// Waits for writers and for readers of older snapshots, and copies the whole log.
    case full
    /// Like ``full``, and waits until readers no longer use the log, so that it restarts from its
    /// beginning.
    case restart
    /// Like ``restart``, and truncates the log file to zero bytes.
    case truncate
  }
}

extension Connection {
  /// The result of a checkpoint.
  public struct CheckpointResult: Hashable, Sendable {
    /// A Boolean value that indicates whether the checkpoint did everything that its mode requires.
    /// Being stopped by other connections' locks is not an error.
    public let isComplete: Bool
    /// The pages in the log; `nil` if the database has no log.
    public let logPages: Int?
    /// The pages of the log that have been copied into the file; `nil` if the database has no log.
    public let checkpointedPages: Int?

    /// A Boolean value that indicates whether other connections' locks kept the checkpoint from
    /// completing.
    public var isBusy: Bool { !isComplete }
  }
}

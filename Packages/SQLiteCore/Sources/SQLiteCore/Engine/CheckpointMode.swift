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

internal import GRDB

/// GRDB's databases, opened as all contestants': with a write-ahead log and `synchronous = NORMAL`, and
/// so that they wait for another contestant that is not gone yet.
enum Peer {
  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.journalMode = .wal
    configuration.busyMode = .timeout(5)
    return configuration
  }

  /// One connection.
  static func queue(_ path: String) throws -> DatabaseQueue {
    try DatabaseQueue(path: path, configuration: configuration)
  }

  /// A writer and five readers, which is GRDB's default and Holt's.
  static func pool(_ path: String) throws -> DatabasePool {
    try DatabasePool(path: path, configuration: configuration)
  }
}

internal import GRDB

/// Opens GRDB databases with the same settings as all implementations: a write-ahead log,
/// `synchronous = NORMAL`, and a busy timeout, in case another implementation has not closed its
/// connections yet.
enum Peer {
  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.journalMode = .wal
    configuration.busyMode = .timeout(5)
    return configuration
  }

  /// Opens a single connection.
  static func queue(_ path: String) throws -> DatabaseQueue {
    try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Opens a writer and five readers, the default of both GRDB and Holt.
  static func pool(_ path: String) throws -> DatabasePool {
    try DatabasePool(path: path, configuration: configuration)
  }
}

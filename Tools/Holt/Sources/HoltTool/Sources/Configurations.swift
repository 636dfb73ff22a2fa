import Providers
import SQLiteCore

extension Configuration {
  /// For databases of any origin: as they are, with all that their schemas use.
  static var preservingSettings: Configuration {
    var configuration = Configuration().withRegularExpressions
    // Views and triggers over full-text tables need it up to SQLite 3.40.
    configuration.trustsSchema = true
    return configuration
  }

  /// For reading alone.
  static var reading: Configuration {
    var configuration = preservingSettings
    configuration.isReadOnly = true
    configuration.createsFile = false
    return configuration
  }

  /// For writing to a file, which keeps the journal that it has; one that is made has a write-ahead log.
  static func writing(_ path: String) -> Configuration {
    var configuration = preservingSettings
    if let connection = try? Connection(path: path, configuration: .reading),
      let mode = try? connection.value(String.self, "PRAGMA journal_mode"),
      let known = JournalMode(rawValue: mode.uppercased())
    {
      configuration.journalMode = known
    }
    return configuration
  }
}

import Providers
import SQLiteCore

extension Configuration {
  /// The base configuration for databases of any origin: keeps their settings and allows
  /// everything that their schemas use.
  static var preservingSettings: Configuration {
    var configuration = Configuration().withProviderFunctions
    // Views and triggers that use full-text tables require this in SQLite 3.40 and earlier.
    configuration.trustsSchema = true
    return configuration
  }

  /// A read-only configuration.
  static var reading: Configuration {
    var configuration = preservingSettings
    configuration.isReadOnly = true
    configuration.createsFile = false
    return configuration
  }

  /// A configuration for a private staging database, which is useless after a crash.
  static var staging: Configuration {
    var configuration = preservingSettings
    configuration.journalMode = .delete
    configuration.synchronous = .off
    return configuration
  }

  /// Returns a configuration for writing to a file. An existing file keeps its journal mode; a new
  /// one uses a write-ahead log.
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

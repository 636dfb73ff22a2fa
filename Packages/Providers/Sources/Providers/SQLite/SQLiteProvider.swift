public import SQLiteCore

/// A provider of SQLite's databases: what is changed is in the file at once.
///
/// ```swift
/// let provider = SQLiteProvider.shared
/// try provider.openSource("Test.db")
/// try provider.execute("CREATE TABLE IF NOT EXISTS Person (ID INTEGER PRIMARY KEY, Name TEXT)")
/// ```
public final class SQLiteProvider: DataProvider {
  public static let shared = SQLiteProvider()

  public let session: SourceSession

  public convenience init() { self.init(configuration: Configuration()) }

  /// - Parameters:
  ///   - configuration: How databases are opened.
  ///   - directories: Where sources are looked for by their names.
  public init(
    configuration: Configuration = Configuration(),
    directories: SourceSession.Directories = .standard
  ) {
    session = SourceSession(
      store: SourceSession.SQLiteStore(configuration: configuration), directories: directories)
  }
}

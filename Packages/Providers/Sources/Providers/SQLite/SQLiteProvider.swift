public import SQLiteCore

/// A provider of SQLite databases. Changes are written to the file immediately.
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
  ///   - configuration: The configuration of databases.
  ///   - directories: The directories that contain sources opened by name.
  public init(
    configuration: Configuration = Configuration(),
    directories: SourceSession.Directories = .standard
  ) {
    session = SourceSession(
      store: SourceSession.SQLiteStore(configuration: configuration), directories: directories)
  }
}

extension SourceSession {
  /// A store whose sources are SQLite databases.
  public struct SQLiteStore: Store {
    /// The configuration of databases.
    public let configuration: Configuration

    public init(configuration: Configuration = Configuration()) {
      self.configuration = configuration
    }

    public func open(_ request: Request) throws -> any OpenedSource {
      try SQLiteSource(request, configuration)
    }

    public func copy(_ template: String, toPath path: String) throws {
      guard try FileStamp(path: path) == nil else { return }
      try Self.removeCompanions(of: path)
      // The database is copied last, because the copy exists only when the database does.
      for suffix in ["-wal", "-journal"] where try FileStamp(path: template + suffix) != nil {
        try SourceFiles.copyTemplate(template + suffix, to: path + suffix)
      }
      try SourceFiles.copyTemplate(template, to: path)
    }

    public func delete(atPath path: String) throws {
      try SourceFiles.remove(path)
      try Self.removeCompanions(of: path)
    }

    /// Removes the files that SQLite stores next to a database: they would be treated as a part of
    /// a new database with the same name.
    fileprivate static func removeCompanions(of path: String) throws {
      for suffix in ["-wal", "-shm", "-journal"] { try SourceFiles.removeIfPresent(path + suffix) }
    }
  }
}

/// An open database.
private final class SQLiteSource: SourceSession.OpenedSource {
  let database: Database
  let configuration: Configuration

  init(_ request: SourceSession.Request, _ configuration: Configuration) throws {
    self.configuration = configuration
    var configuration = configuration.withProviderFunctions
    configuration.isReadOnly = configuration.isReadOnly || request.isReadOnly
    guard let path = request.path else {
      database = try Database(.memory, configuration: configuration)
      return
    }
    if request.isReadOnly, try FileStamp(path: path) == nil {
      throw ProviderError.missingFile(path)
    }
    let hasLog = try FileStamp(path: path + "-wal") != nil
    database =
      request.isImmutable && !hasLog
      ? try Database(
        .uri(path: path, Database.URIParameters(isImmutable: true)), configuration: configuration)
      : try Database(path: path, configuration: configuration)
    // The first read fails if the file is not a database.
    try database.read { _ = try $0.value(Int.self, "PRAGMA schema_version") }
  }

  var path: String? { database.path }
  var writesImmediately: Bool { true }
  var hasUnsavedChanges: Bool { false }
  func persist(_ contents: Connection, overwritingChanges: Bool) {}

  func saved(_ contents: Connection, toPath path: String) throws -> any SourceSession.OpenedSource {
    if let own = self.path, SourceFiles.isSameFile(own, path) { return self }
    let isNew = try FileStamp(path: path) == nil
    do {
      return try contents.transaction(.deferred) { try copied(contents, to: path) }
    } catch {
      if isNew { try? SourceSession.SQLiteStore(configuration: configuration).delete(atPath: path) }
      throw error
    }
  }

  func close() { database.close() }

  // MARK: Copies

  private func copied(_ contents: Connection, to path: String) throws -> SQLiteSource {
    do {
      let other = try SQLiteSource(SourceSession.Request(path: path), configuration)
      do {
        try other.database.writeWithoutTransaction { try contents.backup(to: $0) }
        return other
      } catch let error as SQLiteError where error.code == .pageSizeMismatch {
        other.close()
        try copy(contents, withoutLogTo: path)
      }
    } catch let error as SQLiteError where error.code == .notADatabase {
      try replaceFile(at: path, by: contents)
    }
    return try SQLiteSource(SourceSession.Request(path: path), configuration)
  }

  /// Copies over a database. Without a WAL, it adopts the page size of the source.
  private func copy(_ contents: Connection, withoutLogTo path: String) throws {
    var configuration = Configuration()
    configuration.journalMode = .delete
    configuration.busyPolicy = self.configuration.busyPolicy
    configuration.virtualFileSystem = self.configuration.virtualFileSystem
    let copy = try Connection(path: path, configuration: configuration)
    try contents.backup(to: copy)
    try copy.close()
  }

  /// Replaces a file that is not a database, which SQLite does not overwrite.
  private func replaceFile(at path: String, by contents: Connection) throws {
    let replacement = try FileReplacement(path: path)
    try SourceSession.SQLiteStore.removeCompanions(of: replacement.temporaryPath)
    try copy(contents, withoutLogTo: replacement.temporaryPath)
    try SourceSession.SQLiteStore.removeCompanions(of: replacement.path)
    _ = try replacement.commit(expecting: nil)
    try replacement.finish()
  }
}

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

extension SourceSession {
  /// Sources that are SQLite's databases.
  public struct SQLiteStore: Store {
    /// How databases are opened.
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
      // The database comes last: until it is there, there is none.
      for suffix in ["-wal", "-journal"] where try FileStamp(path: template + suffix) != nil {
        try SourceFiles.copyTemplate(template + suffix, to: path + suffix)
      }
      try SourceFiles.copyTemplate(template, to: path)
    }

    public func delete(atPath path: String) throws {
      try SourceFiles.remove(path)
      try Self.removeCompanions(of: path)
    }

    /// Removes what SQLite keeps beside a database: it would be taken for a part of the next one of this name.
    fileprivate static func removeCompanions(of path: String) throws {
      for suffix in ["-wal", "-shm", "-journal"] { try SourceFiles.removeIfPresent(path + suffix) }
    }
  }
}

/// A database that is open.
private final class SQLiteSource: SourceSession.OpenedSource {
  let database: Database
  let configuration: Configuration

  init(_ request: SourceSession.Request, _ configuration: Configuration) throws {
    self.configuration = configuration
    var configuration = configuration.withRegularExpressions
    configuration.isReadOnly = configuration.isReadOnly || request.isReadOnly
    guard let path = request.path else {
      database = try Database(.memory, configuration: configuration)
      return
    }
    if request.isReadOnly, try FileStamp(path: path) == nil { throw FileError.missing(path) }
    let hasLog = try FileStamp(path: path + "-wal") != nil
    database =
      request.isImmutable && !hasLog
      ? try Database(
        .uri(path: path, Database.URIParameters(isImmutable: true)), configuration: configuration)
      : try Database(path: path, configuration: configuration)
    // What is no database shows at the first read.
    try database.read { _ = try $0.value(Int.self, "PRAGMA schema_version") }
  }

  var path: String? { database.path }
  var writesAtOnce: Bool { true }
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

  /// Copies over a database, which takes on the size of the pages where it has no log.
  private func copy(_ contents: Connection, withoutLogTo path: String) throws {
    var configuration = Configuration()
    configuration.journalMode = .delete
    configuration.busyPolicy = self.configuration.busyPolicy
    configuration.virtualFileSystem = self.configuration.virtualFileSystem
    let copy = try Connection(path: path, configuration: configuration)
    try contents.backup(to: copy)
    try copy.close()
  }

  /// Puts a copy in the place of a file that is no database, which SQLite does not write over.
  private func replaceFile(at path: String, by contents: Connection) throws {
    let replacement = try FileReplacement(path: path)
    try SourceSession.SQLiteStore.removeCompanions(of: replacement.temporaryPath)
    try copy(contents, withoutLogTo: replacement.temporaryPath)
    try SourceSession.SQLiteStore.removeCompanions(of: replacement.path)
    _ = try replacement.commit(expecting: nil)
    try replacement.finish()
  }
}

public import SQLiteCore

/// Sources that are SQLite's databases.
public struct SQLiteStore: SourceStore {
  /// How databases are opened.
  public let configuration: Configuration

  public init(configuration: Configuration = Configuration()) {
    self.configuration = configuration
  }

  public func open(_ request: SourceRequest) throws -> any OpenedSource {
    try SQLiteSource(request, configuration)
  }

  public func delete(atPath path: String) throws {
    try SourceFiles.remove(path)
    // What SQLite keeps beside it would be taken for a part of the next database of this name.
    for suffix in ["-wal", "-shm", "-journal"] { try SourceFiles.removeIfPresent(path + suffix) }
  }
}

/// A database that is open.
private final class SQLiteSource: OpenedSource {
  let database: Database
  let configuration: Configuration

  init(_ request: SourceRequest, _ configuration: Configuration) throws {
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
        .uri(path: path, URIParameters(isImmutable: true)), configuration: configuration)
      : try Database(path: path, configuration: configuration)
    // What is no database shows at the first read.
    try database.read { _ = try $0.value(Int.self, "PRAGMA schema_version") }
  }

  var path: String? { database.path }
  var writesAtOnce: Bool { true }
  var hasUnsavedChanges: Bool { false }
  func persist(_ contents: Connection, overwritingChanges: Bool) {}

  func saved(_ contents: Connection, toPath path: String) throws -> any OpenedSource {
    if let own = self.path, SourceFiles.isSameFile(own, path) { return self }
    let copy = try SQLiteSource(SourceRequest(path: path), configuration)
    try contents.transaction(.deferred) {
      try copy.database.writeWithoutTransaction { try contents.backup(to: $0) }
    }
    return copy
  }

  func close() { database.close() }
}

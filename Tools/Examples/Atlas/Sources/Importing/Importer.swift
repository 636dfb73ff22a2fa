import QueryGen
import SQLiteCore

/// Fills the database from the sources, unless it holds them already.
///
/// Each source is one transaction, which also notes the source as imported. A database in which a
/// note is missing, or is of another edition, is emptied and filled anew.
struct Importer: Sendable {
  let db: DB
  let folders: DataFolders

  /// What a database holds.
  enum State: Equatable {
    /// Every source, in the edition that is installed.
    case complete
    /// Nothing yet.
    case empty
    /// Some sources, or older ones.
    case outdated
  }

  /// What the database holds, by its notes.
  ///
  /// - Throws: ``AtlasError`` when a source's file is missing.
  func state(of connection: Connection) throws -> State {
    var notes: [String: DataFolders.Edition] = [:]
    for source in try db.importedSources.execute(in: connection) {
      notes[source.name] = DataFolders.Edition(size: source.size, modified: source.modified)
    }
    var isComplete = true
    for source in DataSource.allCases
    where notes[source.rawValue] != (try folders.edition(of: source)) {
      isComplete = false
    }
    return isComplete ? .complete : notes.isEmpty ? .empty : .outdated
  }

  /// Imports every source, unless they are all there.
  ///
  /// - Returns: What the database held before.
  /// - Throws: ``AtlasError`` before anything is written, or what the engine refuses.
  @discardableResult
  func run(
    on connection: Connection, progress: (_ total: Int) -> Progress = { Progress(total: $0) }
  ) throws -> State {
    let state = try state(of: connection)
    guard state != .complete else { return state }
    let data = try AtlasData(from: folders)
    var progress = progress(DataSource.allCases.reduce(0) { $0 + data.count(of: $1) })
    defer { progress.finish() }
    try connection.transaction { try empty(connection) }
    for source in DataSource.allCases {
      let edition = try folders.edition(of: source)
      progress.begin(source.title)
      try connection.transaction {
        try insert(source, of: data, into: connection) { progress.advance(by: 1, source.title) }
        if source == DataSource.allCases.last { try db.indexNames.execute(in: connection) }
        try db.noteSource.execute(
          name: source.rawValue, size: edition.size, modified: edition.modified,
          rowCount: data.count(of: source), in: connection)
      }
      progress.end(source.title, rows: data.count(of: source))
    }
    return state
  }

  /// Deletes all rows, those that refer to others first.
  private func empty(_ connection: Connection) throws {
    for table in [
      "source", "name_index", "visit", "zone_country", "zone", "currency", "script",
      "library_code", "language_family", "language", "subdivision", "former_country", "country",
    ] {
      try connection.run("DELETE FROM \(table)")
    }
  }
}

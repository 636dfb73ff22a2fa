import QueryGen
import SQLiteCore
import Terminal

/// Imports the sources into the database, unless they have been imported before.
///
/// Each source is imported in one transaction, which also records the source and its edition. If a
/// source is not recorded or its edition differs, the database is emptied and filled again.
struct Importer: Sendable {
  let db: DB
  let folders: DataFolders
  /// Reports each imported source if no progress bar is shown. Writes to standard error, so that the
  /// standard output is the same with and without an import.
  var report: @Sendable (String) -> Void = { text in
    if !StandardStream.error.isTerminal { StandardStream.error.write("  \(text)\n") }
  }

  /// The state of a database.
  enum State: Equatable {
    /// All sources have been imported in their installed editions.
    case complete
    /// No source has been imported.
    case empty
    /// Some sources are missing or outdated.
    case outdated
  }

  /// Determines the state of a database from its recorded sources.
  ///
  /// - Throws: ``AtlasError`` if a source's file is missing.
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

  /// Imports all sources, unless the database is complete.
  ///
  /// - Returns: The previous state of the database.
  /// - Throws: ``AtlasError`` before any row is written; `SQLiteError` if the database rejects a row.
  @discardableResult
  func run(on connection: Connection) throws -> State {
    let state = try state(of: connection)
    guard state != .complete else { return state }
    let data = try AtlasData(from: folders)
    let total = DataSource.allCases.reduce(0) { $0 + data.count(of: $1) }
    let bar = ProgressBar("importing")
    var done = 0
    defer { bar.end() }
    try connection.transaction { try empty(connection) }
    for source in DataSource.allCases {
      let edition = try folders.edition(of: source)
      try connection.transaction {
        try insert(source, of: data, into: connection) {
          done += 1
          if done.isMultiple(of: 100) { bar.show(done, of: total, source.title) }
        }
        if source == DataSource.allCases.last { try db.indexNames.execute(in: connection) }
        try db.noteSource.execute(
          name: source.rawValue, size: edition.size, modified: edition.modified,
          rowCount: data.count(of: source), in: connection)
      }
      report("imported \(data.count(of: source).grouped) \(source.title)")
    }
    return state
  }

  /// Deletes all rows, starting with the tables that reference others.
  private func empty(_ connection: Connection) throws {
    for table in [
      "source", "name_index", "visit", "zone_country", "zone", "currency", "script",
      "library_code", "language_family", "language", "subdivision", "former_country", "country",
    ] {
      try connection.run("DELETE FROM \(unsafe: table)")
    }
  }
}

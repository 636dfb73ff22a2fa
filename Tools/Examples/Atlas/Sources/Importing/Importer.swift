import QueryGen
import SQLiteCore
import Terminal

/// Fills the database from the sources, unless it holds them already.
///
/// Each source is one transaction, which also notes the source as imported. A database in which a
/// note is missing, or is of another edition, is emptied and filled anew.
struct Importer: Sendable {
  let db: DB
  let folders: DataFolders
  /// Is told of each source that is in, where nobody sees a bar: on the standard error, so that the output is the same with and
  /// without an import.
  var report: @Sendable (String) -> Void = { text in
    if !StandardStream.error.isTerminal { StandardStream.error.write("  \(text)\n") }
  }

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

  /// Deletes all rows, those that refer to others first.
  private func empty(_ connection: Connection) throws {
    for table in [
      "source", "name_index", "visit", "zone_country", "zone", "currency", "script",
      "library_code", "language_family", "language", "subdivision", "former_country", "country",
    ] {
      try connection.run("DELETE FROM \(unsafe: table)")
    }
  }
}

internal import SQLiteCore
internal import Primitives

/// A source whose file is read into a staging database.
final class StagingDatabase<Format: TableFormat>: SourceSession.OpenedSource {
  let database: Database
  private let store: SourceSession.FileStore<Format>
  private let state: Mutex<State>
  private let dirtyTracker: DirtyTracker

  private struct State {
    var path: String?
    var layout: Format.Layout
    /// The version of the file when it was last read or written; `nil` if there is no file.
    var version: FileVersion?
    /// A Boolean value that indicates whether the file must be written even without changes, for
    /// example because it does not exist yet.
    var needsWrite = true
  }

  /// Creates an empty source.
  init(new store: SourceSession.FileStore<Format>, path: String?) throws {
    self.store = store
    (database, dirtyTracker) = try Self.makeDatabase(store.place)
    state = Mutex(State(path: path, layout: store.format.newLayout))
  }

  /// Reads a file.
  ///
  /// - Parameter isReadOnly: Whether the file will not be written, so that its spellings need not be
  ///   stored.
  init(
    _ store: SourceSession.FileStore<Format>, _ reader: FileReader, isReadOnly: Bool
  ) throws {
    self.store = store
    let (database, dirtyTracker) = try Self.makeDatabase(store.place)
    (self.database, self.dirtyTracker) = (database, dirtyTracker)
    let stamp = try reader.stamp()
    let input = SourceSession.ByteInput(reader, name: store.tableName)
    let layout = try database.writeWithoutTransaction { connection in
      let layout = try Self.load(
        input, store, connection, keepsSpellings: !isReadOnly)
      try dirtyTracker.markClean(connection)
      return layout
    }
    guard try reader.stamp().hasSameContent(as: stamp) else {
      throw ProviderError.fileChanged(reader.path)
    }
    let version = FileVersion(stamp: stamp, checksum: reader.checksum)
    state = Mutex(
      State(path: reader.path, layout: layout, version: version, needsWrite: false))
  }

  private static func makeDatabase(_ place: SourceSession.StagingPlace) throws -> (
    Database, DirtyTracker
  ) {
    var configuration = Configuration().withProviderFunctions
    let location: Database.Location
    switch place {
    case .memory: location = .memory
    case .temporaryFile: location = .temporary
    case .file(let path): location = .file(path)
    case .newDatabase(let path):
      location = .uri(path: path, Database.URIParameters(disablesLocking: true))
    }
    if location != .memory, location != .temporary {
      // The file is private, and useless after a crash.
      configuration.journalMode = .delete
      configuration.synchronous = .off
    }
    let database = try Database(location, configuration: configuration)
    let dirtyTracker = try database.writeWithoutTransaction { try DirtyTracker($0) }
    return (database, dirtyTracker)
  }

  // MARK: Reading

  /// Reads the file until all inferred types are confirmed.
  private static func load(
    _ input: SourceSession.ByteInput, _ store: SourceSession.FileStore<Format>,
    _ connection: Connection, keepsSpellings: Bool
  ) throws -> Format.Layout {
    // The whole database is discarded on failure.
    try connection.setOption(.defensive, on: false)
    try connection.execute("PRAGMA journal_mode = OFF; PRAGMA foreign_keys = OFF")
    if case .newDatabase = store.place {
      // Writes the header, which a database without tables would not have otherwise.
      try connection.execute("PRAGMA user_version = 0")
    } else {
      try connection.execute("PRAGMA page_size = 16384")
    }
    defer {
      try? connection.execute("PRAGMA journal_mode = MEMORY; PRAGMA foreign_keys = ON")
      try? connection.setOption(.defensive, on: true)
    }
    var known: [TableCollector.InferredTable] = []
    var inferredStructure: (any Sendable)?
    for _ in 0..<maximumPassCount {
      try connection.execute("BEGIN")
      let tables = TableCollector(
        connection, known: known, inferredStructure: inferredStructure,
        keepsSpellings: keepsSpellings)
      do {
        let layout = try store.format.read(input, into: tables)
        if let inferred = try tables.finish() {
          known = inferred
        } else {
          try connection.execute("COMMIT")
          return layout
        }
      } catch is TableCollector.RestartPass {
        known = tables.inferenceResult
      } catch let error as ProviderError {
        throw error.file == nil ? input.path.map(error.inFile) ?? error : error
      } catch let error as SQLiteError {
        throw input.path.map { error.addingContext("reading \($0)") } ?? error
      }
      inferredStructure = tables.inferredStructure
      try connection.execute("COMMIT")
      try connection.resetDatabase()
      try SpellingStore.removeAll(from: connection)
      try input.rewind()
    }
    throw ProviderError(
      .malformed, "the column types can't be inferred: the file may have changed while it was read",
      file: input.path)
  }

  /// Each pass after the first one has more type information, or discards a key, so that the number
  /// of passes is bounded.
  private static var maximumPassCount: Int { 64 }

  // MARK: Writing

  var path: String? { state.withLock(\.path) }

  var hasUnsavedChanges: Bool {
    if case .file = store.place { return true }
    return dirtyTracker.mayHaveChanged || state.withLock(\.needsWrite)
  }

  func persist(_ contents: Connection, overwritingChanges: Bool) throws {
    let state = state.withLock { $0 }
    guard let path = state.path else { return }
    let hasChanged = try dirtyTracker.hasChanged(contents)
    if hasChanged || state.needsWrite || overwritingChanges {
      try write(contents, to: path, expecting: overwritingChanges ? nil : .some(state.version))
    }
    try dirtyTracker.markClean(contents)
  }

  func saved(_ contents: Connection, toPath path: String) throws -> any SourceSession.OpenedSource {
    try write(contents, to: path, expecting: nil)
    try dirtyTracker.markClean(contents)
    return self
  }

  private func write(
    _ contents: Connection, to path: String, expecting expected: FileVersion??
  ) throws {
    let replacement = try FileReplacement(path: path)
    let current = state.withLock { $0 }
    let layout = current.layout
    do {
      let output = SourceSession.ByteOutput(
        path: path, temporaryPath: replacement.temporaryPath, source: { try Self.source(current) }
      ) { try replacement.write($0) }
      let written = try store.format.write(contents, as: layout, to: output)
      let version = try replacement.commit(expecting: expected)
      // If only `finish()` fails, the file is the new version, and is written again.
      state.withLock { $0 = State(path: path, layout: written, version: version) }
      try replacement.finish()
      state.withLock { $0.needsWrite = false }
    } catch let error as ProviderError {
      throw error.file == nil ? error.inFile(path) : error
    }
  }

  /// Opens the file that was last read or written, if it still has the same content.
  private static func source(_ state: State) throws -> SourceSession.ByteInput? {
    guard let path = state.path, let version = state.version,
      (try? version.matchesFile(at: path)) == true
    else { return nil }
    return SourceSession.ByteInput(try FileReader(path: path))
  }

  func close() { database.close() }
}

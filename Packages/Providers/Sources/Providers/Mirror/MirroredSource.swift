internal import SQLiteCore
internal import Primitives

/// A file whose tables are in a private database.
final class MirroredSource<Format: TableFormat>: SourceSession.OpenedSource {
  let database: Database
  private let store: SourceSession.FileStore<Format>
  private let state: Mutex<State>
  private let witness: ChangeWitness

  private struct State {
    var path: String?
    var layout: Format.Layout
    /// The file as it was read or written last; `nil` where there is none.
    var version: FileVersion?
    /// Whether all of that is to be written, whatever was changed: there is no file yet, say.
    var isToBeWritten = true
  }

  /// Begins empty.
  init(new store: SourceSession.FileStore<Format>, path: String?) throws {
    self.store = store
    (database, witness) = try Self.makeDatabase(store.place)
    state = Mutex(State(path: path, layout: store.format.newLayout))
  }

  /// Reads a file.
  init(_ store: SourceSession.FileStore<Format>, _ reader: FileReader) throws {
    self.store = store
    let (database, witness) = try Self.makeDatabase(store.place)
    (self.database, self.witness) = (database, witness)
    let stamp = try reader.stamp()
    let input = SourceSession.ByteInput(reader)
    let layout = try database.writeWithoutTransaction { connection in
      let layout = try Self.load(input, store.format, connection)
      try witness.begin(connection)
      return layout
    }
    guard try reader.stamp().hasSameContent(as: stamp) else {
      throw ProviderError(
        .fileChanged, "the file was changed while it was read", file: reader.path)
    }
    let version = FileVersion(stamp: stamp, checksum: reader.checksum)
    state = Mutex(
      State(path: reader.path, layout: layout, version: version, isToBeWritten: false))
  }

  private static func makeDatabase(_ place: SourceSession.StagingPlace) throws -> (
    Database, ChangeWitness
  ) {
    var configuration = Configuration().withRegularExpressions
    let location: Database.Location
    switch place {
    case .memory: location = .memory
    case .temporaryFile: location = .temporary
    case .file(let path):
      location = .file(path)
      // It is private, and of no use after a crash.
      configuration.journalMode = .delete
      configuration.synchronous = .off
    }
    let database = try Database(location, configuration: configuration)
    let witness = try database.writeWithoutTransaction { try ChangeWitness($0) }
    return (database, witness)
  }

  // MARK: Reading

  /// Reads until nothing contradicts what is known of the types.
  private static func load(
    _ input: SourceSession.ByteInput, _ format: Format, _ connection: Connection
  ) throws -> Format.Layout {
    // What fails is thrown away as a whole.
    try connection.setOption(.defensive, on: false)
    try connection.execute(
      "PRAGMA page_size = 16384; PRAGMA journal_mode = OFF; PRAGMA foreign_keys = OFF")
    defer {
      try? connection.execute("PRAGMA journal_mode = MEMORY; PRAGMA foreign_keys = ON")
      try? connection.setOption(.defensive, on: true)
    }
    var known: [TableCollector.KnownTable] = []
    var lesson: (any Sendable)?
    for _ in 0..<maximumReadings {
      try connection.execute("BEGIN")
      let tables = TableCollector(connection, known: known, lesson: lesson)
      do {
        let layout = try format.read(input, into: tables)
        if let learnt = try tables.finish() {
          known = learnt
        } else {
          try connection.execute("COMMIT")
          return layout
        }
      } catch is TableCollector.ReadsAgain {
        known = tables.knowledge
      } catch let error as ProviderError {
        throw error.file == nil ? input.path.map(error.inFile) ?? error : error
      } catch let error as SQLiteError {
        throw input.path.map { error.addingContext("reading \($0)") } ?? error
      }
      lesson = tables.lesson
      try connection.execute("COMMIT")
      try connection.resetDatabase()
      try input.rewind()
    }
    throw ProviderError(
      .malformed, "the types of columns can't be told: the file may be changing as it is read",
      file: input.path)
  }

  /// Each reading but the first knows more than the one before it: of types, and that there is no key.
  private static var maximumReadings: Int { 64 }

  // MARK: Writing

  var path: String? { state.withLock(\.path) }

  var hasUnsavedChanges: Bool {
    if case .file = store.place { return true }
    return witness.mayHaveChanged || state.withLock(\.isToBeWritten)
  }

  func persist(_ contents: Connection, overwritingChanges: Bool) throws {
    let state = state.withLock { $0 }
    guard let path = state.path else { return }
    let hasChanged = try witness.hasChanged(contents)
    if hasChanged || state.isToBeWritten || overwritingChanges {
      try write(contents, to: path, expecting: overwritingChanges ? nil : .some(state.version))
    }
    try witness.begin(contents)
  }

  func saved(_ contents: Connection, toPath path: String) throws -> any SourceSession.OpenedSource {
    try write(contents, to: path, expecting: nil)
    try witness.begin(contents)
    return self
  }

  private func write(
    _ contents: Connection, to path: String, expecting expected: FileVersion??
  ) throws {
    let replacement = try FileReplacement(path: path)
    let layout = state.withLock(\.layout)
    do {
      let output = SourceSession.ByteOutput(path: path) { try replacement.write($0) }
      let written = try store.format.write(contents, as: layout, to: output)
      let version = try replacement.commit(expecting: expected)
      // Where only what comes now fails, the file is this one, and is written once more.
      state.withLock { $0 = State(path: path, layout: written, version: version) }
      try replacement.finish()
      state.withLock { $0.isToBeWritten = false }
    } catch let error as ProviderError {
      throw error.file == nil ? error.inFile(path) : error
    }
  }

  func close() { database.close() }
}

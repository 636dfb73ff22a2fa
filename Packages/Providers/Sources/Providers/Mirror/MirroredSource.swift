internal import SQLiteCore
internal import Synchronization

/// A file whose tables are in a private database.
final class MirroredSource<Format: TableFormat>: OpenedSource {
  let database: Database
  private let store: FileStore<Format>
  private let state: Mutex<State>
  private let witness: CommitWitness

  private struct State {
    var path: String?
    var layout: Format.Layout
    /// The file as it was read or written last; `nil` where there is none.
    var stamp: FileStamp?
    /// The private database as it was then; `nil` where there is no file yet.
    var fingerprint: Fingerprint?
  }

  /// Begins empty.
  init(new store: FileStore<Format>, path: String?) throws {
    self.store = store
    (database, witness) = try Self.makeDatabase(store.place)
    state = Mutex(State(path: path, layout: store.format.newLayout))
  }

  /// Reads a file.
  init(_ store: FileStore<Format>, _ reader: FileReader) throws {
    self.store = store
    let (database, witness) = try Self.makeDatabase(store.place)
    (self.database, self.witness) = (database, witness)
    let stamp = try reader.stamp()
    let input = ByteInput(reader)
    let (layout, fingerprint) = try database.writeWithoutTransaction { connection in
      let layout = try Self.load(input, store.format, connection)
      return (layout, try Fingerprint(of: connection))
    }
    guard try reader.stamp() == stamp else {
      throw ProviderError(
        .fileChanged, "the file was changed while it was read", file: reader.path)
    }
    witness.hasCommitted.store(false, ordering: .relaxed)
    state = Mutex(
      State(path: reader.path, layout: layout, stamp: stamp, fingerprint: fingerprint))
  }

  private static func makeDatabase(_ place: MirrorPlace) throws -> (Database, CommitWitness) {
    let database = try Database(
      place == .memory ? .memory : .temporary,
      configuration: Configuration().withRegularExpressions)
    let witness = CommitWitness()
    try database.writeWithoutTransaction { _ = try $0.hooks.add(witness) }
    return (database, witness)
  }

  // MARK: Reading

  /// Reads until nothing contradicts what is known of the types.
  private static func load(
    _ input: ByteInput, _ format: Format, _ connection: Connection
  ) throws -> Format.Layout {
    // What fails is thrown away as a whole.
    try connection.turn(.defensive, on: false)
    try connection.execute(
      "PRAGMA page_size = 16384; PRAGMA journal_mode = OFF; PRAGMA foreign_keys = OFF")
    defer {
      try? connection.execute("PRAGMA journal_mode = MEMORY; PRAGMA foreign_keys = ON")
      try? connection.turn(.defensive, on: true)
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
    witness.hasCommitted.load(ordering: .relaxed) || state.withLock { $0.fingerprint == nil }
  }

  func persist(_ contents: Connection, overwritingChanges: Bool) throws {
    guard let path else { return }
    let (stamp, known) = state.withLock { ($0.stamp, $0.fingerprint) }
    let fingerprint = try Fingerprint(of: contents)
    if overwritingChanges || fingerprint != known {
      try write(contents, to: path, expecting: overwritingChanges ? nil : .some(stamp))
    }
    witness.hasCommitted.store(false, ordering: .relaxed)
  }

  func saved(_ contents: Connection, toPath path: String) throws -> any OpenedSource {
    try write(contents, to: path, expecting: nil)
    witness.hasCommitted.store(false, ordering: .relaxed)
    return self
  }

  private func write(
    _ contents: Connection, to path: String, expecting expected: FileStamp??
  ) throws {
    let replacement = try FileReplacement(path: path)
    let layout = state.withLock(\.layout)
    do {
      let output = ByteOutput(path: path) { try replacement.write($0) }
      let written = try store.format.write(contents, as: layout, to: output)
      let fingerprint = try Fingerprint(of: contents)
      let stamp = try replacement.commit(expecting: expected)
      state.withLock {
        $0 = State(path: path, layout: written, stamp: stamp, fingerprint: fingerprint)
      }
    } catch let error as ProviderError {
      throw error.file == nil ? error.inFile(path) : error
    }
  }

  func close() { database.close() }
}

/// Tells whether a private database was changed.
private struct Fingerprint: Equatable {
  let changes: Int
  let numbers: [Int]

  init(of connection: Connection) throws {
    changes = connection.totalChangeCount
    numbers = try ["schema_version", "user_version", "application_id"].map {
      try connection.pragma($0, as: Int.self) ?? 0
    }
  }
}

/// Hears of the commits of a private database, and of nothing else.
private final class CommitWitness: TransactionObserver, Sendable {
  let hasCommitted = Atomic<Bool>(false)
  let interests: ChangeInterests? = ChangeInterests(ChangeInterest())

  func willRun(_ statement: StatementNumber, _ access: () -> StatementAccess) -> Bool { false }
  func didCommit() { hasCommitted.store(true, ordering: .relaxed) }
}

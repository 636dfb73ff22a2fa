internal import Primitives
public import SQLiteCore

/// The models of one database: one instance for each row, what they were when they were fetched, and what is to be saved.
///
/// ```swift
/// let session = ModelSession(try Database(path: "music.db"))
/// let albums = try await session.fetchAll(Album.self, "WHERE artist = ?", ["The Cure"])
/// albums[0].value.name = "Faith"
/// try await session.saveChanges()
/// ```
///
/// The functions of models themselves, as `Album.fetchQuery()`, use the session of their ``Table/autoDBSettings``, or the one
/// that ``use(_:)`` says.
///
/// A session is there for as long as somebody holds it, or one of its models that has relations; it goes then as ``use(_:)`` ends,
/// or as another one is made.
///
/// A table is made, or changed to what its type says, when the first row of the type is asked for: see
/// ``ModelSession/SchemaPolicy``.
public final class ModelSession: Sendable {
  /// The database.
  public let database: Database
  /// What becomes of tables that are not as their types say.
  public let schema: SchemaPolicy
  /// What went wrong as changes were saved later, which nobody waited for: the changes are still there to be saved.
  public let lateFailures: AsyncStream<any Error>
  private let lateFailure: AsyncStream<any Error>.Continuation
  /// How long `Model.saveChangesLater(isolation:)` waits for more changes.
  public let saveDelay: Duration
  let laterSaves = LaterSaves()
  let saveTurns = SaveTurns()
  let listFollowers = ListFollowers()
  let fullTextIndexes = FullTextIndexes()
  private let state = Mutex(State())

  /// Tells what was noted first.
  let clock = SessionClock()

  private struct State {
    var maps: [ObjectIdentifier: any AnyIdentityMap] = [:]
    /// The maps in the order in which they were asked for.
    var order: [any AnyIdentityMap] = []
    var prepared: Set<ObjectIdentifier> = []
    /// The comparisons of the types' keys that are not byte by byte.
    var collations: [ObjectIdentifier: KeyCollation] = [:]
  }

  /// - Parameters:
  ///   - database: The database, which others may use too.
  ///   - schema: What becomes of tables that are not as their types say.
  ///   - saveDelay: How long `Model.saveChangesLater(isolation:)` waits for more changes.
  public init(
    _ database: Database, schema: SchemaPolicy = .automatic, saveDelay: Duration = .seconds(3)
  ) {
    self.database = database
    self.schema = schema
    self.saveDelay = saveDelay
    (lateFailures, lateFailure) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
    Self.kept.forgetReleased()
  }

  /// Saves changes of a model in a while, unless that is asked for once more before.
  func saveLater(_ type: any Model.Type, isolation: isolated (any Actor)?) {
    laterSaves.schedule(type, after: saveDelay, isolation: isolation) { [weak self] in
      do {
        try await self?.saveChanges(of: [type])
      } catch {
        self?.lateFailure.yield(error)
      }
    }
  }

  /// The instances of a model.
  func identities<M: Model>(of type: M.Type) -> IdentityMap<M> {
    let key = ObjectIdentifier(type)
    if let known = state.withLock({ $0.maps[key] as? IdentityMap<M> }) { return known }
    // The type's own code is not run under the lock.
    let made = IdentityMap<M>(clock)
    return state.withLock { state in
      if let known = state.maps[key] as? IdentityMap<M> { return known }
      Self.kept.add(made)
      made.setCollation(state.collations[ObjectIdentifier(M.Value.self)] ?? .binary)
      state.maps[key] = made
      state.order.append(made)
      return made
    }
  }

  /// The instances of all models that were asked for.
  var allIdentities: [any AnyIdentityMap] { state.withLock { $0.order } }

  /// Marks a model as changed: it is held until it is saved.
  func noteChange(of model: some Model) {
    identities(of: type(of: model)).hold(model)
    noteOwner(model)
  }

  /// Notes that a relation of a model leads to others: see ``IdentityMap/noteLoaded(_:)``.
  func noteLoaded(_ model: some Model) { identities(of: type(of: model)).noteLoaded(model) }

  /// Whether the tables of a type are known to be as it says.
  func isPrepared(_ type: any Table.Type) -> Bool {
    state.withLock { $0.prepared.contains(ObjectIdentifier(type)) }
  }

  /// - Parameter collations: How the keys of the types are compared, in the order of these.
  func notePrepared(_ types: [any Table.Type], _ collations: [KeyCollation]) {
    let maps = state.withLock { state in
      for (type, collation) in zip(types, collations) {
        state.prepared.insert(ObjectIdentifier(type))
        state.collations[ObjectIdentifier(type)] = collation.isBinary ? nil : collation
      }
      return state.order
    }
    for map in maps { map.setCollation { self.keyCollation(of: $0) } }
  }

  /// The comparison of the keys of a type's rows; known once its table was prepared.
  func keyCollation(of type: any Table.Type) -> KeyCollation {
    state.withLock { $0.collations[ObjectIdentifier(type)] ?? .binary }
  }
}

// What a session keeps of instances that have gone leads to the session itself, by the relations of their rows.
extension ModelSession {
  /// Forgets instances that nobody holds any longer.
  func forgetReleased() {
    for case let map as any ReleasingMap in allIdentities { map.forgetReleased() }
  }

  /// What the sessions of the process keep.
  static let kept = KeptInstances()
}

/// The instances that sessions keep something of, which are there, or were.
final class KeptInstances: Sendable {
  private struct Weak: Sendable {
    weak var map: (any ReleasingMap)?
  }

  private let all = Mutex<[Weak]>([])

  /// Takes in those of a session.
  func add(_ map: IdentityMap<some Model>) {
    all.withLock { all in
      all.removeAll { $0.map == nil }
      all.append(Weak(map: map))
    }
  }

  /// Has all sessions forget those that nobody holds any longer.
  func forgetReleased() {
    // Not the sessions: who looks at them would hold them meanwhile.
    for map in all.withLock({ $0.compactMap(\.map) }) { map.forgetReleased() }
  }
}

private protocol ReleasingMap: AnyIdentityMap, AnyObject {
  func forgetReleased()
}

extension IdentityMap: ReleasingMap {
  func forgetReleased() {
    let gone = with { $0.removeReleased() }
    // What the rows hold is let go here, and not under the lock.
    withExtendedLifetime(gone) {}
  }
}

extension ModelSession {
  /// The session of the current task for tables of some settings: that which ``use(_:)`` says, or the process's.
  ///
  /// - Throws: As ``shared(for:)``.
  public static func current(for settings: SettingsKey) throws -> ModelSession {
    if let session = used { return session }
    return try shared(for: settings)
  }

  @TaskLocal private static var used: ModelSession?

  /// Runs `body` with this session in place of the process's own: for tests, and for work in another database.
  ///
  /// ```swift
  /// let session = ModelSession(try Database(.memory))
  /// try await session.use { try await Album.createWith(name: "Faith") }
  /// ```
  ///
  /// It holds for the task and those that it begins, and for all settings.
  public func use<Result>(
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    defer { forgetReleased() }
    return try await Self.$used.withValue(self, operation: body)
  }

  /// The process's session for tables of some settings, whose database is opened at the first call.
  ///
  /// - ``SettingsKey/regular``: `models.db` in the folder of the application's data: on Linux
  ///   `$XDG_DATA_HOME`, or `~/.local/share`, and there the folder of the program's name; on Apple's platforms the application
  ///   support folder.
  /// - ``SettingsKey/cache``: `models.db` in the folder of the application's caches: `$XDG_CACHE_HOME`, or
  ///   `~/.cache`.
  /// - ``SettingsKey/memory``: in memory.
  ///
  /// - Throws: `SQLiteError` where the database can't be opened, ``RelationError`` where its folder can't be made.
  public static func shared(for settings: SettingsKey) throws -> ModelSession {
    try sessions.withLock { sessions throws in
      if let known = sessions[settings] { return known }
      let location: Database.Location =
        switch settings {
        case .memory: .memory
        case .path(let path): .file(path)
        case .regular: .file(try DataFolder.make(isCache: false) + "/models.db")
        case .cache: .file(try DataFolder.make(isCache: true) + "/models.db")
        }
      var configuration = Configuration()
      // The file is the application's own, and full-text indexes need it.
      configuration.trustsSchema = true
      let session = ModelSession(try Database(location, configuration: configuration))
      sessions[settings] = session
      return session
    }
  }

  /// Whether this is the process's own for tables of some settings.
  var isShared: Bool {
    Self.sessions.withLock { $0.values.contains { $0 === self } }
  }

  private static let sessions = Mutex<[SettingsKey: ModelSession]>([:])
}

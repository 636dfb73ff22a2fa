internal import Primitives
public import SQLiteCore

/// The models of one database: an identity map with one instance for each row, the fetched state of
/// each instance, and the changes to save.
///
/// ```swift
/// let session = ModelSession(try Database(path: "music.db"))
/// let albums = try await session.fetchAll(Album.self, "WHERE artist = ?", ["The Cure"])
/// albums[0].value.name = "Faith"
/// try await session.saveChanges()
/// ```
///
/// The static functions of models, such as `Album.fetchQuery()`, use the shared session of their
/// ``Table/autoDBSettings``, or the session set by ``use(_:)``.
///
/// A session is kept alive by the application's references and by its models that have relations.
/// Models that have been released are removed from their session when ``use(_:)`` ends or another
/// session is created.
///
/// A table is created, or migrated to match its type, when a row of the type is first fetched or
/// saved: see ``ModelSession/SchemaPolicy``.
public final class ModelSession: Sendable {
  /// The database.
  public let database: Database
  /// The policy for tables that don't match their types.
  public let schema: SchemaPolicy
  /// The errors of deferred saves, for which no caller waits. The changes remain unsaved.
  public let deferredSaveErrors: AsyncStream<any Error>
  private let deferredSaveErrorContinuation: AsyncStream<any Error>.Continuation
  /// The time that `Model.saveChangesLater(isolation:)` waits for more changes.
  public let saveDelay: Duration
  let saveQueue = SaveQueue()
  /// The ``ListSubscription`` of each relation.
  let listSubscriptions = Mutex<[String: any Sendable]>([:])
  /// The indexes that were created for full-text columns that are not properties of a row.
  let fullTextIndexes = Mutex<Set<FullTextIndex>>([])
  private let state = Mutex(State())

  /// A logical clock that orders reads and writes.
  let clock = LogicalClock()

  private struct State {
    var maps: [ObjectIdentifier: any AnyIdentityMap] = [:]
    /// The maps in the order of their creation.
    var order: [any AnyIdentityMap] = []
    var prepared: Set<ObjectIdentifier> = []
    /// The last deferred save of each model type.
    var deferredSaves: [ObjectIdentifier: Task<Void, Never>] = [:]
    /// The key collations of the types whose keys are not compared byte by byte.
    var collations: [ObjectIdentifier: KeyCollation] = [:]
  }

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - database: The database, which other code may use too.
  ///   - schema: The policy for tables that don't match their types.
  ///   - saveDelay: The time that `Model.saveChangesLater(isolation:)` waits for more changes.
  public init(
    _ database: Database, schema: SchemaPolicy = .automatic, saveDelay: Duration = .seconds(3)
  ) {
    self.database = database
    self.schema = schema
    self.saveDelay = saveDelay
    (deferredSaveErrors, deferredSaveErrorContinuation) = AsyncStream.makeStream(
      bufferingPolicy: .bufferingNewest(16))
    Self.purgeAllReleasedInstances()
  }

  /// Saves the changes of a model type after a delay, which restarts with each call.
  func scheduleSave(_ type: any Model.Type, isolation: isolated (any Actor)?) {
    let task = Task { [weak self, saveDelay] in
      _ = isolation
      try? await Task.sleep(for: saveDelay)
      guard !Task.isCancelled else { return }
      do {
        try await self?.saveChanges(of: [type])
      } catch {
        self?.deferredSaveErrorContinuation.yield(error)
      }
    }
    let former = state.withLock { state in
      defer { state.deferredSaves[ObjectIdentifier(type)] = task }
      return state.deferredSaves[ObjectIdentifier(type)]
    }
    former?.cancel()
  }

  /// Returns the identity map of a model type.
  func identities<M: Model>(of type: M.Type) -> IdentityMap<M> {
    let key = ObjectIdentifier(type)
    if let existing = state.withLock({ $0.maps[key] as? IdentityMap<M> }) { return existing }
    // The type's own code must not run while the lock is held.
    let newMap = IdentityMap<M>(clock)
    return state.withLock { state in
      if let existing = state.maps[key] as? IdentityMap<M> { return existing }
      Self.register(newMap)
      newMap.setCollation(state.collations[ObjectIdentifier(M.Value.self)] ?? .binary)
      state.maps[key] = newMap
      state.order.append(newMap)
      return newMap
    }
  }

  /// The identity maps of all model types in use.
  var allIdentities: [any AnyIdentityMap] { state.withLock { $0.order } }

  /// Marks a model as changed and retains it until it is saved.
  func markChanged(of model: some Model) {
    identities(of: type(of: model)).retainUntilSaved(model)
    updateOwnerRow(model)
  }

  /// Records that a relation of a model refers to instances: see
  /// ``IdentityMap/relationDidLoad(_:)``.
  func relationDidLoad(_ model: some Model) {
    identities(of: type(of: model)).relationDidLoad(model)
  }

  /// Returns whether the tables of a type have been prepared.
  func isPrepared(_ type: any Table.Type) -> Bool {
    state.withLock { $0.prepared.contains(ObjectIdentifier(type)) }
  }

  /// Records that tables have been prepared.
  ///
  /// - Parameter collations: The comparisons of the types' keys, in the order of `types`.
  func markPrepared(_ types: [any Table.Type], _ collations: [KeyCollation]) {
    let maps = state.withLock { state in
      for (type, collation) in zip(types, collations) {
        state.prepared.insert(ObjectIdentifier(type))
        state.collations[ObjectIdentifier(type)] = collation.isBinary ? nil : collation
      }
      return state.order
    }
    for map in maps { map.setCollation { self.keyCollation(of: $0) } }
  }

  /// Returns the comparison of the keys of a type's rows. It is available after the table was
  /// prepared.
  func keyCollation(of type: any Table.Type) -> KeyCollation {
    state.withLock { $0.collations[ObjectIdentifier(type)] ?? .binary }
  }
}

// The state kept for released instances refers to the session through the relations of their rows,
// so it must be purged.
extension ModelSession {
  /// Removes the entries of released instances.
  func purgeReleasedInstances() {
    for map in allIdentities { map.purgeReleasedInstances() }
  }

  /// The identity maps of all sessions of the process.
  private static let identityMaps = Mutex<[WeakIdentityMap]>([])

  /// Registers an identity map.
  private static func register(_ map: any AnyIdentityMap) {
    identityMaps.withLock { maps in
      maps.removeAll { $0.map == nil }
      maps.append(WeakIdentityMap(map: map))
    }
  }

  /// Removes the entries of released instances from all sessions of the process.
  private static func purgeAllReleasedInstances() {
    // The maps are iterated, since iterating the sessions would retain them.
    for map in identityMaps.withLock({ $0.compactMap(\.map) }) { map.purgeReleasedInstances() }
  }
}

private struct WeakIdentityMap: Sendable {
  weak var map: (any AnyIdentityMap)?
}

extension IdentityMap {
  func purgeReleasedInstances() {
    let released = with { $0.removeReleased() }
    // The rows are released here, outside the lock.
    withExtendedLifetime(released) {}
  }
}

extension ModelSession {
  /// Returns the current task's session for tables with the given settings: the session set by
  /// ``use(_:)``, or the shared session.
  ///
  /// - Throws: The same errors as ``shared(for:)``.
  public static func current(for settings: SettingsKey) throws -> ModelSession {
    if let session = taskSession { return session }
    return try shared(for: settings)
  }

  @TaskLocal private static var taskSession: ModelSession?

  /// Calls `body` with this session in place of the shared sessions, for tests or for work in
  /// another database.
  ///
  /// ```swift
  /// let session = ModelSession(try Database(.memory))
  /// try await session.use { try await Album.createWith(name: "Faith") }
  /// ```
  ///
  /// The session applies to the current task and its child tasks, and to all settings.
  public func use<Result>(
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    defer { purgeReleasedInstances() }
    return try await Self.$taskSession.withValue(self, operation: body)
  }

  /// Returns the process's shared session for tables with the given settings. The first call opens
  /// its database.
  ///
  /// - ``SettingsKey/regular``: `models.db` in the application's data folder. On Linux, this is a
  ///   folder with the program's name in `$XDG_DATA_HOME`, or `~/.local/share`; on Apple platforms,
  ///   a folder with the program's name in the application support folder.
  /// - ``SettingsKey/cache``: `models.db` in the application's cache folder: `$XDG_CACHE_HOME`, or
  ///   `~/.cache`.
  /// - ``SettingsKey/memory``: in memory.
  ///
  /// - Throws: `SQLiteError` if the database can't be opened, ``RelationError`` if its folder can't
  ///   be created.
  public static func shared(for settings: SettingsKey) throws -> ModelSession {
    try sessions.withLock { sessions throws in
      if let existing = sessions[settings] { return existing }
      let location: Database.Location =
        switch settings {
        case .memory: .memory
        case .path(let path): .file(path)
        case .regular: .file(try dataFolder(isCache: false) + "/models.db")
        case .cache: .file(try dataFolder(isCache: true) + "/models.db")
        }
      var configuration = Configuration()
      // Full-text indexes require this, and the file belongs to the application.
      configuration.trustsSchema = true
      let session = ModelSession(try Database(location, configuration: configuration))
      sessions[settings] = session
      return session
    }
  }

  /// A Boolean value that indicates whether this is one of the process's shared sessions.
  var isShared: Bool {
    Self.sessions.withLock { $0.values.contains { $0 === self } }
  }

  private static let sessions = Mutex<[SettingsKey: ModelSession]>([:])
}

/// A logical clock that orders the reads and writes of a session: rows that were read before a save
/// was recorded may be older than the save.
final class LogicalClock: Sendable {
  private let revision = Atomic<UInt64>(0)

  /// The revision of the last recorded event.
  var now: UInt64 { revision.load(ordering: .acquiring) }

  /// Advances the clock and returns the new revision.
  func tick() -> UInt64 { revision.add(1, ordering: .acquiringAndReleasing).newValue }
}

extension ModelSession {
  /// The effects of row changes on models. The changes may be external or this session's own saves.
  public struct Changes: Sendable {
    /// The models that were refreshed from their rows.
    public var changed: [any Model] = []
    /// The models whose rows have changed, but that have unsaved changes, which are kept. With the
    /// policy ``ModelSession/ConflictPolicy/keepMine``, their other columns were refreshed.
    public var conflicting: [any Model] = []
    /// The models whose rows were deleted. Saving such a model is an error with code
    /// ``RelationError/Code/missingRow``.
    public var deleted: [any Model] = []

    public var isEmpty: Bool { changed.isEmpty && conflicting.isEmpty && deleted.isEmpty }

    mutating func add(_ other: Changes) {
      changed += other.changed
      conflicting += other.conflicting
      deleted += other.deleted
    }
  }
}

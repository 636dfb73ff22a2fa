public import SQLiteCore
internal import Primitives

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

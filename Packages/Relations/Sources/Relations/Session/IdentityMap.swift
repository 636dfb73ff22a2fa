internal import Synchronization

/// The instances of one model in a session: by the keys of their rows, or by themselves where they stand for none.
///
/// Which instance it is, and not what its `id` says, tells whether one is known: a key may be changed by hand.
final class IdentityMap<M: Model>: Sendable {
  /// An instance, which is not held by it: a reference in its own place, since one in an entry would be copied with that.
  final class Instance: Sendable {
    weak let model: M?

    init(_ model: M) { self.model = model }
  }

  struct Entry: Sendable {
    let instance: Instance
    /// The row as it is in the database, as far as is known; `nil` for one that is new.
    var saved: SavedRow<M.Value>?
    /// The key of that row.
    var savedKey: M.ID?
    /// The relations of the row, in the order in which they are encoded.
    var relations: RelationReferences
    /// The instance, while it has changes that somebody told of.
    var held: M?
    /// When that was told.
    var heldAt: UInt64 = 0
    /// When it was saved here, or merged with its row: what was read before may be older.
    var savedAt: UInt64 = 0
    /// Which of the map's instances it is, in the order in which they came.
    var number = 0
    /// Whether the row is known to be gone.
    var isGone = false
    /// Whether it was deleted here: it may be saved again, as a new one, when that is asked for itself.
    var isDeleted = false

    var model: M? { instance.model }

    init(_ model: M, relations: RelationReferences) {
      instance = Instance(model)
      self.relations = relations
    }
  }

  /// Where an entry is.
  enum Place: Sendable {
    /// The key of its row, or the one that it is to have.
    case keyed(M.ID)
    /// The instance: it gets its key as it is saved, or its row is gone.
    case single(ObjectIdentifier)
  }

  struct State: Sendable {
    var entries: [M.ID: Entry] = [:]
    var singles: [ObjectIdentifier: Entry] = [:]
    /// The keys of instances, as soon as one was not found by the key that it has by now.
    var keys: [ObjectIdentifier: M.ID]?
    var count = 0
    var sweepCount = 64
  }

  let clock: SessionClock
  private let state = Mutex(State())

  init(_ clock: SessionClock) { self.clock = clock }

  func with<Result: Sendable>(_ body: (inout State) throws -> Result) rethrows -> Result {
    try state.withLock { try body(&$0) }
  }

  // MARK: Finding

  func model(for id: M.ID) -> M? { with { $0.entries[id]?.model } }

  /// The entry of an instance; `nil` where the session does not know it.
  func entry(of model: M) -> Entry? {
    let id = model.value.id
    return with { state in state.place(of: model, id).flatMap { state[$0] } }
  }

  /// All that are held by anyone.
  var models: [M] {
    with { state in
      state.entries.values.compactMap(\.model) + state.singles.values.compactMap(\.model)
    }
  }

  /// How many entries there are, of instances that are there or not.
  var entryCount: Int { with { $0.entries.count + $0.singles.count } }

  // MARK: Fetched rows

  /// The instance of a row: the one that there is, which becomes what the row says unless it has changes, or a new one.
  func instance(of fetched: FetchedRow<M.Value>, in session: ModelSession) -> M {
    let id = fetched.row.id
    if let known = model(for: id) {
      refresh(known, id, with: fetched, in: session)
      return known
    }
    let made = M(fetched.row)
    let found = with { state -> M in
      if let known = state.entries[id]?.model { return known }
      var entry = Entry(made, relations: RelationReferences(fetched.relations))
      entry.saved = .row(fetched.row)
      entry.savedKey = id
      state.add(entry, at: id)
      return made
    }
    guard found === made else {
      refresh(found, id, with: fetched, in: session)
      return found
    }
    attach(made, fetched.relations, in: session)
    return made
  }

  func attach(_ model: M, _ relations: [any AnyRelation], in session: ModelSession) {
    if relations.isEmpty { return }
    let owner = RelationOwner(
      session: session, type: M.Value.self, key: StoredKey(model.value.id), model: model)
    relations.attach(owner)
  }

  /// Makes an instance what its row says by now, unless it has changes: what becomes of those, the type's policy says.
  private func refresh(
    _ model: M, _ id: M.ID, with fetched: FetchedRow<M.Value>, in session: ModelSession
  ) {
    guard let entry = with({ $0.entries[id] }), entry.model === model, entry.saved != nil,
      entry.savedAt <= fetched.moment
    else { return }
    if isChanged(model, entry) {
      if let merged = merged(model, entry, fetched) {
        return become(merged, model, id, entry, fetched, in: session)
      }
      guard M.Value.conflictPolicy == .takeTheirs else { return }
    } else if isSame(fetched, entry) {
      return
    }
    for (relation, former) in zip(fetched.relations, entry.relations.aligned) {
      if let former { relation.takeOver(former) }
    }
    let (row, relations) = kept(fetched, like: entry)
    // A model may tell of this as of a change, and is not held for it.
    model.value = fetched.row
    attach(model, fetched.relations, in: session)
    let released = with { state -> M? in
      guard var now = state.entries[id], now.model === model else { return nil }
      let held = now.held
      now.saved = row
      now.relations = relations
      now.held = entry.held
      state.entries[id] = now
      return held
    }
    withExtendedLifetime(released) {}
  }

  // MARK: New instances

  /// Takes in an instance that is new, or was made by hand.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/foreignModel`` where another instance has the key.
  func add(_ model: M, in session: ModelSession) throws {
    let relations = try RelationList.of(model.value)
    let id = model.value.id
    let moment = clock.tick()
    try with { state throws in
      var entry = Entry(model, relations: RelationReferences(relations))
      entry.held = model
      entry.heldAt = moment
      if id.isUnset {
        state.add(entry, for: model)
      } else {
        if let other = state.entries[id]?.model, other !== model {
          throw RelationError(
            .foreignModel, "another instance stands for the row", table: M.Value.tableName,
            key: id.literal)
        }
        state.add(entry, at: id)
      }
    }
    attach(model, relations, in: session)
    for list in relations.lazy.compactMap(\.asList) { list.noteNewOwner() }
  }

  /// The instance that stands for a row of which a read has found nothing: one that is new, or was saved since.
  ///
  /// One whose row is gone gives the key up.
  func newInstance(for id: M.ID, since moment: UInt64) -> M? {
    with { state in
      guard let entry = state.entries[id], let model = entry.model else { return nil }
      if entry.saved == nil || entry.savedAt > moment { return model }
      state.noteGone(.keyed(id))
      return nil
    }
  }

  // MARK: Changes

  /// Holds an instance until it is saved.
  func hold(_ model: M) {
    let id = model.value.id
    let moment = clock.tick()
    with { state in
      guard let place = state.place(of: model, id), var entry = state[place], !entry.isGone else {
        return
      }
      entry.held = model
      entry.heldAt = moment
      state[place] = entry
    }
  }
}

internal import Primitives
internal import SQLiteCore

/// The instances of a model in a session, indexed by the keys of their rows, or by object identity
/// if they have no row.
///
/// An instance is identified by its object identity and not by its `id`, since a key may be changed
/// by the application.
struct IdentityIndex: Sendable {
  private var keyed = KeyMap<Identity>()
  private var unkeyed: [ObjectIdentifier: Identity] = [:]
  /// The instances with keys, by object identity. Created when an instance is not found by its
  /// current key.
  private var instances: [ObjectIdentifier: Identity]?
  /// All entries in the order of their registration, including removed entries.
  private(set) var entries: [Identity] = []
  private var removalThreshold = 64

  var count: Int { entries.count }

  /// All entries in the order of their registration, whether their instances have been released or
  /// not.
  var all: [Identity] { entries.filter { !$0.with(\.isRemoved) } }
  /// The entries with keys.
  var keyedEntries: [Identity] { keyed.values }

  subscript(key: StoredKey) -> Identity? { keyed[key] }

  /// Changes the comparison of keys.
  mutating func setCollation(_ collation: KeyCollation) { keyed.setCollation(collation) }

  /// Returns the entry of an instance; `nil` if the session has none.
  ///
  /// - Parameter key: The current key of the instance.
  mutating func identity(of model: AnyObject, _ key: StoredKey) -> Identity? {
    if let found = keyed[key], found.model === model { return found }
    let identity = ObjectIdentifier(model)
    if let found = unkeyed[identity], found.model === model { return found }
    // Created once and then maintained. Most sessions never need it.
    let byInstance = instances ?? entriesByInstance()
    instances = byInstance
    // A released instance's object identifier may have been reused.
    guard let found = byInstance[identity], found.model === model, !found.with(\.isRemoved) else {
      return nil
    }
    return found
  }

  private func entriesByInstance() -> [ObjectIdentifier: Identity] {
    var found: [ObjectIdentifier: Identity] = [:]
    for identity in keyed.values {
      if let model = identity.model { found[ObjectIdentifier(model)] = identity }
    }
    return found
  }

  // MARK: Mutation

  /// Adds an entry under a key, or without a key if `key` is `.none`.
  mutating func add(_ identity: Identity, at key: StoredKey) {
    entries.append(identity)
    insert(identity, at: key)
    removeReleasedIfMany()
  }

  /// Adds entries under their keys, except for keys that another entry with a live instance has.
  ///
  /// - Returns: The existing entries, by the indexes of the entries that were not added.
  mutating func add(_ added: [Identity], at keys: [StoredKey]) -> [Int: Identity] {
    keyed.reserveCapacity(keyed.count + added.count)
    var others: [Int: Identity] = [:]
    for place in added.indices {
      if let other = keyed[keys[place]], other.model != nil {
        others[place] = other
        continue
      }
      entries.append(added[place])
      added[place].with { $0.indexKey = keys[place] }
      if instances != nil, let model = added[place].model {
        instances?[ObjectIdentifier(model)] = added[place]
      }
      keyed[keys[place]] = added[place]
    }
    removeReleasedIfMany()
    return others
  }

  private mutating func insert(_ identity: Identity, at key: StoredKey) {
    identity.with { $0.indexKey = key }
    guard let model = identity.model else { return }
    if key == .none {
      unkeyed[ObjectIdentifier(model)] = identity
    } else {
      if instances != nil { instances?[ObjectIdentifier(model)] = identity }
      keyed[key] = identity
    }
  }

  /// Removes an entry.
  ///
  /// - Returns: The entry's state, to be released after the lock.
  mutating func remove(_ identity: Identity) -> Identity.State {
    removeKey(of: identity)
    return identity.with { state in
      defer {
        state = Identity.State(references: .strong([]))
        state.isRemoved = true
      }
      return state
    }
  }

  private mutating func removeKey(of identity: Identity) {
    let key = identity.with(\.indexKey)
    if key != .none {
      if keyed[key] === identity { keyed[key] = nil }
    } else if let model = identity.model, unkeyed[ObjectIdentifier(model)] === identity {
      unkeyed[ObjectIdentifier(model)] = nil
    }
  }

  /// Changes the key of an entry to the row's current key.
  mutating func move(_ identity: Identity, to key: StoredKey) {
    if identity.with(\.indexKey) == key { return }
    removeKey(of: identity)
    insert(identity, at: key)
  }

  /// Removes the key of an entry whose row was deleted. The entry itself is kept, so that its
  /// instance is not treated as new.
  mutating func markRowDeleted(_ identity: Identity, bySession: Bool = false) {
    removeKey(of: identity)
    identity.with { state in
      state.isRowDeleted = true
      state.isDeletedBySession = bySession
      state.retainedModel = nil
    }
    insert(identity, at: .none)
  }

  /// Removes the entries whose instances have been released.
  mutating func removeReleased() -> [Identity] {
    let isReleased = { (identity: Identity) in
      identity.model == nil || identity.with(\.isRemoved)
    }
    let released = entries.filter(isReleased)
    if released.isEmpty { return [] }
    entries.removeAll(where: isReleased)
    // A key may have been taken over by another entry.
    keyed.removeAll { $0.model == nil }
    unkeyed = unkeyed.filter { $0.value.model != nil }
    instances = nil
    return released
  }

  /// Removes the entries of released instances, once there are many entries.
  private mutating func removeReleasedIfMany() {
    guard entries.count > removalThreshold else { return }
    _ = removeReleased()
    removalThreshold = Swift.max(64, 2 * entries.count)
  }
}

/// The state that a session stores for an instance, to which it holds a weak reference.
///
/// The layout is the same for all model types, so no runtime generics are needed.
@usableFromInline
final class Identity: Sendable {
  /// The instance, unless it has been released.
  @usableFromInline var model: (any Model)? { weakModel.model }
  private let weakModel: WeakModel
  private let state: Mutex<State>

  struct State: Sendable {
    /// The last known row in the database; `nil` for a new instance.
    var saved: SavedRow?
    /// The key of that row.
    var savedKey = StoredKey.none
    var references: RelationReferences
    /// The instance, while it has reported changes: a strong reference keeps it until it is saved.
    var retainedModel: (any Model)?
    /// The session's revision when the changes were reported.
    var retainedSince: UInt64 = 0
    /// The revision of the save that writes the instance's columns: see
    /// ``Identity/markPlanned(at:)``.
    var plannedAt: UInt64 = 0
    /// The session's revision of the last save or merge. Rows read earlier may be older.
    var savedAt: UInt64 = 0
    /// The key under which the entry is indexed; `.none` if it is indexed by object identity. Also
    /// guarded by the index's lock.
    var indexKey = StoredKey.none
    /// A Boolean value that indicates whether the row is known to be deleted.
    var isRowDeleted = false
    /// A Boolean value that indicates whether the entry has been removed from the session.
    var isRemoved = false
    /// A Boolean value that indicates whether this session deleted the row. An explicit save then
    /// inserts the instance as a new row.
    var isDeletedBySession = false

    /// The live relations of the row, in encoding order.
    var relations: [any AnyRelation] { references.all(of: saved) }
    /// All relations in encoding order; `nil` for relations that are no longer properties.
    var alignedRelations: [(any AnyRelation)?] { references.aligned(of: saved) }
  }

  init(_ model: any Model, _ references: RelationReferences) {
    weakModel = WeakModel(model: model)
    state = Mutex(State(references: references))
  }

  /// Creates the entry of an instance whose row was read.
  init(
    _ model: any Model, _ row: AnyRowSnapshot, _ key: StoredKey, _ references: RelationReferences
  ) {
    weakModel = WeakModel(model: model)
    state = Mutex(State(saved: .row(row), savedKey: key, references: references))
  }

  /// Creates the entry of an instance whose row provides its relations.
  @usableFromInline
  convenience init(_ model: any Model, _ row: AnyRowSnapshot, _ key: StoredKey) {
    self.init(model, row, key, .ofRow)
  }

  func with<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock { body(&$0) }
  }

  /// A copy of the state.
  var currentState: State { state.withLock { $0 } }

  /// Marks the instance as written by a save that updates its columns only.
  ///
  /// - Parameter revision: The revision of that save.
  func markPlanned(at revision: UInt64) { with { $0.plannedAt = revision } }

  func isMarkedPlanned(at revision: UInt64) -> Bool { with { $0.plannedAt == revision } }

  /// Releases the strong reference to the instance, unless it has reported changes since
  /// `revision`.
  func release(changedUntil revision: UInt64) {
    let former = with { state -> (any Model)? in
      guard state.retainedSince <= revision else { return nil }
      defer { state.retainedModel = nil }
      return state.retainedModel
    }
    withExtendedLifetime(former) {}
  }
}

/// A weak reference to a model.
struct WeakModel: Sendable {
  weak var model: (any Model)?
}

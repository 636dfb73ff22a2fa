internal import Primitives
internal import SQLiteCore

/// The instances of a model in a session: by the keys of their rows, or by themselves where they stand for none.
///
/// Which instance it is, and not what its `id` says, tells whether one is known: a key may be changed by hand.
struct IdentityIndex: Sendable {
  private var keyed = KeyMap<Identity>()
  private var singles: [ObjectIdentifier: Identity] = [:]
  /// Those with keys by themselves, as soon as one was not found by the key that it has by now.
  private var instances: [ObjectIdentifier: Identity]?
  /// All of them, in the order in which they came, and some that are forgotten.
  private(set) var known: [Identity] = []
  private var sweepCount = 64

  var count: Int { known.count }

  /// All of them, in the order in which they came, whether their instances are there or not.
  var all: [Identity] { known.filter { !$0.with(\.isForgotten) } }
  /// Those that have keys.
  var allKeyed: [Identity] { keyed.values }

  subscript(key: StoredKey) -> Identity? { keyed[key] }

  /// Has keys be compared in another way from now on.
  mutating func setCollation(_ collation: KeyCollation) { keyed.setCollation(collation) }

  /// That of an instance; `nil` where the session does not know it.
  ///
  /// - Parameter key: The key that the instance has by now.
  mutating func identity(of model: AnyObject, _ key: StoredKey) -> Identity? {
    if let known = keyed[key], known.model === model { return known }
    let identity = ObjectIdentifier(model)
    if let known = singles[identity], known.model === model { return known }
    // Made once, and kept from then on: most sessions never ask for it.
    let known = instances ?? byInstances()
    instances = known
    // One that has gone may have left its identity to another.
    guard let found = known[identity], found.model === model, !found.with(\.isForgotten) else {
      return nil
    }
    return found
  }

  private func byInstances() -> [ObjectIdentifier: Identity] {
    var found: [ObjectIdentifier: Identity] = [:]
    for identity in keyed.values {
      if let model = identity.model { found[ObjectIdentifier(model)] = identity }
    }
    return found
  }

  // MARK: Changing it

  /// Adds one under a key; none for one that has none yet.
  mutating func add(_ identity: Identity, at key: StoredKey) {
    known.append(identity)
    put(identity, at: key)
    sweep()
  }

  /// Adds some under their keys, but for keys that others have.
  ///
  /// - Returns: Those others, by the places of what was not added.
  mutating func add(_ added: [Identity], at keys: [StoredKey]) -> [Int: Identity] {
    keyed.reserveCapacity(keyed.count + added.count)
    var others: [Int: Identity] = [:]
    for place in added.indices {
      if let other = keyed[keys[place]], other.model != nil {
        others[place] = other
        continue
      }
      known.append(added[place])
      added[place].with { $0.place = keys[place] }
      if instances != nil, let model = added[place].model {
        instances?[ObjectIdentifier(model)] = added[place]
      }
      keyed[keys[place]] = added[place]
    }
    sweep()
    return others
  }

  private mutating func put(_ identity: Identity, at key: StoredKey) {
    identity.with { $0.place = key }
    guard let model = identity.model else { return }
    if key == .none {
      singles[ObjectIdentifier(model)] = identity
    } else {
      if instances != nil { instances?[ObjectIdentifier(model)] = identity }
      keyed[key] = identity
    }
  }

  /// Forgets one.
  ///
  /// - Returns: What was known of it, to be let go behind the lock.
  mutating func forget(_ identity: Identity) -> Identity.State {
    remove(identity)
    return identity.with { state in
      defer {
        state = Identity.State(references: RelationReferences([]))
        state.isForgotten = true
      }
      return state
    }
  }

  private mutating func remove(_ identity: Identity) {
    let key = identity.with(\.place)
    if key != .none {
      if keyed[key] === identity { keyed[key] = nil }
    } else if let model = identity.model, singles[ObjectIdentifier(model)] === identity {
      singles[ObjectIdentifier(model)] = nil
    }
  }

  /// Gives one the key that its row has by now.
  mutating func move(_ identity: Identity, to key: StoredKey) {
    if identity.with(\.place) == key { return }
    remove(identity)
    put(identity, at: key)
  }

  /// Takes the key from one whose row is gone. It is kept: the instance is not taken for a new one.
  mutating func noteGone(_ identity: Identity, isDeleted: Bool = false) {
    remove(identity)
    identity.with { state in
      state.isGone = true
      state.isDeleted = isDeleted
      state.held = nil
    }
    put(identity, at: .none)
  }

  /// Takes out those whose instances nobody holds any longer.
  mutating func removeReleased() -> [Identity] {
    let isGone = { (identity: Identity) in
      identity.model == nil || identity.with(\.isForgotten)
    }
    let gone = known.filter(isGone)
    if gone.isEmpty { return [] }
    known.removeAll(where: isGone)
    // Another may have taken the place of one that has gone.
    keyed.keep { $0.model != nil }
    singles = singles.filter { $0.value.model != nil }
    instances = nil
    return gone
  }

  /// Forgets what has gone.
  private mutating func sweep() {
    guard known.count > sweepCount else { return }
    _ = removeReleased()
    sweepCount = Swift.max(64, 2 * known.count)
  }
}

/// What a session knows of an instance, which it does not hold.
///
/// It has one shape for instances of all types: what it is made of need not be asked for each.
@usableFromInline
final class Identity: Sendable {
  /// The instance, for as long as somebody holds it.
  @usableFromInline var model: (any Model)? { weakModel.model }
  private let weakModel: WeakModel
  private let state: Mutex<State>

  struct State: Sendable {
    /// The row as it is in the database, as far as is known; `nil` for one that is new.
    var saved: SavedRow?
    /// The key of that row.
    var savedKey = StoredKey.none
    var references: RelationReferences
    /// The instance, while it has changes that somebody told of.
    var held: (any Model)?
    /// When that was told.
    var heldAt: UInt64 = 0
    /// The save that writes its columns: see ``Identity/notePlanned(at:)``.
    var plannedAt: UInt64 = 0
    /// When it was saved here, or merged with its row: what was read before may be older.
    var savedAt: UInt64 = 0
    /// The key under which it is found; none where it is so by the instance itself. The lock of the index guards it too.
    var place = StoredKey.none
    /// Whether the row is known to be gone.
    var isGone = false
    /// Whether the session knows the instance no longer.
    var isForgotten = false
    /// Whether it was deleted here: it may be saved again, as a new one, when that is asked for itself.
    var isDeleted = false

    /// The relations of the row that are there, in the order in which they are encoded.
    var relations: [any AnyRelation] { references.all(of: saved) }
    /// All in their order; `nil` for those that are no properties any longer.
    var alignedRelations: [(any AnyRelation)?] { references.aligned(of: saved) }
  }

  init(_ model: any Model, _ references: RelationReferences) {
    weakModel = WeakModel(model: model)
    state = Mutex(State(references: references))
  }

  /// That of an instance whose row was read.
  init(
    _ model: any Model, _ row: AnyKeptRow, _ key: StoredKey, _ references: RelationReferences
  ) {
    weakModel = WeakModel(model: model)
    state = Mutex(State(saved: .row(row), savedKey: key, references: references))
  }

  /// The same, where the row knows its relations.
  @usableFromInline
  convenience init(_ model: any Model, _ row: AnyKeptRow, _ key: StoredKey) {
    self.init(model, row, key, .ofRow)
  }

  func with<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock { body(&$0) }
  }

  /// What is known by now.
  var known: State { state.withLock { $0 } }

  /// Notes that a save writes its columns, and nothing else of it is to be saved.
  ///
  /// - Parameter moment: That save's own.
  func notePlanned(at moment: UInt64) { with { $0.plannedAt = moment } }

  func isPlanned(at moment: UInt64) -> Bool { with { $0.plannedAt == moment } }

  /// Lets the instance go, unless it was told of changes since.
  func release(toldUntil moment: UInt64) {
    let former = with { state -> (any Model)? in
      guard state.heldAt <= moment else { return nil }
      defer { state.held = nil }
      return state.held
    }
    withExtendedLifetime(former) {}
  }
}

/// An instance that is not kept.
struct WeakModel: Sendable {
  weak var model: (any Model)?
}

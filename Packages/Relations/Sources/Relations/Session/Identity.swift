internal import Primitives

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

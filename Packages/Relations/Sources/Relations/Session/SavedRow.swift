internal import SQLiteCore

/// A row as stored in the database.
enum SavedRow: Sendable {
  /// The row that was read. Its relations belong to the instance and have no loaded targets yet.
  case row(AnyRowSnapshot)
  /// The row's columns. Used once its relations refer to instances, so that the session holds no
  /// reference to them.
  case values([SQLiteValue])
}

/// The relations of an instance: strong references with ``SavedRow/row(_:)``, weak references with
/// ``SavedRow/values(_:)``.
enum RelationReferences: Sendable {
  struct Weak: Sendable {
    weak var relation: (any AnyRelation)?
  }

  /// The relations are read from the saved row, which provides them without being encoded.
  case ofRow
  case strong([any AnyRelation])
  case weak([Weak])

  /// Returns the live relations.
  ///
  /// - Parameter saved: The saved row.
  func all(of saved: SavedRow?) -> [any AnyRelation] {
    switch self {
    case .ofRow: Self.relations(of: saved)
    case .strong(let relations): relations
    case .weak(let others): others.compactMap(\.relation)
    }
  }

  /// Returns all relations in encoding order; `nil` for relations that are no longer properties.
  func aligned(of saved: SavedRow?) -> [(any AnyRelation)?] {
    switch self {
    case .ofRow: Self.relations(of: saved)
    case .strong(let relations): relations
    case .weak(let others): others.map(\.relation)
    }
  }

  private static func relations(of saved: SavedRow?) -> [any AnyRelation] {
    guard case .row(let snapshot) = saved else { return [] }
    return snapshot.relations
  }

  /// Returns weak references to the same relations.
  ///
  /// - Parameter saved: The saved row.
  func weakened(of saved: SavedRow?) -> RelationReferences {
    if case .weak = self { return self }
    return .weak(all(of: saved).map { Weak(relation: $0) })
  }
}

extension Identity.State {
  /// Returns whether the state's relations are identical to the given ones, in the same order.
  func hasRelations(_ relations: [any AnyRelation]) -> Bool {
    let own = alignedRelations
    return own.count == relations.count && zip(own, relations).allSatisfy { $0 === $1 }
  }

  /// Returns the columns of the saved row; `nil` if there is none.
  func savedValues<Row: Table>(
    of type: Row.Type, _ metadata: TableMetadata, _ binding: RowValues
  ) throws -> [SQLiteValue]? {
    var values: [SQLiteValue]
    switch saved {
    case nil: return nil
    case .row(let snapshot):
      guard let row = snapshot.row(as: Row.self) else { return nil }
      values = try binding.values(of: row)
    case .values(let saved): values = saved
    }
    if metadata.relationNames.isEmpty { return values }
    // Relations store their own saved values.
    for (name, relation) in zip(metadata.relationNames, alignedRelations) {
      guard let one = relation?.asToOneRelation else { continue }
      for (place, value) in zip(metadata.columnIndexes(of: name), one.savedColumnValues) {
        values[place] = value
      }
    }
    return values
  }
}

extension IdentityMap {
  /// Returns whether an instance differs from its saved row.
  func isChanged(_ model: M, _ entry: Identity.State) -> Bool {
    guard let saved = entry.saved else { return true }
    if entry.relations.contains(where: \.isChanged) { return true }
    if case .row(let snapshot) = saved, let row = snapshot.row(as: M.Value.self), model.value != row
    {
      return true
    }
    // Rows that are equal in Swift may be stored differently: see `isStoredIdentically`.
    return hasOtherValues(model.value, entry)
  }

  /// Returns whether a row's values differ from the saved values. A row that can't be encoded
  /// differs: saving it reports the error.
  private func hasOtherValues(_ row: M.Value, _ entry: Identity.State) -> Bool {
    guard let metadata = try? TableMetadata.of(M.Value.self) else { return true }
    let binding = RowValues(metadata)
    guard let now = try? binding.values(of: row),
      let saved = try? entry.savedValues(of: M.Value.self, metadata, binding)
    else { return true }
    return now != saved
  }

  /// Returns whether a fetched row equals the saved row.
  func isSame(_ fetched: ModelSession.FetchedRow<M.Value>, _ entry: Identity.State) -> Bool {
    if case .row(let snapshot) = entry.saved, let row = snapshot.row(as: M.Value.self),
      fetched.row != row
    {
      return false
    }
    return !hasOtherValues(fetched.row, entry)
  }

  /// Returns the state to store for a row that was fetched again.
  func savedState(
    of fetched: ModelSession.FetchedRow<M.Value>, like entry: Identity.State
  ) -> (SavedRow, RelationReferences) {
    guard case .values = entry.saved else {
      return (.row(RowSnapshot(fetched.row)), .strong(fetched.relations))
    }
    return savedState(of: fetched.row, fetched.relations)
  }

  /// Returns the state to store for a row whose relations may refer to instances.
  func savedState(
    of row: M.Value, _ relations: [any AnyRelation], _ values: [SQLiteValue]? = nil
  ) -> (SavedRow, RelationReferences) {
    let references = RelationReferences.strong(relations)
    guard !relations.isEmpty, let values = values ?? Self.values(of: row) else {
      return (.row(RowSnapshot(row)), references)
    }
    return (.values(values), references.weakened(of: nil))
  }

  private static func values(of row: M.Value) -> [SQLiteValue]? {
    try? RowValues(TableMetadata.of(M.Value.self)).values(of: row)
  }

  /// Records that a relation of an instance refers to instances: the session must not hold
  /// references to them.
  func relationDidLoad(_ model: M) {
    guard let identity = identity(of: model) else { return }
    let entry = identity.currentState
    guard case .row(let snapshot) = entry.saved, let row = snapshot.row(as: M.Value.self),
      let values = Self.values(of: row)
    else { return }
    let references = entry.references.weakened(of: entry.saved)
    let former = identity.with { state -> SavedRow? in
      guard case .row = state.saved else { return nil }
      defer {
        state.saved = .values(values)
        state.references = references
      }
      return state.saved
    }
    withExtendedLifetime(former) {}
  }
}

/// A snapshot of a row of any type.
///
/// It is an object, so that it can be moved between entries without copying the row.
///
/// `@unchecked Sendable`: this class has no storage, and the storage of ``RowSnapshot`` is
/// immutable.
@usableFromInline
class AnyRowSnapshot: @unchecked Sendable {
  @usableFromInline
  init() {}

  /// The relations of the row, in encoding order.
  var relations: [any AnyRelation] { [] }

  /// Returns the row; `nil` if it has another type.
  final func row<Row: Table>(as type: Row.Type) -> Row? { (self as? RowSnapshot<Row>)?.row }
}

/// A snapshot of a row that was read or saved.
///
/// `@unchecked Sendable`: its storage is immutable.
@usableFromInline
final class RowSnapshot<Row: Table>: AnyRowSnapshot, @unchecked Sendable {
  @usableFromInline let row: Row

  @inlinable
  init(_ row: Row) {
    self.row = row
    super.init()
  }

  // A row that can't be encoded is rejected when its table is first used.
  override var relations: [any AnyRelation] { (try? row.relations()) ?? [] }
}

internal import SQLiteCore

/// A row as it is in the database.
enum SavedRow: Sendable {
  /// As it was read: its relations are those of the instance, and lead nowhere yet.
  case row(AnyKeptRow)
  /// Its columns, as soon as its relations lead to instances: what the session keeps holds none of these.
  case values([SQLiteValue])
}

/// The relations of an instance: held with a ``SavedRow/row(_:)``, and not with a ``SavedRow/values(_:)``.
struct RelationReferences: Sendable {
  private struct Weak: Sendable {
    weak var relation: (any AnyRelation)?
  }

  private enum Kind {
    /// Those of the saved row, which is asked for them.
    case ofRow
    case held([any AnyRelation])
    case unheld([Weak])
  }

  private let kind: Kind

  /// Those of a row that is saved as such, and knows them without being encoded.
  static let ofRow = RelationReferences(kind: .ofRow)

  private init(kind: Kind) { self.kind = kind }

  init(_ relations: [any AnyRelation]) { kind = .held(relations) }

  /// Those that are there.
  ///
  /// - Parameter saved: The row.
  func all(of saved: SavedRow?) -> [any AnyRelation] {
    switch kind {
    case .ofRow: Self.relations(of: saved)
    case .held(let relations): relations
    case .unheld(let others): others.compactMap(\.relation)
    }
  }

  /// All in their order; `nil` for those that are no properties any longer.
  func aligned(of saved: SavedRow?) -> [(any AnyRelation)?] {
    switch kind {
    case .ofRow: Self.relations(of: saved)
    case .held(let relations): relations
    case .unheld(let others): others.map(\.relation)
    }
  }

  private static func relations(of saved: SavedRow?) -> [any AnyRelation] {
    guard case .row(let kept) = saved else { return [] }
    return kept.relations
  }

  /// The same ones, which are not held.
  ///
  /// - Parameter saved: The row that they are of.
  func unheld(of saved: SavedRow?) -> RelationReferences {
    if case .unheld = kind { return self }
    return RelationReferences(kind: .unheld(all(of: saved).map { Weak(relation: $0) }))
  }
}

extension Identity.State {
  /// Whether its relations are the very same as others.
  func hasRelations(_ relations: [any AnyRelation]) -> Bool {
    let known = alignedRelations
    return known.count == relations.count && zip(known, relations).allSatisfy { $0 === $1 }
  }

  /// The columns of the row that was saved; `nil` where there is none.
  func savedValues<Row: Table>(
    of type: Row.Type, _ shape: TableMetadata, _ binding: RowValues
  ) throws -> [SQLiteValue]? {
    var values: [SQLiteValue]
    switch saved {
    case nil: return nil
    case .row(let kept):
      guard let row = kept.row(as: Row.self) else { return nil }
      values = try binding.values(of: row)
    case .values(let known): values = known
    }
    if shape.relationNames.isEmpty { return values }
    // These know themselves what was saved.
    for (name, relation) in zip(shape.relationNames, alignedRelations) {
      guard let one = relation?.asOne else { continue }
      for (place, value) in zip(shape.places(of: name), one.savedColumnValues) {
        values[place] = value
      }
    }
    return values
  }
}

extension IdentityMap {
  /// Whether an instance is not as its row.
  func isChanged(_ model: M, _ known: Identity.State) -> Bool {
    guard let saved = known.saved else { return true }
    if known.relations.contains(where: \.isChanged) { return true }
    if case .row(let kept) = saved, let row = kept.row(as: M.Value.self), model.value != row {
      return true
    }
    // Rows that are equal in Swift may be stored differently: see `isStoredAlike`.
    return isOther(model.value, known)
  }

  /// Whether a row has other values than the one that was saved. One that can't be encoded has: saving it tells why.
  private func isOther(_ row: M.Value, _ known: Identity.State) -> Bool {
    guard let shape = try? TableMetadata.of(M.Value.self) else { return true }
    let binding = RowValues(shape)
    guard let now = try? binding.values(of: row),
      let saved = try? known.savedValues(of: M.Value.self, shape, binding)
    else { return true }
    return now != saved
  }

  /// Whether a row that was fetched is as an instance has it.
  func isSame(_ fetched: ModelSession.FetchedRow<M.Value>, _ known: Identity.State) -> Bool {
    if case .row(let kept) = known.saved, let row = kept.row(as: M.Value.self), fetched.row != row {
      return false
    }
    return !isOther(fetched.row, known)
  }

  /// What is kept of a row that was fetched anew.
  func kept(
    _ fetched: ModelSession.FetchedRow<M.Value>, like known: Identity.State
  ) -> (SavedRow, RelationReferences) {
    guard case .values = known.saved else {
      return (.row(KeptRow(fetched.row)), RelationReferences(fetched.relations))
    }
    return kept(fetched.row, fetched.relations)
  }

  /// What is kept of a row whose relations may lead to instances.
  func kept(
    _ row: M.Value, _ relations: [any AnyRelation], _ values: [SQLiteValue]? = nil
  ) -> (SavedRow, RelationReferences) {
    let references = RelationReferences(relations)
    guard !relations.isEmpty, let values = values ?? Self.values(of: row) else {
      return (.row(KeptRow(row)), references)
    }
    return (.values(values), references.unheld(of: nil))
  }

  private static func values(of row: M.Value) -> [SQLiteValue]? {
    try? RowValues(TableMetadata.of(M.Value.self)).values(of: row)
  }

  /// Notes that a relation of an instance leads to others: what the session keeps must not hold them.
  func noteLoaded(_ model: M) {
    guard let identity = identity(of: model) else { return }
    let known = identity.known
    guard case .row(let kept) = known.saved, let row = kept.row(as: M.Value.self),
      let values = Self.values(of: row)
    else { return }
    let references = known.references.unheld(of: known.saved)
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

/// A row as it was read or saved, of whatever type.
///
/// It is an object: it is taken from what is known of an instance, and put in the place of another, without the row's being copied.
///
/// `@unchecked Sendable`: nothing is stored here, and what ``KeptRow`` stores never changes.
@usableFromInline
class AnyKeptRow: @unchecked Sendable {
  @usableFromInline
  init() {}

  /// The relations of the row, in the order in which they are encoded.
  var relations: [any AnyRelation] { [] }

  /// The row; `nil` where it is of another type.
  final func row<Row: Table>(as type: Row.Type) -> Row? { (self as? KeptRow<Row>)?.row }
}

/// A row as it was read or saved.
///
/// `@unchecked Sendable`: what it stores never changes.
@usableFromInline
final class KeptRow<Row: Table>: AnyKeptRow, @unchecked Sendable {
  @usableFromInline let row: Row

  @inlinable
  init(_ row: Row) {
    self.row = row
    super.init()
  }

  // One that can't be encoded is refused when its table is first used.
  override var relations: [any AnyRelation] { (try? RelationList.of(row)) ?? [] }
}

internal import SQLiteCore

/// A row as it is in the database.
enum SavedRow<Row: Table>: Sendable {
  /// As it was read: its relations are those of the instance, and lead nowhere yet.
  case row(Row)
  /// Its columns, as soon as its relations lead to instances: what the session keeps holds none of these.
  case values([SQLiteValue])
}

/// The relations of an instance: held with a ``SavedRow/row(_:)``, and not with a ``SavedRow/values(_:)``.
struct RelationReferences: Sendable {
  private struct Weak: Sendable {
    weak var relation: (any AnyRelation)?
  }

  private var held: [any AnyRelation]
  private var others: [Weak] = []

  init(_ relations: [any AnyRelation]) { held = relations }

  /// Those that are there.
  var all: [any AnyRelation] { others.isEmpty ? held : others.compactMap(\.relation) }

  /// All in their order; `nil` for those that are no properties any longer.
  var aligned: [(any AnyRelation)?] { others.isEmpty ? held : others.map(\.relation) }

  /// Whether these are the very same.
  func isSame(as relations: [any AnyRelation]) -> Bool {
    let known = aligned
    return known.count == relations.count && zip(known, relations).allSatisfy { $0 === $1 }
  }

  /// The same ones, which are not held.
  var unheld: RelationReferences {
    var references = self
    if others.isEmpty { references.others = held.map { Weak(relation: $0) } }
    references.held = []
    return references
  }
}

extension IdentityMap.Entry {
  /// The columns of the row that was saved; `nil` where there is none.
  func savedValues(_ shape: TableShape, _ binding: RowValues) throws -> [SQLiteValue]? {
    var values: [SQLiteValue]
    switch saved {
    case nil: return nil
    case .row(let row): values = try binding.values(of: row)
    case .values(let known): values = known
    }
    // These know themselves what was saved.
    for (name, relation) in zip(shape.relationNames, relations.aligned) {
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
  func isChanged(_ model: M, _ entry: Entry) -> Bool {
    guard let saved = entry.saved else { return true }
    if entry.relations.all.contains(where: \.isChanged) { return true }
    switch saved {
    case .row(let row): return model.value != row
    case .values: return isOther(model.value, entry)
    }
  }

  /// Whether a row has other values than the one that was saved. One that can't be encoded has: saving it tells why.
  private func isOther(_ row: M.Value, _ entry: Entry) -> Bool {
    guard let shape = try? TableShape.of(M.Value.self) else { return true }
    let binding = RowValues(shape)
    guard let now = try? binding.values(of: row),
      let saved = try? entry.savedValues(shape, binding)
    else { return true }
    return now != saved
  }

  /// Whether a row that was fetched is as an instance has it.
  func isSame(
    _ fetched: FetchedRow<M.Value>, _ entry: Entry
  ) -> Bool {
    if case .row(let row) = entry.saved { return fetched.row == row }
    return !isOther(fetched.row, entry)
  }

  /// What is kept of a row that was fetched anew.
  func kept(
    _ fetched: FetchedRow<M.Value>, like entry: Entry
  ) -> (SavedRow<M.Value>, RelationReferences) {
    guard case .values = entry.saved else {
      return (.row(fetched.row), RelationReferences(fetched.relations))
    }
    return kept(fetched.row, fetched.relations)
  }

  /// What is kept of a row whose relations may lead to instances.
  func kept(
    _ row: M.Value, _ relations: [any AnyRelation], _ values: [SQLiteValue]? = nil
  ) -> (SavedRow<M.Value>, RelationReferences) {
    let references = RelationReferences(relations)
    guard !relations.isEmpty, let values = values ?? Self.values(of: row) else {
      return (.row(row), references)
    }
    return (.values(values), references.unheld)
  }

  private static func values(of row: M.Value) -> [SQLiteValue]? {
    try? RowValues(TableShape.of(M.Value.self)).values(of: row)
  }

  /// Notes that a relation of an instance leads to others: what the session keeps must not hold them.
  func noteLoaded(_ model: M) {
    guard let entry = entry(of: model), case .row(let row) = entry.saved,
      let values = Self.values(of: row)
    else { return }
    let id = model.value.id
    with { state in
      guard let place = state.place(of: model, id), var entry = state[place] else { return }
      guard case .row = entry.saved else { return }
      entry.saved = .values(values)
      entry.relations = entry.relations.unheld
      state[place] = entry
    }
  }
}

/// How the instances of a ``Model`` are made and saved: made where the type is known, so that its code is compiled into the loops
/// over them.
public struct RowSaving<Row: Table>: Sendable {
  /// Adds the instances that a search finds, of which columns alone have changed, to what is saved.
  ///
  /// It stops at one of which more is to be asked, and says no where there are no more. Only for types with
  /// ``Table/properties``.
  @usableFromInline
  let addChanged: @Sendable (inout PlainSearch, inout SaveBuilder) -> Bool
  /// The keys of rows.
  @usableFromInline let keys: @Sendable ([Row]) -> [StoredKey]
  /// Makes the instances of rows that were fetched, and says that the rows' relations, of which it gets the names, are theirs.
  ///
  /// The instances are an array of the model's type.
  @usableFromInline
  let make: @Sendable ([Row], [StoredKey], [String], ModelSession) -> (any Sendable, [Identity])
}

extension RowSaving {
  @inlinable
  init<M: Model>(_ type: M.Type) where M.Value == Row {
    let findChanges = Self.findChanges
    addChanged = { search, builder in
      while let found = search.next() {
        guard let model = found.identity.model as? M, !builder.isAdded(model) else { continue }
        guard let former = found.row as? KeptRow<Row> else { return true }
        let row = KeptRow(model.value)
        guard findChanges(row, former, &search.changes), StoredKey(row.row.id) == search.key else {
          return true
        }
        // It is held by that from here on, and need not be let go here.
        search.add(consume model, row, to: &builder)
      }
      return false
    }
    keys = { rows in rows.map { StoredKey($0.id) } }
    let relations = Row.properties.compactMap(\.setOwner)
    make = { rows, keys, names, session in
      var models: [M] = []
      models.reserveCapacity(rows.count)
      var identities: [Identity] = []
      identities.reserveCapacity(rows.count)
      for place in rows.indices {
        let (row, key) = (rows[place], keys[place])
        let model = M(row)
        models.append(model)
        identities.append(Identity(model, KeptRow(row), key))
        if relations.isEmpty { continue }
        let owner = RelationOwner(session: session, type: Row.self, key: key, model: model)
        for relation in relations.indices {
          relations[relation](row, owner, .none, names[relation])
        }
      }
      return (models, identities)
    }
  }

  /// Adds the columns that have changed of a row; no where more has.
  ///
  /// Each property's code leads on to that of the next: none of it is held while it runs.
  @inlinable
  static var findChanges: @Sendable (KeptRow<Row>, KeptRow<Row>, inout ColumnChanges) -> Bool {
    let properties = Row.properties
    var place = properties.count { $0.isColumn }
    var all: @Sendable (KeptRow<Row>, KeptRow<Row>, inout ColumnChanges) -> Bool = { _, _, _ in
      true
    }
    for property in properties.reversed() {
      if property.isColumn { place -= 1 }
      let (findChange, column, others) = (property.findChange, place, all)
      all = { row, former, changes in
        findChange(row, former, column, &changes) && others(row, former, &changes)
      }
    }
    return all
  }
}

/// How the instances of a ``Model`` are saved: made where the type is known, so that its code is compiled into the loop over them.
public struct RowSaving<Row: Table>: Sendable {
  /// Adds the instances that a search finds, of which columns alone have changed, to what is saved.
  ///
  /// It stops at one of which more is to be asked, and says no where there are no more. There is none for types of which only
  /// `Codable` knows the columns.
  @usableFromInline
  let addChanged: (@Sendable (inout PlainSearch, inout SaveBuilder) -> Bool)?

  init() { addChanged = nil }
}

extension RowSaving where Row: DirectTable {
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
  }

  /// Adds the columns that have changed of a row; no where more has.
  ///
  /// Each property's code leads on to that of the next: none of it is held while it runs.
  @inlinable
  static var findChanges: @Sendable (KeptRow<Row>, KeptRow<Row>, inout ColumnChanges) -> Bool {
    let properties = Row.properties
    var place = properties.count { $0.bind != nil }
    var all: @Sendable (KeptRow<Row>, KeptRow<Row>, inout ColumnChanges) -> Bool = { _, _, _ in
      true
    }
    for property in properties.reversed() {
      if property.bind != nil { place -= 1 }
      let (findChange, column, others) = (property.findChange, place, all)
      all = { row, former, changes in
        findChange(row, former, column, &changes) && others(row, former, &changes)
      }
    }
    return all
  }
}

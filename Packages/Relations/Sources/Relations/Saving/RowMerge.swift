internal import SQLiteCore

/// Merges what was made of a row here with what was made of it elsewhere: columns that were not changed here are theirs.
struct RowMerge {
  private let shape: TableMetadata
  private let binding: RowValues

  init(_ shape: TableMetadata) {
    self.shape = shape
    binding = shape.makeBinding()
  }

  /// - Parameters:
  ///   - before: The columns of what both began with.
  ///   - relations: Those of `mine`, which stay its.
  func row<Row: Table>(
    before: [SQLiteValue], mine: Row, theirs: Row, _ relations: [any AnyRelation]
  ) throws -> Row {
    let (mine, theirs) = (try binding.values(of: mine), try binding.values(of: theirs))
    var kept: [String: any AnyRelation] = [:]
    var merged = theirs
    for place in mine.indices where place != shape.version && mine[place] != before[place] {
      merged[place] = mine[place]
    }
    for (name, relation) in zip(shape.relationNames, relations) {
      // One that leads elsewhere by now is another one.
      if shape.places(of: name).contains(where: { merged[$0] != mine[$0] }) { continue }
      kept[name] = relation
    }
    return try shape.row(Row.self, of: merged, keeping: kept)
  }
}

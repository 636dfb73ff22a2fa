internal import Primitives
internal import SQLSyntax

extension ForeignKey {
  init(_ columns: [Identifier], _ reference: ForeignKeyReference) {
    self.init(
      columns: columns.map { NameKey($0.text) }, parent: NameKey(reference.table.text),
      parentColumns: reference.columns.map { NameKey($0.text) })
  }
}

extension Catalog {
  /// Returns the tables with a foreign key that SQLite cannot check. Every insert into such a table
  /// fails.
  ///
  /// See <https://www.sqlite.org/foreignkeys.html#fk_indexes>.
  func brokenForeignKeys() -> [BrokenObject] {
    databases.flatMap { database in
      database.tables.values.flatMap { table in
        table.foreignKeys.compactMap { key in
          fault(of: key, in: database).map { fault in
            BrokenObject(
              name: table.name, kind: "table", message: fault.message,
              foreignKey: .init(
                parent: key.parent.folded, columns: key.parentColumns.map(\.folded),
                suggestion: fault.suggestion))
          }
        }
      }
    }
  }

  private func fault(
    of key: ForeignKey, in database: Database
  ) -> (message: String, suggestion: BrokenObject.ForeignKey.Suggestion?)? {
    guard let parent = database.tables[key.parent] else {
      let nearest = EditDistance.nearest(
        to: key.parent.folded, among: database.tables.values.map(\.name).sorted())
      return (
        "its foreign key references `\(key.parent)`, which does not exist"
          + (nearest.map { "; did you mean `\($0)`?" } ?? ""),
        nearest.map { BrokenObject.ForeignKey.Suggestion(name: key.parent.folded, replacement: $0) }
      )
    }
    let wanted = key.parentColumns.map { parent.index(of: $0) }
    if let unknown = zip(key.parentColumns, wanted).first(where: { $0.1 == nil })?.0,
      !unknown.isRowID
    {
      let nearest = EditDistance.nearest(
        to: unknown.folded, among: parent.columns.map(\.name))
      return (
        "its foreign key references `\(unknown)`, which is not a column of `\(parent.name)`"
          + (nearest.map { "; did you mean `\($0)`?" } ?? ""),
        nearest.map { BrokenObject.ForeignKey.Suggestion(name: unknown.folded, replacement: $0) }
      )
    }
    let mismatch =
      "its foreign key references columns of `\(parent.name)` that are neither PRIMARY KEY "
      + "nor UNIQUE"
    guard case .table = parent.kind else { return (mismatch, nil) }
    if key.columns.count == 1, let alias = parent.rowIDAlias,
      wanted.isEmpty || wanted == [alias]
    {
      return nil
    }
    let isUnique = parent.keys.contains { candidate in
      guard candidate.condition == nil, candidate.parts.count == key.columns.count else {
        return false
      }
      if wanted.isEmpty { return candidate.isPrimary }
      return Set(candidate.parts.map(\.column)) == Set(wanted) && !wanted.contains(nil)
    }
    return isUnique ? nil : (mismatch, nil)
  }
}

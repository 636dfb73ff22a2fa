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
          fault(of: key, in: database).map {
            BrokenObject(name: table.name, kind: "table", message: $0)
          }
        }
      }
    }
  }

  private func fault(of key: ForeignKey, in database: Database) -> String? {
    guard let parent = database.tables[key.parent] else {
      return "its foreign key references `\(key.parent)`, which does not exist"
    }
    let mismatch =
      "its foreign key references columns of `\(parent.name)` that are neither PRIMARY KEY "
      + "nor UNIQUE"
    guard case .table = parent.kind else { return mismatch }
    let wanted = key.parentColumns.map { parent.index(of: $0) }
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
    return isUnique ? nil : mismatch
  }
}

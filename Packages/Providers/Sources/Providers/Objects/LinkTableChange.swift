internal import SQLiteCore

/// What changes a table of links to the form that its lists need.
///
/// Its columns have other names where the lists say so by now; which is which is told by what they refer to.
struct LinkTableChange {
  private let plan: TablePlan
  private let links: TablePlan.Links

  /// - Parameter plan: The plan of the side that is first.
  init(_ plan: TablePlan, _ links: TablePlan.Links) {
    self.plan = plan
    self.links = links
  }

  /// The statements that make the wanted table, with what is to be known of the one that is there.
  func statements(
    from present: DatabaseSchema, _ options: inout SchemaDiff.Options, _ connection: Connection
  ) throws -> [String] {
    var statements = try plan.createSQL(of: links)
    let name = links.definition.name
    guard let table = present.table(name) else { return statements }
    let renamed = try self.renamed(table, connection)
    if !renamed.isEmpty { options.renamedColumns[name] = renamed }
    func has(_ column: String) -> Bool {
      table.columns.contains { SQLName.isSame($0.name, column) }
    }
    let (first, second) = LinkSide.positions
    let hasTwoSides = try plan.side(of: links).otherPosition != nil
    if !has(first) {
      // Another library's links: their order is that in which they were written.
      let written = table.isWithoutRowID || has("rowid") ? "0" : "rowid"
      options.values[name] = [first: written]
      if hasTwoSides, !has(second) { options.values[name]?[second] = written }
    } else if hasTwoSides, !has(second) {
      // The order that the lists of either side had until now.
      options.values[name] = [second: SQLName.quoted(first)]
    }
    // Under its old name, the index is as good.
    let indexed =
      renamed.first { $0.value == links.definition.right }?.key ?? links.definition.right
    let isIndexed = present.indexes.contains { index in
      SQLName.isSame(index.table, name) && !index.isPartial && index.columns.count == 1
        && index.columns[0].map { SQLName.isSame($0, indexed) } ?? false
    }
    if isIndexed { statements.removeLast() }
    return statements
  }

  /// The columns that have other names now.
  private func renamed(
    _ table: TableSchema, _ connection: Connection
  ) throws -> [String: String] {
    let wanted = [
      (name: links.definition.left, parent: plan.table),
      (name: links.definition.right, parent: links.child.tableName),
    ]
    let keys = try connection.foreignKeys(of: table.name.name).filter { $0.columns.count == 1 }
    var renamed: [String: String] = [:]
    for (place, column) in wanted.enumerated()
    where !table.columns.contains(where: { SQLName.isSame($0.name, column.name) }) {
      let candidates = table.columns.filter { old in
        keys.contains {
          SQLName.isSame($0.columns[0], old.name) && SQLName.isSame($0.parentTable, column.parent)
        } && !wanted.contains { SQLName.isSame($0.name, old.name) }
      }
      let found =
        candidates.count == 1
        ? candidates.first : candidates.first { $0.primaryKeyPosition == place + 1 }
      if let found, renamed[found.name] == nil { renamed[found.name] = column.name }
    }
    return renamed
  }
}

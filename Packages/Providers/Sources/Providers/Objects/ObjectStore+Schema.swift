internal import SQLiteCore

extension ObjectStore {
  /// Changes the tables of a type: all of it, or nothing.
  func update(_ type: (some DataTable).Type, allowingLoss: Bool) throws -> SchemaDiff {
    let diff = try difference(type)
    if !allowingLoss { try refuse(diff, in: TablePlan.of(type).table) }
    try connection.apply(diff, allowing: allowingLoss ? .everything : .nothing)
    return diff
  }

  /// What changes the tables of a type, and of all that it refers to, to the form that the types have now.
  func difference(_ type: (some DataTable).Type) throws -> SchemaDiff {
    let present = try connection.databaseSchema()
    var script: [String] = []
    var options = SchemaDiff.Options()
    options.keepsOtherObjects = true
    options.ignoresColumnOrder = true
    for plan in try TablePlan.of(type).reachable() {
      script.append(try plan.createSQL())
      if let table = present.table(plan.table) {
        let values = try fill(of: plan, in: table)
        if !values.isEmpty { options.values[plan.table] = values }
      }
      // Two types may have one table of links, each from its own side.
      for links in plan.links where try !exists(links.definition.name, script) {
        script += try plan.createSQL(of: links)
      }
    }
    let wanted = try DatabaseSchema(sql: script.joined(separator: ";\n"))
    return try SchemaDiff(from: present, to: wanted, options: options)
  }

  /// Whether a table of links is there, in the database or among those that are wanted.
  private func exists(_ table: String, _ script: [String]) throws -> Bool {
    let beginning = "CREATE TABLE \(SQLName.quoted(table)) "
    return try script.contains { $0.hasPrefix(beginning) }
      || connection.hasTable(table)
  }

  /// SQL that gives the rows that are there the values of new columns, and of those that may be NULL no more.
  private func fill(of plan: TablePlan, in table: TableSchema) throws -> [String: String] {
    var missing: [String: String] = [:]
    var defaults: [SQLiteValue]?
    for (place, column) in plan.columns.enumerated() where !plan.key.contains(place) {
      let old = table.columns.first { SQLName.isSame($0.name, column.name) }
      if let old, old.isNotNull || !column.isNotNull { continue }
      let values = try defaults ?? defaultValues(of: plan)
      defaults = values
      let value = values[place]
      if old == nil {
        if !value.isNull { missing[column.name] = value.description }
      } else if !value.isNull {
        missing[column.name] = "coalesce(\(SQLName.quoted(column.name)), \(value))"
      }
    }
    return missing
  }

  private func defaultValues(of plan: TablePlan) throws -> [SQLiteValue] {
    func values<Object: DataTable>(_ type: Object.Type) throws -> [SQLiteValue] {
      let binding = RowBinding(columns: plan.columns.map(\.name)) { type, _ in
        switch PropertyKind(type) {
        case .column: nil
        case .document: Documents.text
        case .table, .links: { _ in nil }
        }
      }
      return try binding.values(of: Object())
    }
    return try values(plan.type)
  }

  /// Refuses what would be lost.
  private func refuse(_ diff: SchemaDiff, in table: String) throws {
    guard !diff.losses.isEmpty else { return }
    let losses = diff.losses.map(\.description).joined(separator: ", ")
    throw ProviderError(
      .lossyChange, "the change would lose \(losses): allowingLoss permits it", table: table)
  }
}

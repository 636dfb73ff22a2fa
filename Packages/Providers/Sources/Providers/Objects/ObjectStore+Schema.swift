internal import SQLiteCore

extension ObjectStore {
  /// Changes the tables of a type: all of it, or nothing.
  func update(_ type: (some DataTable).Type, allowingLoss: Bool) throws -> SchemaDiff {
    let diff = try difference(type)
    if !allowingLoss { try refuse(diff, in: plan(type).table) }
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
    let plans = try plan(type).reachable()
    try TablePlan.refuseSharedLinks(of: plans)
    var linkTables: Set<FoldedName> = []
    var tables: [FoldedName: String] = [:]
    for plan in plans {
      let table = present.table(plan.table)
      let staying = try table.map { try StayingParts(of: $0, plan, present, connection) }
      let sql = try plan.createSQL(keeping: staying ?? StayingParts())
      // Two types may have one table, if they want the same one.
      if let known = tables.updateValue(sql, forKey: FoldedName(plan.table)) {
        if known == sql { continue }
        throw ProviderError(
          .schemaMismatch, "two types have this table, in two forms: \(plan.type) is one",
          table: plan.table)
      }
      script.append(sql)
      if let table {
        let values = try fill(of: plan, in: table)
        if !values.isEmpty { options.values[plan.table] = values }
      }
      for links in plan.links where linkTables.insert(FoldedName(links.definition.name)).inserted {
        let (first, its) = try plan.firstSide(of: links)
        script += try LinkTableChange(first, its).statements(from: present, &options, connection)
      }
    }
    let wanted = try DatabaseSchema(sql: SQL(unsafe: script.joined(separator: ";\n")))
    return try SchemaDiff(from: present, to: wanted, options: options)
  }

  /// SQL that gives the rows that are there the values of new columns, and of those that may be NULL no more.
  private func fill(of plan: TablePlan, in table: TableSchema) throws -> [String: String] {
    var missing: [String: String] = [:]
    var defaults: [SQLiteValue]?
    for (place, column) in plan.columns.enumerated() where !plan.key.contains(place) {
      let old = table.columns.first { SQLName.isSame($0.name, column.name) }
      if let old, old.isNotNull || !column.isNotNull { continue }
      if old == nil, column.child != nil, column.isNotNull { try refuseRows(of: plan, column) }
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

  /// Refuses a new column that must refer to a row of another table, where there are rows: which one, nobody knows.
  private func refuseRows(of plan: TablePlan, _ column: TablePlan.Column) throws {
    guard
      try connection.value(Int.self, "SELECT 1 FROM \(identifier: plan.table) LIMIT 1") != nil
    else { return }
    throw ProviderError(
      .schemaMismatch,
      """
      the rows that are there would have nothing to refer to by a new property that is a table: it must be \
      optional, or the column be made and filled before
      """, table: plan.table, column: column.name)
  }

  private func defaultValues(of plan: TablePlan) throws -> [SQLiteValue] {
    func values<Object: DataTable>(_ type: Object.Type) throws -> [SQLiteValue] {
      let binding = RowEncoder.Binding(columns: plan.columns.map(\.name)) { type, _ in
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

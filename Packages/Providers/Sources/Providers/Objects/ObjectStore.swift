internal import SQLiteCore

/// What is done with objects on a connection: everything that the public functions do, inside of an access.
struct ObjectStore {
  let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  private var tables: ObjectTables { ObjectTables(connection: connection) }

  /// The plan of a type that is asked for. A variable may hold a subclass, whose rows are other ones.
  func plan<Object: DataTable>(_ type: Object.Type) throws -> TablePlan {
    guard type == Object.self else {
      throw ProviderError(
        .schemaMismatch, "\(type) has rows of its own, and is asked for as \(Object.self)",
        table: Object.tableName)
    }
    return try TablePlan.of(type)
  }

  // MARK: Tables

  func register(_ type: (some DataTable).Type) throws {
    try tables.create(for: try plan(type))
  }

  /// Drops a table, and the tables of its lists of links.
  func drop(_ type: (some DataTable).Type) throws {
    let plan = try plan(type)
    for links in plan.links {
      try connection.run("DROP TABLE IF EXISTS \(identifier: links.definition.name)")
    }
    try connection.run("DROP TABLE IF EXISTS \(identifier: plan.table)")
  }

  // MARK: Reading

  func rows<Object: DataTable>(
    _ type: Object.Type, _ query: ObjectQuery, _ values: [any SQLiteBindable]
  ) throws -> [Object] {
    let plan = try plan(type)
    return try ObjectLoader(connection).load(
      type, plan, sql: SQL(unsafe: plan.selectSQL) + query.sql, values, isWhole: true)
  }

  func rows<Object: DataTable>(
    _ type: Object.Type, sql: SQL, _ values: [any SQLiteBindable]
  ) throws -> [Object] {
    let plan = try plan(type)
    return try ObjectLoader(connection).load(type, plan, sql: sql, values, isWhole: false)
  }

  func row<Object: DataTable>(
    _ type: Object.Type, key: any SQLiteBindable
  ) throws -> Object? {
    let plan = try plan(type)
    let values = try plan.keyValues(key)
    return try ObjectLoader(connection).load(
      type, plan, sql: "\(unsafe: plan.selectSQL) WHERE \(unsafe: plan.keyConditionSQL)", values,
      isWhole: true
    ).first
  }

  func count(
    _ type: (some DataTable).Type, filter: SQL, _ values: [any SQLiteBindable]
  ) throws -> Int {
    let plan = try plan(type)
    return try explaining(plan) {
      try connection.value(
        Int.self,
        "SELECT count(*) FROM \(identifier: plan.table)" + ObjectQuery(filter: filter).sql,
        values: values) ?? 0
    }
  }

  func hasRow(_ type: (some DataTable).Type, key: any SQLiteBindable) throws -> Bool {
    let plan = try plan(type)
    let values = try plan.keyValues(key)
    return try explaining(plan) {
      try connection.value(
        Int.self, "SELECT 1 FROM \(identifier: plan.table) WHERE \(unsafe: plan.keyConditionSQL)",
        values: values) != nil
    }
  }

  private func explaining<Result>(
    _ plan: TablePlan, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch {
      throw tables.explained(error, plan)
    }
  }

  // MARK: Keys

  /// The next key of a table; `nil` where it comes from the application.
  func nextKey(_ plan: TablePlan) throws -> SQLiteValue? {
    switch plan.keyType {
    case .uniqueValue: return nil
    case .autoUUIDString: return .text(PropertyKind.makeUUID())
    case .autoIncrementingInt, .computedInt: break
    }
    guard try connection.hasTable(plan.table) else { return .integer(1) }
    let name = SQLName.quoted(plan.keyColumn.name)
    var last = try explaining(plan) {
      try connection.value(
        Int64?.self, "SELECT max(\(unsafe: name)) FROM \(identifier: plan.table)") ?? nil
    }
    // Its table is there as soon as one that counts is.
    if plan.keyType == .autoIncrementingInt, try connection.hasTable("sqlite_sequence") {
      let counted = try connection.value(
        Int64?.self, "SELECT max(seq) FROM sqlite_sequence WHERE name = ? COLLATE NOCASE",
        plan.table)
      last = max(last ?? 0, (counted ?? nil) ?? 0)
    }
    let (next, isTooLarge) = max(last ?? 0, 0).addingReportingOverflow(1)
    if isTooLarge { throw plan.noKeyLeft() }
    return .integer(next)
  }

  /// The next key of a table, as what the type's property may be.
  func makeID(_ type: (some DataTable).Type) throws -> (any Sendable)? {
    switch try nextKey(plan(type)) {
    case .integer(let number): Int(number)
    case .text(let text): text
    default: nil
    }
  }

  // MARK: Deleting

  /// - Returns: How many of the rows were there.
  func delete(_ keys: [Record.Key], _ plan: TablePlan) throws -> Int {
    let sql = "DELETE FROM \(SQLName.quoted(plan.table)) WHERE \(plan.keyConditionSQL)"
    return try explaining(plan) {
      var count = 0
      for key in keys { count += try connection.run(SQL(unsafe: sql), values: key.values).count }
      return count
    }
  }
}

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

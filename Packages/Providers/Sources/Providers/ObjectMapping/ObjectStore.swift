internal import SQLiteCore

/// Operations on objects with a connection: the implementation of the public methods, inside an
/// access.
struct ObjectStore {
  let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  private var tables: ObjectTables { ObjectTables(connection: connection) }

  /// Returns the plan of a type. The type must be the static one, because a subclass has other
  /// rows.
  func plan<Object: DataTable>(_ type: Object.Type) throws -> TablePlan {
    guard type == Object.self else {
      throw ProviderError(
        .schemaMismatch, "\(type) has its own table, but was requested as \(Object.self)",
        table: Object.tableName)
    }
    return try TablePlan.of(type)
  }

  // MARK: Tables

  func register(_ type: (some DataTable).Type) throws {
    try tables.create(for: try plan(type))
  }

  /// Drops a table, and the tables of its links.
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
      type, plan, sql: "\(unsafe: plan.selectSQL) WHERE \(sql: plan.schema.keyCondition)", values,
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
        Int.self, "SELECT 1 FROM \(identifier: plan.table) WHERE \(sql: plan.schema.keyCondition)",
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

  /// Returns the next key of a table; `nil` if the application provides keys.
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
    // The table exists once a table with AUTOINCREMENT exists.
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

  /// Returns the next key of a table, with a type that the property can have.
  func makeID(_ type: (some DataTable).Type) throws -> (any Sendable)? {
    switch try nextKey(plan(type)) {
    case .integer(let number): Int(number)
    case .text(let text): text
    default: nil
    }
  }

  // MARK: Deleting

  /// - Returns: The number of deleted rows.
  func delete(_ keys: [Record.Key], _ plan: TablePlan) throws -> Int {
    let sql = plan.schema.deleteSQL()
    return try explaining(plan) {
      var count = 0
      for key in keys { count += try connection.run(sql, values: key.values).count }
      return count
    }
  }
}

extension ObjectStore {
  /// Changes the tables of a type: all or none.
  func update(_ type: (some DataTable).Type, allowingLoss: Bool) throws -> SchemaDiff {
    let diff = try difference(type)
    if !allowingLoss { try refuse(diff, in: plan(type).table) }
    try connection.apply(diff, allowing: allowingLoss ? .everything : .nothing)
    return diff
  }

  /// Returns the changes of the tables of a type, and of all types that it refers to, that match
  /// the types.
  func difference(_ type: (some DataTable).Type) throws -> SchemaDiff {
    let present = try connection.databaseSchema()
    var script: [String] = []
    var options = SchemaDiff.Options()
    options.keepsOtherObjects = true
    options.ignoresColumnOrder = true
    let plans = try plan(type).reachable()
    try TablePlan.requireUniqueLinkTables(of: plans)
    var linkTables: Set<FoldedName> = []
    var tables: [FoldedName: String] = [:]
    for plan in plans {
      let table = present.table(plan.table)
      let preserved = try table.map { try PreservedSchema(of: $0, plan, present) }
      let sql = try plan.createSQL(keeping: preserved ?? PreservedSchema())
      // Two types can share a table if their declarations are equal.
      if let known = tables.updateValue(sql, forKey: FoldedName(plan.table)) {
        if known == sql { continue }
        throw ProviderError(
          .schemaMismatch, "two types declare this table differently: one is \(plan.type)",
          table: plan.table)
      }
      script.append(sql)
      if let table {
        let values = try fill(of: plan, in: table)
        if !values.isEmpty { options.values[plan.table] = values }
      }
      for links in plan.links where linkTables.insert(FoldedName(links.definition.name)).inserted {
        let (first, firstLinks) = try plan.firstSide(of: links)
        script += try LinkTableChange(first, firstLinks).statements(from: present, &options)
      }
    }
    let wanted = try DatabaseSchema(sql: SQL(unsafe: script.joined(separator: ";\n")))
    return try SchemaDiff(from: present, to: wanted, options: options)
  }

  /// Returns SQL expressions for the values of new columns, and of columns that become `NOT NULL`,
  /// in existing rows.
  private func fill(of plan: TablePlan, in table: TableSchema) throws -> [String: String] {
    var missing: [String: String] = [:]
    var defaults: [SQLiteValue]?
    for (place, column) in plan.columns.enumerated() where !plan.key.contains(place) {
      let old = table.columns.first { SQLName.isSame($0.name, column.name) }
      if let old, old.isNotNull || !column.isNotNull { continue }
      if old == nil, plan.properties[place].child != nil, column.isNotNull {
        try refuseRows(of: plan, column)
      }
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

  /// Refuses a new column that must refer to a row of another table if there are rows, whose
  /// references are unknown.
  private func refuseRows(of plan: TablePlan, _ column: TableSchema.Column) throws {
    guard
      try connection.value(Int.self, "SELECT 1 FROM \(identifier: plan.table) LIMIT 1") != nil
    else { return }
    throw ProviderError(
      .schemaMismatch,
      """
      existing rows have no row to refer to with a new property that is a table: make it optional, \
      or add and fill the column first
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

  /// Refuses losses.
  private func refuse(_ diff: SchemaDiff, in table: String) throws {
    guard !diff.losses.isEmpty else { return }
    let losses = diff.losses.map(\.description).joined(separator: ", ")
    throw ProviderError(
      .lossyChange, "the change would lose \(losses): allowingLoss permits it", table: table)
  }
}

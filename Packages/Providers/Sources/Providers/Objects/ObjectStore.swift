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

internal import SQLiteCore

/// Operations on objects with a connection: the implementation of the public methods, inside an
/// access.
struct ObjectStore {
  let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Returns the mapping of a type. The type must be the static one, because a subclass has other
  /// rows.
  func mapping<Object: DataTable>(_ type: Object.Type) throws -> TableMapping {
    guard type == Object.self else {
      throw ProviderError(
        .schemaMismatch, "\(type) has its own table, but was requested as \(Object.self)",
        table: Object.tableName)
    }
    return try TableMapping.of(type)
  }

  // MARK: Tables

  func register(_ type: (some DataTable).Type) throws {
    try connection.createTables(for: try mapping(type))
  }

  /// Drops a table, and the tables of its links.
  func drop(_ type: (some DataTable).Type) throws {
    let mapping = try mapping(type)
    for links in mapping.links {
      try connection.run("DROP TABLE IF EXISTS \(identifier: links.definition.name)")
    }
    try connection.run("DROP TABLE IF EXISTS \(identifier: mapping.table)")
  }

  // MARK: Reading

  func rows<Object: DataTable>(
    _ type: Object.Type, _ clauses: SQL, _ values: [any SQLiteBindable]
  ) throws -> [Object] {
    let mapping = try mapping(type)
    return try ObjectLoader(connection).load(
      type, mapping, sql: SQL(unsafe: mapping.selectSQL) + clauses, values, isWhole: true)
  }

  func rows<Object: DataTable>(
    _ type: Object.Type, sql: SQL, _ values: [any SQLiteBindable]
  ) throws -> [Object] {
    let mapping = try mapping(type)
    return try ObjectLoader(connection).load(type, mapping, sql: sql, values, isWhole: false)
  }

  func row<Object: DataTable>(
    _ type: Object.Type, key: any SQLiteBindable
  ) throws -> Object? {
    let mapping = try mapping(type)
    let values = try mapping.keyValues(key)
    return try ObjectLoader(connection).load(
      type, mapping, sql: "\(unsafe: mapping.selectSQL) WHERE \(sql: mapping.schema.keyCondition)",
      values,
      isWhole: true
    ).first
  }

  func count(
    _ type: (some DataTable).Type, filter: SQL, _ values: [any SQLiteBindable]
  ) throws -> Int {
    let mapping = try mapping(type)
    return try connection.diagnosing(mapping) {
      try connection.value(
        Int.self,
        "SELECT count(*) FROM \(identifier: mapping.table)" + SQL.clauses(filter: filter),
        values: values) ?? 0
    }
  }

  func hasRow(_ type: (some DataTable).Type, key: any SQLiteBindable) throws -> Bool {
    let mapping = try mapping(type)
    let values = try mapping.keyValues(key)
    return try connection.diagnosing(mapping) {
      try connection.value(
        Int.self,
        "SELECT 1 FROM \(identifier: mapping.table) WHERE \(sql: mapping.schema.keyCondition)",
        values: values) != nil
    }
  }

  // MARK: Keys

  /// Returns the next key of a table; `nil` if the application provides keys.
  func nextKey(_ mapping: TableMapping) throws -> SQLiteValue? {
    switch mapping.keyType {
    case .uniqueValue: return nil
    case .autoUUIDString: return .text(PropertyKind.makeUUID())
    case .autoIncrementingInt, .computedInt: break
    }
    guard try connection.hasTable(mapping.table) else { return .integer(1) }
    let name = SQLName.quoted(mapping.keyColumn.name)
    var last = try connection.diagnosing(mapping) {
      try connection.value(
        Int64?.self, "SELECT max(\(unsafe: name)) FROM \(identifier: mapping.table)") ?? nil
    }
    // The table exists once a table with AUTOINCREMENT exists.
    if mapping.keyType == .autoIncrementingInt, try connection.hasTable("sqlite_sequence") {
      let counted = try connection.value(
        Int64?.self, "SELECT max(seq) FROM sqlite_sequence WHERE name = ? COLLATE NOCASE",
        mapping.table)
      last = max(last ?? 0, (counted ?? nil) ?? 0)
    }
    let (next, isTooLarge) = max(last ?? 0, 0).addingReportingOverflow(1)
    if isTooLarge { throw mapping.keysExhausted() }
    return .integer(next)
  }

  /// Returns the next key of a table, with a type that the property can have.
  func makeID(_ type: (some DataTable).Type) throws -> (any Sendable)? {
    switch try nextKey(mapping(type)) {
    case .integer(let number): Int(number)
    case .text(let text): text
    default: nil
    }
  }

  // MARK: Deleting

  /// - Returns: The number of deleted rows.
  func delete(_ keys: [Record.Key], _ mapping: TableMapping) throws -> Int {
    let sql = mapping.schema.deleteSQL()
    return try connection.diagnosing(mapping) {
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
    if !allowingLoss { try requireNoLosses(in: diff, table: mapping(type).table) }
    try connection.apply(diff, allowing: allowingLoss ? .everything : .nothing)
    return diff
  }

  /// Returns the changes of the tables of a type, and of all types that it refers to, that match
  /// the types.
  func difference(_ type: (some DataTable).Type) throws -> SchemaDiff {
    let current = try connection.databaseSchema()
    var script: [String] = []
    var options = SchemaDiff.Options()
    options.keepsOtherObjects = true
    options.ignoresColumnOrder = true
    let mappings = try mapping(type).reachable()
    try TableMapping.requireUniqueLinkTables(of: mappings)
    var linkTables: Set<FoldedName> = []
    var tables: [FoldedName: String] = [:]
    for mapping in mappings {
      let table = current.table(mapping.table)
      let preserved = try table.map { try PreservedSchema(of: $0, mapping, current) }
      let sql = try mapping.createSQL(keeping: preserved ?? PreservedSchema())
      // Two types can share a table if their declarations are equal.
      if let known = tables.updateValue(sql, forKey: FoldedName(mapping.table)) {
        if known == sql { continue }
        throw ProviderError(
          .schemaMismatch, "two types declare this table differently: one is \(mapping.type)",
          table: mapping.table)
      }
      script.append(sql)
      if let table {
        let values = try fillValues(of: mapping, in: table)
        if !values.isEmpty { options.values[mapping.table] = values }
      }
      for links in mapping.links where linkTables.insert(FoldedName(links.definition.name)).inserted
      {
        let (first, firstLinks) = try mapping.firstSide(of: links)
        script += try first.createSQL(ofFirst: firstLinks, migrating: current, &options)
      }
    }
    let target = try DatabaseSchema(sql: SQL(unsafe: script.joined(separator: ";\n")))
    return try SchemaDiff(from: current, to: target, options: options)
  }

  /// Returns SQL expressions for the values of new columns, and of columns that become `NOT NULL`,
  /// in existing rows.
  private func fillValues(of mapping: TableMapping, in table: TableSchema) throws -> [String:
    String]
  {
    var missing: [String: String] = [:]
    var defaults: [SQLiteValue]?
    for (index, column) in mapping.columns.enumerated() where !mapping.key.contains(index) {
      let old = table.columns.first { SQLName.isSame($0.name, column.name) }
      if let old, old.isNotNull || !column.isNotNull { continue }
      if old == nil, mapping.properties[index].referencedType != nil, column.isNotNull {
        try refuseRows(of: mapping, column)
      }
      let values = try defaults ?? defaultValues(of: mapping)
      defaults = values
      let value = values[index]
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
  private func refuseRows(of mapping: TableMapping, _ column: TableSchema.Column) throws {
    guard
      try connection.value(Int.self, "SELECT 1 FROM \(identifier: mapping.table) LIMIT 1") != nil
    else { return }
    throw ProviderError(
      .schemaMismatch,
      """
      existing rows have no row to refer to with a new property that is a table: make it optional, \
      or add and fill the column first
      """, table: mapping.table, column: column.name)
  }

  private func defaultValues(of mapping: TableMapping) throws -> [SQLiteValue] {
    func values<Object: DataTable>(_ type: Object.Type) throws -> [SQLiteValue] {
      let binding = RowEncoder.Binding(columns: mapping.columns.map(\.name)) { type, _ in
        switch PropertyKind(type) {
        case .column: nil
        case .document: Documents.text
        case .table, .links: { _ in nil }
        }
      }
      return try binding.values(of: Object())
    }
    return try values(mapping.type)
  }

  private func requireNoLosses(in diff: SchemaDiff, table: String) throws {
    guard !diff.losses.isEmpty else { return }
    let losses = diff.losses.map(\.description).joined(separator: ", ")
    throw ProviderError(
      .lossyChange, "the change would lose \(losses): allowingLoss permits it", table: table)
  }
}

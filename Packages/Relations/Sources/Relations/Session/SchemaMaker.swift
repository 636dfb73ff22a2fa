internal import SQLiteCore

/// Makes the tables of types what the types say.
struct SchemaMaker {
  let connection: Connection
  /// The settings of the session's own tables: no foreign key leads to a table of another database.
  let settings: SettingsKey

  /// What changes the tables of a type, and of all that it leads to.
  func difference(_ shapes: [TableShape]) throws -> SchemaDiff {
    let present = try connection.databaseSchema()
    var options = SchemaDiff.Options()
    options.keepsOtherObjects = true
    options.ignoresColumnOrder = true
    var script: [String] = []
    for shape in shapes {
      script += try createSQL(shape)
      try note(shape, in: present, &options)
    }
    let wanted = try DatabaseSchema(sql: script.joined(separator: ";\n"))
    return try SchemaDiff(from: present, to: wanted, options: options)
  }

  private func note(
    _ shape: TableShape, in present: DatabaseSchema, _ options: inout SchemaDiff.Options
  ) throws {
    var former = shape.table
    if present.table(shape.table) == nil, let name = shape.type.formerTableName,
      present.table(name) != nil
    {
      options.renamedTables[name] = shape.table
      former = name
    }
    guard let table = present.table(former) else { return }
    func has(_ name: String) -> Bool { table.columns.contains { SQLName.isSame($0.name, name) } }
    for (old, new) in shape.type.renamedColumns where has(old) && !has(new) {
      options.renamedColumns[shape.table, default: [:]][old] = new
    }
    let renamed = options.renamedColumns[shape.table]?.values.map(\.self) ?? []
    for column in shape.columns where !column.initialValue.isNull {
      let isRenamed = renamed.contains { SQLName.isSame($0, column.name) }
      let old = table.columns.first { SQLName.isSame($0.name, column.name) }
      if old == nil, !isRenamed {
        options.values[shape.table, default: [:]][column.name] = column.initialValue.description
      } else if let old, !old.isNotNull, column.isNotNull {
        options.values[shape.table, default: [:]][column.name] =
          "coalesce(\(SQLName.quoted(column.name)), \(column.initialValue))"
      }
    }
  }

  // MARK: Statements

  /// The statements that make a table, its indexes, and its tables of links.
  private func createSQL(_ shape: TableShape) throws -> [String] {
    var parts = shape.columns.indices.map { declaration(of: $0, shape) }
    if shape.key.count > 1 {
      parts.append("PRIMARY KEY (\(list(shape.keyNames)))")
    }
    for composite in shape.compositeReferences {
      let columns = composite.columns.map { shape.columns[$0].name }
      let reference = reference(composite.reference)
      if !reference.isEmpty { parts.append("FOREIGN KEY (\(list(columns)))\(reference)") }
    }
    let checks = try shape.type.checks + shape.type.alternatives.map { try $0.check() }
    parts += checks.map { "CHECK (\($0))" }
    let table = SQLName.quoted(shape.table)
    var script = ["CREATE TABLE \(table) (\(parts.joined(separator: ", ")))"]
    for column in shape.columns where column.reference?.rules.isIndexed == true {
      script.append(index([column.name], isUnique: false, shape))
    }
    for composite in shape.compositeReferences where composite.reference.rules.isIndexed {
      script.append(index(composite.columns.map { shape.columns[$0].name }, isUnique: false, shape))
    }
    for links in shape.links { script += links.createSQL(settings) }
    script += shape.type.indexes.map { index($0, isUnique: false, shape) }
    script += shape.type.uniqueIndexes.map { index($0, isUnique: true, shape) }
    return script
  }

  private func index(_ columns: [String], isUnique: Bool, _ shape: TableShape) -> String {
    let name = SQLName.quoted("\(shape.table)_\(columns.joined(separator: "_"))")
    return "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name) "
      + "ON \(SQLName.quoted(shape.table)) (\(list(columns)))"
  }

  private func list(_ names: [String]) -> String {
    names.map { SQLName.quoted($0) }.joined(separator: ", ")
  }

  private func declaration(of place: Int, _ shape: TableShape) -> String {
    let column = shape.columns[place]
    var sql = SQLName.quoted(column.name)
    if !column.declaredType.isEmpty { sql += " \(column.declaredType)" }
    if shape.key == [place] {
      sql += " PRIMARY KEY"
      // An INTEGER PRIMARY KEY is the rowid, and never NULL.
      if column.declaredType != "INTEGER" { sql += " NOT NULL" }
    } else if column.isNotNull || shape.key.contains(place) {
      sql += " NOT NULL"
    }
    if let reference = column.reference { sql += self.reference(reference) }
    return sql
  }

  /// - Returns: Nothing for a row of another database, to which no foreign key can lead.
  private func reference(_ reference: TableShape.Reference) -> String {
    let target = reference.target
    guard target.autoDBSettings == settings else { return "" }
    return " REFERENCES \(SQLName.quoted(target.tableName)) (\(list(target.keyColumns)))"
      + " ON DELETE \(reference.rules.onDelete.rawValue)"
      + " ON UPDATE \(reference.rules.onUpdate.rawValue)"
  }
}

extension TableShape {
  /// The tables of links of its lists.
  var links: [LinkTable] {
    relationNames.compactMap { name in
      guard case .links(let target, let rules) = relations[name]?.relationKind else { return nil }
      return LinkTable(owner: self, property: name, target: target, rules: rules)
    }
  }

  /// The shapes of a type, and of all in the same database that it leads to.
  static func reachable(from type: any Table.Type) throws -> [TableShape] {
    var found = [try TableShape.of(type)]
    var next = 0
    while next < found.count {
      let shape = found[next]
      next += 1
      for target in shape.targets
      where target.autoDBSettings == type.autoDBSettings
        && !found.contains(where: { $0.type == target })
      {
        found.append(try TableShape.of(target))
      }
    }
    return found
  }
}

internal import SQLiteCore

/// Makes the tables of types what the types say.
struct SchemaMaker {
  let connection: Connection
  /// The settings of the session's own tables: no foreign key leads to a table of another database.
  let settings: SettingsKey
  /// Whether columns that no property has are dropped.
  var dropsColumns = false

  /// What changes the tables of a type, and of all that it leads to.
  func difference(_ shapes: [TableMetadata]) throws -> SchemaDiff {
    let present = try connection.databaseSchema()
    var options = SchemaDiff.Options()
    options.keepsOtherObjects = true
    options.ignoresColumnOrder = true
    var script: [String] = []
    for shape in shapes {
      try note(shape, in: present, &options)
      script += try createSQL(shape, formerTable(of: shape, in: present), options)
    }
    let wanted = try DatabaseSchema(sql: SQL(unsafe: script.joined(separator: ";\n")))
    return try SchemaDiff(from: present, to: wanted, options: options)
  }

  private func note(
    _ shape: TableMetadata, in present: DatabaseSchema, _ options: inout SchemaDiff.Options
  ) throws {
    guard let table = formerTable(of: shape, in: present) else { return }
    if !SQLName.isSame(table.name.name, shape.table) {
      options.renamedTables[table.name.name] = shape.table
    }
    func has(_ name: String) -> Bool { table.columns.contains { SQLName.isSame($0.name, name) } }
    for (old, new) in shape.type.renamedColumns where has(old) && !has(new) {
      options.renamedColumns[shape.table, default: [:]][old] = new
    }
    let renamed = options.renamedColumns[shape.table]?.values.map(\.self) ?? []
    for column in shape.columns where !column.initialValue.isNull {
      let isRenamed = renamed.contains { SQLName.isSame($0, column.name) }
      let old = table.columns.first { SQLName.isSame($0.name, column.name) }
      if old == nil, !isRenamed, !column.hasLiteralDefault {
        options.values[shape.table, default: [:]][column.name] = column.initialValue.description
      } else if let old, !old.isNotNull, column.isNotNull {
        options.values[shape.table, default: [:]][column.name] =
          "coalesce(\(SQLName.quoted(column.name)), \(column.initialValue))"
      }
    }
  }

  /// The table as it is; `nil` where it is yet to be made.
  private func formerTable(of shape: TableMetadata, in present: DatabaseSchema) -> TableSchema? {
    present.table(shape.table) ?? shape.type.formerTableName.flatMap { present.table($0) }
  }

  // MARK: Statements

  /// The statements that make a table, its indexes, and its tables of links.
  private func createSQL(
    _ shape: TableMetadata, _ former: TableSchema?, _ options: SchemaDiff.Options
  ) throws -> [String] {
    let renamed = options.renamedColumns[shape.table] ?? [:]
    var parts = shape.columns.indices.map { place in
      let name = shape.columns[place].name
      let old = renamed.first { SQLName.isSame($0.value, name) }?.key ?? name
      return declaration(
        of: place, shape, former?.columns.first { SQLName.isSame($0.name, old) })
    }
    parts += try otherColumns(shape, former, Array(renamed.keys))
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

  /// The columns that no property has: those of a newer program, and those of properties that are gone.
  ///
  /// - Throws: Where rows can't be inserted without them.
  private func otherColumns(
    _ shape: TableMetadata, _ former: TableSchema?, _ renamed: [String]
  ) throws(RelationError) -> [String] {
    guard let former, !dropsColumns else { return [] }
    let known = shape.columns.map(\.name) + renamed
    var kept: [String] = []
    for column in former.columns where !known.contains(where: { SQLName.isSame($0, column.name) }) {
      if column.primaryKeyPosition != nil { continue }
      if column.isNotNull, column.defaultSQL == nil, column.kind == .stored {
        throw RelationError(
          .lossyChange,
          "the table has a column that no property has, and without which no row can be inserted",
          table: shape.table, column: column.name)
      }
      if let sql = former.columnDefinition(column.name) { kept.append(sql) }
    }
    return kept
  }

  private func index(_ columns: [String], isUnique: Bool, _ shape: TableMetadata) -> String {
    let name = SQLName.quoted("\(shape.table)_\(columns.joined(separator: "_"))")
    let sql =
      "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name) "
      + "ON \(SQLName.quoted(shape.table)) (\(list(columns)))"
    // The values of rows that are marked as deleted can be used again.
    guard isUnique, let live = shape.liveCondition else { return sql }
    return "\(sql) WHERE \(live)"
  }

  private func list(_ names: [String]) -> String {
    names.map { SQLName.quoted($0) }.joined(separator: ", ")
  }

  /// - Parameter former: The column as it is: a default stays what it was when the column was made.
  private func declaration(
    of place: Int, _ shape: TableMetadata, _ former: TableSchema.Column?
  ) -> String {
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
    if let former {
      if let text = former.defaultSQL {
        sql += " DEFAULT \(Self.isLiteral(text) ? text : "(\(text))")"
      }
    } else if !shape.key.contains(place), column.hasLiteralDefault {
      sql += " DEFAULT \(column.initialValue)"
    }
    if let reference = column.reference { sql += self.reference(reference) }
    return sql
  }

  /// Whether a default is a literal, and no expression.
  private static func isLiteral(_ sql: String) -> Bool {
    let words = ["NULL", "TRUE", "FALSE", "CURRENT_TIME", "CURRENT_DATE", "CURRENT_TIMESTAMP"]
    if Double(sql) != nil || words.contains(where: { SQLName.isSame($0, sql) }) { return true }
    var text = Substring(sql)
    if text.first == "x" || text.first == "X" { text = text.dropFirst() }
    guard text.count > 1, text.first == "'", text.last == "'" else { return false }
    let quotes = text.dropFirst().dropLast().split(separator: "''").joined()
    return !quotes.contains("'")
  }

  /// - Returns: Nothing for a row of another database, to which no foreign key can lead.
  private func reference(_ reference: TableMetadata.Reference) -> String {
    let target = reference.target
    guard target.autoDBSettings == settings else { return "" }
    return " REFERENCES \(SQLName.quoted(target.tableName)) (\(list(target.keyColumns)))"
      + " ON DELETE \(reference.rules.onDelete.rawValue)"
      + " ON UPDATE \(reference.rules.onUpdate.rawValue)"
  }
}

extension TableMetadata.Column {
  /// Whether `init()`'s value is declared as the default, so that rows can be inserted by who does not know the column. What the
  /// clock says is none.
  fileprivate var hasLiteralDefault: Bool { !initialValue.isNull && declaredType != "DATE" }
}

extension TableMetadata {
  /// The tables of links of its lists.
  var links: [LinkTable] {
    relationNames.compactMap { name in
      guard case .links(let target, let rules) = relations[name]?.relationKind else { return nil }
      return LinkTable(owner: self, property: name, target: target, rules: rules)
    }
  }

  /// The shapes of a type, and of all in the same database that it leads to.
  static func reachable(from type: any Table.Type) throws -> [TableMetadata] {
    var found = [try TableMetadata.of(type)]
    var next = 0
    while next < found.count {
      let shape = found[next]
      next += 1
      for target in shape.targets
      where target.autoDBSettings == type.autoDBSettings
        && !found.contains(where: { $0.type == target })
      {
        found.append(try TableMetadata.of(target))
      }
    }
    return found
  }
}

extension ModelSession {
  /// What becomes of tables that are not as their types say.
  public enum SchemaPolicy: Hashable, Sendable {
    /// They are made, and changed where nothing is lost; what would be lost is an error.
    case automatic
    /// They are made and changed, whatever is lost: columns that no property has are dropped.
    case automaticWithLosses
    /// Nothing is changed: migrations are the application's. A table or column that is not there is an error as the type is first
    /// used.
    case explicit
    /// Nothing is changed, as with ``explicit``, and whatever differs is an error that names the table and the column: for
    /// tables that something else has made, as generated code's migrations do. A column must hold what its property does, may be
    /// NULL where that may be nil, and be of the key where that is; a reference must lead to the relation's table. A column that
    /// no property has must be one that rows can be inserted without.
    case verified

    /// Whether tables are made and changed.
    var makesTables: Bool {
      switch self {
      case .automatic, .automaticWithLosses: true
      case .explicit, .verified: false
      }
    }
  }
}

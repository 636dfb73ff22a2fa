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
    for shape in shapes { try note(shape, in: present, &options) }
    var script = SchemaScript()
    var rest = shapes[...]
    while let first = rest.first {
      // Several types may have one table.
      let sharing = rest.filter { SQLName.isSame($0.table, first.table) }
      rest.removeAll { SQLName.isSame($0.table, first.table) }
      let former = sharing.lazy.compactMap { formerTable(of: $0, in: present) }.first
      try add(sharing, former, options, to: &script)
    }
    let wanted = try DatabaseSchema(sql: SQL(unsafe: script.statements.joined(separator: ";\n")))
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
    for (place, column) in shape.columns.enumerated() {
      let initialValue = shape.properties[place].initialValue
      if initialValue.isNull { continue }
      let isRenamed = renamed.contains { SQLName.isSame($0, column.name) }
      let old = table.columns.first { SQLName.isSame($0.name, column.name) }
      if old == nil, !isRenamed, !shape.hasLiteralDefault(place) {
        options.values[shape.table, default: [:]][column.name] = initialValue.description
      } else if let old, !old.isNotNull, column.isNotNull {
        options.values[shape.table, default: [:]][column.name] =
          "coalesce(\(SQLName.quoted(column.name)), \(initialValue))"
      }
    }
  }

  /// The table as it is; `nil` where it is yet to be made.
  private func formerTable(of shape: TableMetadata, in present: DatabaseSchema) -> TableSchema? {
    present.table(shape.table) ?? shape.type.formerTableName.flatMap { present.table($0) }
  }

  // MARK: Statements

  /// Adds the statements that make a table, its indexes, and its tables of links.
  ///
  /// - Parameter shapes: The types that have the table: it gets the columns, constraints and indexes of them all.
  /// - Throws: ``RelationError`` with code ``RelationError/Code/schemaMismatch`` if the types contradict each other.
  private func add(
    _ shapes: [TableMetadata], _ former: TableSchema?, _ options: SchemaDiff.Options,
    to script: inout SchemaScript
  ) throws {
    let shape = shapes[0]
    let renamed = options.renamedColumns[shape.table] ?? [:]
    var parts = try columns(of: shapes, former, renamed)
    parts += try otherColumns(shapes, former, Array(renamed.keys))
    if shape.key.count > 1 {
      parts.append("PRIMARY KEY (\(list(shape.keyNames)))")
    }
    for shape in shapes {
      for composite in shape.compositeReferences {
        let columns = composite.columns.map { shape.columns[$0].name }
        let reference = reference(composite.reference)
        let part = "FOREIGN KEY (\(list(columns))) \(reference)"
        if !reference.isEmpty, !parts.contains(part) { parts.append(part) }
      }
    }
    for shape in shapes {
      let checks = try shape.type.checks + shape.type.alternatives.map { try $0.check() }
      for part in checks.map({ "CHECK (\($0))" }) where !parts.contains(part) {
        parts.append(part)
      }
    }
    let table = shape.table
    try script.add(
      table, "CREATE TABLE \(SQLName.quoted(table)) (\(parts.joined(separator: ", ")))", of: shape)
    for (column, property) in zip(shape.columns, shape.properties)
    where property.reference?.rules.isIndexed == true {
        try addIndex([column.name], on: table, isUnique: false, shape, to: &script)
      }
      for composite in shape.compositeReferences where composite.reference.rules.isIndexed {
        let columns = composite.columns.map { shape.columns[$0].name }
        try addIndex(columns, on: table, isUnique: false, shape, to: &script)
      }
      for links in shape.links {
        for (name, sql) in links.createSQL(settings) { try script.add(name, sql, of: shape) }
      }
      for columns in shape.type.indexes {
        try addIndex(columns, on: table, isUnique: false, shape, to: &script)
      }
      for columns in shape.type.uniqueIndexes {
        try addIndex(columns, on: table, isUnique: true, shape, to: &script)
      }
    }
  }

  /// The declarations of the columns of the types that have a table.
  private func columns(
    of shapes: [TableMetadata], _ former: TableSchema?, _ renamed: [String: String]
  ) throws(RelationError) -> [String] {
    var declared: [(shape: TableMetadata, column: TableMetadata.Column, type: String)] = []
    var parts: [String] = []
    for shape in shapes {
      let key = shape.keyNames, firstKey = shapes[0].keyNames
      guard key.elementsEqual(firstKey, by: SQLName.isSame) else {
        throw RelationError(
          .schemaMismatch,
          "the key of \(shapes[0].type) is (\(list(firstKey))), and the key of \(shape.type), which "
            + "has the same table, (\(list(key)))", table: shape.table)
      }
      for (place, column) in shape.columns.enumerated() {
        let type = declaration(of: place, shape)
        if let other = declared.first(where: { SQLName.isSame($0.column.name, column.name) }) {
          guard other.type == type else {
            throw RelationError(
              .schemaMismatch,
              "\(other.shape.type) declares the column as `\(other.type)`, and \(shape.type), which "
                + "has the same table, as `\(type)`", table: shape.table, column: column.name)
          }
          continue
        }
        declared.append((shape, column, type))
        let old = renamed.first { SQLName.isSame($0.value, column.name) }?.key ?? column.name
        let value = defaultClause(
          of: place, shape, former?.columns.first { SQLName.isSame($0.name, old) })
        let full = declaration(of: place, shape, default: value)
        parts.append("\(SQLName.quoted(column.name)) \(full)")
        if column.isNotNull, value.isEmpty, !shape.key.contains(place),
          let other = shapes.first(where: { !$0.hasColumn(column.name) })
        {
          throw RelationError(
            .schemaMismatch,
            "\(shape.type) declares a column without which no row can be inserted, and which "
              + "\(other.type), which has the same table, lacks", table: shape.table,
            column: column.name)
        }
      }
    }
    return parts
  }

  /// The columns that no property has: those of a newer program, and those of properties that are gone.
  ///
  /// - Throws: Where rows can't be inserted without them.
  private func otherColumns(
    _ shapes: [TableMetadata], _ former: TableSchema?, _ renamed: [String]
  ) throws(RelationError) -> [String] {
    guard let former, !dropsColumns else { return [] }
    let known = shapes.flatMap { $0.columns.map(\.name) } + renamed
    var kept: [String] = []
    for column in former.columns where !known.contains(where: { SQLName.isSame($0, column.name) }) {
      if column.primaryKeyPosition != nil { continue }
      if column.isNotNull, column.defaultSQL == nil, column.kind == .stored {
        throw RelationError(
          .lossyChange,
          "the table has a column that no property has, and without which no row can be inserted",
          table: shapes[0].table, column: column.name)
      }
      if let sql = former.columnDefinition(column.name) { kept.append(sql) }
    }
    return kept
  }

  private func addIndex(
    _ columns: [String], on table: String, isUnique: Bool, _ shape: TableMetadata,
    to script: inout SchemaScript
  ) throws(RelationError) {
    let name = "\(table)_\(columns.joined(separator: "_"))"
    var sql =
      "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(SQLName.quoted(name)) "
      + "ON \(SQLName.quoted(table)) (\(list(columns)))"
    // The values of rows that are marked as deleted can be used again.
    if isUnique, let live = shape.liveCondition { sql += " WHERE \(live)" }
    try script.add(name, sql, of: shape)
  }

  private func list(_ names: [String]) -> String {
    names.map { SQLName.quoted($0) }.joined(separator: ", ")
  }

  /// A column's declaration without its name.
  private func declaration(
    of place: Int, _ shape: TableMetadata, default clause: String = ""
  ) -> String {
    let column = shape.columns[place]
    var parts = column.declaredType.isEmpty ? [] : [column.declaredType]
    if shape.key == [place] {
      parts.append("PRIMARY KEY")
      // An INTEGER PRIMARY KEY is the rowid, and never NULL.
      if column.declaredType != "INTEGER" { parts.append("NOT NULL") }
    } else if column.isNotNull || shape.key.contains(place) {
      parts.append("NOT NULL")
    }
    parts.append(clause)
    if let reference = column.reference { parts.append(self.reference(reference)) }
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// - Parameter former: The column as it is: a default stays what it was when the column was made.
  private func defaultClause(
    of place: Int, _ shape: TableMetadata, _ former: TableSchema.Column?
  ) -> String {
    if let former {
      guard let text = former.defaultSQL else { return "" }
      return "DEFAULT \(Self.isLiteral(text) ? text : "(\(text))")"
    }
    let column = shape.columns[place]
    guard !shape.key.contains(place), shape.hasLiteralDefault(place) {
      sql += " DEFAULT \(shape.properties[place].initialValue)"
    }
    if let reference = shape.properties[place].reference { sql += { return "" }
    return "DEFAULT \(column.initialValue)"
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
    return "REFERENCES \(SQLName.quoted(target.tableName)) (\(list(target.keyColumns)))"
      + " ON DELETE \(reference.rules.onDelete.rawValue)"
      + " ON UPDATE \(reference.rules.onUpdate.rawValue)"
  }
}

/// The statements that make tables and indexes, each of them once.
private struct SchemaScript {
  private(set) var statements: [String] = []
  private var known: [String: (sql: String, type: any Table.Type)] = [:]

  /// - Throws: If a table or an index of the name is there that another statement makes.
  mutating func add(_ name: String, _ sql: String, of shape: TableMetadata) throws(RelationError) {
    let folded = SQLName.folded(name)
    guard let other = known[folded] else {
      known[folded] = (sql, shape.type)
      return statements.append(sql)
    }
    guard other.sql != sql else { return }
    throw RelationError(
      .schemaMismatch,
      "\(other.type) declares \(SQLName.quoted(name)) as `\(other.sql)`, and \(shape.type) as "
        + "`\(sql)`", table: shape.table)
  }
}

extension TableMetadata {
  /// Whether `init()`'s value is declared as the default, so that rows can be inserted by who does not know the column. What the
  /// clock says is none.
  fileprivate func hasLiteralDefault(_ place: Int) -> Bool {
    !properties[place].initialValue.isNull && columns[place].declaredType != "DATE"
  }

  fileprivate func hasColumn(_ name: String) -> Bool {
    columns.contains { SQLName.isSame($0.name, name) }
  }

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

internal import SQLiteCore

/// Creates and migrates tables to match their types.
struct SchemaBuilder {
  let connection: Connection
  /// The settings of the session's own tables. Foreign keys can't refer to tables of another
  /// database.
  let settings: SettingsKey
  /// A Boolean value that indicates whether columns without a property are dropped.
  var dropsColumns = false

  /// Returns the changes to the tables of a type and of all types that it refers to.
  func difference(_ allMetadata: [TableMetadata]) throws -> SchemaDiff {
    let current = try connection.databaseSchema()
    var options = SchemaDiff.Options()
    options.keepsOtherObjects = true
    options.ignoresColumnOrder = true
    for metadata in allMetadata { try collectOptions(metadata, in: current, &options) }
    var script = SchemaScript()
    var rest = allMetadata[...]
    while let first = rest.first {
      // Several types may share one table.
      let sharing = rest.filter { SQLName.isSame($0.table, first.table) }
      rest.removeAll { SQLName.isSame($0.table, first.table) }
      let former = sharing.lazy.compactMap { formerTable(of: $0, in: current) }.first
      try add(sharing, former, options, to: &script)
    }
    let wanted = try DatabaseSchema(sql: SQL(unsafe: script.statements.joined(separator: ";\n")))
    return try SchemaDiff(from: current, to: wanted, options: options)
  }

  private func collectOptions(
    _ metadata: TableMetadata, in current: DatabaseSchema, _ options: inout SchemaDiff.Options
  ) throws {
    guard let table = formerTable(of: metadata, in: current) else { return }
    if !SQLName.isSame(table.name.name, metadata.table) {
      options.renamedTables[table.name.name] = metadata.table
    }
    func has(_ name: String) -> Bool { table.columns.contains { SQLName.isSame($0.name, name) } }
    for (old, new) in metadata.type.renamedColumns where has(old) && !has(new) {
      options.renamedColumns[metadata.table, default: [:]][old] = new
    }
    let renamed = options.renamedColumns[metadata.table]?.values.map(\.self) ?? []
    for (index, column) in metadata.columns.enumerated() {
      let initialValue = metadata.properties[index].initialValue
      if initialValue.isNull { continue }
      let isRenamed = renamed.contains { SQLName.isSame($0, column.name) }
      let old = table.columns.first { SQLName.isSame($0.name, column.name) }
      if old == nil, !isRenamed, !metadata.hasLiteralDefault(index) {
        options.values[metadata.table, default: [:]][column.name] = initialValue.description
      } else if let old, !old.isNotNull, column.isNotNull {
        options.values[metadata.table, default: [:]][column.name] =
          "coalesce(\(SQLName.quoted(column.name)), \(initialValue))"
      }
    }
  }

  /// Returns the existing table; `nil` if it must be created.
  private func formerTable(of metadata: TableMetadata, in current: DatabaseSchema) -> TableSchema? {
    current.table(metadata.table) ?? metadata.type.formerTableName.flatMap { current.table($0) }
  }

  // MARK: Statements

  /// Adds the statements that create a table, its indexes and its link tables.
  ///
  /// - Parameter allMetadata: The types that share the table, which gets the columns, constraints
  ///   and indexes of all of them.
  /// - Throws: ``RelationError`` with code ``RelationError/Code/schemaMismatch`` if the types
  ///   contradict each other.
  private func add(
    _ allMetadata: [TableMetadata], _ former: TableSchema?, _ options: SchemaDiff.Options,
    to script: inout SchemaScript
  ) throws {
    let metadata = allMetadata[0]
    let renamed = options.renamedColumns[metadata.table] ?? [:]
    var parts = try columns(of: allMetadata, former, renamed)
    parts += try otherColumns(allMetadata, former, Array(renamed.keys))
    if metadata.key.count > 1 {
      parts.append("PRIMARY KEY (\(list(metadata.keyNames)))")
    }
    for metadata in allMetadata {
      for composite in metadata.compositeReferences {
        let columns = composite.columns.map { metadata.columns[$0].name }
        let reference = reference(composite.reference)
        let part = "FOREIGN KEY (\(list(columns))) \(reference)"
        if !reference.isEmpty, !parts.contains(part) { parts.append(part) }
      }
    }
    for metadata in allMetadata {
      let checks = try metadata.type.checks + metadata.type.alternatives.map { try $0.check() }
      for part in checks.map({ "CHECK (\($0))" }) where !parts.contains(part) {
        parts.append(part)
      }
    }
    let table = metadata.table
    try script.add(
      table, "CREATE TABLE \(SQLName.quoted(table)) (\(parts.joined(separator: ", ")))",
      of: metadata)
    for metadata in allMetadata {
      for (column, property) in zip(metadata.columns, metadata.properties)
      where property.reference?.rules.isIndexed == true {
        try addIndex([column.name], on: table, isUnique: false, metadata, to: &script)
      }
      for composite in metadata.compositeReferences where composite.reference.rules.isIndexed {
        let columns = composite.columns.map { metadata.columns[$0].name }
        try addIndex(columns, on: table, isUnique: false, metadata, to: &script)
      }
      for links in metadata.links {
        for (name, sql) in links.createSQL(settings) { try script.add(name, sql, of: metadata) }
      }
      for columns in metadata.type.indexes {
        try addIndex(columns, on: table, isUnique: false, metadata, to: &script)
      }
      for columns in metadata.type.uniqueIndexes {
        try addIndex(columns, on: table, isUnique: true, metadata, to: &script)
      }
    }
  }

  /// Returns the column definitions of a table that several types may share.
  private func columns(
    of allMetadata: [TableMetadata], _ former: TableSchema?, _ renamed: [String: String]
  ) throws(RelationError) -> [String] {
    var declared: [(metadata: TableMetadata, column: TableSchema.Column, type: String)] = []
    var parts: [String] = []
    for metadata in allMetadata {
      let key = metadata.keyNames, firstKey = allMetadata[0].keyNames
      guard key.elementsEqual(firstKey, by: SQLName.isSame) else {
        throw RelationError(
          .schemaMismatch,
          "\(allMetadata[0].type) and \(metadata.type) have the same table, but different keys: "
            + "(\(list(firstKey))) and (\(list(key)))", table: metadata.table)
      }
      for (place, column) in metadata.columns.enumerated() {
        let type = declaration(of: place, metadata)
        if let other = declared.first(where: { SQLName.isSame($0.column.name, column.name) }) {
          guard other.type == type else {
            throw RelationError(
              .schemaMismatch,
              "\(other.metadata.type) declares the column as `\(other.type)`, but \(metadata.type), which "
                + "has the same table, declares it as `\(type)`", table: metadata.table,
              column: column.name)
          }
          continue
        }
        declared.append((metadata, column, type))
        let old = renamed.first { SQLName.isSame($0.value, column.name) }?.key ?? column.name
        let value = defaultClause(
          of: place, metadata, former?.columns.first { SQLName.isSame($0.name, old) })
        let full = declaration(of: place, metadata, default: value)
        parts.append("\(SQLName.quoted(column.name)) \(full)")
        if column.isNotNull, value.isEmpty, !metadata.key.contains(place),
          let other = allMetadata.first(where: { !$0.hasColumn(column.name) })
        {
          throw RelationError(
            .schemaMismatch,
            "\(other.type) can't insert rows into the table, because it lacks this column, which "
              + "\(metadata.type) declares as NOT NULL without a default", table: metadata.table,
            column: column.name)
        }
      }
    }
    return parts
  }

  /// Returns the definitions of columns without a property, which belong to a newer version of the
  /// program or to removed properties.
  ///
  /// - Throws: ``RelationError`` if rows can't be inserted without one of them.
  private func otherColumns(
    _ allMetadata: [TableMetadata], _ former: TableSchema?, _ renamed: [String]
  ) throws(RelationError) -> [String] {
    guard let former, !dropsColumns else { return [] }
    let declared = allMetadata.flatMap { $0.columns.map(\.name) } + renamed
    var definitions: [String] = []
    for column in former.columns
    where !declared.contains(where: { SQLName.isSame($0, column.name) }) {
      if column.primaryKeyPosition != nil { continue }
      if column.isNotNull, column.defaultSQL == nil, column.kind == .stored {
        throw RelationError(
          .lossyChange,
          "no property has this column, but no row can be inserted without a value for it",
          table: allMetadata[0].table, column: column.name)
      }
      if let sql = former.columnDefinition(column.name) { definitions.append(sql) }
    }
    return definitions
  }

  private func addIndex(
    _ columns: [String], on table: String, isUnique: Bool, _ metadata: TableMetadata,
    to script: inout SchemaScript
  ) throws(RelationError) {
    let name = "\(table)_\(columns.joined(separator: "_"))"
    var sql =
      "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(SQLName.quoted(name)) "
      + "ON \(SQLName.quoted(table)) (\(list(columns)))"
    // Rows that are marked as deleted don't reserve their unique values.
    if isUnique, let live = metadata.liveCondition { sql += " WHERE \(live)" }
    try script.add(name, sql, of: metadata)
  }

  private func list(_ names: [String]) -> String {
    names.map { SQLName.quoted($0) }.joined(separator: ", ")
  }

  /// Returns a column's declaration without its name.
  private func declaration(
    of place: Int, _ metadata: TableMetadata, default clause: String = ""
  ) -> String {
    let column = metadata.columns[place]
    var parts = column.declaredType.isEmpty ? [] : [column.declaredType]
    if metadata.key == [place] {
      parts.append("PRIMARY KEY")
      // An INTEGER PRIMARY KEY is the rowid and is never NULL.
      if column.declaredType != "INTEGER" { parts.append("NOT NULL") }
    } else if column.isNotNull || metadata.key.contains(place) {
      parts.append("NOT NULL")
    }
    parts.append(clause)
    if let reference = metadata.properties[place].reference {
      parts.append(self.reference(reference))
    }
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Returns a column's DEFAULT clause; an empty string if it has none.
  ///
  /// - Parameter former: The existing column. Its default is kept, even if `init()`'s value has
  ///   changed.
  private func defaultClause(
    of place: Int, _ metadata: TableMetadata, _ former: TableSchema.Column?
  ) -> String {
    if let former {
      guard let text = former.defaultSQL else { return "" }
      return "DEFAULT \(Self.isLiteral(text) ? text : "(\(text))")"
    }
    guard !metadata.key.contains(place), metadata.hasLiteralDefault(place) else { return "" }
    return "DEFAULT \(metadata.properties[place].initialValue)"
  }

  /// Returns whether a default is a literal, not an expression.
  private static func isLiteral(_ sql: String) -> Bool {
    let words = ["NULL", "TRUE", "FALSE", "CURRENT_TIME", "CURRENT_DATE", "CURRENT_TIMESTAMP"]
    if Double(sql) != nil || words.contains(where: { SQLName.isSame($0, sql) }) { return true }
    var text = Substring(sql)
    if text.first == "x" || text.first == "X" { text = text.dropFirst() }
    guard text.count > 1, text.first == "'", text.last == "'" else { return false }
    let quotes = text.dropFirst().dropLast().split(separator: "''").joined()
    return !quotes.contains("'")
  }

  /// Returns the REFERENCES clause; an empty string if the target is in another database.
  private func reference(_ reference: TableMetadata.Reference) -> String {
    let target = reference.target
    guard target.autoDBSettings == settings else { return "" }
    return "REFERENCES \(SQLName.quoted(target.tableName)) (\(list(target.keyColumns)))"
      + " ON DELETE \(reference.rules.onDelete.rawValue)"
      + " ON UPDATE \(reference.rules.onUpdate.rawValue)"
  }
}

/// The statements that create tables and indexes, each statement once.
private struct SchemaScript {
  private(set) var statements: [String] = []
  private var objects: [String: (sql: String, type: any Table.Type)] = [:]

  /// Adds a statement unless it was added before.
  ///
  /// - Throws: ``RelationError`` if another statement creates a table or an index with the same
  ///   name.
  mutating func add(_ name: String, _ sql: String, of metadata: TableMetadata) throws(RelationError)
  {
    let folded = SQLName.folded(name)
    guard let other = objects[folded] else {
      objects[folded] = (sql, metadata.type)
      return statements.append(sql)
    }
    guard other.sql != sql else { return }
    throw RelationError(
      .schemaMismatch,
      "\(other.type) declares \(SQLName.quoted(name)) as `\(other.sql)`, and \(metadata.type) as "
        + "`\(sql)`", table: metadata.table)
  }
}

extension TableMetadata {
  /// Returns whether `init()`'s value is declared as the default, so that programs that don't have
  /// the column can insert rows. A date is not declared, because it is the current time.
  fileprivate func hasLiteralDefault(_ index: Int) -> Bool {
    !properties[index].initialValue.isNull && columns[index].declaredType != "DATE"
  }

  fileprivate func hasColumn(_ name: String) -> Bool {
    columns.contains { SQLName.isSame($0.name, name) }
  }

  /// The link tables of the table's lists.
  var links: [LinkTable] {
    relationNames.compactMap { name in
      guard case .links(let target, let action) = relations[name]?.relationKind else { return nil }
      return LinkTable(owner: self, property: name, target: target, onDeleteTarget: action)
    }
  }

  /// Returns the metadata of a type and of all types in the same database that it refers to.
  static func reachable(from type: any Table.Type) throws -> [TableMetadata] {
    var found = [try TableMetadata.of(type)]
    var next = 0
    while next < found.count {
      let metadata = found[next]
      next += 1
      for target in metadata.targets
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
  /// The policy for tables that don't match their types.
  public enum SchemaPolicy: Hashable, Sendable {
    /// Tables are created and migrated. A change that would lose data is an error.
    case automatic
    /// Tables are created and migrated even if data is lost: columns without a property are
    /// dropped.
    case automaticAllowingDataLoss
    /// The schema is never changed, because the application has its own migrations. A missing table
    /// or column is an error when the type is first used.
    case explicit
    /// The schema is never changed, as with ``explicit``, and any difference is an error that names
    /// the table and the column. Use it for tables that are created by other code, such as the
    /// migrations of generated code. A column must store values of its property's type, be nullable
    /// if the property is optional, and be part of the key if the property is; a reference must
    /// refer to the relation's table. A column without a property must allow rows to be inserted
    /// without it.
    case verified

    /// A Boolean value that indicates whether tables are created and migrated.
    var makesTables: Bool {
      switch self {
      case .automatic, .automaticAllowingDataLoss: true
      case .explicit, .verified: false
      }
    }
  }
}

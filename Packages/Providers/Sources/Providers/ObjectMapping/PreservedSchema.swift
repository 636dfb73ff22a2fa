internal import SQLiteCore

/// The parts of a type's table that the type does not declare, and that are kept when the table is
/// changed to match the type: constraints, and columns that other tables refer to.
struct PreservedSchema {
  /// The declarations of columns that other tables refer to.
  private(set) var columns: [String] = []
  /// A Boolean value that indicates whether the primary key differs from the type's, and is kept
  /// because other tables refer to it.
  private(set) var keepsPrimaryKey = false
  /// A Boolean value that indicates whether a unique constraint on the type's key is then kept.
  private(set) var hasUniqueKey = false
  /// The columns that are `NOT NULL`.
  private(set) var notNull: Set<FoldedName> = []
  /// The collations and defaults of columns.
  private(set) var traits: [FoldedName: String] = [:]
  /// The constraints of the table.
  private(set) var constraints: [String] = []
  /// The columns whose foreign key is in ``constraints``.
  private(set) var references: Set<FoldedName> = []

  init() {}

  init(
    of table: TableSchema, _ mapping: TableMapping, _ schema: DatabaseSchema
  ) throws {
    guard table.kind == .table else { return }
    let declared = Set(mapping.columns.map { FoldedName($0.name) })
    let primaryKey = table.primaryKey.map { FoldedName($0.name) }
    let referenced = Self.columns(of: table, referencedIn: schema)
    keepsPrimaryKey =
      !primaryKey.isEmpty && referenced.isSuperset(of: primaryKey)
      && primaryKey != mapping.keyNames.map(FoldedName.init)
    notNull = Set(table.columns.filter(\.isNotNull).map { FoldedName($0.name) })
    for column in table.columns {
      let name = FoldedName(column.name)
      if let index = mapping.columns.firstIndex(where: { FoldedName($0.name) == name }) {
        traits[name] = Self.traits(of: column, as: mapping.columns[index].declaredType)
      } else if referenced.contains(name) {
        columns.append(declaration(of: column, primaryKey))
      }
    }
    if keepsPrimaryKey, primaryKey.count > 1 {
      let names = table.primaryKey.map { SQLName.quoted($0.name) }.joined(separator: ", ")
      constraints.append("PRIMARY KEY (\(names))")
    }
    let preserved = declared.union(referenced)
    keepConstraints(of: table, mapping, preserved)
    try keepReferences(of: table, mapping, preserved)
  }

  /// Returns the columns of a table that foreign keys refer to, including the table's own.
  private static func columns(
    of table: TableSchema, referencedIn schema: DatabaseSchema
  ) -> Set<FoldedName> {
    var referenced: Set<FoldedName> = []
    for other in schema.tables where other.kind == .table {
      for reference in other.foreignKeys
      where SQLName.isSame(reference.parentTable, table.name.name) {
        let columns =
          reference.parentColumns.isEmpty ? table.primaryKey.map(\.name) : reference.parentColumns
        referenced.formUnion(columns.map(FoldedName.init))
      }
    }
    return referenced
  }

  // MARK: Columns

  private func declaration(of column: TableSchema.Column, _ primaryKey: [FoldedName]) -> String {
    var sql = SQLName.quoted(column.name)
    if !column.declaredType.isEmpty { sql += " \(column.declaredType)" }
    if keepsPrimaryKey, primaryKey == [FoldedName(column.name)] {
      sql += " PRIMARY KEY"
      if column.isAutoincrement { sql += " AUTOINCREMENT" }
    }
    if column.isNotNull { sql += " NOT NULL" }
    return sql + Self.traits(of: column, as: column.declaredType)
  }

  private static func traits(of column: TableSchema.Column, as type: String) -> String {
    var sql = ""
    if let collation = column.collation, SQLName.folded(collation) != "binary" {
      sql += " COLLATE \(SQLName.quoted(collation))"
    }
    // A default for another type does not apply.
    if let value = column.defaultSQL, SQLName.isSame(column.declaredType, type) {
      sql += " DEFAULT \(isLiteral(value) ? value : "(\(value))")"
    }
    return sql
  }

  private static func isLiteral(_ sql: String) -> Bool {
    if Double(sql) != nil { return true }
    let words = ["null", "true", "false", "current_time", "current_date", "current_timestamp"]
    if words.contains(SQLName.folded(sql)) { return true }
    guard let quote = sql.first, quote == "'" || quote == "\"", sql.count > 1, sql.last == quote
    else { return false }
    return !sql.dropFirst().dropLast().replacing("\(quote)\(quote)", with: "").contains(quote)
  }

  // MARK: Constraints

  private mutating func keepConstraints(
    of table: TableSchema, _ mapping: TableMapping, _ preserved: Set<FoldedName>
  ) {
    let key = Set(mapping.keyNames.map(FoldedName.init))
    let losesColumns = table.columns.contains { !preserved.contains(FoldedName($0.name)) }
    for constraint in table.constraints {
      let name = constraint.name.map { "CONSTRAINT \(SQLName.quoted($0)) " } ?? ""
      switch constraint.kind {
      case .primaryKey, .foreignKey: continue
      case .check:
        if losesColumns, !canKeep(constraint.sql, with: table, preserved) { continue }
        constraints.append(name + constraint.sql)
      case .unique:
        let columns = Set(constraint.columns.map(FoldedName.init))
        guard columns.isSubset(of: preserved) else { continue }
        if columns == key {
          // The key is the primary key, which implies uniqueness.
          if !keepsPrimaryKey { continue }
          hasUniqueKey = true
        }
        // A column constraint does not list the column.
        let isTables = constraint.sql.contains("(")
        let rest = constraint.sql.dropFirst("UNIQUE".count)
        constraints.append(
          isTables
            ? name + constraint.sql
            : "\(name)UNIQUE (\(SQLName.quoted(constraint.columns[0])))\(rest)")
      }
    }
  }

  /// Returns whether a check refers only to columns that are kept, according to SQLite.
  private func canKeep(
    _ check: String, with table: TableSchema, _ preserved: Set<FoldedName>
  ) -> Bool {
    let columns = table.columns.filter { preserved.contains(FoldedName($0.name)) }
      .map { SQLName.quoted($0.name) }
    let sql = "CREATE TABLE \(SQLName.quoted(table.name.name)) (\(columns.joined(separator: ", "))"
    return (try? DatabaseSchema(sql: "\(unsafe: sql), \(unsafe: check))")) != nil
  }

  private mutating func keepReferences(
    of table: TableSchema, _ mapping: TableMapping, _ preserved: Set<FoldedName>
  ) throws {
    for reference in table.foreignKeys {
      let names = reference.columns.map(FoldedName.init)
      guard preserved.isSuperset(of: names) else { continue }
      if names.count == 1, let type = mapping.referencedType(ofColumn: reference.columns[0]) {
        // The type's own foreign key has another target.
        let mapping = try TableMapping.of(type)
        let parents = reference.parentColumns
        guard SQLName.isSame(reference.parentTable, mapping.table),
          parents.isEmpty || SQLName.isSame(parents[0], mapping.keyColumn.name)
        else { continue }
        references.insert(names[0])
      }
      constraints.append("FOREIGN KEY (\(Self.list(reference.columns)))" + reference.sql)
    }
  }

  fileprivate static func list(_ names: [String]) -> String {
    names.map { SQLName.quoted($0) }.joined(separator: ", ")
  }
}

extension TableSchema.ForeignKey {
  /// The SQL after the column list.
  fileprivate var sql: String {
    var sql = " REFERENCES \(SQLName.quoted(parentTable))"
    if !parentColumns.isEmpty { sql += " (\(PreservedSchema.list(parentColumns)))" }
    if onDelete != "NO ACTION" { sql += " ON DELETE \(onDelete)" }
    if onUpdate != "NO ACTION" { sql += " ON UPDATE \(onUpdate)" }
    if match != "NONE" { sql += " MATCH \(match)" }
    if isDeferrable { sql += " DEFERRABLE INITIALLY \(isDeferred ? "DEFERRED" : "IMMEDIATE")" }
    return sql
  }
}

import Primitives
import SQLiteCore

// Reading the schema of SQLite.
extension PortableSchema {
  /// Reads the tables of a database.
  ///
  /// - Parameters:
  ///   - names: The tables to read; empty for all of them, and for views.
  ///   - types: The types of columns whose type is not derived, by `table.column`.
  ///   - isRead: Returns whether to read a table.
  /// - Throws: `ToolError` if a type is set for a missing column; `SQLiteError`.
  init(
    sqlite connection: Connection, tables names: [String], types: [String: ColumnType] = [:],
    where isRead: (TableSchema) -> Bool = { _ in true }
  ) throws {
    let all = try connection.tables().filter {
      !SQLName.isSame($0.name.name, "holt_migration")
        && !SQLName.isSame($0.name.name, CopyRecord.table)
    }
    var unusedTypes = Set(types.keys)
    func isWanted(_ name: String) -> Bool {
      names.isEmpty || names.contains { SQLName.isSame($0, name) }
    }
    for table in all where isWanted(table.name.name) && isRead(table) {
      switch table.kind {
      case .view:
        problems.append(
          SchemaProblem(
            object: "the view \(table.name.name)", reason: "views are written in SQLite's SQL"))
      case .virtual, .shadow:
        problems.append(
          SchemaProblem(
            object: "the table \(table.name.name)",
            reason: "it is a virtual table of the module \(table.module?.name ?? "?")"))
      case .table:
        if let problem = Self.nameProblem(table) {
          problems.append(problem)
          continue
        }
        var reader = SQLiteTableReader(table, connection, types)
        if let read = try reader.read() { tables.append(read) }
        problems += reader.problems
        unusedTypes.subtract(table.columns.map { "\(table.name.name).\($0.name)" })
      }
    }
    for trigger in try connection.triggers() where isWanted(trigger.table) {
      problems.append(
        SchemaProblem(
          object: "the trigger \(trigger.name)", reason: "triggers are written in SQLite's SQL"))
    }
    if let name = unusedTypes.sorted().first {
      throw ToolError("no column \(name), whose type is specified")
    }
  }

  /// Returns a problem if PostgreSQL has no such names: it truncates a name of more than 63 bytes.
  private static func nameProblem(_ table: TableSchema) -> SchemaProblem? {
    let system = ["ctid", "tableoid", "xmin", "cmin", "xmax", "cmax"]
    let object = "the table \(table.name.name)"
    if table.columns.count > 1_600 {
      return SchemaProblem(
        object: object, reason: "PostgreSQL's tables have at most 1,600 columns")
    }
    for name in [table.name.name] + table.columns.map(\.name) {
      if name.isEmpty { return SchemaProblem(object: object, reason: "a name is empty") }
      if name.utf8.count > 63 {
        return SchemaProblem(
          object: object, reason: "the name \(name) has more than PostgreSQL's 63 bytes")
      }
      if name.utf8.contains(0) {
        return SchemaProblem(object: object, reason: "a name contains NUL")
      }
      if name != table.name.name, system.contains(name) {
        return SchemaProblem(object: object, reason: "\(name) is a system column of PostgreSQL")
      }
    }
    return nil
  }
}

/// Reads a table of SQLite.
private struct SQLiteTableReader {
  private let table: TableSchema
  private let connection: Connection
  private let types: [String: ColumnType]
  private(set) var problems: [SchemaProblem] = []

  init(_ table: TableSchema, _ connection: Connection, _ types: [String: ColumnType]) {
    (self.table, self.connection, self.types) = (table, connection, types)
  }

  private var name: String { table.name.name }

  private mutating func report(_ object: String, _ reason: String, isNote: Bool = false) {
    problems.append(SchemaProblem(object: object, reason: reason, isNote: isNote))
  }

  /// - Returns: The table; `nil` if it has no column that can be copied.
  mutating func read() throws -> PortableTable? {
    var result = PortableTable(name: name, columns: [])
    for column in table.columns where column.kind != .hidden {
      guard let type = try type(of: column) else { continue }
      result.columns.append(
        PortableTable.Column(
          name: column.name, type: type,
          isNotNull: column.isNotNull || column.primaryKeyPosition != nil,
          isIdentity: table.isRowIDColumn(column.name)))
      if let collation = column.collation, !SQLName.isSame(collation, "BINARY") {
        report(
          "the collation \(collation) of \(name).\(column.name)",
          "PostgreSQL has no collation with the same order")
      }
    }
    guard !result.columns.isEmpty else {
      report("the table \(name)", "it has no column that can be copied")
      return nil
    }
    let columns = result.columns
    func isCopied(_ names: [String]) -> Bool {
      names.allSatisfy { name in columns.contains { SQLName.isSame($0.name, name) } }
    }
    try readFormulas(&result)
    if isCopied(table.primaryKey.map(\.name)) { result.primaryKey = table.primaryKey.map(\.name) }
    let constraints = table.constraints
    for constraint in constraints where constraint.kind == .unique {
      let names = constraint.columns.compactMap { table.column(named: $0)?.name }
      guard isCopied(names), !names.isEmpty else { continue }
      result.uniques.append(PortableTable.Unique(name: constraint.name, columns: names))
    }
    for constraint in constraints where constraint.kind == .check {
      let tokens = SQLTokens(constraint.sql)
      guard
        let condition = PortableExpressionParser.condition(
          tokens.text(from: 1), columns: columns, isPostgreSQL: false)
      else {
        report(
          "the constraint \(constraint.sql) of \(name)",
          "PostgreSQL has no condition with the same meaning")
        continue
      }
      result.checks.append(PortableTable.Check(name: constraint.name, expression: condition))
    }
    readForeignKeys(&result, constraints.filter { $0.kind == .foreignKey }.map(\.name))
    readIndexes(&result)
    let tokens = SQLTokens(table.sql ?? "")
    if (0..<tokens.count).contains(where: { tokens.are($0, "ON", "CONFLICT") }) {
      report("the ON CONFLICT clauses of \(name)", "PostgreSQL has none", isNote: true)
    }
    return result
  }

  private mutating func type(of column: TableSchema.Column) throws -> ColumnType? {
    if let type = types["\(name).\(column.name)"] { return type }
    let quoted = SQLName.quoted(column.name)
    let sql = SQL(
      unsafe:
        "SELECT DISTINCT typeof(\(quoted)) FROM \(SQLName.quoted(name)) WHERE \(quoted) IS NOT NULL"
    )
    let type = try ColumnType.sqlite(column.declaredType) {
      Set(try connection.values(String.self, sql))
    }
    if type == nil {
      let classes = try connection.values(String.self, sql).sorted().joined(separator: ", ")
      report(
        "the column \(name).\(column.name)",
        "its declared type allows any value, and it has several: \(classes)")
    }
    return type
  }

  /// Reads the default values and the expressions of generated columns.
  private mutating func readFormulas(_ result: inout PortableTable) throws {
    for index in result.columns.indices {
      let column = result.columns[index]
      guard let source = table.column(named: column.name) else { continue }
      if let formula = source.generatedSQL {
        result.columns[index].generated = PortableExpressionParser.value(
          formula, type: column.type, columns: result.columns, isPostgreSQL: false)
        if result.columns[index].generated == nil {
          report(
            "the formula of the generated column \(name).\(column.name)",
            "PostgreSQL has no expression with the same meaning")
        }
      } else if let sql = source.defaultSQL, let value = try defaultValue(sql, source, column.type)
      {
        result.columns[index].defaultValue = value
      }
    }
  }

  private mutating func defaultValue(
    _ sql: String, _ source: TableSchema.Column, _ type: ColumnType
  ) throws -> PortableTable.Default? {
    let tokens = SQLTokens(sql)
    let words = (0..<tokens.count).filter { tokens.kind($0) == .word }
    if tokens.count == 1, tokens.is(0, "CURRENT_TIMESTAMP"), type == .timestamp || type == .text {
      return .now
    }
    if tokens.count == 1, tokens.is(0, "CURRENT_DATE"), type == .date { return .today }
    if type == .timestamptz, sql == PortableTable.Default.instantSQL { return .now }
    let constants = ["NULL", "TRUE", "FALSE"]
    guard words.allSatisfy({ index in constants.contains { tokens.is(index, $0) } }),
      let value = try stored(sql, source.declaredType)
    else {
      report("the default value of \(name).\(source.name)", "it is not a constant")
      return nil
    }
    guard let converted = try? type.dataValue(value) else {
      report(
        "the default value of \(name).\(source.name)",
        "it is not a value of the type \(type.postgreSQLName)")
      return nil
    }
    return converted.isNull ? nil : .value(converted)
  }

  /// Returns the value that SQLite stores for a default value.
  private func stored(_ sql: String, _ declared: String) throws -> SQLiteValue? {
    let memory = try Connection.inMemory(configuration: .preservingSettings)
    try memory.execute(SQL(unsafe: "CREATE TABLE t (k, c \(declared) DEFAULT \(sql))"))
    try memory.execute("INSERT INTO t (k) VALUES (1)")
    return try memory.value(SQLiteValue.self, "SELECT c FROM t")
  }

  private mutating func readForeignKeys(_ result: inout PortableTable, _ names: [String?]) {
    for (index, key) in table.foreignKeys.enumerated() {
      guard let parent = try? connection.table(key.parentTable) else {
        report(
          "the foreign key \(name)(\(key.columns.joined(separator: ", ")))",
          "the table \(key.parentTable) does not exist")
        continue
      }
      let parentColumns =
        key.parentColumns.isEmpty ? parent.primaryKey.map(\.name) : key.parentColumns
      result.foreignKeys.append(
        PortableTable.ForeignKey(
          name: index < names.count ? names[index] : nil,
          columns: key.columns.map { table.column(named: $0)?.name ?? $0 },
          parent: parent.name.name,
          parentColumns: parentColumns.map { parent.column(named: $0)?.name ?? $0 },
          onUpdate: key.onUpdate, onDelete: key.onDelete, isDeferrable: key.isDeferrable,
          isDeferred: key.isDeferred))
    }
  }

  private mutating func readIndexes(_ result: inout PortableTable) {
    for index in table.indexes where index.origin == .statement {
      let object = "the index \(index.name)"
      if index.name.utf8.count > 63 {
        report(object, "its name has more than PostgreSQL's 63 bytes")
        continue
      }
      if let key = index.keys.first(where: { !SQLName.isSame($0.collation, "BINARY") }) {
        report(object, "PostgreSQL has no collation with the order of \(key.collation)")
        continue
      }
      let keys = index.keys.map { key in
        (key.column ?? key.expressionSQL).flatMap { text in
          PortableExpressionParser.value(
            key.column == nil ? text : SQLName.quoted(text), columns: result.columns,
            isPostgreSQL: false)
        }.map { (key: $0, isDescending: key.isDescending) }
      }
      let condition = index.whereSQL.map {
        PortableExpressionParser.condition($0, columns: result.columns, isPostgreSQL: false)
      }
      if keys.contains(where: { $0 == nil }) || condition == .some(nil) {
        report(object, "PostgreSQL has no expression with the same meaning")
        continue
      }
      result.indexes.append(
        PortableTable.Index(
          name: index.name, isUnique: index.isUnique, keys: keys.compactMap(\.self),
          condition: condition ?? nil))
    }
  }
}

// Writing the schema for SQLite.
extension PortableTable {
  /// The statement that creates the table in SQLite.
  var sqliteSQL: String {
    var lines = columns.map { column in
      var line = "\(SQLName.quoted(column.name)) "
      if column.name == rowIDColumn { return line + "INTEGER PRIMARY KEY" }
      line += column.type.sqliteDeclaration
      if column.isNotNull { line += " NOT NULL" }
      if let value = column.defaultValue?.sqliteSQL(column.type) { line += " DEFAULT \(value)" }
      if let formula = column.generated {
        line += " GENERATED ALWAYS AS (\(formula.sql(forPostgreSQL: false))) STORED"
      }
      return line
    }
    if rowIDColumn == nil, !primaryKey.isEmpty {
      lines.append("PRIMARY KEY (\(Self.list(primaryKey)))")
    }
    lines += uniques.map { Self.constraint($0.name) + "UNIQUE (\(Self.list($0.columns)))" }
    lines += checks.map {
      Self.constraint($0.name) + "CHECK (\($0.expression.sql(forPostgreSQL: false)))"
    }
    lines += foreignKeys.map {
      Self.constraint($0.name) + $0.sql(parent: SQLName.quoted($0.parent))
    }
    return "CREATE TABLE \(SQLName.quoted(name)) (\n  \(lines.joined(separator: ",\n  "))\n)"
  }

  /// The statements that create the indexes in SQLite.
  var sqliteIndexSQL: [String] {
    indexes.map { $0.sql(SQLName.quoted(name), forPostgreSQL: false) }
  }

  static func list(_ names: [String]) -> String {
    names.map(SQLName.quoted).joined(separator: ", ")
  }

  static func constraint(_ name: String?) -> String {
    name.map { "CONSTRAINT \(SQLName.quoted($0)) " } ?? ""
  }
}

extension PortableTable.ForeignKey {
  func sql(parent: String) -> String {
    var sql =
      "FOREIGN KEY (\(PortableTable.list(columns))) REFERENCES \(parent) "
      + "(\(PortableTable.list(parentColumns)))"
    if onUpdate != "NO ACTION" { sql += " ON UPDATE \(onUpdate)" }
    if onDelete != "NO ACTION" { sql += " ON DELETE \(onDelete)" }
    if isDeferrable || isDeferred {
      sql += " DEFERRABLE INITIALLY \(isDeferred ? "DEFERRED" : "IMMEDIATE")"
    }
    return sql
  }
}

extension PortableTable.Index {
  func sql(_ table: String, forPostgreSQL: Bool) -> String {
    let keys = keys.map { key, isDescending in
      var sql = key.sql(forPostgreSQL: forPostgreSQL)
      if case .column = key {} else { sql = "(\(sql))" }
      return isDescending ? sql + " DESC" : sql
    }
    let condition = condition.map { " WHERE \($0.sql(forPostgreSQL: forPostgreSQL))" } ?? ""
    return "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(SQLName.quoted(name)) ON \(table) "
      + "(\(keys.joined(separator: ", ")))\(condition)"
  }
}

extension PortableTable.Default {
  /// The current time with a zone in SQLite.
  static let instantSQL = "strftime('%Y-%m-%d %H:%M:%SZ', 'now')"

  /// The SQL of the value in SQLite; `nil` if SQLite would store another one.
  func sqliteSQL(_ type: ColumnType) -> String? {
    switch self {
    case .value(let value): (try? type.sqliteValue(value))?.description
    case .now where type == .timestamptz: "(\(Self.instantSQL))"
    case .now: "CURRENT_TIMESTAMP"
    case .today: "CURRENT_DATE"
    }
  }
}

import Primitives
import SQLiteCore

// Reading the schema of PostgreSQL.
extension PortableSchema {
  /// Converts the tables of a catalog.
  ///
  /// - Parameter names: The tables; empty for all of them, and for the other objects.
  init(postgreSQL catalog: ServerCatalog, schema: String, tables names: [String]) {
    var folded: [String: String] = [:]
    for table in catalog.tables where names.isEmpty || names.contains(table.name) {
      var reader = ServerTableReader(table, schema)
      if let other = folded.updateValue(table.name, forKey: SQLName.folded(table.name)) {
        problems.append(
          SchemaProblem(
            object: "the table \(table.name)",
            reason: "SQLite does not distinguish its name from \(other)"))
        continue
      }
      if let read = reader.read() { tables.append(read) }
      problems += reader.problems
    }
    for object in catalog.objects {
      if let table = object.table {
        guard names.isEmpty || names.contains(table) else { continue }
      } else if !names.isEmpty {
        continue
      }
      switch object.kind {
      // The values of an enumeration are text, and the sequence of a column is an identity.
      case .type, .sequence, .ownership: continue
      case .function, .view, .trigger, .policy:
        problems.append(
          SchemaProblem(
            object: "the \(object.kind.rawValue) \(object.name)",
            reason: "it is written in PostgreSQL's SQL"))
      }
    }
  }
}

/// Converts a table of PostgreSQL.
private struct ServerTableReader {
  private let table: ServerCatalog.Table
  private let schema: String
  private(set) var problems: [SchemaProblem] = []

  init(_ table: ServerCatalog.Table, _ schema: String) {
    (self.table, self.schema) = (table, schema)
  }

  private var name: String { table.name }

  private mutating func report(_ object: String, _ reason: String, isNote: Bool = false) {
    problems.append(SchemaProblem(object: object, reason: reason, isNote: isNote))
  }

  mutating func read() -> PortableTable? {
    if SQLName.folded(name).hasPrefix("sqlite_") {
      report("the table \(name)", "SQLite reserves names that begin with sqlite_")
      return nil
    }
    guard !table.columns.isEmpty else {
      report("the table \(name)", "it has no columns")
      return nil
    }
    var names: Set<String> = []
    for column in table.columns where !names.insert(SQLName.folded(column.name)).inserted {
      report(
        "the table \(name)", "SQLite does not distinguish the names of its columns \(column.name)")
      return nil
    }
    if table.partitionKey != nil {
      report("the partitions of \(name)", "the rows are copied into one table", isNote: true)
    }
    if table.hasParents {
      report("the inheritance of \(name)", "SQLite has none", isNote: true)
    }
    if table.comment != nil || table.columns.contains(where: { $0.comment != nil }) {
      report("the comments on \(name)", "SQLite has none", isNote: true)
    }
    var result = PortableTable(name: name, columns: [])
    for column in table.columns {
      result.columns.append(
        PortableTable.Column(
          name: column.name, type: ColumnType(postgreSQL: column.type, base: column.baseType),
          isNotNull: column.isNotNull, comparesBytes: column.comparesBytes))
      if let collation = column.collation, !column.comparesBytes {
        report(
          "the collation \(collation) of \(name).\(column.name)",
          "SQLite compares the bytes of texts", isNote: true)
      }
      if column.baseType != nil {
        report(
          "the constraints of the domain \(column.type) of \(name).\(column.name)",
          "only its values are checked", isNote: true)
      }
    }
    readFormulas(&result)
    readConstraints(&result)
    readIndexes(&result)
    return result
  }

  private mutating func readFormulas(_ result: inout PortableTable) {
    for (index, column) in table.columns.enumerated() {
      let type = result.columns[index].type
      if !column.identity.isEmpty || column.ownsSequence && type.isInteger {
        result.columns[index].isIdentity = true
        continue
      }
      guard let sql = column.expression else { continue }
      if column.isGenerated {
        result.columns[index].generated = PortableExpressionParser.value(
          sql, type: type, columns: result.columns, isPostgreSQL: true)
        if result.columns[index].generated == nil {
          report(
            "the formula of the generated column \(name).\(column.name)",
            "SQLite has no expression with the same meaning")
        }
      } else if let value = defaultValue(sql, type) {
        if value != .value(.null) { result.columns[index].defaultValue = value }
        if value == .now || value == .today, !sql.contains("'UTC'"), type != .timestamptz {
          report(
            "the default value of \(name).\(column.name)", "SQLite's current time is in UTC",
            isNote: true)
        }
      } else {
        report(
          "the default value of \(name).\(column.name)",
          "SQLite has no expression with the same meaning")
      }
    }
  }

  private func defaultValue(_ sql: String, _ type: ColumnType) -> PortableTable.Default? {
    if let value = PortableTable.Default(postgreSQL: sql, type) { return value }
    guard let literal = PortableExpressionParser.literal(sql, isPostgreSQL: true) else {
      return nil
    }
    let value: DataValue?
    switch literal {
    case .null: value = .null
    case .boolean(let flag): value = type == .boolean ? .bool(flag) : nil
    case .number(let text):
      if case .numeric = type {
        value = try? type.dataValue(.text(text))
      } else if let number = Int64(text) {
        value = try? type.dataValue(.integer(number))
      } else {
        value = Double(text).flatMap { try? type.dataValue(.real($0)) }
      }
    case .text(let text):
      switch type {
      case .bytea: value = Self.bytes(text).map { .blob($0) }
      case .array: value = nil
      default: value = try? type.dataValue(.text(text))
      }
    case .blob(let bytes): value = .blob(bytes)
    }
    guard let value, (try? type.sqliteValue(value)) != nil else { return nil }
    return .value(value)
  }

  private static func bytes(_ text: String) -> [UInt8]? {
    guard text.hasPrefix("\\x") else { return nil }
    let digits = Array(text.utf8.dropFirst(2))
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
    }
  }

  private mutating func readConstraints(_ result: inout PortableTable) {
    for constraint in table.constraints {
      let object = "the constraint \(constraint.name) of \(name)"
      switch constraint.kind {
      case "p": result.primaryKey = constraint.columns
      case "u":
        if constraint.definition.contains("NULLS NOT DISTINCT") {
          report(object, "SQLite considers NULLs distinct")
          continue
        }
        if constraint.isDeferrable {
          report(object, "SQLite checks it at once", isNote: true)
        }
        result.uniques.append(
          PortableTable.Unique(name: explicitName(constraint), columns: constraint.columns))
      case "c":
        guard
          let condition = PortableExpressionParser.condition(
            constraint.expression ?? "", columns: result.columns, isPostgreSQL: true)
        else {
          report(object, "SQLite has no condition with the same meaning")
          continue
        }
        result.checks.append(
          PortableTable.Check(name: explicitName(constraint), expression: condition))
      case "f": readForeignKey(constraint, object, &result)
      default: report(object, "SQLite has no exclusion constraints")
      }
    }
  }

  private mutating func readForeignKey(
    _ constraint: ServerCatalog.Constraint, _ object: String, _ result: inout PortableTable
  ) {
    let actions = [
      "a": "NO ACTION", "r": "RESTRICT", "c": "CASCADE", "n": "SET NULL", "d": "SET DEFAULT",
    ]
    guard constraint.parentSchema == schema, let parent = constraint.parent else {
      return report(object, "the referenced table is in another schema")
    }
    guard !constraint.matchesFully || constraint.columns.count == 1 else {
      return report(object, "SQLite has no MATCH FULL")
    }
    guard !constraint.definition.contains("SET NULL ("),
      !constraint.definition.contains("SET DEFAULT (")
    else { return report(object, "SQLite sets all columns of a foreign key") }
    result.foreignKeys.append(
      PortableTable.ForeignKey(
        name: explicitName(constraint), columns: constraint.columns, parent: parent,
        parentColumns: constraint.parentColumns,
        onUpdate: actions[constraint.onUpdate] ?? "NO ACTION",
        onDelete: actions[constraint.onDelete] ?? "NO ACTION",
        isDeferrable: constraint.isDeferrable, isDeferred: constraint.isDeferred))
  }

  /// Returns the name of a constraint, unless it is one that PostgreSQL generates.
  private func explicitName(_ constraint: ServerCatalog.Constraint) -> String? {
    let digits = constraint.name.reversed().prefix { $0.isNumber }.count
    let base = constraint.name.dropLast(digits)
    let suffix = ["u": "_key", "c": "_check", "f": "_fkey"][constraint.kind] ?? ""
    // A long name is a prefix of the table's name.
    return base.hasSuffix(suffix) && base.hasPrefix(name.prefix(20)) ? nil : constraint.name
  }

  private mutating func readIndexes(_ result: inout PortableTable) {
    for index in table.indexes {
      let object = "the index \(index.name)"
      guard index.method == "btree", !index.hasOtherParts else {
        report(object, "SQLite has no index like \(index.definition)")
        continue
      }
      let keys = index.keys.map { key in
        PortableExpressionParser.value(key.sql, columns: result.columns, isPostgreSQL: true).map {
          (key: $0, isDescending: key.isDescending)
        }
      }
      let condition = index.condition.map {
        PortableExpressionParser.condition($0, columns: result.columns, isPostgreSQL: true)
      }
      guard !keys.contains(where: { $0 == nil }), condition != .some(nil) else {
        report(object, "SQLite has no expression with the same meaning")
        continue
      }
      result.indexes.append(
        PortableTable.Index(
          name: index.name, isUnique: index.isUnique, keys: keys.compactMap(\.self),
          condition: condition ?? nil))
    }
  }
}

// Writing the schema for PostgreSQL.
extension PortableTable {
  /// The statement that creates the table without its keys and indexes.
  func postgreSQLSQL(schema: String) -> String {
    var lines = columns.map { "\(SQLName.quoted($0.name)) \(postgreSQLDefinition(of: $0))" }
    lines += checks.map { postgreSQLCheck($0) }
    return
      "CREATE TABLE \(Self.qualified(name, schema)) (\n  \(lines.joined(separator: ",\n  "))\n)"
  }

  func postgreSQLCheck(_ check: Check) -> String {
    Self.constraint(check.name) + "CHECK (\(check.expression.sql(forPostgreSQL: true)))"
  }

  /// The type of a column, and the clauses that follow it in `CREATE TABLE`.
  func postgreSQLDefinition(of column: Column) -> String {
    var sql = column.type.postgreSQLName
    if column.type.family == .text { sql += " COLLATE \"C\"" }
    if column.isNotNull { sql += " NOT NULL" }
    if column.isIdentity {
      sql += " GENERATED BY DEFAULT AS IDENTITY"
    } else if let formula = column.generated {
      sql += " GENERATED ALWAYS AS (\(formula.sql(forPostgreSQL: true))) STORED"
    } else if let value = column.defaultValue {
      sql += " DEFAULT \(value.postgreSQLSQL(column.type))"
    }
    return sql
  }

  /// The statements that add the keys and the indexes to the table.
  func postgreSQLKeySQL(schema: String) -> [String] {
    let table = Self.qualified(name, schema)
    var statements: [String] = []
    if !primaryKey.isEmpty {
      statements.append("ALTER TABLE \(table) ADD PRIMARY KEY (\(Self.list(primaryKey)))")
    }
    statements += uniques.map {
      "ALTER TABLE \(table) ADD \(Self.constraint($0.name))UNIQUE (\(Self.list($0.columns)))"
    }
    return statements + indexes.map { $0.sql(table, forPostgreSQL: true) }
  }

  /// The statements that add the foreign keys to the table.
  func postgreSQLForeignKeySQL(schema: String) -> [String] {
    foreignKeys.map {
      "ALTER TABLE \(Self.qualified(name, schema)) ADD \(Self.constraint($0.name))"
        + $0.sql(parent: Self.qualified($0.parent, schema))
    }
  }

  static func qualified(_ name: String, _ schema: String) -> String {
    "\(SQLName.quoted(schema)).\(SQLName.quoted(name))"
  }
}

extension PortableTable.Default {
  /// Recognizes the current time.
  fileprivate init?(postgreSQL sql: String, _ type: ColumnType) {
    let current = ["CURRENT_TIMESTAMP", "now()", "LOCALTIMESTAMP", "transaction_timestamp()"]
    let utc = "(CURRENT_TIMESTAMP AT TIME ZONE 'UTC'::text)"
    switch type {
    case .timestamptz where current.contains(sql): self = .now
    case .timestamp where current.contains(sql) || sql == utc: self = .now
    case .timestamp
    where sql == "timezone('UTC'::text, CURRENT_TIMESTAMP)" || sql == "timezone('utc'::text, now())":
      self = .now
    case .date where sql == "CURRENT_DATE" || sql == "(\(utc))::date": self = .today
    case .text where sql == "to_char(\(utc), 'YYYY-MM-DD HH24:MI:SS'::text)": self = .now
    default: return nil
    }
  }

  /// The SQL of the value in PostgreSQL.
  func postgreSQLSQL(_ type: ColumnType) -> String {
    let utc = "(CURRENT_TIMESTAMP AT TIME ZONE 'UTC')"
    switch self {
    case .now where type == .timestamptz: return "CURRENT_TIMESTAMP"
    case .now where type == .text: return "to_char(\(utc), 'YYYY-MM-DD HH24:MI:SS')"
    case .now: return utc
    case .today: return "\(utc)::date"
    case .value(let value): return LiteralValue(value).sql(forPostgreSQL: true)
    }
  }
}

extension LiteralValue {
  /// Creates the literal of a value.
  init(_ value: DataValue) {
    switch value {
    case .null, .array: self = .null
    case .bool(let flag): self = .boolean(flag)
    case .integer(let number): self = .number("\(number)")
    case .real(let number): self = number.isFinite ? .number("\(number)") : .text("\(number)")
    case .decimal(let text): self = DecimalText(text) == nil ? .text(text) : .number(text)
    case .blob(let bytes): self = .blob(bytes)
    case .text(let text), .uuid(let text), .timestampWithZone(let text), .timestamp(let text),
      .date(let text), .time(let text), .json(let text):
      self = .text(text)
    }
  }
}

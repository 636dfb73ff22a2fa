import SQLiteCore

/// The current schema, read from the database: statements and queries are built from it.
struct ModelSchema: Sendable {
  var tables: [TableSchema]
  var views: [TableSchema]

  init(_ connection: Connection) throws {
    let all = try connection.tables()
    // Rows of `child` violate its foreign key, and the row of `version` belongs to the witness.
    tables = all.filter { $0.kind == .table && !["child", "version"].contains($0.name) }
    views = all.filter { $0.kind == .view }
    hasText = all.contains { $0.name == "ft" }
  }

  /// Indicates whether the full-text table exists.
  let hasText: Bool
}

extension TableSchema {
  var quoted: String { "\"\(name.name)\"" }

  /// The terms of a total order of the rows.
  var orderSQL: String {
    let keys = columns.filter { $0.primaryKeyPosition != nil }
    guard isWithoutRowID else { return "rowid" }
    return keys.sorted { ($0.primaryKeyPosition ?? 0) < ($1.primaryKeyPosition ?? 0) }
      .map(\.name).joined(separator: ", ")
  }

  /// The writable columns.
  var writable: [String] { columns.filter { !$0.isComputed }.map(\.name) }

  /// The columns whose values are stored in the file.
  var stored: [String] { columns.filter { $0.kind != .virtualGenerated }.map(\.name) }
}

extension TableSchema.Column {
  var isComputed: Bool { kind == .virtualGenerated || kind == .storedGenerated }
}

/// Generates random schema statements. Some fail, because the names they use may not exist.
struct ModelDefinitions {
  static let tableNames = ["t0", "t1", "t2", "t 3", "order", "T5"]
  /// The tables that foreign keys may refer to.
  private static let parents = ["t0", "t1", "t2"]

  /// The tables that always exist.
  static let fixed = """
    CREATE TABLE version (n INTEGER NOT NULL); INSERT INTO version VALUES (0);
    CREATE TABLE selector (n INTEGER NOT NULL); INSERT INTO selector VALUES (0);
    CREATE TABLE audit (id INTEGER PRIMARY KEY AUTOINCREMENT, source TEXT, n);
    CREATE TABLE child (p REFERENCES audit (id) DEFERRABLE INITIALLY DEFERRED);
    """
  private static let fixedNames: Set<TableName> = ["selector", "audit", "child"]
  static let text = "CREATE VIRTUAL TABLE ft USING fts5(body, tag)"

  static func table(_ name: String, _ random: inout ModelRandom) -> String {
    let isStrict = random.once(in: 5)
    let isWithoutRowID = random.once(in: 3)
    func type(_ random: inout ModelRandom) -> String {
      isStrict
        ? random.word("INTEGER", "TEXT", "REAL", "BLOB", "ANY")
        : random.word("", "INTEGER", "TEXT", "REAL", "BLOB", "NUMERIC")
    }
    var parts: [String] = []
    var last: [String] = []
    let hasKey = parents.contains(name)
    switch isWithoutRowID ? random.below(2) : 2 + random.below(hasKey ? 2 : 3) {
    case 0: parts.append("k TEXT PRIMARY KEY \(random.maybe("COLLATE NOCASE"))")
    case 1:
      parts += ["k \(isStrict ? "ANY" : "") UNIQUE", "j \(isStrict ? "ANY" : "")"]
      last.append("PRIMARY KEY (\(random.word("k, j", "j DESC, k")))")
    case 2: parts.append("k INTEGER PRIMARY KEY \(random.maybe("AUTOINCREMENT", in: 3))")
    case 3: parts.append("k \(isStrict ? "ANY" : "") UNIQUE")
    default: break
    }
    for number in 1...(1 + random.below(4)) {
      var column = "c\(number) \(type(&random))"
      column += random.maybe(random.word(" COLLATE NOCASE", " COLLATE RTRIM"), in: 4)
      column += random.maybe(random.word(" DEFAULT 3", " NOT NULL DEFAULT ''"), in: 5)
      column += random.maybe(" UNIQUE", in: 10)
      column += random.maybe(" CHECK (c\(number) IS NOT 7)", in: 8)
      if random.once(in: 5) {
        let parent = random.pick(parents) ?? ""
        column += " REFERENCES \"\(parent)\"(k)"
        column += random.word(" ON DELETE CASCADE", " ON DELETE SET NULL", "")
        column += random.maybe(" ON UPDATE CASCADE")
        column += random.maybe(" DEFERRABLE INITIALLY DEFERRED", in: 3)
      }
      parts.append(column)
    }
    if random.once(in: 3) {
      let column = "g1 \(isStrict ? "ANY" : "") AS (c1 || '!') \(random.word("VIRTUAL", "STORED"))"
      parts.insert(column, at: random.once(in: 3) ? 0 : parts.count)
    }
    let options = [isStrict ? "STRICT" : "", isWithoutRowID ? "WITHOUT ROWID" : ""]
    return "CREATE TABLE \"\(name)\" (\((parts + last).joined(separator: ", "))) "
      + options.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  static func view(_ schema: ModelSchema, _ random: inout ModelRandom) -> String? {
    guard let a = random.pick(schema.tables), let b = random.pick(schema.tables),
      let x = random.pick(a.columns), let y = random.pick(b.columns)
    else { return nil }
    let name = "v\(random.below(3))"
    return random.once(in: 2)
      ? "CREATE VIEW \(name) AS SELECT \(x.name) AS x, count(*) AS y FROM \(a.quoted) GROUP BY 1"
      : """
      CREATE VIEW \(name) AS SELECT a.\(x.name) AS x, b.\(y.name) AS y
      FROM \(a.quoted) AS a JOIN \(b.quoted) AS b ON a.\(x.name) = b.\(y.name)
      """
  }

  static func trigger(_ schema: ModelSchema, _ random: inout ModelRandom) -> String? {
    let name = "g\(random.below(5))"
    if random.once(in: 4), let view = random.pick(schema.views) {
      return """
        CREATE TRIGGER \(name) INSTEAD OF \(random.word("INSERT", "UPDATE")) ON \(view.quoted)
        BEGIN INSERT INTO audit (source, n) VALUES ('view', new.x); END
        """
    }
    guard let table = random.pick(schema.tables), !fixedNames.contains(table.name),
      let other = random.pick(schema.tables), let column = random.pick(other.writable),
      let own = random.pick(table.writable)
    else { return nil }
    let event = random.word("INSERT", "UPDATE", "DELETE", "UPDATE OF \(own)")
    let row = event == "DELETE" ? "old" : "new"
    let action = random.word(
      "INSERT INTO audit (source, n) VALUES ('trigger', \(row).\(own))",
      "UPDATE \(other.quoted) SET \(column) = \(row).\(own) WHERE \(column) IS NULL",
      "DELETE FROM \(other.quoted) WHERE \(column) = \(row).\(own)",
      "SELECT RAISE(\(random.word("IGNORE", "ABORT, 'no'", "FAIL, 'no'"))) WHERE \(row).\(own) = 5"
    )
    let time = random.word("AFTER", "BEFORE")
    return "CREATE TRIGGER \(name) \(time) \(event) ON \(table.quoted) BEGIN \(action); END"
  }

  /// Returns a statement that changes the schema.
  static func change(_ schema: ModelSchema, _ random: inout ModelRandom) -> String? {
    let names = Set(schema.tables.map(\.name))
    let spare = tableNames.filter { !names.contains(TableName($0)) }
    guard let table = random.pick(schema.tables), let column = random.pick(table.writable) else {
      return nil
    }
    let isFixed = fixedNames.contains(table.name)
    switch random.below(16) {
    case 0, 1, 2: return random.pick(spare).map { Self.table($0, &random) }
    case 3: return isFixed ? nil : "DROP TABLE \(table.quoted)"
    case 4, 5:
      let kind = random.word("", "INTEGER DEFAULT 3", "TEXT DEFAULT 'alpha'", "REAL DEFAULT 1")
      return "ALTER TABLE \(table.quoted) ADD COLUMN a\(random.below(4)) \(kind)"
    case 6:
      return isFixed
        ? nil : "ALTER TABLE \(table.quoted) RENAME COLUMN \(column) TO r\(random.below(4))"
    case 7:
      guard !isFixed, let name = random.pick(spare) else { return nil }
      return "ALTER TABLE \(table.quoted) RENAME TO \"\(name)\""
    case 8: return isFixed ? nil : "ALTER TABLE \(table.quoted) DROP COLUMN \(column)"
    case 9:
      return """
        CREATE \(random.maybe("UNIQUE", in: 4)) INDEX i\(random.below(4))
        ON \(table.quoted) (\(column)) \(random.maybe("WHERE \(column) IS NOT NULL"))
        """
    case 10: return "DROP INDEX i\(random.below(4))"
    case 11: return view(schema, &random)
    case 12: return random.pick(schema.views).map { "DROP VIEW \($0.quoted)" }
    case 13: return trigger(schema, &random)
    case 14: return "DROP TRIGGER g\(random.below(5))"
    default: return schema.hasText ? random.maybe("DROP TABLE ft", in: 3) : text
    }
  }
}

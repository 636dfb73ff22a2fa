import SQLSemantics
import SQLSyntax
import Testing

@Suite struct `A stored value` {
  private static let schema = """
    CREATE TABLE item (
      id INTEGER PRIMARY KEY, price INTEGER, weight REAL, name TEXT, data BLOB, done BOOLEAN,
      made INTEGER, -- AS Date
      tags TEXT, -- AS [String]
      total NUMERIC, any, born DATETIME);
    CREATE TABLE checked (price INTEGER, name TEXT, data BLOB) STRICT;
    CREATE VIEW priced AS SELECT id, price * 0.5 AS half, round(price * 0.5) AS whole FROM item;
    """

  /// Returns the warnings and errors of a statement, each with the text that it points at and its
  /// fix-it.
  private func findings(_ sql: String, _ schema: String = schema) -> [String] {
    let (_, diagnostics) = Database(schema).query("DEFINE QUERY q AS \(sql);")
    let text = Array("DEFINE QUERY q AS \(sql);".utf8)
    return diagnostics.map { diagnostic in
      let place = String(decoding: text[diagnostic.span.range], as: UTF8.self)
      return diagnostic.identity == .storageMismatch && diagnostic.severity == .warning
        ? "\(place) → \(diagnostic.fixIt?.replacement ?? "")" : diagnostic.message
    }
  }

  @Test(arguments: [
    ("price = price * 0.9", "price * 0.9 → CAST(round(price * 0.9) AS INTEGER)"),
    ("price = 1.5", "1.5 → "), ("price = 1e300", "1e300 → "), ("price = '1.5'", "'1.5' → "),
    ("price = weight", "weight → CAST(round(weight) AS INTEGER)"),
    ("price = total", "total → CAST(round(total) AS INTEGER)"),
    ("price = id / 2.0", "id / 2.0 → CAST(round(id / 2.0) AS INTEGER)"),
    ("price = round(weight, 2)", "round(weight, 2) → CAST(round(round(weight, 2)) AS INTEGER)"),
    ("price = julianday('now')", "julianday('now') → CAST(round(julianday('now')) AS INTEGER)"),
    (
      "price = coalesce(:x, CASE WHEN id > 1 THEN (weight + 1) ELSE 0 END)",
      "weight + 1 → CAST(round(weight + 1) AS INTEGER)"
    ),
    (
      "price = (SELECT avg(price) FROM item)",
      "(SELECT avg(price) FROM item) → "
        + "CAST(round((SELECT avg(price) FROM item)) AS INTEGER)"
    ),
    (
      "price = (SELECT half FROM priced)",
      "(SELECT half FROM priced) → "
        + "CAST(round((SELECT half FROM priced)) AS INTEGER)"
    ),
    ("price = 'none'", "'none' → "), ("price = ''", "'' → "),
    ("price = name", "name → CAST(name AS INTEGER)"),
    ("weight = name", "name → CAST(name AS REAL)"),
    ("price = datetime('now')", "datetime('now') → "),
    ("price = CURRENT_TIMESTAMP", "CURRENT_TIMESTAMP → unixepoch()"),
    ("made = CURRENT_TIMESTAMP", "CURRENT_TIMESTAMP → unixepoch()"),
    ("price = strftime('%Y-%m-%d', 'now')", "strftime('%Y-%m-%d', 'now') → "),
    ("done = 'true'", "'true' → TRUE"), ("done = 'f'", "'f' → FALSE"), ("done = 'x'", "'x' → "),
    ("done = 0.5", "0.5 → "), ("weight = 'heavy'", "'heavy' → "), ("total = 'much'", "'much' → "),
    ("price = x'00'", "x'00' → "), ("weight = data", "data → "), ("name = x'00'", "x'00' → "),
    ("name = randomblob(8)", "randomblob(8) → hex(randomblob(8))"),
    ("data = 'x'", "'x' → CAST('x' AS BLOB)"), ("data = 1", "1 → "),
    ("data = name", "name → CAST(name AS BLOB)"),
  ])
  func `that the column's affinity can't convert is a warning`(
    _ assignment: String, _ expected: String
  ) {
    #expect(findings("UPDATE item SET \(assignment)") == [expected])
    let parts = assignment.split(separator: " = ", maxSplits: 1)
    let insert = "INSERT INTO item (\(parts[0]))"
    #expect(findings("\(insert) SELECT \(parts[1]) FROM item") == [expected])
    #expect(
      findings("\(insert) VALUES (NULL) ON CONFLICT DO UPDATE SET \(assignment)") == [expected])
    #expect(findings("UPDATE item SET (name, \(parts[0])) = (name, \(parts[1]))") == [expected])
  }

  @Test(arguments: [
    "price = price * 2", "price = price + :x", "price = :x", "price = NULL",
    "price = '12'", "price = ' 12 '", "price = 2.0", "price = -3", "price = weight > 1",
    "price = round(price * 0.9)", "price = CAST(price * 0.9 AS INTEGER)",
    "price = round(weight, 0)",
    "price = floor(weight)", "price = CAST(weight AS INTEGER) + 1", "price = id / 2",
    "price = id % 7", "price = weight % 7", "price = coalesce(price, 0)", "price = length(name)",
    "price = sum(1)".replacing("sum(1)", with: "(SELECT sum(price) FROM item)"),
    "price = (SELECT round(avg(price)) FROM item)", "price = (SELECT whole FROM priced)",
    "price = (WITH c(x) AS (SELECT round(weight) FROM item) SELECT x FROM c)",
    "price = strftime('%s', 'now')", "price = unixepoch()", "price = strftime(:f, 'now')",
    "price = substr(name, 1, 4)", "price = any", "price = born", "price = total > 1",
    "price = name || ''", "price = any * 2", "price = abs(price)", "price = max(price, 1)",
    "made = weight", "made = julianday('now')", "weight = 1", "weight = price", "weight = '1.5'",
    "total = 1.5", "total = weight", "name = 1", "name = 1.5", "name = price", "name = hex(data)",
    "name = date('now')", "data = x'00'", "data = zeroblob(9)", "data = any",
    "data = CAST(name AS BLOB)", "done = TRUE", "done = price > 1", "done = NOT done", "done = 1",
    "tags = data", "any = 1.5", "any = 'x'", "born = CURRENT_TIMESTAMP", "born = 1.5",
    "id = 1.5",
  ])
  func `that can be read is no warning`(_ assignment: String) {
    #expect(findings("UPDATE item SET \(assignment)") == [])
    let parts = assignment.split(separator: " = ", maxSplits: 1)
    #expect(findings("INSERT INTO item (\(parts[0])) SELECT \(parts[1]) FROM item") == [])
  }

  @Test func `in a STRICT table is checked by SQLite`() {
    #expect(findings("UPDATE checked SET price = price * 0.5, name = x'00', data = 'x'") == [])
  }

  @Test func `is checked in each row and arm of an INSERT`() {
    #expect(
      findings("INSERT INTO item (price, name) VALUES (1, 2), (1.5, 'a'), (2, x'00')")
        == ["1.5 → ", "x'00' → "])
    #expect(
      findings("INSERT INTO item (price) SELECT 1 UNION ALL SELECT weight FROM item")
        == ["weight → CAST(round(weight) AS INTEGER)"])
    #expect(findings("INSERT INTO item SELECT * FROM item") == [])
    #expect(findings("INSERT INTO item (price) VALUES (2) RETURNING price * 0.5") == [])
  }

  @Test(arguments: [
    ("price INTEGER DEFAULT 1.5", "1.5 → "), ("price INTEGER DEFAULT ''", "'' → "),
    ("made INTEGER DEFAULT CURRENT_TIMESTAMP", "CURRENT_TIMESTAMP → (unixepoch())"),
    ("made INTEGER DEFAULT (datetime('now'))", "datetime('now') → "),
    ("done BOOLEAN DEFAULT 'false'", "'false' → FALSE"), ("data BLOB DEFAULT ''", "'' → "),
    ("name TEXT DEFAULT x''", "x'' → "), ("price INTEGER DEFAULT none", "none → "),
  ])
  func `that is a default is a warning where it is defined`(_ column: String, _ expected: String) {
    for schema in [
      "CREATE TABLE t (a, \(column));", "CREATE TABLE t (a); ALTER TABLE t ADD COLUMN \(column);",
    ] {
      let warnings = Database(schema).diagnostics.diagnostics.filter {
        $0.identity == .storageMismatch
      }
      let text = Array(schema.utf8)
      #expect(
        warnings.map {
          String(decoding: text[$0.span.range], as: UTF8.self) + " → "
            + ($0.fixIt?.replacement ?? "")
        } == [expected], "\(schema)")
    }
  }

  @Test(arguments: [
    "price INTEGER DEFAULT 0", "price INTEGER DEFAULT '0'", "price INTEGER DEFAULT -1",
    "done BOOLEAN DEFAULT false", "done BOOLEAN NOT NULL DEFAULT TRUE", "weight REAL DEFAULT 0",
    "name TEXT DEFAULT CURRENT_TIMESTAMP", "name TEXT DEFAULT 0", "a INTEGER DEFAULT (unixepoch())",
    "a INTEGER DEFAULT (strftime('%s', 'now'))", "born DATETIME DEFAULT CURRENT_TIMESTAMP",
    "data BLOB DEFAULT x''", "data BLOB DEFAULT NULL", "a DEFAULT 'x'",
  ])
  func `that is a default and can be read is no warning`(_ column: String) {
    #expect(Database("CREATE TABLE t (z, \(column));").diagnostics.diagnostics.isEmpty)
  }

  @Test func `that a trigger or migration writes is a warning`() {
    var database = Database(Self.schema)
    database.apply(
      """
      CREATE TRIGGER r AFTER INSERT ON item BEGIN
        UPDATE item SET price = new.weight WHERE id = new.id;
        INSERT INTO missing VALUES (1.5);
      END;
      UPDATE item SET price = 0.5;
      """)
    #expect(
      database.diagnostics.diagnostics.map(\.identity) == [.storageMismatch, .storageMismatch])
    #expect(!database.diagnostics.hasErrors)
    database.apply("DROP TRIGGER r; CREATE TABLE missing (price INTEGER);")
    database.apply(
      "CREATE TRIGGER r AFTER INSERT ON item BEGIN INSERT INTO missing VALUES (1.5); END;")
    #expect(database.diagnostics.diagnostics.count == 3)
    // The trigger is not an error of the statements that fire it, nor is its warning repeated.
    let (definition, diagnostics) = database.query(
      "DEFINE QUERY q AS INSERT INTO item (name) VALUES (?);")
    #expect(definition != nil && diagnostics.isEmpty)
    #expect(database.catalog.verify() == [])
    database.apply("ALTER TABLE missing RENAME COLUMN price TO cost;")
    #expect(!database.diagnostics.hasErrors)
  }
}

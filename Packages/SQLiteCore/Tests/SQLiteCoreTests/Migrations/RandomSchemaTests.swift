import Foundation
import SQLiteCore
import Testing

/// A random schema with a few names, so that two schemas have much in common.
private struct RandomSchema {
  private(set) var sql = ""
  private(set) var columns: [String: [String]] = [:]

  init(_ random: inout SeededGenerator) {
    let tables = ["t0", "t1", "t2"].filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
    for table in tables {
      var items = [Self.key(&random)]
      var names: [String] = []
      var wanted = ["c0", "c1", "c2", "c3", "c4"]
      if Int.random(in: 0..<4, using: &random) == 0 { wanted.shuffle(using: &random) }
      for column in wanted {
        guard Bool.random(using: &random) else { continue }
        names.append(column)
        items.append(Self.column(column, &random))
      }
      if let parent = tables.randomElement(using: &random),
        Int.random(in: 0..<4, using: &random) == 0
      {
        let action = ["", " ON DELETE CASCADE", " DEFERRABLE INITIALLY DEFERRED"]
        items.append(
          "parent INTEGER REFERENCES \(parent)\(action.randomElement(using: &random) ?? "")")
      }
      if let first = names.first, Int.random(in: 0..<5, using: &random) == 0 {
        items.append("g AS (\(first) || 'x')\(Bool.random(using: &random) ? " STORED" : "")")
      }
      if let first = names.first, Int.random(in: 0..<4, using: &random) == 0 {
        items.append("CHECK (\(first) IS NOT 'nonsense')")
      }
      let isCounted = items[0].contains("AUTOINCREMENT")
      let end = !isCounted && Int.random(in: 0..<5, using: &random) == 0 ? " WITHOUT ROWID" : ""
      sql += "CREATE TABLE \(table) (\(items.joined(separator: ", ")))\(end);\n"
      columns[table] = names
      addCompany(table, names, &random)
    }
  }

  private static func key(_ random: inout SeededGenerator) -> String {
    let keys = [
      "id INTEGER PRIMARY KEY", "id INTEGER PRIMARY KEY", "id INTEGER PRIMARY KEY",
      "id INTEGER PRIMARY KEY AUTOINCREMENT",
      "id INTEGER NOT NULL PRIMARY KEY",
    ]
    return keys.randomElement(using: &random) ?? ""
  }

  private static func column(_ name: String, _ random: inout SeededGenerator) -> String {
    // Often the same, so that only a part changes.
    if Int.random(in: 0..<3, using: &random) > 0 { return name }
    let type = ["", "INTEGER", "TEXT", "NUMERIC", "INT"].randomElement(using: &random) ?? ""
    let traits = [
      "", "", "", "NOT NULL DEFAULT 1", "DEFAULT 'a'", "DEFAULT (1 + 1)", "UNIQUE",
      "COLLATE NOCASE",
      "CHECK (\(name) IS NOT 'bad')",
    ]
    return "\(name) \(type) \(traits.randomElement(using: &random) ?? "")"
  }

  private mutating func addCompany(
    _ table: String, _ names: [String], _ random: inout SeededGenerator
  ) {
    guard let column = names.randomElement(using: &random) else { return }
    if Bool.random(using: &random) {
      let order = Bool.random(using: &random) ? " DESC" : ""
      sql += "CREATE INDEX i_\(table) ON \(table) (\(column)\(order));\n"
    }
    if Bool.random(using: &random) {
      sql += "CREATE VIEW v_\(table) AS SELECT id, \(column) FROM \(table);\n"
    }
    if Bool.random(using: &random) {
      let event = ["INSERT", "DELETE", "UPDATE OF \(column)"].randomElement(using: &random) ?? ""
      sql += """
        CREATE TRIGGER g_\(table) AFTER \(event) ON \(table) BEGIN
          SELECT \(column) FROM \(table);
        END;\n
        """
    }
    if Int.random(in: 0..<4, using: &random) == 0, !sql.hasSuffix("WITHOUT ROWID;\n") {
      sql += "CREATE VIRTUAL TABLE f_\(table) USING fts5(\(column));\n"
    }
  }

  /// Rows that satisfy every constraint of every schema.
  func fill(_ db: Connection) throws {
    for (table, names) in columns.sorted(by: { $0.key < $1.key }) {
      for id in [1, 5, 9] {
        let values = ["\(id)"] + names.indices.map { "\(id * 10 + $0)" }
        try db.run(
          "INSERT INTO \(unsafe: table) (\(unsafe: (["id"] + names).joined(separator: ", "))) VALUES (\(unsafe: values.joined(separator: ", ")))"
        )
      }
    }
  }

  func rows(_ db: Connection, _ table: String, _ names: [String]) throws -> [[SQLiteValue]] {
    let list = (["id"] + names).map { "CAST(\($0) AS TEXT)" }.joined(separator: ", ")
    return try db.rows("SELECT \(unsafe: list) FROM \(unsafe: table) ORDER BY id")
  }
}

@Suite struct `Any two schemas` {
  static let seeds: Range<UInt64> =
    ProcessInfo.processInfo.environment["HOLT_CORPORA"] == "all" ? 1..<1_501 : 1..<13

  @Test func `can be converted to each other, and common columns keep their values`() throws {
    var kinds: Set<SchemaDiff.Step.Kind> = []
    for seed in Self.seeds {
      var random = SeededGenerator(seed: seed)
      let (a, b) = (RandomSchema(&random), RandomSchema(&random))
      let target = try DatabaseSchema(sql: SQL(unsafe: b.sql))
      let db = try memory(SQL(unsafe: a.sql))
      try a.fill(db)
      var kept: [String: [[SQLiteValue]]] = [:]
      func common(_ table: String) -> [String] {
        (a.columns[table] ?? []).filter { b.columns[table]?.contains($0) ?? false }
      }
      let tables = a.columns.keys.filter { b.columns[$0] != nil }
      for table in tables { kept[table] = try a.rows(db, table, common(table)) }
      do {
        let diff = try SchemaDiff(from: db.databaseSchema(), to: target)
        try db.apply(diff, allowing: .everything)
        kinds.formUnion(diff.steps.map(\.kind))
      } catch {
        Issue.record("seed \(seed): \(error)\n\(a.sql)\n→\n\(b.sql)")
        continue
      }
      let reached = try db.databaseSchema()
      #expect(reached.isEquivalent(to: target), "seed \(seed)")
      #expect(try SchemaDiff(from: reached, to: target).isEmpty, "seed \(seed)")
      for table in target.tables where table.kind == .table {
        let name = table.name.name
        #expect(try facts(db, name) == facts(memory(SQL(unsafe: b.sql)), name), "seed \(seed)")
      }
      for table in tables {
        #expect(try a.rows(db, table, common(table)) == kept[table], "seed \(seed)")
      }
      #expect(try db.value(String.self, "PRAGMA integrity_check") == "ok", "seed \(seed)")
      #expect(!db.isInTransaction)
    }
    #expect(kinds.count >= 10, "\(kinds)")
  }

  /// SQLite's own description of a table, without its statement.
  private func facts(_ db: Connection, _ table: String) throws -> [[SQLiteValue]] {
    try db.rows(
      "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo('\(unsafe: table)')"
    )
      + db.rows(
        "SELECT \"table\", \"from\", \"to\", on_delete FROM pragma_foreign_key_list('\(unsafe: table)') ORDER BY 1, 2"
      )
      + db.rows(
        """
        SELECT l."unique", l.origin, l.partial, x.name, x."desc", x.coll
        FROM pragma_index_list('\(unsafe: table)') AS l, pragma_index_xinfo(l.name) AS x ORDER BY 2, 4
        """)
  }
}

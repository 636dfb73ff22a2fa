import QueryGenDatabase
import QueryGenDriver
import QueryGenTestSupport
import Testing

@Suite struct `Plans of views` {
  struct Case: CustomTestStringConvertible, Sendable {
    var view: String
    var query: String
    var rule: String?
    var index: String?
    var testDescription: String { "\(query) -- \(view)" }

    init(_ view: String, _ query: String, _ rule: String?, index: String? = nil) {
      self.view = view
      self.query = query
      self.rule = rule
      self.index = index
    }
  }

  @Test(arguments: [
    Case(
      "CREATE VIEW v AS SELECT * FROM event", "SELECT * FROM v WHERE kind = :kind", "full-scan",
      index: "event (kind)"),
    Case(
      "CREATE VIEW v AS SELECT e.kind AS k, day FROM event AS e",
      "SELECT * FROM v AS w WHERE w.k = :kind AND day > :day", "full-scan",
      index: "event (kind, day)"),
    Case(
      "CREATE VIEW v (a, b) AS SELECT id, kind FROM event",
      "SELECT a FROM v WHERE b IN :kinds", "full-scan", index: "event (kind)"),
    Case(
      "CREATE VIEW v AS SELECT event.*, author.name FROM event JOIN author ON author.id = day",
      "SELECT * FROM v WHERE kind = :kind", "full-scan", index: "event (kind)"),
    Case(
      "CREATE VIEW v AS SELECT kind, day FROM event WHERE day > 1",
      "SELECT * FROM v WHERE kind = :kind", "full-scan", index: "event (kind, day)"),
    Case(
      "CREATE VIEW v AS SELECT kind, count(*) AS n FROM event GROUP BY kind",
      "SELECT * FROM v WHERE kind = :kind", "full-scan", index: "event (kind)"),
    Case(
      "CREATE VIEW v AS SELECT kind, day FROM event UNION ALL SELECT title, year FROM book",
      "SELECT * FROM v WHERE kind = :kind", "full-scan", index: "event (kind)"),
    Case(
      "CREATE VIEW u AS SELECT kind AS k FROM event; CREATE VIEW v AS SELECT k AS kk FROM u",
      "SELECT * FROM v WHERE kk = :kind", "full-scan", index: "event (kind)"),
    Case(
      "CREATE VIEW v AS SELECT title AS t, year FROM book", "SELECT * FROM v WHERE t LIKE :prefix",
      "like-without-index", index: "book (title COLLATE NOCASE)"),
    Case(
      "CREATE VIEW v AS SELECT title, year AS y FROM book", "SELECT * FROM v ORDER BY y",
      "sort-without-index", index: "book (year)"),
    Case(
      "CREATE VIEW v AS SELECT title, year AS y FROM book",
      "SELECT name FROM author JOIN v ON y > name", "scan-in-join", index: "book (year)"),
    Case(
      "CREATE VIEW v AS SELECT * FROM event", "SELECT * FROM v WHERE length(kind) = 1",
      "full-scan"),
    Case("CREATE VIEW v AS SELECT * FROM event", "SELECT * FROM v ORDER BY id LIMIT 10", nil),
    Case("CREATE VIEW v AS SELECT * FROM event", "SELECT * FROM v WHERE id = :id", nil),
    Case("CREATE VIEW v AS SELECT * FROM author", "SELECT * FROM v WHERE name = :name", nil),
  ])
  func `have an index for conditions on their columns`(_ expected: Case) throws {
    let workspace = try Workspace.planned("q:\n\(expected.query);")
    try workspace.write(expected.view + ";", to: "Migrations/002.sql")
    let diagnostics = workspace.checkPlans().diagnostics
    let diagnostic = diagnostics.first { $0.identity == expected.rule }
    #expect(
      Set(diagnostics.map(\.identity)) == Set([expected.rule].compactMap(\.self)),
      "\(diagnostics.map(\.message))")
    let index = diagnostics.compactMap(\.proposedIndex).first
    #expect(
      index.map { String($0.split(separator: " ON ", maxSplits: 1)[1]) } == expected.index)
    if let diagnostic {
      #expect(diagnostic.place?.line == 2)
      #expect(
        diagnostic.notes.contains {
          $0.message.contains("in the view `") && $0.message.contains("002.sql, line 1")
        })
    }
    guard let index else { return }
    try workspace.write(index + ";", to: "Migrations/003.sql")
    let rest = workspace.checkPlans().diagnostics
    #expect(!rest.contains { $0.proposedIndex == index })
  }
}

@Suite struct `Plans of triggers` {
  private func workspace(_ trigger: String, _ query: String) throws -> Workspace {
    let workspace = try Workspace.planned("q: \(query);")
    try workspace.write(trigger, to: "Migrations/002.sql")
    return workspace
  }

  @Test(arguments: [
    (
      "UPDATE event SET day = 1 WHERE kind = NEW.name;", "full-scan",
      "event", "CREATE INDEX event_kind ON event (kind)"
    ),
    ("UPDATE event SET day = 1;", "full-scan", "event", nil),
    (
      "INSERT INTO author (name) SELECT a.name FROM author AS a JOIN book AS b ON b.title > a.name "
        + "WHERE NEW.id > 1;", "scan-in-join", "book AS b",
      "CREATE INDEX book_title ON book (title)"
    ),
    (
      "SELECT RAISE(ABORT, 'no (') WHERE EXISTS (SELECT 1 FROM event WHERE kind = OLD.name);",
      "full-scan", "event", "CREATE INDEX event_kind ON event (kind)"
    ),
  ])
  func `are reported at the trigger's statement`(
    _ body: String, _ rule: String, _ place: String, _ index: String?
  ) throws {
    let text = "CREATE TRIGGER IF NOT EXISTS t AFTER UPDATE ON author BEGIN\n  \(body)\nEND;\n"
    let workspace = try workspace(text, "UPDATE author SET name = :name WHERE id = :id")
    let diagnostics = workspace.checkPlans().diagnostics
    #expect(diagnostics.map(\.identity) == [rule])
    let diagnostic = try #require(diagnostics.first)
    #expect(diagnostic.file.hasSuffix("Migrations/002.sql"))
    let found = try #require(diagnostic.place)
    #expect(found.line == 2)
    #expect(
      String(decoding: Array(text.utf8)[found.offset..<found.offset + found.length], as: UTF8.self)
        == place)
    #expect(diagnostic.proposedIndex == index)
  }

  @Test(arguments: [
    "SELECT name FROM author WHERE id = :id", "DELETE FROM author WHERE id = :id",
    "UPDATE author SET city = :city WHERE id = :id",
  ])
  func `are not reported if no query fires the trigger`(_ query: String) throws {
    let workspace = try workspace(
      "CREATE TRIGGER t AFTER UPDATE OF name ON author BEGIN UPDATE event SET day = 1; END;", query)
    #expect(workspace.planIdentities() == [])
  }

  @Test func `include those that other triggers fire`() throws {
    let workspace = try workspace(
      """
      CREATE TRIGGER a AFTER UPDATE ON author BEGIN DELETE FROM book WHERE author = NEW.id; END;
      CREATE TRIGGER b AFTER DELETE ON book BEGIN DELETE FROM event WHERE kind = OLD.title; END;
      """, "UPDATE author SET name = :name WHERE id = :id")
    #expect(workspace.planIdentities() == ["full-scan"])
  }

  @Test func `use indexes that fit the affinity of the changed row`() throws {
    let workspace = try workspace(
      """
      CREATE INDEX event_kind ON event (kind);
      CREATE TRIGGER a AFTER UPDATE ON author BEGIN
        DELETE FROM event WHERE kind = NEW.name;
        DELETE FROM event WHERE kind = NEW.id;
      END;
      """, "UPDATE author SET name = :name WHERE id = :id")
    let diagnostics = workspace.checkPlans().diagnostics
    #expect(diagnostics.map { $0.place?.line } == [4])
  }

  @Test func `are at the name of a trigger that was changed since`() throws {
    let workspace = try workspace(
      """
      CREATE TRIGGER a AFTER UPDATE ON author BEGIN DELETE FROM event WHERE kind = NEW.name; END;
      ALTER TABLE event RENAME TO incident;
      """, "UPDATE author SET name = :name WHERE id = :id")
    try workspace.write("plans: { rows: { incident: 1000000 } }", to: "querygen.yaml")
    let diagnostic = try #require(workspace.checkPlans().diagnostics.first)
    #expect(diagnostic.identity == "full-scan")
    #expect(diagnostic.place?.line == 1)
    #expect(diagnostic.place?.length == 1)
  }

  @Test func `can be allowed above the trigger`() throws {
    let workspace = try workspace(
      """
      -- plan: allow full-scan
      CREATE TRIGGER a AFTER UPDATE ON author BEGIN UPDATE event SET day = 1; END;
      """, "UPDATE author SET name = :name WHERE id = :id")
    #expect(workspace.planIdentities() == [])
  }
}

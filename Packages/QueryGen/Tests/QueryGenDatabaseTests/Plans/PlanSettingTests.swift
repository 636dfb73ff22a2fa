import QueryGenDatabase
import QueryGenDriver
import QueryGenTestSupport
import SQLiteCore
import Testing

@Suite struct `Rules for plans` {
  private static let scan = "q: SELECT * FROM event WHERE kind = :kind;"

  @Test(arguments: [
    "-- plan: allow full-scan\n", "/* plan: allow full-scan */\n",
    "-- All events.\n-- plan: allow full-scan\n",
  ])
  func `are silenced by a comment above the query`(_ comment: String) throws {
    let workspace = try Workspace.planned(comment + Self.scan)
    #expect(workspace.planIdentities() == [])
    #expect(workspace.driver.check().report == "")
  }

  @Test func `are silenced in the configuration`() throws {
    for silenced in ["allow: [full-scan]", "queries: { q: [full-scan] }"] {
      let workspace = try Workspace.planned(
        Self.scan, configuration: "plans: { rows: { event: 1000000 }, \(silenced) }")
      #expect(workspace.planIdentities() == [])
    }
    let other = try Workspace.planned(
      Self.scan + " r: SELECT 1;",
      configuration: "plans: { rows: { event: 1000000 }, queries: { r: [full-scan] } }")
    #expect(other.planIdentities() == ["full-scan"])
  }

  @Test func `are silenced for one query only`() throws {
    let workspace = try Workspace.planned(
      "-- plan: allow full-scan\na: SELECT nope FROM event;\n" + Self.scan)
    #expect(workspace.driver.check().errorCount == 1)
    try workspace.write(
      "-- plan: allow full-scan\na: SELECT * FROM event;\n" + Self.scan, to: "Queries/Q.sql")
    #expect(workspace.planIdentities() == ["full-scan"])
  }

  @Test func `about the schema are silenced above the statement`() throws {
    let workspace = try Workspace.planned("a: SELECT * FROM author WHERE id = :id;")
    try workspace.write(
      "-- plan: allow unused-index\nCREATE INDEX i ON author (city);", to: "Migrations/002.sql")
    #expect(workspace.planIdentities() == [])
    try workspace.write(
      "CREATE INDEX i ON author (city);\n-- plan: allow unused-index\nCREATE TABLE t (a);",
      to: "Migrations/002.sql")
    #expect(Set(workspace.planIdentities()) == ["unused-index", "unneeded-allowance"])
  }

  @Test func `must be silenced for a reason`() throws {
    let workspace = try Workspace.planned(
      "-- plan: allow full-scan, offset-paging\nq: SELECT * FROM event WHERE id = :id;")
    let diagnostics = workspace.checkPlans().diagnostics
    #expect(diagnostics.map(\.identity) == ["unneeded-allowance", "unneeded-allowance"])
    #expect(diagnostics.map { $0.place?.offset } == [15, 26])
  }

  @Test func `must exist to be silenced`() throws {
    let workspace = try Workspace.planned("-- plan: allow full-scam\n" + Self.scan)
    let diagnostics = workspace.checkPlans().diagnostics
    #expect(Set(diagnostics.map(\.identity)) == ["malformed-annotation", "full-scan"])
    #expect(
      diagnostics.first { $0.identity == "malformed-annotation" }?.message
        == "there is no rule `full-scam` for plans; did you mean `full-scan`?")
    let file = try Workspace.planned(Self.scan, configuration: "plans: { allow: [full-scam] }")
    #expect(file.planIdentities() == ["unknown-key"])
  }

  @Test func `treat every table as small without statistics`() throws {
    let workspace = try Workspace.planned(Self.scan, configuration: "")
    #expect(workspace.planIdentities() == [])
    let known = try Workspace.planned(
      Self.scan, configuration: "plans: { rows: { event: 10000 } }")
    #expect(known.planIdentities() == [])
  }

  @Test func `use the statistics of a database`() throws {
    let workspace = try Workspace.planned(
      Self.scan, configuration: "plans: { statistics: app.sqlite }")
    let database = try workspace.database()
    try workspace.execute(
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000)
      INSERT INTO event (kind) SELECT i % 10 FROM n;
      INSERT INTO author (id, name) VALUES (1, 'a');
      INSERT INTO book (id, author, title) VALUES (1, 1, 'a');
      CREATE TABLE elsewhere (a); INSERT INTO elsewhere VALUES (1);
      ANALYZE
      """, on: database)
    let diagnostics = workspace.checkPlans().diagnostics
    #expect(diagnostics.map(\.identity) == ["full-scan"])
    #expect(diagnostics.first?.message == "all 20000 rows of `event` are read")
    try workspace.execute("DROP TABLE sqlite_stat1", on: database)
    #expect(workspace.planIdentities() == [])
  }

  @Test func `report statistics that can't be read`() throws {
    let workspace = try Workspace.planned(
      Self.scan, configuration: "plans: { statistics: none.sqlite }")
    let diagnostics = workspace.checkPlans().diagnostics
    #expect(diagnostics.map(\.identity) == ["unknown-plan"])
    #expect(diagnostics.first?.file.hasSuffix("querygen.yaml") == true)
  }

  @Test func `report migrations and statements that SQLite rejects`() throws {
    let migration = try Workspace.planned("q: SELECT 1;")
    try migration.write("INSERT INTO book (title) SELECT NULL;", to: "Migrations/002.sql")
    let failed = migration.checkPlans().diagnostics
    let failure = failed.first { $0.identity == "unknown-plan" }
    #expect(failure?.file.hasSuffix("Migrations/002.sql") == true)
    let query = try Workspace.planned(
      "q: SELECT concat(:a, :b) AS x;", configuration: "sqlite: 3.44")
    if SQLiteLibrary.versionNumber < 3_044_000 {
      #expect(query.planIdentities() == ["unknown-plan"])
    }
  }

  @Test func `apply to every combination of a query's parts`() throws {
    let workspace = try Workspace.planned(
      """
      -- order: :sort = title, author
      q: SELECT * FROM book
      WHERE author > 0
        -- if :year
        AND year = :year
        -- if :ids
        AND id IN :ids
      ORDER BY :sort, id;
      """)
    let outcome = workspace.checkPlans(locks: true)
    #expect(outcome.planCount == 6)
    let lock = try workspace.read("plans.lock")
    let names = lock.split(separator: "\n").dropFirst(2).map { $0.prefix { $0 != ":" } }
    #expect(
      names == [
        "q", "q [year]", "q [ids]", "q [year, ids]", "q [year, ids, sort = title]",
        "q [year, ids, sort = author]",
      ])
  }

  @Test func `apply to filters`() throws {
    let workspace = try Workspace.planned(
      """
      -- filter: :matching = kind, day
      q: SELECT * FROM event WHERE id > 1 AND :matching;
      """)
    let lock = workspace.checkPlans(locks: true)
    #expect(lock.planCount == 3)
    #expect(try workspace.read("plans.lock").contains("q [matching = kind]: SEARCH event"))
  }
}

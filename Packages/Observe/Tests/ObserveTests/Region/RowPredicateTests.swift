import Foundation
import SQLiteCore
import Testing

@testable import Observe

@Suite struct `Row predicates` {
  static let name = Region.RowPredicate.column("team", equals: 7) && .column("score", .greater, 100)

  @Test func `are equal in any order, and do not grow by duplicates`() {
    let a = Region.RowPredicate.column("a", equals: 1), b = Region.RowPredicate.isNull("b")
    #expect((a && b) == (b && a))
    #expect((a || b).hashValue == (b || a).hashValue)
    #expect((a || a) == a)
    #expect((a && a) == a)
    #expect(!(!a) == a)
    #expect((a || .column("A", equals: 2)) == .column("a", in: [2, 1]))
    #expect((Region.RowPredicate.rowIDs([1]) || .rowIDs([2])) == .rowIDs([2, 1]))
    #expect((a || b || a).size == (a || b).size)
  }

  @Test func `print as SQL`() {
    #expect(Self.name.description == #"("score" > 100) AND ("team" = 7)"#)
    #expect(Region.RowPredicate.column("a", in: [2, "x"]).description == #""a" IN ('x', 2)"#)
    #expect((!Region.RowPredicate.isNull("a")).description == #"NOT ("a" IS NULL)"#)
    #expect(Region.RowPredicate.rowIDs([3, 1]).description == "rowid IN (1, 3)")
    #expect(
      Region.rows(of: "player", where: .column("team", equals: 7), reading: ["name"]).description
        == #"player(name, team) where "team" = 7"#)
  }

  @Test func `form unions that hold if either holds`() {
    let region = Region.rows(of: "t", where: .column("a", equals: 1), reading: ["x"])
      .union(.rows(of: "T", where: .column("a", equals: 2), reading: ["y"]))
    #expect(
      region == .rows(of: "t", where: .column("a", in: [1, 2]), reading: ["x", "y", "a"]))
    #expect(region.union(region) == region)
    #expect(region.union(.columns("t", ["z"])) == .columns("t", ["x", "y", "a", "z"]))
    #expect(region.union(.table("t")) == .table("t"))
    #expect(region.union(.everything) == .everything)
  }

  @Test func `are dropped when they grow too large, so that all rows matter`() {
    var region = Region.nothing
    for value in Int64(0)..<1_000 {
      region = region.union(
        .rows(of: "t", where: .column("a", equals: .integer(value)), reading: ["x"]))
    }
    #expect(region == .columns("t", ["a", "x"]))
    let many = Region.rows(of: "t", where: .rowIDs((0..<10_000).map { RowID(rawValue: Int64($0)) }))
    #expect(many != .table("t"))
  }

  @Test func `compare with NaN as SQLite compares with NULL`() throws {
    let connection = try Connection.inMemory()
    for type in ["", "INTEGER", "REAL", "TEXT", "NUMERIC", "BLOB"] {
      try connection.execute(
        """
        DROP TABLE IF EXISTS t; CREATE TABLE t (a \(unsafe: type));
        INSERT INTO t VALUES (NULL), (0), (7), (1.5), (-9e18), ('a'), ('nan'), (x'00')
        """)
      let layout = try #require(
        ChangeSet.TableLayout(try connection.columns(of: "t"), isWithoutRowID: false))
      let nan = SQLiteValue.real(.nan)
      var predicates = Region.RowPredicate.Comparison.allCases.map {
        Region.RowPredicate.column("a", $0, nan)
      }
      predicates += [.column("a", in: [nan]), .column("a", in: [nan, 7])]
      predicates += predicates.map { !$0 }
      for predicate in predicates {
        var bound: [SQLiteValue] = []
        let sql = `Row predicates, evaluated natively`.sql(predicate.term, &bound)
        for row in try connection.rows("SELECT a, \(unsafe: sql) FROM t", values: bound) {
          let outcomes = predicate.outcomes(
            for: RowImage(key: .rowID(1), values: [row[0]], isOld: false, layout: layout))
          let truth: Region.RowPredicate.Outcomes =
            row[1].isNull ? .isNull : row[1] == 0 ? .isFalse : .isTrue
          #expect(outcomes.contains(truth), "\(predicate) of \(row[0]) in \(type)")
          if row[1].isNull {
            #expect(outcomes == .isNull, "\(predicate) of \(row[0]) in \(type)")
          }
        }
      }
    }
  }

  // MARK: Changes

  struct Case: CustomTestStringConvertible, Sendable {
    let rule: String
    let sql: String
    let matters: Bool

    var testDescription: String { rule }
  }

  static let schema = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, team, score INTEGER, name TEXT, note TEXT,
      double AS (score * 2));
    INSERT INTO t (id, team, score, name) VALUES (1, 7, 150, 'Ada'), (2, 7, 50, 'Bob'),
      (3, 8, 500, 'Eve'), (4, NULL, 500, 'Nil');
    """

  @Test(arguments: [
    Case(rule: "a row that is read", sql: "UPDATE t SET name = 'x' WHERE id = 1", matters: true),
    Case(
      rule: "a column that is not read", sql: "UPDATE t SET note = 'x' WHERE id = 1",
      matters: false),
    Case(rule: "another row", sql: "UPDATE t SET name = 'x' WHERE id > 1", matters: false),
    Case(
      rule: "a row that enters the region", sql: "UPDATE t SET score = 101 WHERE id = 2",
      matters: true),
    Case(
      rule: "a row that leaves the region", sql: "UPDATE t SET team = 8 WHERE id = 1",
      matters: true),
    Case(
      rule: "a compared column of a row that stays", sql: "UPDATE t SET score = 151 WHERE id = 1",
      matters: true),
    Case(
      rule: "a compared column of a row outside", sql: "UPDATE t SET score = 99 WHERE id = 2",
      matters: false),
    Case(rule: "a row inserted", sql: "INSERT INTO t (team, score) VALUES (7, 101)", matters: true),
    Case(
      rule: "a row inserted elsewhere", sql: "INSERT INTO t (team, score) VALUES (7, 100)",
      matters: false),
    Case(rule: "a row deleted", sql: "DELETE FROM t WHERE id = 1", matters: true),
    Case(rule: "a row deleted elsewhere", sql: "DELETE FROM t WHERE id > 1", matters: false),
    Case(
      rule: "a row with NULL", sql: "UPDATE t SET name = 'x' WHERE team IS NULL", matters: false),
    Case(rule: "a key that changes", sql: "UPDATE t SET id = 9 WHERE id = 1", matters: true),
    Case(rule: "a key elsewhere", sql: "UPDATE t SET id = 9 WHERE id = 3", matters: false),
    Case(
      rule: "one of several rows",
      sql: "BEGIN; DELETE FROM t WHERE id > 1; UPDATE t SET name = 'x'; COMMIT", matters: true),
    Case(
      rule: "a rolled back change",
      sql: "BEGIN; DELETE FROM t; ROLLBACK; DELETE FROM t WHERE id = 3", matters: false),
    Case(
      rule: "more rows than are recorded",
      sql: """
        WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        INSERT INTO t (id, team) SELECT i, 9 FROM n
        """, matters: true),
    Case(rule: "the schema", sql: "CREATE INDEX i ON t (team)", matters: true),
  ])
  func `decide whether a commit matters:`(_ each: Case) async throws {
    try await withDatabase(.file, Self.schema) { database in
      let region = Region.rows(of: "T", where: Self.name, reading: ["name"])
      let changes = try #require(try await database.recording(each.sql))
      #expect(region.overlaps(changes) == each.matters)
    }
  }

  @Test func `treat a computed column as possibly changed`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let changes = try #require(
        try await database.recording("UPDATE t SET note = 'x' WHERE id = 1"))
      let one = Region.RowPredicate.column("id", equals: 1),
        other = Region.RowPredicate.column("id", equals: 2)
      #expect(Region.rows(of: "t", where: one, reading: ["double"]).overlaps(changes))
      #expect(!Region.rows(of: "t", where: other, reading: ["double"]).overlaps(changes))
      let computed = Region.RowPredicate.column("double", equals: 3)
      #expect(Region.rows(of: "t", where: computed, reading: ["name"]).overlaps(changes))
      let unknown = Region.RowPredicate.column("nowhere", equals: 3)
      #expect(Region.rows(of: "t", where: unknown).overlaps(changes))
    }
  }

  @Test func `identify rows by their rowids, if there are any`() async throws {
    let schema = "\(Self.schema); CREATE TABLE w (k PRIMARY KEY, v) WITHOUT ROWID"
    try await withDatabase(.file, schema) { database in
      let update = try #require(
        try await database.recording("UPDATE t SET name = 'x' WHERE id = 3"))
      #expect(Region.rows(of: "t", where: .rowIDs([1, 3])).overlaps(update))
      #expect(!Region.rows(of: "t", where: .rowIDs([1, 2])).overlaps(update))
      #expect(Region.rows(of: "t", where: !.rowIDs([1, 2])).overlaps(update))
      let insert = try #require(try await database.recording("INSERT INTO w VALUES ('a', 1)"))
      #expect(Region.rows(of: "w", where: .rowIDs([1])).overlaps(insert))
      #expect(Region.rows(of: "w", where: .column("k", equals: "a")).overlaps(insert))
      #expect(!Region.rows(of: "w", where: .column("k", equals: "b")).overlaps(insert))
    }
  }

  @Test func `do not trust the old value of a row that is older than its column`() async throws {
    let schema = """
      CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1);
      ALTER TABLE t ADD COLUMN a DEFAULT 5;
      """
    try await withDatabase(.file, schema) { database in
      let changes = try #require(try await database.recording("DELETE FROM t"))
      #expect(Region.rows(of: "t", where: .column("a", equals: 5)).overlaps(changes))
    }
  }

  @Test func `treat an application-defined collation as undecidable`() async throws {
    let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, a COLLATE mine)"
    try await withDatabase(.file, "CREATE TABLE other (x)") { database in
      try await database.writeWithoutTransaction { connection in
        try connection.registerCollation("mine") { a, b in a.count - b.count }
        try connection.execute(SQL(unsafe: schema))
      }
      let changes = try #require(try await database.recording("INSERT INTO t VALUES (1, 'abc')"))
      #expect(Region.rows(of: "t", where: .column("a", equals: "xyz")).overlaps(changes))
      #expect(!Region.rows(of: "t", where: .column("a", equals: 5)).overlaps(changes))
    }
  }

  @Test func `use a column's new affinity and collation after a schema change`() async throws {
    try await withDatabase(.file, "CREATE TABLE t (a TEXT)") { database in
      let region = Region.rows(of: "t", where: .column("a", equals: "ABC"))
      let before = try #require(try await database.recording("INSERT INTO t VALUES ('abc')"))
      #expect(!region.overlaps(before))
      try await database.run("DROP TABLE t; CREATE TABLE t (a TEXT COLLATE NOCASE)")
      let after = try #require(try await database.recording("INSERT INTO t VALUES ('abc')"))
      #expect(region.overlaps(after))
    }
  }

  @Test func `show a listener only the matching rows`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      try await database.startObserving()
      let region = Region.rows(of: "t", where: .column("team", equals: 7))
      var changes = database.changes(in: region).makeAsyncIterator()
      try await database.run("DELETE FROM t WHERE team = 8")
      try await database.run("BEGIN; DELETE FROM t WHERE id > 2; UPDATE t SET score = 1; COMMIT")
      let reported = try await changes.next()
      #expect(reported?.sequence == 2)
      #expect(reported?.description == "t: updated 2 rows (double, score)")
    }
  }
}

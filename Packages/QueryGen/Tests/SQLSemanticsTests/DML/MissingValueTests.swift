import SQLSemantics
import SQLSyntax
import Testing

@Suite struct `Inserts without a required value` {
  static let schema =
    Database.library + """

      CREATE TABLE pair (a TEXT NOT NULL, b TEXT NOT NULL, c TEXT NOT NULL DEFAULT 'c');
      CREATE TABLE empty (a, b TEXT NOT NULL DEFAULT NULL);
      CREATE TABLE skipped (a, b TEXT NOT NULL ON CONFLICT IGNORE);
      CREATE TABLE sum (a, b NOT NULL AS (a + 1));
      CREATE TABLE strict (a TEXT PRIMARY KEY, b INTEGER) STRICT;
      CREATE TABLE loose (a TEXT PRIMARY KEY, b INTEGER);
      CREATE TABLE guarded (a, b NOT NULL);
      CREATE TRIGGER guard BEFORE INSERT ON guarded BEGIN
        INSERT INTO loose (b) VALUES (new.a);
        SELECT RAISE(IGNORE);
      END;
      CREATE TABLE logged (a, b NOT NULL);
      CREATE TRIGGER log BEFORE INSERT ON logged BEGIN INSERT INTO loose (b) VALUES (new.a); END;
      CREATE VIEW names AS SELECT id, name FROM user;
      CREATE TRIGGER named INSTEAD OF INSERT ON names BEGIN SELECT new.id; END;
      """

  @Test(arguments: [
    Mistake("INSERT INTO user (①age②) VALUES (1)", .missingValue),
    Mistake("INSERT INTO post (①id, title②) VALUES (1, 'a'), (2, 'b')", .missingValue),
    Mistake("INSERT INTO ①user② DEFAULT VALUES", .missingValue),
    Mistake("INSERT OR REPLACE INTO user (①age②) VALUES (1)", .missingValue),
    Mistake(
      "INSERT INTO user (①email②) VALUES ('a') ON CONFLICT (email) DO NOTHING", .missingValue),
    Mistake("INSERT INTO empty (①a②) VALUES (1)", .missingValue),
    Mistake("INSERT INTO tag (①postId②) VALUES (1)", .missingValue),
    Mistake("INSERT INTO strict (①b②) VALUES (1)", .missingValue),
    Mistake("INSERT INTO logged (①a②) VALUES (1)", .missingValue),
  ])
  func `are rejected`(_ mistake: Mistake) {
    expectMistake(mistake, .error, in: Database(Self.schema))
  }

  @Test(arguments: [
    Mistake("INSERT OR IGNORE INTO user (①age②) VALUES (1)", .missingValue),
    Mistake("INSERT INTO user (①age②) SELECT id FROM post", .missingValue),
  ])
  func `are reported if they only fail for rows that may not exist`(_ mistake: Mistake) {
    expectMistake(mistake, in: Database(Self.schema))
  }

  @Test(arguments: [
    "INSERT INTO user (name) VALUES ('a')", "INSERT INTO pair (a, b) VALUES ('a', 'b')",
    "INSERT INTO skipped (a) VALUES (1)", "INSERT INTO sum (a) VALUES (1)",
    "INSERT INTO loose (b) VALUES (1)", "INSERT INTO guarded (a) VALUES (1)",
    "INSERT INTO names (id) VALUES (1)", "INSERT INTO post VALUES (1, 2, 'a', 'b', 3)",
  ])
  func `do not include columns that SQLite fills`(_ sql: String) {
    expectNoMistake(sql, in: Database(Self.schema))
  }

  @Test func `name all columns`() {
    let diagnostics = Database(Self.schema).query("q: INSERT INTO pair (c) VALUES ('c');")
      .diagnostics
    #expect(
      diagnostics.map(\.message) == [
        "this INSERT always fails: `a`, `b` of `pair` are missing, which are NOT NULL and have no "
          + "default"
      ])
  }

  @Test func `are accepted when a statement is only prepared, as by SQLite`() {
    expectAccepted("INSERT INTO user (age) VALUES (1)")
  }

  @Test func `are reported in a trigger's definition, and do not prevent its use`() {
    var database = Database(Self.schema)
    database.apply(
      "CREATE TRIGGER r AFTER DELETE ON loose BEGIN INSERT INTO pair (a) VALUES (old.a); END;")
    #expect(database.diagnostics.diagnostics.map(\.identity) == [.missingValue])
    expectNoMistake("DELETE FROM loose", in: database)
  }
}

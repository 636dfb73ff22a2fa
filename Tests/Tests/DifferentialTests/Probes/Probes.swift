import Testing

/// Valid and invalid statements for one schema. Each statement tests one rule.
enum Probes {
  static let schema = """
    CREATE TABLE t1(a INTEGER PRIMARY KEY, b, c UNIQUE);
    CREATE INDEX i1 ON t1(b);
    CREATE TABLE t2(c, d);
    CREATE VIEW v1 AS SELECT a FROM t1;
    CREATE TABLE wr(p, q, PRIMARY KEY(p, q)) WITHOUT ROWID;
    CREATE TABLE gen(x, g AS (x + 1));
    CREATE TABLE strict_t(a INT) STRICT;
    CREATE VIRTUAL TABLE f5 USING fts5(x, y);
    CREATE VIRTUAL TABLE f4 USING fts4(x, y);
    CREATE VIRTUAL TABLE rt USING rtree(id, x1, x2);
    CREATE VIRTUAL TABLE f4l USING fts4(x, languageid="lid");
    CREATE VIRTUAL TABLE rta USING rtree(id, x1, x2, +note);
    CREATE VIRTUAL TABLE tok USING fts3tokenize;
    CREATE VIRTUAL TABLE stat USING dbstat;
    ATTACH ':memory:' AS ext;
    CREATE TABLE ext.far(e, f);
    CREATE TABLE ext.t2(g);
    CREATE TRIGGER ext.far1 AFTER INSERT ON far BEGIN INSERT INTO t2 VALUES (1); END;
    CREATE TRIGGER ext.far2 AFTER DELETE ON far BEGIN INSERT INTO wr VALUES (1, 2); END;
    CREATE TEMP TABLE tt(p, q);
    CREATE TEMP TABLE mail(a);
    CREATE TABLE main.mail(b, c);
    CREATE TEMP TRIGGER tt1 AFTER INSERT ON t2 BEGIN INSERT INTO tt VALUES (new.c, new.d); END;
    CREATE TEMP TRIGGER tr1 AFTER UPDATE ON t2 BEGIN DELETE FROM mail WHERE a = old.c; END;
    CREATE TRIGGER mail1 AFTER INSERT ON main.mail BEGIN DELETE FROM mail WHERE b = new.b; END;
    CREATE TEMP TRIGGER mail2 AFTER DELETE ON main.mail BEGIN DELETE FROM mail WHERE b = 1; END;
    CREATE TRIGGER tr1 AFTER INSERT ON t1 BEGIN SELECT 1; END;
    CREATE TABLE ux(a, b, c, d UNIQUE, e);
    CREATE UNIQUE INDEX ux1 ON ux(lower(b));
    CREATE UNIQUE INDEX ux2 ON ux(c) WHERE a > 0;
    CREATE VIEW sorted AS SELECT a, b FROM t1;
    CREATE TRIGGER sorted1 INSTEAD OF DELETE ON sorted BEGIN SELECT old.a; END;
    CREATE TRIGGER sorted2 INSTEAD OF UPDATE ON sorted BEGIN SELECT new.a; END;
    CREATE TABLE ai(a INTEGER PRIMARY KEY AUTOINCREMENT);
    """

  static let all =
    names + expressions + changes + tables + definitions + others + dialects + limits + recursion
    + windows + virtualTables + schemas

  static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map(String.init)
  }
}

@Suite struct `Probes of the language` {
  /// The statements that QueryGen rejects intentionally, although SQLite accepts them; see
  /// Docs/COMPATIBILITY.md.
  private static let exceptions: Set<String> = [
    "INSERT INTO gen(x) VALUES (1) ON CONFLICT DO UPDATE SET g = 1"
  ]

  @Test func `are accepted and rejected as by SQLite`() throws {
    let session = try Session(setup: Probes.schema, takesStrings: false)
    var judgement = VerdictComparison()
    for sql in Probes.all where !Self.exceptions.contains(sql) { judgement.add(sql, session) }
    judgement.report("probes of our own")
    #expect(judgement.accepted.percent == 100)
    #expect(judgement.refused.percent == 100)
    #expect(judgement.agreed.percent == 100)
  }
}

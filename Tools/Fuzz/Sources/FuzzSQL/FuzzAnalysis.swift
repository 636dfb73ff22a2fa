import Fuzzing
import SQLSemantics
import SQLSyntax

/// Replays a script after a schema that covers many features, and analyzes its statements.
func fuzzAnalysis(_ bytes: [UInt8]) {
  let source = SourceText(bytes: bytes)
  var diagnostics = DiagnosticList()
  // Uses only one dialect for each text, since the dialects are similar.
  let target = bytes.count.isMultiple(of: 2) ? .standard : newest
  let script = Parser.parseScript(
    source, options: ParserOptions(allowsListParameters: true, target: target),
    diagnostics: &diagnostics)
  var catalog = makeSchema(target)
  for entry in script.statements.prefix(20) {
    var found = DiagnosticList()
    let analysis = Analyzer(catalog: catalog)
      .analyze(entry.statement, source: source, diagnostics: &found)
    check(found, bytes.count)
    expect(analysis.parameterCount >= analysis.parameters.count, "a parameter is not counted")
    let indexes = analysis.parameters.map(\.index)
    expect(
      indexes == indexes.sorted() && Set(indexes).count == indexes.count,
      "parameter numbers are unsorted or repeated")
    var faults = DiagnosticList()
    catalog.apply(entry.statement, source: source, diagnostics: &faults)
    check(faults, bytes.count)
  }
  _ = catalog.tables()
  _ = catalog.verify()
}

/// Creates the schema. It is not a global, since LeakSanitizer would not find references that are
/// stored with enum tags in globals.
private func makeSchema(_ target: SQLiteVersion) -> Catalog {
  var catalog = Catalog(target: target)
  let source = SourceText(
    """
    CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT NOT NULL, c REAL, d AS (a + 1), UNIQUE (b, c));
    CREATE TABLE u (a INTEGER REFERENCES t, b BLOB, x ANY NOT NULL) STRICT;
    CREATE TABLE w (p TEXT, q INT, PRIMARY KEY (p, q)) WITHOUT ROWID;
    CREATE INDEX i ON t (b) WHERE c > 0;
    CREATE VIEW v AS SELECT t.a, u.b, count(*) AS n FROM t LEFT JOIN u USING (a) GROUP BY 1;
    CREATE VIRTUAL TABLE f USING fts5(x, y);
    CREATE VIRTUAL TABLE r USING rtree(id, x1, x2);
    CREATE TRIGGER g AFTER UPDATE OF b ON t WHEN new.c > 1 BEGIN
      INSERT INTO u (a, x) VALUES (new.a, old.b) ON CONFLICT DO NOTHING;
      DELETE FROM w WHERE p = old.b;
    END;
    CREATE TRIGGER h INSTEAD OF DELETE ON v BEGIN UPDATE t SET c = NULL WHERE a = old.a; END;
    """)
  var diagnostics = DiagnosticList()
  for entry in Parser.parseScript(source, diagnostics: &diagnostics).statements {
    catalog.apply(entry.statement, source: source, diagnostics: &diagnostics)
  }
  return catalog
}

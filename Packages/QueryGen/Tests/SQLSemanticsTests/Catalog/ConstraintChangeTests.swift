import QueryModel
import SQLSemantics
import SQLSyntax
import Testing

@Suite struct `Constraints of an existing table` {
  /// A table created by migrations for SQLite 3.53.
  private func catalog(_ sql: String) -> (catalog: Catalog, diagnostics: DiagnosticList) {
    let target = SQLiteVersion(3, 53)
    var catalog = Catalog(target: target)
    var list = DiagnosticList()
    let source = SourceText(sql)
    let script = Parser.parseScript(
      source, options: ParserOptions(target: target), diagnostics: &list)
    for entry in script.statements {
      catalog.apply(entry.statement, source: source, diagnostics: &list)
    }
    return (catalog, list)
  }

  private static let table = """
    CREATE TABLE t (
      a INTEGER PRIMARY KEY, b TEXT CONSTRAINT nn NOT NULL CONSTRAINT long CHECK (length(b) > 1),
      c TEXT CONSTRAINT plain COLLATE nocase CONSTRAINT one UNIQUE, -- the last
      CONSTRAINT positive CHECK (a > 0) CONSTRAINT pair UNIQUE (b, c), CONSTRAINT same CHECK (a <> b));
    """

  @Test(arguments: [
    ("ADD CHECK (c <> b)", "CHECK (a <> b), CHECK (c <> b))"),
    (
      "ADD CONSTRAINT d CHECK (c <> b) ON CONFLICT FAIL",
      ", CONSTRAINT d CHECK (c <> b) ON CONFLICT FAIL)"
    ),
    ("DROP CONSTRAINT NN", "b TEXT  CONSTRAINT long CHECK"),
    ("DROP CONSTRAINT \"long\"", "NOT NULL ,"),
    ("DROP CONSTRAINT plain", "c TEXT  COLLATE nocase"),
    ("DROP CONSTRAINT positive", "CONSTRAINT pair UNIQUE (b, c), CONSTRAINT same"),
    ("DROP CONSTRAINT same", "CONSTRAINT pair UNIQUE (b, c))"),
    ("ALTER c SET NOT NULL", "UNIQUE NOT NULL,"),
    ("ALTER COLUMN b SET NOT NULL ON CONFLICT REPLACE", "b) > 1) NOT NULL ON CONFLICT REPLACE,"),
    ("ALTER b DROP NOT NULL", "b TEXT  CONSTRAINT long"),
    ("ALTER c DROP NOT NULL", "CONSTRAINT one UNIQUE,"),
  ])
  func `are changed in the table's definition`(_ change: String, _ expected: String) throws {
    let (catalog, diagnostics) = catalog("\(Self.table) ALTER TABLE t \(change);")
    #expect(diagnostics.diagnostics == [])
    let sql = try #require(catalog.statements().first?.sql)
    let plain = sql.replacing(" -- the last\n  ", with: "")
    #expect(plain.contains(expected), "\(sql)")
    // The changed definition can be parsed again.
    #expect(self.catalog(sql).diagnostics.diagnostics == [])
  }

  @Test(arguments: [
    ("t ADD CONSTRAINT nn CHECK (a > 1)", Diagnostic.Identity.alreadyExists),
    ("t ADD CONSTRAINT x CHECK (nope > 1)", .unknownColumn),
    ("t ADD CHECK (a IN (SELECT 1))", .prohibitedHere),
    ("t DROP CONSTRAINT nope", .unknownObject),
    ("t DROP CONSTRAINT one", .notAlterable),
    ("t DROP CONSTRAINT pair", .notAlterable),
    ("t ALTER nope SET NOT NULL", .unknownColumn),
    ("t ALTER nope DROP NOT NULL", .unknownColumn),
    ("v DROP CONSTRAINT nn", .notAlterable),
    ("sqlite_schema ALTER name SET NOT NULL", .notAlterable),
  ])
  func `are rejected if SQLite rejects them`(_ change: String, _ identity: Diagnostic.Identity) {
    let (_, diagnostics) = catalog(
      "\(Self.table) CREATE VIEW v AS SELECT 1; ALTER TABLE \(change);")
    #expect(diagnostics.diagnostics.map(\.identity) == [identity])
  }

  @Test func `decide whether a column can be NULL`() throws {
    let column = { (change: String) in
      self.catalog("\(Self.table) ALTER TABLE t ALTER \(change);").catalog.tables().first?
        .columns.first { $0.name == change.prefix(1) }?.isNullable
    }
    #expect(column("c SET NOT NULL") == false)
    #expect(column("b DROP NOT NULL") == true)
  }
}

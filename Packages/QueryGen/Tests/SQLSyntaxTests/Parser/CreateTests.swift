import SQLSyntax
import Testing

@Suite struct `Definitions` {
  @Test(arguments: [
    "a", "a, b, c", "a INTEGER", "a VARCHAR(20)", "a DECIMAL(10, 5)", "a NUM(+1, -2.5)",
    "a unsigned big int", "a 'text type' \"x\" [y]", "'a' 'b'", "[a b] INT", "key INT, desc TEXT",
    "a INTEGER PRIMARY KEY", "a INTEGER PRIMARY KEY DESC ON CONFLICT REPLACE AUTOINCREMENT",
    "a NOT NULL ON CONFLICT IGNORE", "a NULL", "a UNIQUE ON CONFLICT FAIL", "a CHECK (a > 0)",
    "a DEFAULT 1", "a DEFAULT -1.5", "a DEFAULT +'x'", "a DEFAULT 'x'", "a DEFAULT NULL",
    "a DEFAULT x'00'", "a DEFAULT (1 + 1)", "a DEFAULT CURRENT_TIMESTAMP", "a DEFAULT true",
    "a DEFAULT \"x y\"", "a DEFAULT current", "a DEFAULT indexed", "a COLLATE nocase",
    "a COLLATE 'x'",
    "a REFERENCES t", "a REFERENCES t (b) ON DELETE CASCADE ON UPDATE SET NULL MATCH full",
    "a REFERENCES t ON DELETE NO ACTION ON UPDATE RESTRICT ON INSERT SET DEFAULT",
    "a REFERENCES t DEFERRABLE INITIALLY DEFERRED",
    "a REFERENCES t NOT DEFERRABLE INITIALLY IMMEDIATE",
    "a REFERENCES t NOT NULL DEFERRABLE", "a AS (1)", "a INT AS (b + 1) STORED, b",
    "a INT GENERATED ALWAYS AS (1) VIRTUAL, b", "a GENERATED ALWAYS AS (1), b",
    "a CONSTRAINT n NOT NULL CONSTRAINT m UNIQUE", "a CONSTRAINT n", "a CONSTRAINT n CONSTRAINT m",
    "a INT NOT NULL GENERATED ALWAYS AS (1), b", "a CONSTRAINT q GENERATED ALWAYS AS (1), b",
    "a INT GENERATED ALWAYS, b", "a, PRIMARY KEY (a)",
    "a, b, PRIMARY KEY (a DESC, b) ON CONFLICT FAIL",
    "a INTEGER, PRIMARY KEY (a AUTOINCREMENT)", "a, UNIQUE (a COLLATE nocase) ON CONFLICT IGNORE",
    "a, CHECK (a > 0) ON CONFLICT ABORT", "a, CONSTRAINT n CHECK (a), CONSTRAINT m",
    "a, CONSTRAINT n",
    "a, FOREIGN KEY (a, b) REFERENCES t (c, d) ON DELETE CASCADE DEFERRABLE",
    "a, UNIQUE (a) UNIQUE (a) CONSTRAINT x CONSTRAINT y CHECK (1)",
  ])
  func `of tables accept every column and constraint`(_ body: String) {
    expectParse("CREATE TABLE t (\(body))")
  }

  @Test(arguments: [
    "CREATE TABLE t (a) STRICT", "CREATE TABLE t (a) WITHOUT ROWID",
    "CREATE TABLE t (a) strict, without RowId",
    "CREATE TABLE t (a) WITHOUT ROWID, STRICT, STRICT", "CREATE TABLE t (a), STRICT",
    "CREATE TEMP TABLE t (a)", "CREATE TEMPORARY TABLE IF NOT EXISTS main.t (a)",
    "CREATE TABLE t AS SELECT 1", "CREATE TABLE IF NOT EXISTS t AS VALUES (1)",
    "CREATE TABLE 't' (a)",
    "CREATE INDEX i ON t (a)",
    "CREATE UNIQUE INDEX IF NOT EXISTS main.i ON t (a DESC, b + 1, c COLLATE x)",
    "CREATE INDEX i ON t (a) WHERE a IS NOT NULL", "CREATE VIEW v AS SELECT 1",
    "CREATE TEMP VIEW IF NOT EXISTS v (a, b) AS SELECT 1, 2",
    "CREATE VIEW v AS WITH x AS (SELECT 1) SELECT * FROM x",
    "CREATE VIRTUAL TABLE f USING fts5", "CREATE VIRTUAL TABLE IF NOT EXISTS main.f USING fts5()",
    "CREATE VIRTUAL TABLE f USING fts5(a, b UNINDEXED, tokenize = 'porter ascii', content='')",
    "CREATE VIRTUAL TABLE f USING rtree(id, +a (b, c), x -- y\n, z)",
    "CREATE VIRTUAL TABLE f USING m(a, , (;) b)",
  ])
  func `are accepted in every form`(_ text: String) {
    expectParse(text)
  }

  @Test func `of virtual tables keep their arguments unchanged`() throws {
    let statement = try #require(
      expectParse("CREATE VIRTUAL TABLE f USING m( a  b ,(c, d), , tokenize = 'x' )").first)
    guard case .createVirtualTable(let table) = statement else { throw NoExpression() }
    #expect(table.arguments?.map(\.text) == ["a  b", "(c, d)", "tokenize = 'x'"])
  }

  @Test func `don't include GENERATED ALWAYS in a type`() throws {
    let statement = try #require(
      expectParse("CREATE TABLE t (a INT GENERATED ALWAYS AS (1), b)").first)
    guard case .createTable(let table) = statement, case .definition(let body) = table.body else {
      throw NoExpression()
    }
    #expect(body.columns[0].type?.name == "INT")
    #expect(body.columns[0].constraints[0].span == ByteSpan(22..<45))
  }

  @Test(arguments: [
    "CREATE ①t② (a)", "CREATE TABLE ①(②a)", "CREATE TABLE t ①a②", "CREATE TABLE t (①)②",
    "CREATE TABLE t (a, ①)②",
    "CREATE TABLE t (a①;②", "CREATE TABLE t (①order②)", "CREATE TABLE t (a ①order②)",
    "CREATE TABLE t (a ①left②)",
    "CREATE TABLE t (a VARCHAR(①x②))", "CREATE TABLE t (a N(1, 2①,② 3))",
    "CREATE TABLE t (a DEFAULT 1 ①+② 1)",
    "CREATE TABLE t (a DEFAULT ①)②)", "CREATE TABLE t (a DEFAULT - ①x②)",
    "CREATE TABLE t (a DEFAULT ①left②)",
    "CREATE TABLE t (a DEFAULT ①?②)", "CREATE TABLE t (a PRIMARY ①,②)",
    "CREATE TABLE t (a NOT ①UNIQUE②)",
    "CREATE TABLE t (a CHECK ①a② > 0)", "CREATE TABLE t (a REFERENCES ①(②b))",
    "CREATE TABLE t (a REFERENCES t ON ①CONFLICT② FAIL)",
    "CREATE TABLE t (a REFERENCES t ON DELETE ①IGNORE②)",
    "CREATE TABLE t (a REFERENCES t ON DELETE SET ①1②)",
    "CREATE TABLE t (a REFERENCES t DEFERRABLE INITIALLY ①x②)",
    "CREATE TABLE t (a, PRIMARY KEY ①a②)", "CREATE TABLE t (a, UNIQUE (①)②)",
    "CREATE TABLE t (a, CHECK (1), ①b②)",
    "CREATE TABLE t (a, FOREIGN KEY (a) ①ON② t)",
    "CREATE TABLE t (a, FOREIGN KEY (a①+②1) REFERENCES t)",
    "CREATE TABLE t (a) STRICT ①STRICT②", "CREATE TABLE t (a) STRICT, ①;②", "CREATE TABLE if ①(②a)",
    "CREATE TABLE IF ①EXISTS② t (a)", "CREATE TEMP ①INDEX② i ON t (a)",
    "CREATE UNIQUE ①TABLE② t (a)",
    "CREATE INDEX i ①t② (a)", "CREATE INDEX i ON t①;②", "CREATE INDEX i ON main①.②t (a)",
    "CREATE INDEX i ON t (①)②",
    "CREATE VIEW v ①SELECT② 1", "CREATE VIEW v (①1②) AS SELECT 1",
    "CREATE VIEW v (a ①COLLATE② x) AS SELECT 1",
    "CREATE VIRTUAL ①VIEW② v", "CREATE VIRTUAL TABLE t ①fts5②", "CREATE TABLE t (a CONSTRAINT ①)②",
    "CREATE TABLE t (a UNIQUE ON ①b②)", "CREATE TABLE a.b①.②c (a)",
    "CREATE TABLE t (a COLLATE ①left②)",
  ])
  func `are rejected at the invalid token`(_ text: String) {
    expectParse(text, Fault(.unexpectedToken))
  }

  @Test(
    arguments: [
      ("CREATE TABLE t (a) ①foo②", .unknownTableOption),
      ("CREATE TABLE t (a) ①WITHOUT foo②", .unknownTableOption),
      ("CREATE TABLE t (a) ①\"strict\"②", .unknownTableOption),
      ("CREATE TABLE t (a AS (1) ①kept②, b)", .unknownGeneratedStorage),
    ] as [(String, Diagnostic.Identity)])
  func `are rejected by a dedicated rule`(_ text: String, _ identity: Diagnostic.Identity) {
    expectParse(text, Fault(identity))
  }

  @Test func `of virtual tables require a closing parenthesis`() {
    expectParse("CREATE VIRTUAL TABLE f USING m(a (b)①②", Fault(.unexpectedEnd))
    expectParse("CREATE VIRTUAL TABLE f USING m(a ①'②b)", Fault(.unterminatedString))
  }
}

import Foundation
import Providers
import SQLiteCore
import Testing

@Suite struct `Holt's XML document layout` {
  @Test func `is read when written by hand`() throws {
    let tables = try XMLTables(
      """
      <database version="1"><table name="gears" primaryKey="gid">
        <column name="gid" type="INTEGER" nullable="false"/><column name="label" type="TEXT"/>
        <row><v c="gid">1</v><v c="label">spur</v></row><row><v c="gid">2</v></row></table></database>
      """)
    #expect(
      try tables.dump() == ["gears(gid INTEGER, label TEXT)", "1 'spur' 1", "2 NULL 2"])
    #expect(throws: SQLiteError.self) {
      try tables.provider.execute("INSERT INTO gears VALUES (2, 'x')")
    }
    try tables.provider.execute("INSERT INTO gears VALUES (7, 'bevel <&>')")
    #expect(try tables.written().dump() == tables.dump())
  }

  @Test func `represents everything in a database`() throws {
    let tables = try XMLTables("<database version=\"1\"/>")
    try tables.provider.write { connection in
      try connection.execute(
        """
        CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT, x, t TEXT CHECK (t <> 'bad'), r REAL, b BLOB);
        INSERT INTO a (x, t, r, b) VALUES (1, '', 1.5, x'00ff'), ('1', ' a ', 9e999, 'text'), (1.0, char(1), -9e999, 5),
          (NULL, NULL, 0.1, NULL), (x'', char(13, 10), 5e-324, 2.5);
        DELETE FROM a WHERE id > 4;
        CREATE TABLE n (k TEXT PRIMARY KEY, v DECIMAL(10, 2)) WITHOUT ROWID;
        INSERT INTO n VALUES ('b', 'true'), ('a', 12), ('c', '1x'), ('d', 1e300);
        CREATE TABLE s (i INT, a ANY) STRICT;
        INSERT INTO s VALUES (1, '1'), (2, 1), (3, 1.5);
        CREATE TABLE plain (v, w AS (v || '!'), bool BOOLEAN);
        INSERT INTO plain (rowid, v, bool) VALUES (-5, 'x', 1), (9, 'y', 'true'), (10, 'z', 0), (9223372036854775807, '', NULL);
        CREATE TABLE c (p INTEGER REFERENCES a (id) ON DELETE CASCADE, "odd ""name" TEXT);
        INSERT INTO c VALUES (1, 'q');
        CREATE VIRTUAL TABLE f USING fts5(body);
        INSERT INTO f (rowid, body) VALUES (3, 'some words'), (8, 'other words');
        CREATE INDEX a_t ON a (t) WHERE t IS NOT NULL;
        CREATE VIEW v AS SELECT * FROM a;
        CREATE TRIGGER g AFTER INSERT ON plain BEGIN DELETE FROM c; END;
        PRAGMA user_version = 12;
        PRAGMA application_id = 99;
        """)
    }
    let again = try tables.written()
    #expect(try again.dump() == tables.dump())
    for sql in [
      "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'f\\_%' ESCAPE '\\' AND type <> 'index' ORDER BY 1, 2",
      "SELECT * FROM sqlite_sequence", "PRAGMA user_version", "PRAGMA application_id",
      "SELECT rowid, body FROM f WHERE f MATCH 'words' ORDER BY 1",
    ] {
      #expect(try again.query(sql) == tables.query(sql), "\(sql)")
    }
    let types = "SELECT typeof(x), typeof(t), typeof(r), typeof(b) FROM a"
    #expect(try again.query(types) == tables.query(types))
    #expect(
      try again.query("SELECT typeof(a) FROM s") == [["text"], ["integer"], ["real"]])
    let first = try again.text
    #expect(try again.written().text == first)
  }

  @Test func `is used for new files`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/new.xml"
    let provider = XMLProvider()
    try provider.openSource(atPath: path)
    try provider.execute("CREATE TABLE t (a INTEGER, b TEXT)")
    try provider.execute("INSERT INTO t VALUES (1, 'x'), (NULL, '')")
    try provider.closeSource()
    #expect(
      try String(contentsOfFile: path, encoding: .utf8) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <database version="1">
          <table name="t">
            <sql>CREATE TABLE t (a INTEGER, b TEXT)</sql>
            <column name="a" type="INTEGER"/>
            <column name="b" type="TEXT"/>
            <row>
              <v c="a">1</v>
              <v c="b">x</v>
            </row>
            <row>
              <v c="b"/>
            </row>
          </table>
        </database>

        """)
  }

  struct Fault: CustomTestStringConvertible, Sendable {
    let inside: String
    let line: Int
    var code = ProviderError.Code.malformed
    var testDescription: String { inside }
  }

  @Test(arguments: [
    Fault(inside: "\n<odd/>", line: 2), Fault(inside: "text", line: 1),
    Fault(inside: "<table>\n</table>", line: 1), Fault(inside: "\n<table name=\"t\"/>", line: 2),
    Fault(
      inside: "<table name=\"t\"><column name=\"a\"/>\n<row><v c=\"b\">1</v></row></table>", line: 2
    ),
    Fault(
      inside:
        "<table name=\"t\"><column name=\"a\"/>\n<row><v c=\"a\">1</v><v c=\"a\">1</v></row></table>",
      line: 2),
    Fault(
      inside:
        "<table name=\"t\"><column name=\"a\"/>\n<row><v c=\"a\" t=\"blob\">1</v></row></table>",
      line: 2),
    Fault(
      inside: "<table name=\"t\"><column name=\"a\"/><row><v c=\"a\" t=\"x\">1</v></row></table>",
      line: 1),
    Fault(inside: "<table name=\"t\"><column name=\"a\" type=\"x); --\"/></table>", line: 1),
    Fault(
      inside:
        "<table name=\"t\" primaryKey=\"a\"><column name=\"a\"/><row><v c=\"a\">1</v></row>\n<row><v c=\"a\">1</v></row></table>",
      line: 2),
    Fault(
      inside: "<table name=\"t\"><sql>DROP TABLE t</sql></table>", line: 1, code: .forbidden),
    Fault(inside: "<table name=\"t\"><sql>CREATE TABLE u (a)</sql></table>", line: 1),
    Fault(inside: "<schema>\n<sql>ATTACH 'x' AS y</sql></schema>", line: 2, code: .forbidden),
    Fault(inside: "<schema>\n<sql>CREATE VIEW v AS SELEC</sql></schema>", line: 2),
  ])
  func `is refused with the position if invalid`(_ fault: Fault) throws {
    let text = "<database version=\"1\">\(fault.inside)</database>"
    let options = XMLProvider.Options(layout: .database)
    let error = expectProviderError(fault.code) { _ = try XMLTables(text, options) }
    #expect(error?.position?.line == fault.line)
    #expect(error?.file?.hasSuffix(".xml") == true)
  }

  @Test func `of a later version is refused`() throws {
    let error = expectProviderError(.malformed) {
      _ = try XMLTables("<database version=\"2\"><table name=\"t\"/></database>")
    }
    #expect(error?.message.contains("version 2") == true)
  }

  @Test func `is distinguished from other documents with a root named database`() throws {
    let tables = try XMLTables("<database version=\"1\"><r a=\"1\"/><r a=\"2\"/></database>")
    #expect(try tables.dump() == ["r(@a INTEGER)", "1 1", "2 2"])
  }

  @Test func `refuses virtual tables whose rows are elsewhere`() throws {
    let tables = try XMLTables("<database version=\"1\"/>")
    try tables.provider.execute("CREATE VIRTUAL TABLE f USING fts5(a, content='')")
    let error = expectProviderError(.unrepresentable) { try tables.provider.persist() }
    #expect(error?.table == "f")
  }
}

import SQLSemantics
import SQLSyntax
import SQLiteCore
import Testing

/// Compares the verdicts of QueryGen and SQLite on statements for a connection with an attached
/// database and temporary objects.
@Suite struct `Statements for attached and temporary tables` {
  private static let main = """
    CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER);
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE log (number INTEGER);
    CREATE VIEW titles AS SELECT title FROM book;
    CREATE VIEW boxes AS SELECT * FROM box;
    """
  private static let archive = """
    CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, stored TEXT, UNIQUE (title));
    CREATE TABLE box (id INTEGER PRIMARY KEY, room INTEGER);
    CREATE TABLE log (entry TEXT);
    CREATE VIEW stored AS SELECT id, title FROM book WHERE stored IS NOT NULL;
    CREATE TRIGGER logged AFTER INSERT ON book BEGIN INSERT INTO log VALUES (new.title); END;
    CREATE INDEX book_stored ON book (stored);
    """
  private static let temporary = """
    CREATE TEMP TABLE basket (book INTEGER PRIMARY KEY, count INTEGER NOT NULL);
    CREATE TEMP TABLE author (nick TEXT);
    CREATE TEMP VIEW everything AS
      SELECT id, title FROM book UNION ALL SELECT id, title FROM archive.book;
    CREATE TEMP TRIGGER emptied AFTER DELETE ON main.book
      BEGIN DELETE FROM basket WHERE book = old.id; END;
    CREATE TEMP TRIGGER counted AFTER INSERT ON archive.book
      BEGIN INSERT INTO log VALUES (new.id); END;
    """

  private let connection: Connection
  private let catalog: Catalog

  init() throws {
    connection = try Connection.inMemory()
    try connection.execute(SQL(unsafe: Self.main))
    let other = try Connection.inMemory()
    try other.execute(SQL(unsafe: Self.archive))
    try connection.attach(.memory, as: "archive")
    try other.backup(to: connection, to: "archive")
    try connection.execute(SQL(unsafe: Self.temporary))
    var catalog = Catalog()
    catalog.replay(Self.main)
    var attached = Catalog()
    attached.replay(Self.archive)
    #expect(catalog.attach(attached, as: "archive") == [])
    catalog.replay(Self.temporary)
    self.catalog = catalog
  }

  static let statements = [
    "SELECT * FROM archive.book",
    "SELECT archive.book.id FROM archive.book",
    "SELECT archive.book.* FROM archive.book",
    "SELECT main.book.year, archive.book.stored FROM main.book, archive.book",
    "SELECT book.year FROM main.book, archive.book",
    "SELECT book.id FROM main.book, archive.book",
    "SELECT stored FROM book",
    "SELECT year FROM book",
    "SELECT main.book.title FROM archive.book",
    "SELECT * FROM box",
    "SELECT * FROM main.box",
    "SELECT room FROM archive.box AS b JOIN book ON book.id = b.id",
    "SELECT * FROM boxes",
    "SELECT * FROM stored",
    "SELECT * FROM main.stored",
    "SELECT stored FROM stored",
    "SELECT * FROM nowhere.book",
    "SELECT * FROM archive.nothing",
    "SELECT * FROM book NATURAL JOIN archive.book",
    "SELECT * FROM book JOIN archive.book USING (title)",
    "SELECT * FROM book JOIN archive.book USING (stored)",
    "SELECT * FROM everything",
    "SELECT * FROM main.everything",
    "SELECT * FROM temp.everything",
    "SELECT * FROM basket JOIN book ON book.id = basket.book",
    "SELECT * FROM main.basket",
    "SELECT nick FROM author",
    "SELECT name FROM author",
    "SELECT name FROM main.author",
    "SELECT nick FROM temp.author, main.author",
    "SELECT * FROM archive.book INDEXED BY book_stored WHERE stored = 'a'",
    "SELECT * FROM book INDEXED BY book_stored",
    "INSERT INTO archive.book (id, title) SELECT id, title FROM book",
    "INSERT INTO archive.book SELECT * FROM book",
    "INSERT INTO book SELECT id, title, NULL FROM archive.book RETURNING *",
    "INSERT INTO archive.book (year) VALUES (1)",
    "INSERT INTO box (room) VALUES (1) RETURNING id",
    "INSERT INTO archive.book (title) VALUES ('a') ON CONFLICT (title) DO UPDATE SET stored = 'b'",
    "INSERT INTO book (title) VALUES ('a') ON CONFLICT (title) DO NOTHING",
    "INSERT INTO basket VALUES (1, 2) ON CONFLICT (book) DO UPDATE SET count = count + 1",
    "INSERT INTO log VALUES (1)",
    "INSERT INTO log (entry) VALUES (1)",
    "INSERT INTO archive.log (entry) VALUES (1)",
    "INSERT INTO stored VALUES (1, 'a')",
    "UPDATE archive.book SET title = (SELECT title FROM main.book)",
    "UPDATE archive.book SET year = 1",
    "UPDATE book SET title = b.title FROM archive.book AS b WHERE b.id = book.id",
    "DELETE FROM archive.book WHERE id IN (SELECT id FROM main.book)",
    "DELETE FROM archive.book WHERE archive.book.id = 1",
    "DELETE FROM basket WHERE book NOT IN (SELECT id FROM book)",
    "DELETE FROM author WHERE nick = 'a'",
    "DELETE FROM author WHERE name = 'a'",
    "WITH box AS (SELECT 1 AS n) SELECT n FROM box",
    "WITH box AS (SELECT 1 AS n) SELECT n FROM archive.box",
    "CREATE VIEW v AS SELECT * FROM archive.book",
    "CREATE VIEW v AS SELECT * FROM box",
    "CREATE VIEW archive.v AS SELECT * FROM book",
    "CREATE VIEW archive.v AS SELECT * FROM main.book",
    "CREATE TEMP VIEW v AS SELECT * FROM archive.book, main.book",
    "CREATE TRIGGER t AFTER INSERT ON book BEGIN SELECT * FROM archive.book; END",
    "CREATE TRIGGER t AFTER INSERT ON book BEGIN INSERT INTO archive.log VALUES (1); END",
    "CREATE TRIGGER t AFTER INSERT ON box BEGIN SELECT 1; END",
    "CREATE TRIGGER archive.t AFTER INSERT ON box BEGIN SELECT 1; END",
    "CREATE TRIGGER archive.t AFTER INSERT ON author BEGIN SELECT 1; END",
    "CREATE TEMP TRIGGER t AFTER INSERT ON archive.book BEGIN INSERT INTO basket VALUES (1, 2); END",
    "CREATE TEMP TRIGGER t AFTER INSERT ON box BEGIN SELECT * FROM archive.log; END",
    "CREATE TEMP TRIGGER t AFTER INSERT ON box BEGIN INSERT INTO archive.log VALUES (1); END",
    "CREATE INDEX archive.i ON box (room)",
    "CREATE INDEX i ON box (room)",
    "CREATE INDEX i ON basket (count)",
    "CREATE INDEX temp.i ON basket (count)",
    "CREATE INDEX main.i ON basket (count)",
    "CREATE TEMP TABLE basket (a)",
    "CREATE TABLE basket (a)",
    "CREATE TEMP TABLE book (a)",
    "PRAGMA archive.table_info(book)",
  ]

  @Test(arguments: statements)
  func `are accepted and typed as by SQLite`(_ sql: String) {
    let source = SourceText(sql)
    var diagnostics = DiagnosticList()
    let statement = Parser.parseStatement(source, diagnostics: &diagnostics)
    let analysis = statement.map {
      Analyzer(catalog: catalog).analyze($0, source: source, diagnostics: &diagnostics)
    }
    do {
      let prepared = try connection.prepare(SQL(unsafe: sql))
      #expect(diagnostics.diagnostics.filter { $0.severity == .error } == [])
      #expect(analysis?.columns.map(\.name) == prepared.columnNames)
      #expect(analysis?.isReadOnly == prepared.isReadOnly)
    } catch {
      #expect(diagnostics.hasErrors, "\(error)")
    }
  }

  @Test func `that write are accepted and rejected when they run, too`() throws {
    // SQLite resolves the trigger `counted` with the tables of `temp` and `main`.
    try connection.execute("INSERT INTO archive.book VALUES (7, 'Emma', NULL)")
    #expect(try connection.values(Int.self, "SELECT number FROM main.log") == [7])
    #expect(try connection.values(String.self, "SELECT entry FROM archive.log") == ["Emma"])
    // A view of `main` can't refer to the attached database.
    #expect(catalog.verify().map(\.name) == ["boxes"])
  }

  @Test(arguments: [
    "CREATE VIEW broken AS SELECT * FROM main.book",
    "CREATE VIEW broken AS SELECT (SELECT count(*) FROM main.book)",
    "CREATE TRIGGER broken AFTER INSERT ON box BEGIN SELECT * FROM main.book; END",
    "CREATE TRIGGER broken AFTER INSERT ON box WHEN (SELECT count(*) FROM main.box) > 0 "
      + "BEGIN SELECT 1; END",
    "CREATE TRIGGER fine AFTER INSERT ON main.box BEGIN SELECT 1; END",
    "CREATE TRIGGER main.fine AFTER INSERT ON box BEGIN SELECT 1; END",
    "CREATE TABLE main.fine (a)",
    "CREATE INDEX main.fine ON box (room)",
    "CREATE VIEW fine AS SELECT main.book.id FROM book",
  ])
  func `can't be prepared if an object of the attached database names main`(_ sql: String) throws {
    let other = try Connection.inMemory()
    try other.execute(SQL(unsafe: Self.archive))
    try other.execute(SQL(unsafe: sql))
    let fresh = try Connection.inMemory()
    try fresh.attach(.memory, as: "archive")
    let isReadable: Bool
    do {
      try other.backup(to: fresh, to: "archive")
      _ = try fresh.value(Int.self, "SELECT count(*) FROM archive.box")
      isReadable = true
    } catch {
      isReadable = false
    }
    var attached = Catalog()
    attached.replay(Self.archive)
    attached.replay(sql)
    var catalog = Catalog()
    #expect(catalog.attach(attached, as: "archive").isEmpty == isReadable)
    #expect(isReadable == sql.contains("fine"))
  }
}

extension Catalog {
  fileprivate mutating func replay(_ sql: String) {
    let source = SourceText(sql)
    var diagnostics = DiagnosticList()
    let script = Parser.parseScript(source, diagnostics: &diagnostics)
    for entry in script.statements {
      apply(entry.statement, source: source, diagnostics: &diagnostics)
    }
    #expect(!diagnostics.hasErrors)
  }
}

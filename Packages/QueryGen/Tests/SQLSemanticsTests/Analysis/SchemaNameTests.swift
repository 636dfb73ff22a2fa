import QueryModel
import SQLSemantics
import Testing

@Suite struct `Queries of several schemas` {
  private static let database: Database = {
    var archive = Database(
      """
      CREATE TABLE book (
        id INTEGER PRIMARY KEY, title TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('a', 'b')));
      CREATE TABLE box (id INTEGER PRIMARY KEY, room INTEGER);
      CREATE VIEW titles AS SELECT id, title FROM book;
      """)
    var database = Database(
      "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER);")
    _ = database.catalog.attach(archive.catalog, as: "Archive")
    database.apply(
      """
      CREATE TEMP TABLE basket (book INTEGER PRIMARY KEY, count INTEGER NOT NULL);
      CREATE TEMP VIEW recent AS SELECT * FROM book WHERE year > 2000;
      """)
    return database
  }()

  private func definition(_ sql: String) throws -> QueryDefinition {
    let (definition, diagnostics) = Self.database.query("q: \(sql);")
    #expect(diagnostics == [])
    return try #require(definition)
  }

  @Test(arguments: [
    ("SELECT * FROM book", "book"),
    ("SELECT * FROM archive.book", "archive.book"),
    ("SELECT * FROM box", "archive.box"),
    ("SELECT * FROM titles", "archive.titles"),
    ("SELECT * FROM basket", "temp.basket"),
    ("SELECT * FROM recent", "temp.recent"),
    ("INSERT INTO archive.box (room) VALUES (1) RETURNING *", "archive.box"),
  ])
  func `name the table of a row with its schema`(_ sql: String, _ table: String) throws {
    #expect(try definition(sql).result == .table(table))
  }

  @Test func `name the tables that are parts of a row`() throws {
    let query = try definition(
      "SELECT book.*, old.* FROM book JOIN archive.book AS old USING (id)")
    guard case .fields(let fields) = query.result else { return #expect(Bool(false)) }
    #expect(
      fields == [
        .table(EmbeddedTable(name: "book", table: "book", isOptional: false)),
        .table(
          EmbeddedTable(name: "old", isAlias: true, table: "archive.book", isOptional: false)),
      ])
    let same = try definition("SELECT book.*, 1 AS one FROM archive.book")
    guard case .fields(let parts) = same.result else { return #expect(Bool(false)) }
    #expect(
      parts.first == .table(EmbeddedTable(name: "book", table: "archive.book", isOptional: false)))
  }

  @Test func `read and write tables of a schema`() throws {
    let query = try definition(
      "SELECT book.title FROM book JOIN archive.book AS old USING (id) JOIN basket ON book.id = book"
    )
    #expect(
      query.reads == [
        TableAccess(table: "book", columns: ["id", "title"]),
        TableAccess(schema: "archive", table: "book", columns: ["id"]),
        TableAccess(schema: "temp", table: "basket", columns: ["book"]),
      ])
    #expect(
      try definition("INSERT INTO archive.box SELECT id, 1 FROM book").writes == ["archive.box"])
  }

  @Test func `read the tables of a temporary view`() throws {
    #expect(try definition("SELECT id FROM recent").reads.map(\.schema) == [nil])
  }

  @Test func `have columns and parameters of a schema's table`() throws {
    let query = try definition("SELECT state FROM archive.book WHERE state = :state")
    #expect(
      query.parameters.map(\.origins) == [[TableColumn(table: "archive.book", column: "state")]])
    guard case .columns(let columns) = query.result else { return #expect(Bool(false)) }
    #expect(columns.map(\.origins) == [[TableColumn(table: "archive.book", column: "state")]])
  }

  @Test func `insert rows of a schema's table`() throws {
    #expect(
      try definition("INSERT INTO archive.book VALUES :books").parameters.map(\.table)
        == ["archive.book"])
  }

  @Test func `have the tables of all schemas`() {
    #expect(
      Self.database.catalog.tables().map { "\($0.name) \($0.schema ?? "-") \($0.baseName)" } == [
        "archive.book archive book", "archive.box archive box", "archive.titles archive titles",
        "book - book", "temp.basket temp basket", "temp.recent temp recent",
      ])
  }

  @Test func `find no temporary objects of an earlier connection`() {
    var database = Database(
      """
      CREATE TABLE book (id INTEGER PRIMARY KEY);
      ATTACH 'x' AS other; CREATE TABLE other.box (id); CREATE TEMP TABLE basket (id);
      """)
    database.catalog.disconnect()
    #expect(database.catalog.tables().map(\.name) == ["book"])
  }
}

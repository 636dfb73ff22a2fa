import Foundation
import SQLiteCore
import Testing

/// The examples of the package's README, verbatim: change both together.
@Suite struct `The README's example of` {
  // README: decode
  struct Book: RowDecodable, RowEncodable, Equatable {
    let id: Int
    let title: String
    let year: Int?
    @UnixDate var added: Date

    init(row: borrowing Row) throws(SQLiteError) {
      id = try row.read(at: 0)
      title = try row.read(at: 1)
      year = try row.read(at: 2)
      _added = try row.read(named: "added")
    }

    func bind(to statement: Statement) throws(SQLiteError) {
      try statement.bind(id, at: 1)
      try statement.bind(title, at: 2)
      try statement.bind(year, at: 3)
      try statement.bind($added, at: 4)
    }
  }
  // README: end

  // README: codable
  struct Author: Codable, RowDecodable, Equatable {
    var id: Int?
    var name: String
    var languages: [String]  // JSON in its column
  }
  // README: end

  private func library() throws -> Connection {
    let connection = try Connection.inMemory()
    try connection.execute(
      """
      CREATE TABLE book (
        id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER, added INTEGER DEFAULT 0);
      INSERT INTO book (title, year) VALUES ('Emma', 1815), ('Middlemarch', 1871);
      """)
    return connection
  }

  @Test func `a database for many`() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file()
    // README: database
    let database = try Database(path: path)
    try await database.migrate([
      Migration(
        name: "1 books",
        sql: """
          CREATE TABLE book (
            id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER,
            added INTEGER NOT NULL DEFAULT (unixepoch()))
          """)
    ])
    try await database.write { connection in
      try connection.run("INSERT INTO book (title, year) VALUES (?, ?)", "Middlemarch", 1871)
      try connection.run("INSERT INTO book (title) VALUES (?)", "Beowulf")
    }
    let books = try await database.read { connection in
      try connection.fetchAll(Book.self, "SELECT id, title, year, added FROM book ORDER BY title")
    }
    // README: end
    #expect(books.map(\.title) == ["Beowulf", "Middlemarch"])
    let copies = try library()
    try copies.execute("DELETE FROM book")
    try copies.run(
      "INSERT INTO book (id, title, year, added) VALUES (?, ?, ?, ?)", ofEach: books)
    #expect(
      try copies.fetchAll(Book.self, "SELECT id, title, year, added FROM book ORDER BY title")
        == books)
  }

  @Test func `Codable rows`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT, languages)")
    // README: codable use
    let eliot = Author(id: nil, name: "George Eliot", languages: ["en", "de"])
    let key = try connection.insert(encoding: eliot, into: "author").lastInsertedRowID
    let authors = try connection.fetchAll(Author.self, "SELECT * FROM author")
    // README: end
    #expect(key == 1)
    #expect(authors == [Author(id: 1, name: "George Eliot", languages: ["en", "de"])])
  }

  @Test func `a connection`() throws {
    let connection = try library()
    // README: connection
    let emma = try connection.fetchOne(
      Book.self, "SELECT id, title, year, added FROM book WHERE id = ?", 1)
    let count = try connection.value(Int.self, "SELECT count(*) FROM book WHERE year > ?", 1800)
    let titles = try connection.values(String.self, "SELECT title FROM book ORDER BY year")
    try connection.forEach("SELECT title, year FROM book") { row in
      print(try row.read(String.self, at: 0), try row.read(Int?.self, named: "year") ?? "unknown")
    }
    let changes = try connection.run(
      SQL(
        "UPDATE book SET year = :year WHERE title = :title", named: ["title": "Emma", "year": 1816])
    )
    // README: end
    #expect(emma?.title == "Emma")
    #expect(count == 2)
    #expect(titles == ["Emma", "Middlemarch"])
    #expect(changes.count == 1)
  }

  @Test func `interpolated SQL`() throws {
    let connection = try library()
    // README: interpolation
    let (title, years) = ("Emma", [1815, 1871])
    let found = try connection.fetchAll(
      Book.self,
      "SELECT id, title, year, added FROM book WHERE title = \(title) AND year IN \(years)")
    let named = try connection.values(
      String.self, "SELECT title FROM book WHERE id IN array_each(?)", SQLiteArray([1, 2, 3]))
    // README: end
    #expect(found.map(\.title) == ["Emma"])
    #expect(named.count == 2)
  }

  @Test func `transactions`() throws {
    let connection = try library()
    struct SecondThoughts: Error {}
    // README: transactions
    try connection.transaction {
      try connection.run("INSERT INTO book (title) VALUES (?)", "Felix Holt")
      do {
        try connection.savepoint {
          try connection.run("DELETE FROM book")
          throw SecondThoughts()
        }
      } catch is SecondThoughts {
        // The books are restored, and the transaction continues.
      }
    }
    // README: end
    #expect(try connection.count("book") == 3)
  }

  @Test func `errors`() throws {
    let connection = try library()
    // README: errors
    do {
      try connection.run("INSERT INTO book (id, title) VALUES (?, ?)", 1, "Silas Marner")
    } catch let error where error.code == .constraintPrimaryKey {
      print(error)
      // SQLITE_CONSTRAINT_PRIMARYKEY: UNIQUE constraint failed: book.id, while running: INSERT …
    }
    // README: end
    #expect(try connection.count("book") == 2)
  }

  @Test func `streams and snapshots`() async throws {
    let directory = try TemporaryDirectory()
    let database = try Database(path: directory.file())
    let source = try library()
    try await database.write { try $0.execute("CREATE TABLE book (id, title, year, added)") }
    for book in try source.fetchAll(Book.self, "SELECT id, title, year, added FROM book") {
      let title = book.title
      try await database.write { try $0.run("INSERT INTO book VALUES (1, ?, 1800, 0)", title) }
    }
    // README: streams
    for try await book in database.rows(of: Book.self, "SELECT id, title, year, added FROM book") {
      print(book.title)
    }
    let snapshot = try await database.snapshot()
    let count = try await snapshot.read { try $0.value(Int.self, "SELECT count(*) FROM book") }
    // Later writes do not change the result of this read:
    let titles = try await snapshot.read { try $0.values(String.self, "SELECT title FROM book") }
    snapshot.close()
    // README: end
    #expect(count == 2)
    #expect(titles.sorted() == ["Emma", "Middlemarch"])
  }

  @Test func `functions`() throws {
    let connection = try library()
    // README: functions
    try connection.register("initial", argumentCount: 1, options: .deterministic) { arguments in
      guard case .text(let text) = arguments[0] else { return .null }
      return .text(String(text.prefix(1)))
    }
    let initials = try connection.values(String.self, "SELECT initial(title) FROM book ORDER BY 1")
    // README: end
    #expect(initials == ["E", "M"])
  }

  @Test(.needs(.preupdateHook)) func `hooks`() throws {
    let connection = try library()
    // README: hooks
    final class Log: TransactionObserver {
      var changed: [RowID] = []

      func willChange(_ change: borrowing Hooks.RowChange) {
        if change.table == "book" { changed.append(change.newRowID) }
      }
      func didCommit() { print("changed:", changed.map(\.rawValue)) }
      func didRollback() { changed = [] }
    }
    let log = Log()
    let subscription = try connection.hooks.add(log)
    try connection.run("UPDATE book SET year = NULL WHERE id = 2")
    connection.hooks.remove(subscription)
    // README: end
    #expect(log.changed == [2])
  }

  @Test func `blobs, backup and serialization`() throws {
    let connection = try library()
    let directory = try TemporaryDirectory()
    let path = directory.file("copy.sqlite")
    // README: blobs
    try connection.execute("CREATE TABLE file (id INTEGER PRIMARY KEY, content BLOB)")
    try connection.run("INSERT INTO file VALUES (1, ?)", ZeroBlob(count: 1_000_000))
    try connection.withBlob(in: "file", column: "content", row: 1, mode: .readWrite) { blob in
      try blob.write([72, 111, 108, 116], at: 999_996)
    }
    try connection.backup(to: Connection(path: path)) { print($0.fraction) }
    let copy = try Connection(deserializing: try connection.serialized())
    // README: end
    let sql = "SELECT substr(content, -4) FROM file"
    for other in [copy, try Connection(path: path)] {
      #expect(try other.value([UInt8].self, SQL(unsafe: sql)) == Array("Holt".utf8))
    }
  }

  @Test(.needs(.sessions)) func `changesets`() throws {
    let connection = try library()
    let other = try Connection(deserializing: try connection.serialized())
    // README: changesets
    let session = try connection.session()
    try session.attachAll()
    try connection.run("UPDATE book SET year = 1816 WHERE title = 'Emma'")
    let changeset = try session.changeset()
    try other.apply(changeset) { conflict in conflict.kind == .data ? .replace : .omit }
    try connection.apply(changeset.inverted()) { _ in .abort }
    // README: end
    let sql = "SELECT year FROM book WHERE title = 'Emma'"
    #expect(try other.value(Int.self, SQL(unsafe: sql)) == 1816)
    #expect(try connection.value(Int.self, SQL(unsafe: sql)) == 1815)
  }

  @Test func `control`() throws {
    let connection = try library()
    let directory = try TemporaryDirectory()
    let path = directory.file("archive.sqlite")
    // README: control
    try connection.attach(.file(path), as: "archive")
    try connection.setLimit(.variableCount, to: 100)
    let problems = try connection.integrityCheck()
    let plan = try connection.queryPlan(for: "SELECT * FROM book WHERE title = ?", "Emma")
    let hits = try connection.status(.cacheHits).current
    print(problems, plan, hits, SQLiteLibrary.version, SQLiteLibrary.supports(.fts5))
    // README: end
    #expect(problems.isEmpty)
    #expect(plan.details.contains { $0.hasPrefix("SCAN") })
    #expect(try connection.attachedDatabases.map(\.name).contains("archive"))
  }

  @Test func `schemas`() throws {
    let connection = try library()
    // README: schema
    let columns = try connection.columns(of: "book").map(\.name)
    let wanted = try DatabaseSchema(
      sql: """
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER);
        CREATE INDEX book_year ON book (year);
        """)
    let diff = try SchemaDiff(from: connection.databaseSchema(), to: wanted)
    print(diff)  // the steps, their SQL, and the data that they would lose
    try connection.apply(diff, allowing: [.column("added", of: "book")])
    // README: end
    #expect(columns == ["id", "title", "year", "added"])
    #expect(try connection.databaseSchema().isEquivalent(to: wanted))
    #expect(try connection.count("book") == 2)
  }
}

@Suite struct `The README` {
  @Test func `shows only code that these tests compile and run`() throws {
    let tests = URL(fileURLWithPath: #filePath)
    let page = tests.deletingLastPathComponent().appendingPathComponent("../../README.md")
    let shown = ReadmeExamples.blocks(ofPage: try String(contentsOf: page, encoding: .utf8))
    let tested = ReadmeExamples.blocks(ofTests: try String(contentsOf: tests, encoding: .utf8))
    #expect(!shown.isEmpty)
    for block in shown { #expect(tested.contains(block), "\(block)") }
    #expect(shown.count == tested.count)
  }
}

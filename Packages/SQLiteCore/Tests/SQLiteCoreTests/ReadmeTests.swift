import Foundation
import SQLiteCore
import Testing

/// The examples of the package's README, as they stand there: change both together.
@Suite struct `The README's example of` {
  // README: decode
  struct Book: RowDecodable, Equatable {
    let id: Int
    let title: String
    let year: Int?

    init(row: borrowing Row) throws(SQLiteError) {
      id = try row.read(at: 0)
      title = try row.read(at: 1)
      year = try row.read(at: 2)
    }
  }
  // README: end

  private func library() throws -> Connection {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year)")
    try connection.run("INSERT INTO book VALUES (1, 'Emma', 1815), (2, 'Middlemarch', 1871)")
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
        sql: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER)")
    ])
    try await database.write { connection in
      try connection.run("INSERT INTO book (title, year) VALUES (?, ?)", "Middlemarch", 1871)
      try connection.run("INSERT INTO book (title) VALUES (?)", "Beowulf")
    }
    let books = try await database.read { connection in
      try connection.fetchAll(Book.self, "SELECT id, title, year FROM book ORDER BY title")
    }
    // README: end
    #expect(books.map(\.title) == ["Beowulf", "Middlemarch"])
  }

  @Test func `a connection`() throws {
    let connection = try library()
    // README: connection
    let emma = try connection.fetchOne(
      Book.self, "SELECT id, title, year FROM book WHERE id = ?", 1)
    let count = try connection.value(Int.self, "SELECT count(*) FROM book WHERE year > ?", 1800)
    let titles = try connection.values(String.self, "SELECT title FROM book ORDER BY year")
    try connection.forEach("SELECT title, year FROM book") { row in
      print(try row.read(String.self, at: 0), try row.read(Int?.self, named: "year") ?? "unknown")
    }
    let changes = try connection.run(
      "UPDATE book SET year = :year WHERE title = :title", named: ["title": "Emma", "year": 1816])
    // README: end
    #expect(emma?.title == "Emma")
    #expect(count == 2)
    #expect(titles == ["Emma", "Middlemarch"])
    #expect(changes.count == 1)
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
        // The books are back, and the transaction goes on.
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

  @Test func `hooks`() throws {
    let connection = try library()
    // README: hooks
    final class Log: TransactionObserver {
      var changed: [RowID] = []

      func willChange(_ change: borrowing RowChange) {
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

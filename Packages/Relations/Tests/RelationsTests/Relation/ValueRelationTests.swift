import Relations
import SQLiteCore
import Testing

@Suite struct `Relations of plain values` {
  @Test func `are loaded for a whole array, and have their session`() async throws {
    let log = StatementLog()
    let session = ModelSession(try Database(.memory, configuration: log.configuration))
    try await `Load plans`.fill(session, shelves: 3)
    // The task has no session here: the rows provide theirs.
    let books = try await session.fetchAll(Book.self, "ORDER BY id")
    let statements = try await log.recordStatements {
      try await books.fetchAll(\.writer)
      try await books.fetchAll(\.shelf)
      try await books.fetchAll(\.readers)
    }
    #expect(statements.count == 3)
    #expect(
      try books.map { try $0.writer.loaded()?.name } == ["Bob", nil, "Ann", "Bob", nil, "Ann"])
    let shelves = try books.map { try #require(try $0.shelf.loaded()) }
    #expect(shelves[0] === shelves[1])
    let writer = try await books[0].writer.object
    try await writer.books.fetch()
    #expect(try writer.books.loaded().map(\.id) == [2, 5])
    let first = try await session.fetch(Book.self, 2)
    #expect(try await first.writer.object.name == "Bob")
  }

  @Test func `that were not loaded are errors, and never an empty list`() async throws {
    try await withSession { session in
      try await `Load plans`.fill(session, shelves: 1)
      let book = try await Book.fetchId(2)
      #expect(throws: RelationError.self) { try book.readers.loaded() }
      #expect(throws: RelationError.self) { try book.writer.loaded() }
      try await [book].load { $0.with(\.readers).with(\.writer) }
      #expect(try book.readers.loaded().count == 1)
      #expect(try book.writer.loaded()?.name == "Bob")
    }
  }

  @Test func `of rows that were not created by a session can't be fetched`() async throws {
    try await withSession { _ in
      let book = Book(title: "new")
      let error = await #expect(throws: RelationError.self) { try await book.readers.fetch() }
      #expect(error?.code == .noOwner)
      #expect(throws: RelationError.self) { try book.readers.loaded() }
      let writer = try book.writer.loaded()
      #expect(writer == nil)
      let all = await #expect(throws: RelationError.self) { try await [book].fetchAll(\.readers) }
      #expect(all?.code == .noOwner)
    }
  }
}

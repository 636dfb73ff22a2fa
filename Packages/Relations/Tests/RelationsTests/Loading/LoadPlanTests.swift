import Relations
import SQLiteCore
import Primitives
import Testing

@Suite struct `Load plans` {
  /// Owners with one or two books each. Every third book has no writer.
  static func fill(_ session: ModelSession, shelves: Int, books: Int = 2) async throws {
    try await session.fillLibrary(
      "INSERT INTO Writer (id, name) VALUES (1, 'Ann'), (2, 'Bob')",
      """
      WITH n(i) AS (SELECT 1 WHERE \(shelves) > 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(shelves))
      INSERT INTO Shelf (id, room) SELECT i, 'room ' || i FROM n
      """,
      """
      INSERT INTO Book (id, title, pages, writer, shelf)
      SELECT 2 * id + b, 'Book ' || (2 * id + b), id, nullif((2 * id + b) % 3, 0), id
      FROM Shelf, (SELECT 0 AS b UNION SELECT 1) WHERE b < \(books)
      """,
      "INSERT INTO Reader (id, name) VALUES (1, 'Eve')",
      "INSERT INTO Book_readers (owner, position, target) SELECT id, 1, 1 FROM Book")
  }

  @Test(arguments: [0, 1, 10_000])
  func `run one statement for each relation and level, regardless of the number of owners`(
    _ count: Int
  ) async throws {
    try await withLoggedSession { session, log in
      let each = count > 1_000 ? 1 : 2
      try await Self.fill(session, shelves: count, books: each)
      let shelves = try await Shelf.fetchQuery("ORDER BY id")
      #expect(shelves.count == count)
      let statements = try await log.recordStatements {
        try await shelves.load { $0.with(\.books) { $0.with(\.writer).with(\.readers) } }
      }
      #expect(statements.count == (count == 0 ? 0 : 3))
      for shelf in shelves {
        let books = try shelf.books.loaded()
        let wanted: [Int] = each == 1 ? [2 * shelf.id] : [2 * shelf.id, 2 * shelf.id + 1]
        #expect(books.map(\.id) == wanted)
        for book in books {
          #expect(try book.writer.loaded()?.id == (book.id % 3 == 0 ? nil : book.id % 3))
          #expect(try book.readers.loaded().map(\.name) == ["Eve"])
        }
      }
      let again = try await log.recordStatements { try await shelves.load { $0 } }
      #expect(again.isEmpty)
    }
  }

  @Test func `read the owners in the same transaction`() async throws {
    try await withLoggedSession { session, log in
      try await Self.fill(session, shelves: 3)
      let statements = try await log.recordStatements {
        let shelves = try await Shelf.fetchQuery("WHERE id > ? ORDER BY id DESC", [1]) {
          $0.with(\.books, limit: 1) { $0.with(\.writer) { $0.with(\.books) } }
        }
        #expect(shelves.map(\.id) == [3, 2])
        #expect(try shelves.map { try $0.books.loaded().map(\.id) } == [[6], [4]])
        #expect(shelves.map(\.books.hasMore) == [true, true])
        let writer = try #require(try shelves[1].books.loaded()[0].writer.loaded())
        #expect(try writer.books.loaded().map(\.id) == [4, 7])
      }
      #expect(statements.count == 4)
    }
  }

  @Test
  func `read a single snapshot, regardless of writes between their statements`() async throws {
    let directory = try ScratchFolder()
    let path = directory.path + "/library.db"
    let other = try Database(path: path)
    let isArmed = Mutex(false)
    var configuration = Configuration()
    configuration.prepare = { connection in
      try connection.hooks.trace { event in
        guard case .statement(let sql, _) = event, sql.contains("FROM \"Book\"") else { return }
        guard isArmed.withLock({ isArmed in exchange(&isArmed, false) }) else { return }
        do {
          try other.write { try $0.execute("UPDATE Writer SET name = 'changed'; DELETE FROM Book") }
        } catch {
          Issue.record(error)
        }
      }
    }
    let session = ModelSession(try Database(path: path, configuration: configuration))
    try await Self.fill(session, shelves: 1)
    isArmed.withLock { $0 = true }
    let shelves = try await session.fetchAll(Shelf.self) {
      $0.with(\.books) { $0.with(\.writer).with(\.readers) }
    }
    #expect(isArmed.withLock { !$0 })
    let books = try shelves[0].books.loaded()
    #expect(try books.map { try $0.writer.loaded()?.name } == ["Bob", nil])
    #expect(try books.map { try $0.readers.loaded().count } == [1, 1])
    try await shelves.load { $0.with(\.books) }
    #expect(try shelves[0].books.loaded().isEmpty)
  }

  @Test func `load a relation that is added twice once, with both nested plans`() async throws {
    try await withLoggedSession { session, log in
      try await Self.fill(session, shelves: 2)
      let shelves = try await Shelf.fetchQuery("ORDER BY id")
      let plan = ModelSession.LoadPlan<Shelf>()
        .with(\.books, limit: 1) { $0.with(\.writer) }
        .with(\.books) { $0.with(\.readers) }
      let statements = try await log.recordStatements { try await shelves.load(plan) }
      #expect(statements.count == 3)
      let books = try shelves.flatMap { try $0.books.loaded() }
      #expect(books.map(\.id) == [2, 3, 4, 5])
      #expect(books.allSatisfy { $0.writer.isLoaded && $0.readers.isLoaded })
    }
  }

  @Test
  func `distinguish not loaded, empty, without a target and with a missing target`() async throws {
    try await withLoggedSession { session, _ in
      try await session.fillLibrary(
        "INSERT INTO Shelf (id, room) VALUES (1, 'a'), (2, 'b')",
        "INSERT INTO Writer (id, name) VALUES (1, 'Ann')",
        """
        INSERT INTO Book (id, title, pages, writer, shelf)
        VALUES (1, 'x', 1, 1, 1), (2, 'y', 1, NULL, 1)
        """)
      try await session.database.writeWithoutTransaction { connection in
        try connection.execute("PRAGMA foreign_keys = OFF")
        try connection.execute("INSERT INTO Book VALUES (3, 'z', 1, 9, 1)")
        try connection.execute("PRAGMA foreign_keys = ON")
      }
      let shelves = try await Shelf.fetchQuery("ORDER BY id")
      let notLoaded = #expect(throws: RelationError.self) { try shelves[1].books.loaded() }
      #expect(notLoaded?.code == .notLoaded)
      #expect(notLoaded?.column == "books")
      #expect(shelves[1].books.items.isEmpty)
      try await shelves.load { $0.with(\.books) }
      #expect(try shelves[1].books.loaded().isEmpty)
      let books = try shelves[0].books.loaded()
      #expect(throws: RelationError.self) { try books[0].writer.loaded() }
      #expect(!books[0].writer.isLoaded)
      #expect(try books[1].writer.loaded() == nil)
      #expect(books[1].writer.isLoaded)
      try await shelves.load { $0.with(\.books) { $0.with(\.writer) } }
      let loaded = try shelves[0].books.loaded()
      #expect(try loaded[0].writer.loaded()?.name == "Ann")
      let gone = #expect(throws: RelationError.self) { try loaded[2].writer.loaded() }
      #expect(gone?.code == .missingRow)
      #expect(gone?.key == "9")
      #expect(loaded[2].writer.isLoaded)
    }
  }

  @Test func `support owners that occur twice, in their order`() async throws {
    try await withLoggedSession { session, log in
      try await Self.fill(session, shelves: 3)
      let shelves = try await Shelf.fetchIds([3, 1, 2])
      let twice = shelves + shelves
      let statements = try await log.recordStatements { try await twice.load { $0.with(\.books) } }
      #expect(statements.count == 1)
      #expect(
        try twice.map { try $0.books.loaded().map(\.id) }
          == [[6, 7], [2, 3], [4, 5], [6, 7], [2, 3], [4, 5]])
      let books = try await Book.fetchQuery("WHERE id = 2")
      let copies = books + books + (try await Book.fetchQuery("WHERE id = 2"))
      try await copies.load { $0.with(\.readers).with(\.writer) }
      #expect(try copies.map { try $0.readers.loaded().count } == [1, 1, 1])
      #expect(try copies.map { try $0.writer.loaded()?.id } == [2, 2, 2])
    }
  }

  @Test(arguments: [0, 1, 2, 3, 4])
  func `limit lists for each owner, and report whether there are more`(_ limit: Int) async throws {
    try await withLoggedSession { session, log in
      try await session.fillLibrary(
        "INSERT INTO Shelf (id, room) VALUES (1, ''), (2, ''), (3, '')",
        """
        INSERT INTO Book (id, title, pages, shelf)
        VALUES (1, '', 1, 1), (2, '', 1, 1), (3, '', 1, 1), (4, '', 1, 2), (5, '', 1, 2)
        """,
        "INSERT INTO Reader (id, name) VALUES (1, ''), (2, ''), (3, '')",
        """
        INSERT INTO Book_readers (owner, position, target)
        VALUES (1, 10, 3), (1, 20, 1), (1, 30, 3), (2, 10, 2)
        """)
      let shelves = try await Shelf.fetchQuery("ORDER BY id")
      let statements = try await log.recordStatements {
        try await shelves.fetchAll(\.books, limit: limit)
      }
      #expect(statements.count == 1)
      let all = [[1, 2, 3], [4, 5], []]
      #expect(
        try shelves.map { try $0.books.loaded().map(\.id) } == all.map { Array($0.prefix(limit)) })
      #expect(shelves.map(\.books.hasMore) == all.map { $0.count > limit })
      let books = try await Book.fetchQuery("ORDER BY id")
      try await books.fetchAll(\.readers, limit: limit)
      let readers = [[3, 1, 3], [2], [], [], []]
      #expect(
        try books.map { try $0.readers.loaded().map(\.id) }
          == readers.map { Array($0.prefix(limit)) })
      #expect(books.map(\.readers.hasMore) == readers.map { $0.count > limit })
      for _ in 0..<2 { try await books[0].readers.fetch() }
      #expect(books[0].readers.items.map(\.id) == [3, 1, 3])
      #expect(!books[0].readers.hasMore)
    }
  }
}

/// Sets a value and returns the former one.
private func exchange(_ value: inout Bool, _ new: Bool) -> Bool {
  defer { value = new }
  return value
}

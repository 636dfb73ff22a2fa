import Foundation
import QueryGen
import Testing

@Suite struct `A query of a database` {
  /// Applies the same rules to an in-memory database and to a file.
  static let kinds = [false, true]

  private func withLibrary(
    inFile: Bool, _ body: (Library) async throws -> Void
  ) async throws {
    guard inFile else { return try await body(Library()) }
    let folder = FileManager.default.temporaryDirectory.appending(path: "library \(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let library = try await Library.open(
      path: folder.appending(path: "library.sqlite").path(percentEncoded: false))
    defer { library.database.close() }
    try await body(library)
  }

  @Test(arguments: kinds)
  func `reads rows that were written before`(inFile: Bool) async throws {
    try await withLibrary(inFile: inFile) { library in
      let before = try await library.books.execute()
      #expect(before == [])
      let count = try await library.addBook.execute(title: "Emma", price: 9.5)
      #expect(count == 1)
      let after = try await library.books.execute()
      #expect(after == [Book(id: 1, title: "Emma", price: 9.5)])
    }
  }

  @Test func `reports the name, the column and the row of a value that can't be read`() async throws
  {
    let library = try Library()
    for title in ["a", "b", "c"] { try await library.addBook.execute(title: title, price: 1) }
    try await library.database.write { try $0.run("UPDATE book SET price = 'x' WHERE id = 2") }
    func check(_ error: SQLiteError?, _ prefix: String) {
      #expect(error?.code == .columnTypeMismatch)
      #expect(error?.message.hasPrefix(prefix + "the value is ") == true, "\(error?.message ?? "")")
      #expect(error?.column == .init(name: "price", table: "book", origin: "price"))
      #expect(error?.row == 2)
      #expect(error?.description.contains("(column price of table book, row 2)") == true)
    }
    let named = "query `books`: "
    check(
      await #expect(throws: SQLiteError.self) { try await library.books.execute() }, named)
    check(
      await #expect(throws: SQLiteError.self) {
        try await library.books.execute(many: [(), ()])
      }, named)
    check(
      await #expect(throws: SQLiteError.self) {
        for try await _ in library.books.observe() {}
      }, named)
    check(
      await #expect(throws: SQLiteError.self) {
        try await library.database.read { try library.books.execute(in: $0) }
      }, "")
  }

  @Test(arguments: kinds)
  func `runs inside a transaction`(inFile: Bool) async throws {
    try await withLibrary(inFile: inFile) { library in
      let count = try await library.database.write { connection in
        try library.addBook.execute(AddBookInput(title: "Emma"), in: connection)
        try library.addBook.execute(AddBookInput(title: "Persuasion"), in: connection)
        return try library.books.execute(in: connection).count
      }
      #expect(count == 2)
    }
  }

  @Test(arguments: kinds)
  func `is rolled back with its transaction`(inFile: Bool) async throws {
    struct Undo: Error {}
    try await withLibrary(inFile: inFile) { library in
      await #expect(throws: Undo.self) {
        try await library.database.write { connection in
          try library.addBook.execute(AddBookInput(title: "Emma"), in: connection)
          throw Undo()
        }
      }
      let after = try await library.books.execute()
      #expect(after == [])
    }
  }

  @Test(arguments: kinds)
  func `emits the first result, and then one for each change`(inFile: Bool) async throws {
    try await withLibrary(inFile: inFile) { library in
      var iterator = library.books.observe().makeAsyncIterator()
      #expect(try await iterator.next() == [])
      try await library.addBook.execute(title: "Emma")
      #expect(try await iterator.next()?.map(\.title) == ["Emma"])
      try await library.addBook.execute(title: "Persuasion")
      #expect(try await iterator.next()?.map(\.title) == ["Emma", "Persuasion"])
    }
  }

  @Test func `that writes runs once when observed`() async throws {
    let library = try Library()
    let stream = library.addBook.observe(AddBookInput(title: "Emma"))
    var counts: [Int] = []
    for try await count in stream { counts.append(count) }
    #expect(counts == [1])
    #expect(try await library.books.execute().count == 1)
  }

  @Test(arguments: kinds)
  func `executes many inputs in one transaction, or none of them`(inFile: Bool) async throws {
    try await withLibrary(inFile: inFile) { library in
      let before = try await library.database.write { $0.statementCacheStatistics.misses }
      let counts = try await library.addBook.execute(
        many: (1...50).map { AddBookInput(title: "Volume \($0)") })
      #expect(counts == Array(repeating: 1, count: 50))
      let after = try await library.database.write { $0.statementCacheStatistics.misses }
      // The statement itself, without the statements that begin and end transactions.
      #expect(after - before <= 3)
      let error = await #expect(throws: SQLiteError.self) {
        try await library.addChapter.execute(many: [(1, "One"), (2, "Two"), (1, "Again")])
      }
      #expect(error?.code == .constraintPrimaryKey)
      #expect(try await library.chapters.execute() == [])
    }
  }

  @Test func `executes many inputs through a transformation`() async throws {
    let library = try Library()
    let add: any Query<String, Bool> = library.addBook
      .mapInput { AddBookInput(title: $0) }.map { $0 == 1 }
    #expect(try await add.execute(many: ["Emma", "Persuasion"]) == [true, true])
    let byID: [[String]] = try await library.booksByID.map { $0.map(\.title) }
      .execute(many: [[1], [], [2, 1]])
    #expect(byID == [["Emma"], [], ["Emma", "Persuasion"]])
  }

  @Test func `can be injected`() async throws {
    struct Model {
      let books: any BooksQuery
      let add: any AddBookQuery
    }
    let library = try Library()
    let model = Model(books: library.books, add: library.addBook)
    try await model.add.execute(.init(title: "Emma", price: nil))
    #expect(try await model.books.execute().map(\.title) == ["Emma"])
    let preview = Model(books: Queries.Just([Book(id: 1, title: "Any")]), add: Queries.Just(1))
    #expect(try await preview.books.execute().map(\.title) == ["Any"])
  }
}

@Suite struct `A generated database` {
  @Test func `is migrated once`() throws {
    let database = try Database.inMemory()
    _ = try Library(database: database)
    _ = try Library(database: database)
    #expect(try database.read { try $0.appliedMigrations() } == ["1"])
  }

  @Test func `of a newer program throws an error`() throws {
    let database = try Database.inMemory()
    try database.migrate(Library.migrations + [Migration(name: "2", sql: "SELECT 1")])
    let error = #expect(throws: SQLiteError.self) { try Library(database: database) }
    #expect(error?.code == .databaseIsNewer)
  }
}

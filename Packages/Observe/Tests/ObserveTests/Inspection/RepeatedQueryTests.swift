import ObserveTesting
@_spi(Observing) import SQLiteCore
import Testing

@testable import Observe

@Suite struct `Queries in loops` {
  static let schema = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE book (id INTEGER PRIMARY KEY, author INTEGER, title TEXT);
    CREATE TABLE copy (book INTEGER, note TEXT);
    WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 24)
    INSERT INTO book SELECT n, n % 12 + 1, 'title ' || n FROM number;
    INSERT INTO author SELECT id, 'author ' || id FROM book WHERE id <= 12;
    """

  static let authors = "SELECT id FROM author"
  static let fewAuthors = "SELECT id FROM author LIMIT 3"
  static let books = "SELECT author FROM book ORDER BY id"
  static let booksOfAuthor = "SELECT id FROM book WHERE author = ?"
  static let name = "SELECT name FROM author WHERE id = ?"
  static let title = "SELECT title FROM book WHERE id = ?"

  static func values(_ sql: String, on connection: Connection) throws -> [Int] {
    try connection.values(Int.self, SQL(unsafe: sql))
  }

  static func find(_ sql: String, _ id: Int, on connection: Connection) throws {
    _ = try connection.value(String.self, SQL(unsafe: sql), id)
  }

  static func forEach(
    _ sql: String, on connection: Connection, _ body: (Int) throws -> Void
  ) throws {
    try connection.forEach(SQL(unsafe: sql)) { try body($0.read(Int.self, at: 0)) }
  }

  /// Code that runs in an access, and the queries that are reported.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var expected: [DatabaseObservation.RepeatedQuery] = []
    let body: @Sendable (Connection) throws -> Void
  }

  static func repeated(
    _ sql: String, _ count: Int, for outerSQL: String
  ) -> DatabaseObservation.RepeatedQuery {
    DatabaseObservation.RepeatedQuery(sql: sql, count: count, duration: .zero, outerSQL: outerSQL)
  }

  /// Returns the queries that are reported while `body` runs, without durations.
  static func queries(
    _ store: Store = .file, threshold: Int = 10, _ body: (Database) async throws -> Void
  ) async throws -> [DatabaseObservation.RepeatedQuery] {
    try await withDatabase(store, schema) { database in
      let events = await Recording(
        database.observationEvents(repeatedQueryThreshold: threshold), of: database)
      try await body(database)
      await events.waitUntilIdle()
      return events.values.compactMap(\.repeatedQuery).map {
        #expect($0.duration > .zero)
        return repeated($0.sql, $0.count, for: $0.outerSQL)
      }
    }
  }

  static let loops = [
    Case(
      testDescription: "while the rows are read", expected: [repeated(name, 24, for: books)]
    ) { connection in
      try forEach(books, on: connection) { try find(name, $0, on: connection) }
    },
    Case(
      testDescription: "after all rows were read", expected: [repeated(name, 24, for: books)]
    ) { connection in
      for author in try values(books, on: connection) { try find(name, author, on: connection) }
    },
    Case(
      testDescription: "with one prepared statement", expected: [repeated(name, 24, for: books)]
    ) { connection in
      let statement = try connection.prepare(SQL(unsafe: name))
      for author in try values(books, on: connection) {
        try statement.bind(author, at: 1)
        while try statement.step() {}
      }
    },
    Case(
      testDescription: "that return no rows", expected: [repeated(name, 24, for: books)]
    ) { connection in
      for author in try values(books, on: connection) {
        try find(name, author + 100, on: connection)
      }
    },
    Case(
      testDescription: "twice per row", expected: [repeated(name, 48, for: books)]
    ) { connection in
      for author in try values(books, on: connection) {
        try find(name, author, on: connection)
        try find(name, author + 1, on: connection)
      }
    },
    Case(
      testDescription: "two for each row",
      expected: [repeated(name, 24, for: books), repeated(title, 24, for: books)]
    ) { connection in
      for author in try values(books, on: connection) {
        try find(name, author, on: connection)
        try find(title, author, on: connection)
      }
    },
    Case(
      testDescription: "a list and a value for each row",
      expected: [repeated(booksOfAuthor, 24, for: books), repeated(name, 24, for: books)]
    ) { connection in
      for author in try values(books, on: connection) {
        _ = try connection.values(Int.self, SQL(unsafe: booksOfAuthor), author)
        try find(name, author, on: connection)
      }
    },
    Case(
      testDescription: "inside each other",
      expected: [
        repeated(booksOfAuthor, 12, for: authors), repeated(title, 24, for: booksOfAuthor),
      ]
    ) { connection in
      try forEach(authors, on: connection) { author in
        let books = try connection.values(Int.self, SQL(unsafe: booksOfAuthor), author)
        for book in books { try find(title, book, on: connection) }
      }
    },
    Case(
      testDescription: "after other, shorter results", expected: [repeated(name, 24, for: books)]
    ) { connection in
      let authors = try values(books, on: connection)
      _ = try values(Self.authors, on: connection)
      for author in authors { try find(name, author, on: connection) }
    },
    Case(
      testDescription: "over fewer rows than runs", expected: [repeated(name, 12, for: fewAuthors)]
    ) { connection in
      for author in try values(fewAuthors, on: connection) {
        for number in 0..<4 { try find(name, author + number, on: connection) }
      }
    },
  ]

  // In memory, alternating reads and writes also make SQLite recompile the statements.
  @Test(arguments: loops, Store.allCases)
  func `are reported once per access`(_ expected: Case, _ store: Store) async throws {
    let queries = try await Self.queries(store) { database in
      try await database.read(expected.body)
      try await database.write(expected.body)
      try await database.read(expected.body)
    }
    #expect(queries == expected.expected + expected.expected + expected.expected)
  }

  @Test(arguments: [
    Case(testDescription: "three runs") { connection in
      for author in try values(books, on: connection).prefix(3) {
        try find(name, author, on: connection)
      }
    },
    Case(testDescription: "two statements with nine runs each") { connection in
      for author in try values(books, on: connection).prefix(9) {
        try find(name, author, on: connection)
        try find(title, author, on: connection)
      }
    },
    Case(testDescription: "equal values") { connection in
      for _ in try values(books, on: connection) { try find(name, 1, on: connection) }
    },
    Case(testDescription: "no parameters") { connection in
      for _ in try values(books, on: connection) { _ = try values(authors, on: connection) }
    },
    Case(testDescription: "no rows of another query") { connection in
      for author in 1...20 { try find(name, author, on: connection) }
    },
    Case(testDescription: "one row that is being read") { connection in
      try forEach("SELECT count(*) FROM book", on: connection) { _ in
        for author in 1...20 { try find(name, author, on: connection) }
      }
    },
    Case(testDescription: "one row of another query") { connection in
      _ = try values("SELECT count(*) FROM book", on: connection)
      for author in 1...20 {
        try find(name, author, on: connection)
        try find(title, author, on: connection)
      }
    },
    Case(testDescription: "runs before the rows of another query") { connection in
      for author in 1...20 { try find(name, author, on: connection) }
      _ = try values(books, on: connection)
    },
    Case(testDescription: "a bulk insert") { connection in
      try connection.run(
        "CREATE TRIGGER noted AFTER INSERT ON copy BEGIN SELECT title FROM book; END")
      let insert = try connection.prepare("INSERT INTO copy VALUES (?, 'new')")
      for book in try values(books, on: connection) {
        try insert.bind(book, at: 1)
        try insert.run()
      }
    },
    Case(testDescription: "writes that return rows") { connection in
      for book in try values(books, on: connection) {
        _ = try connection.value(Int.self, "INSERT INTO copy VALUES (?, '') RETURNING book", book)
      }
    },
    Case(testDescription: "a join") { connection in
      for _ in 1...20 {
        _ = try values("SELECT a.id FROM book b JOIN author a ON a.id = b.author", on: connection)
      }
    },
    Case(testDescription: "lists of keys") { connection in
      let authors = try values(books, on: connection)
      for index in authors.indices {
        _ = try connection.values(
          String.self, "SELECT name FROM author WHERE id IN \(Array(authors[index...]))")
      }
    },
    Case(testDescription: "the schema") { connection in
      for author in try values(books, on: connection) {
        try find("SELECT name FROM sqlite_schema WHERE rootpage = ?", author, on: connection)
      }
    },
  ])
  func `are not reported for`(_ expected: Case) async throws {
    let queries = try await Self.queries { try await $0.write(expected.body) }
    #expect(queries == [])
  }

  @Test(arguments: Store.allCases)
  func `are not reported across accesses`(_ store: Store) async throws {
    let queries = try await Self.queries(store) { database in
      for author in try await database.read({ try Self.values(Self.books, on: $0) }) {
        try await database.read { try Self.find(Self.name, author, on: $0) }
        try await database.writeWithoutTransaction { try Self.find(Self.title, author, on: $0) }
      }
    }
    #expect(queries == [])
  }

  @Test func `are counted by connection when readers run concurrently`() async throws {
    let queries = try await Self.queries { database in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<40 {
          // Each fifth access has enough runs; several of the others together have too.
          let count = task.isMultiple(of: 5) ? 20 : 9
          group.addTask {
            try await database.read { connection in
              for author in try Self.values(Self.books, on: connection).prefix(count) {
                try Self.find(Self.name, author, on: connection)
              }
            }
          }
        }
        try await group.waitForAll()
      }
    }
    #expect(queries == Array(repeating: Self.repeated(Self.name, 20, for: Self.books), count: 8))
  }

  static let loop: @Sendable (Connection) throws -> [Int] = { connection in
    let authors = try values(books, on: connection)
    for author in authors { try find(name, author, on: connection) }
    return authors
  }

  @Test func `are printed with the observation that fetched, and with a suggestion`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let events = await Recording(
        database.observationEvents(repeatedQueryThreshold: 24), of: database)
      _ = try await database.read(Self.loop)
      let recording = await Recording(database.observe(Self.loop).named("authors"), of: database)
      await events.waitUntilIdle()
      let lines = events.values.filter { $0.repeatedQuery != nil }.map {
        $0.description.replacing(#/ in [0-9.]+ (µs|ms|s)/#, with: "")
      }
      let text = """
        repeated a query 24 times: SELECT name FROM author WHERE id = ? | for the rows of: \
        SELECT author FROM book ORDER BY id | use a join, IN :ids, a nested query (-- nest:), \
        or fetchAll or load of Relations
        """
      #expect(lines == ["access \(text)", "authors \(text)"])
      withExtendedLifetime(recording) {}
    }
  }

  @Test func `are reported to each listener from its threshold on`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let low = await Recording(
        database.observationEvents(repeatedQueryThreshold: 24), of: database)
      let high = await Recording(
        database.observationEvents(repeatedQueryThreshold: 25), of: database)
      let none = await Recording(
        database.observationEvents(repeatedQueryThreshold: nil), of: database)
      _ = try await database.read(Self.loop)
      await low.waitUntilIdle()
      #expect(low.values.count == 1)
      #expect(high.values.isEmpty && none.values.isEmpty)
    }
  }

  @Test func `are reported by default in debug builds only`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let events = await Recording(database.observationEvents, of: database)
      _ = try await database.read(Self.loop)
      await events.waitUntilIdle()
      #if DEBUG
        #expect(events.values.count == 1)
      #else
        #expect(events.values.isEmpty)
      #endif
    }
  }

  @Test(arguments: Store.allCases)
  func `cost nothing without a listener`(_ store: Store) async throws {
    try await withDatabase(store, Self.schema) { database in
      func observed() async throws -> [Bool] {
        [
          try await database.read { $0.hooks.queryObserver != nil },
          try await database.write { $0.hooks.queryObserver != nil },
        ]
      }
      let initially = try await observed()
      #expect(initially == [false, false])
      let none = await Recording(
        database.observationEvents(repeatedQueryThreshold: nil), of: database)
      #expect(try await observed() == [false, false])
      let events = await Recording(
        database.observationEvents(repeatedQueryThreshold: 2), of: database)
      #expect(try await observed() == [true, true])
      await events.cancel()
      #expect(try await observed() == [false, false])
      withExtendedLifetime(none) {}
    }
  }

  @Test func `are omitted from the texts beyond a limit`() async throws {
    let reported = Collector<DatabaseObservation.RepeatedQuery>()
    try await withDatabase(.file, Self.schema) { database in
      database.observeQueries { RepeatedQueryDetector(limit: 3) { $0.forEach(reported.add) } }
      try await database.read { connection in
        let authors = try Self.values(Self.books, on: connection)
        for number in 1...5 { _ = try Self.values("SELECT \(number)", on: connection) }
        for author in authors { try Self.find(Self.name, author, on: connection) }
      }
      #expect(reported.all.isEmpty)
      _ = try await database.read(Self.loop)
      #expect(reported.all.map(\.sql) == [Self.name])
    }
  }
}

import Relations
import SQLiteCore
import Testing

@Suite struct `A full-text index` {
  private func index(_ change: (inout Settings) -> Void) -> FullTextIndex {
    var settings = Settings()
    change(&settings)
    return settings.index
  }

  struct Settings {
    var columns: [FullTextIndex.Column] = IndexedBooks.columns
    var tokenizer = FullTextIndex.Tokenizer.unicode61()
    var prefixLengths: [Int] = []
    var detail = FullTextIndex.Detail.full
    var table: TableName = "book"
    var name = "book_search"
    var content = FullTextIndex.Content.columns

    var index: FullTextIndex {
      FullTextIndex(
        name, on: table, columns: columns, tokenizer: tokenizer, prefixLengths: prefixLengths,
        detail: detail, content: content)
    }
  }

  @Test func `is filled with the existing rows when it is created`() throws {
    let connection = try Connection.inMemory(configuration: .trusting)
    try connection.execute(
      "CREATE TABLE book (id INTEGER PRIMARY KEY, title); INSERT INTO book VALUES (7, 'fox')")
    let index = FullTextIndex("find", on: "book", columns: ["title"])
    #expect(try !index.isCurrent(in: connection))
    #expect(try index.create(in: connection))
    #expect(try connection.search(index, .words("fox")).map(\.rowID) == [7])
    #expect(try !index.create(in: connection))
    #expect(try index.isCurrent(in: connection))
  }

  @Test func `is created again only if its settings have changed`() throws {
    let library = try IndexedBooks()
    try library.add("Foxes here")
    let connection = library.connection
    #expect(try !library.index.create(in: connection))
    let others = [
      index { $0.columns = ["title"] },
      index { $0.columns = ["title", .init("body", isIndexed: false)] },
      index { $0.tokenizer = .porter() },
      index { $0.tokenizer = .unicode61(diacritics: .kept) },
      index { $0.prefixLengths = [2, 4] },
      index { $0.detail = .column },
      index { $0.detail = .none },
      index { $0.content = .computed(from: ["title"]) },
      index { $0.columns = ["title", .init("body", weight: 3)] },
      library.index,
    ]
    for other in others {
      #expect(try !other.isCurrent(in: connection))
      #expect(try other.create(in: connection))
      #expect(try other.isCurrent(in: connection))
      #expect(try !other.create(in: connection))
      if other.content == .columns {
        #expect(try connection.count(of: other, .words("foxes")) == 1)
        #expect(try other.integrityCheck(in: connection) == [])
      }
    }
    let tables = Set(try connection.tables().map(\.name.name))
    #expect(tables.subtracting(library.index.companionTables) == ["book", "book_search"])
  }

  @Test func `is no longer current after its table gets a key or a trigger is dropped`() throws {
    let library = try IndexedBooks()
    try library.connection.execute("CREATE UNIQUE INDEX other ON book (n)")
    #expect(try library.problems() == [.outdated])
    #expect(try library.index.create(in: library.connection))
    try library.connection.run("INSERT INTO book (title, n) VALUES ('one', 1)")
    try library.connection.run("REPLACE INTO book (title, n) VALUES ('two', 1)")
    #expect(try library.problems() == [])
    try library.connection.execute("DROP TRIGGER book_search_delete")
    #expect(try library.problems() == [.outdated])
    try library.connection.run("DELETE FROM book")
    #expect(try library.index.create(in: library.connection))
    #expect(try library.problems() == [])
    #expect(try library.find(.any("one two")) == [])
  }

  @Test func `leaves nothing in the schema after it is dropped`() throws {
    for content in [
      FullTextIndex.Content.columns,
      .computed(from: ["title"], with: [.init("tag", rowID: "book")]),
    ] {
      let connection = try Connection.inMemory(configuration: .trusting)
      try connection.execute(
        """
        CREATE TABLE book (id INTEGER PRIMARY KEY, title, body);
        CREATE TABLE tag (book, name UNIQUE);
        CREATE TRIGGER find_of_mine AFTER DELETE ON book BEGIN SELECT 1; END;
        """)
      let before = try connection.rows("SELECT name, sql FROM sqlite_master ORDER BY name")
      let index = Settings(name: "find", content: content).index
      try index.drop(in: connection)
      try index.create(in: connection)
      try index.drop(in: connection)
      #expect(try connection.rows("SELECT name, sql FROM sqlite_master ORDER BY name") == before)
    }
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    let schema: String, code: RelationError.Code
    var testDescription: String { schema }
  }

  @Test(arguments: [
    Refusal(schema: "CREATE TABLE other (a)", code: .schemaMismatch),
    Refusal(schema: "CREATE VIEW book AS SELECT 1 AS title, 2 AS body", code: .schemaMismatch),
    Refusal(
      schema: "CREATE TABLE book (id INTEGER PRIMARY KEY, title)", code: .schemaMismatch),
    Refusal(
      schema: "CREATE TABLE book (id TEXT PRIMARY KEY, title, body)", code: .unstableRowID),
    Refusal(schema: "CREATE TABLE book (title, body)", code: .unstableRowID),
    Refusal(
      schema: "CREATE TABLE book (id INTEGER PRIMARY KEY DESC, title, body)", code: .unstableRowID),
    Refusal(
      schema: "CREATE TABLE book (id INT PRIMARY KEY, title, body)", code: .unstableRowID),
    Refusal(
      schema: "CREATE TABLE book (id INTEGER, title, body, PRIMARY KEY (id, title))",
      code: .unstableRowID),
    Refusal(
      schema: "CREATE TABLE book (id INTEGER PRIMARY KEY, title, body) WITHOUT ROWID",
      code: .unstableRowID),
    Refusal(
      schema: """
        CREATE TABLE book (id INTEGER PRIMARY KEY, title, body); CREATE TABLE book_search (a)
        """, code: .schemaMismatch),
  ])
  func `refuses a table that can't have one`(_ expected: Refusal) throws {
    let connection = try Connection.inMemory(configuration: .trusting)
    try connection.execute(SQL(unsafe: expected.schema))
    let before = try connection.rows("SELECT name FROM sqlite_master")
    let error = #expect(throws: RelationError.self) {
      try Settings().index.create(in: connection)
    }
    #expect(error?.code == expected.code)
    #expect(try connection.rows("SELECT name FROM sqlite_master") == before)
  }

  @Test func `reports that triggers are not allowed to write it`() throws {
    let location = Database.Location.sharedMemory(named: "full text without trust")
    let trusting = try Connection(location, configuration: .trusting)
    try trusting.execute("CREATE TABLE book (id INTEGER PRIMARY KEY, title, body)")
    let plain = try Connection(location)
    for _ in 0..<2 {
      do {
        try Settings().index.create(in: plain)
        // Newer versions of SQLite allow it.
        try plain.run("INSERT INTO book (title) VALUES ('fox')")
      } catch let error as RelationError {
        #expect(error.code == .untrustedSchema)
      }
      try Settings().index.create(in: trusting)
    }
  }

  @Test func `is repaired and optimized`() throws {
    let library = try IndexedBooks(prefixLengths: [1])
    let connection = library.connection
    for number in 0..<60 { try library.add("fox \(number)") }
    #expect(try library.index.merge(pages: -50, in: connection))
    while try library.index.merge(pages: 50, in: connection) {}
    try library.index.optimize(in: connection)
    #expect(try library.find(.prefix("fox")).count == 60)
    try connection.setOption(.triggers, on: false)
    try connection.run("DELETE FROM book WHERE id = 1")
    try connection.run("INSERT INTO book (id, title) VALUES (100, 'dog')")
    try connection.setOption(.triggers, on: true)
    let problems = try library.problems()
    #expect(problems.prefix(2) == [.missing([100]), .leftOver([1])])
    #expect(problems.count == 3)
    try library.index.rebuild(in: connection)
    #expect(try library.problems() == [])
    #expect(try library.find(.words("dog")) == [100])
    try connection.setOption(.triggers, on: false)
    try connection.run("UPDATE book SET title = 'owl' WHERE id = 100")
    try connection.setOption(.triggers, on: true)
    guard case .differs? = try library.problems().first else {
      Issue.record("a text that has changed was not noticed")
      return
    }
  }

  @Test func `stays correct when a migration rebuilds its table`() throws {
    let library = try IndexedBooks()
    let connection = library.connection
    try connection.run(
      "INSERT INTO book (title, body, code) VALUES ('fox', 'dog', 'a'), ('owl', '', 'b')")
    let columns = "title TEXT, body TEXT, code TEXT UNIQUE"
    let changes: [(String, [String: String], [String: [Int64]])] = [
      ("id INTEGER PRIMARY KEY, n TEXT, \(columns)", [:], ["fox": [1]]),
      ("id INTEGER PRIMARY KEY, \(columns), n", ["title": "title || ' new'"], ["fox new": [1]]),
      ("id INTEGER PRIMARY KEY, \(columns), n", ["id": "id * 10"], ["fox": [10], "owl": [20]]),
    ]
    for (number, (form, mapping, found)) in changes.enumerated() {
      try connection.rebuild(
        "book", to: "CREATE TABLE book (\(unsafe: form))",
        mapping: mapping.mapValues { SQL(unsafe: $0) })
      for (word, ids) in found { #expect(try library.find(.words(word)) == ids) }
      #expect(try library.problems() == [])
      #expect(try !library.index.create(in: connection))
      try connection.run(
        "REPLACE INTO book (title, code) VALUES ('cat\(unsafe: "\(number)")', 'c')")
      #expect(try library.find(.words("cat\(number)")).count == 1)
      #expect(try library.problems() == [])
    }
  }

  @Test func `of computed text stays correct when its table is rebuilt`() throws {
    let library = try ComputedBooks()
    try library.connection.run("INSERT INTO book (title) VALUES ('fox'), ('owl')")
    try library.update()
    try library.connection.rebuild(
      "book", to: "CREATE TABLE book (id INTEGER PRIMARY KEY, n, title TEXT, code UNIQUE)")
    #expect(try library.problems() == [])
    try library.connection.run("UPDATE book SET title = 'cat' WHERE id = 2")
    #expect(try library.update() == 1)
    #expect(try library.find(.words("cat")) == [2])
  }

  @Test func `supports names that need quotes`() throws {
    let connection = try Connection.inMemory(configuration: .trusting)
    try connection.execute(
      """
      CREATE TABLE "a ""b'c" ("the id" INTEGER PRIMARY KEY, "x ""y'z" TEXT, "select" UNIQUE);
      INSERT INTO "a ""b'c" VALUES (5, 'fox', 1);
      """)
    let index = FullTextIndex("find 'it\" now", on: "a \"b'c", columns: ["x \"y'z", "select"])
    try index.create(in: connection)
    try connection.run("REPLACE INTO \"a \"\"b'c\" VALUES (6, 'dog', 1)")
    let hits = try connection.search(
      index, .any("fox dog").inColumns(["x \"y'z"]), where: "\"select\" = \(1)",
      excerpts: [.highlight("x \"y'z")])
    #expect(hits.map(\.rowID) == [6])
    #expect(hits.first?.excerpts == ["<b>dog</b>"])
    #expect(try index.integrityCheck(in: connection) == [])
    #expect(try !index.create(in: connection))
    try index.drop(in: connection)
  }

  @Test func `can be in an attached or temporary database`() throws {
    let connection = try Connection.inMemory(configuration: .trusting)
    try connection.execute("ATTACH ':memory:' AS other")
    for schema in ["other", "temp"] {
      try connection.execute(
        "CREATE TABLE \(unsafe: schema).book (id INTEGER PRIMARY KEY, title, body, code UNIQUE)")
      let index = Settings(table: TableName(schema: schema, "book")).index
      try index.create(in: connection)
      try connection.run("INSERT INTO \(unsafe: schema).book (title, code) VALUES ('fox', 1)")
      try connection.run("REPLACE INTO \(unsafe: schema).book (title, code) VALUES ('dog', 1)")
      #expect(
        try connection.search(index, .any("fox dog"), excerpts: [.snippet()]).map(\.rowID) == [2])
      #expect(try index.integrityCheck(in: connection) == [])
    }
  }
}

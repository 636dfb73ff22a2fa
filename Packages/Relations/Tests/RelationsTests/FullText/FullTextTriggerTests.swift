import Relations
import SQLiteCore
import Testing

@Suite struct `The triggers of a full-text index` {
  struct Case: CustomTestStringConvertible, Sendable {
    let sql: String, found: [String: [Int64]]
    var testDescription: String { sql }
  }

  /// The initial rows are 1 `one` (code a), 2 `two` (code b) and 3 `three` (code c).
  static let cases = [
    Case(sql: "INSERT INTO book (title) VALUES ('four')", found: ["four": [4], "one": [1]]),
    Case(sql: "DELETE FROM book WHERE id = 1", found: ["one": [], "two": [2]]),
    Case(sql: "DELETE FROM book", found: ["one": [], "two": []]),
    Case(sql: "UPDATE book SET title = 'uno' WHERE id = 1", found: ["one": [], "uno": [1]]),
    Case(sql: "UPDATE book SET title = NULL", found: ["one": [], "two": []]),
    Case(sql: "UPDATE book SET id = 9 WHERE id = 1", found: ["one": [9]]),
    Case(sql: "UPDATE book SET rowid = 9, title = 'uno' WHERE id = 1", found: ["uno": [9]]),
    Case(sql: "UPDATE book SET _rowid_ = -id", found: ["one": [-1], "three": [-3]]),
    Case(
      sql: "INSERT OR REPLACE INTO book (id, title) VALUES (1, 'uno')",
      found: ["one": [], "uno": [1]]),
    Case(sql: "REPLACE INTO book (id, title) VALUES (1, 'one')", found: ["one": [1]]),
    Case(
      sql: "REPLACE INTO book (title, code) VALUES ('uno', 'a')", found: ["one": [], "uno": [4]]),
    Case(
      sql: "REPLACE INTO book (id, title, code) VALUES (2, 'uno', 'a')",
      found: ["one": [], "two": [], "uno": [2]]),
    Case(
      sql:
        "REPLACE INTO book (id, title, code) VALUES (1, 'x', 'b'), (2, 'y', 'c'), (9, 'z', NULL)",
      found: ["one": [], "two": [], "three": [], "x": [1], "y": [2], "z": [9]]),
    Case(
      sql: "UPDATE OR REPLACE book SET id = 2 WHERE id = 1", found: ["one": [2], "two": []]),
    Case(
      sql: "UPDATE OR REPLACE book SET code = 'b' WHERE id = 1", found: ["one": [1], "two": []]),
    Case(
      sql: "UPDATE OR REPLACE book SET code = 'c', id = 2, title = 'uno' WHERE id = 1",
      found: ["uno": [2], "one": [], "two": [], "three": []]),
    Case(
      sql: "INSERT OR IGNORE INTO book (id, title, code) VALUES (1, 'uno', 'b')",
      found: ["one": [1], "two": [2], "uno": []]),
    Case(
      sql: "UPDATE OR IGNORE book SET id = 2, title = 'uno'", found: ["one": [1], "uno": [2]]),
    Case(
      sql: """
        INSERT INTO book (id, title) VALUES (1, 'uno'), (7, 'seven')
        ON CONFLICT DO UPDATE SET title = excluded.title
        """,
      found: ["one": [], "uno": [1], "seven": [7]]),
    Case(
      sql: """
        INSERT INTO book (title, code) VALUES ('uno', 'a') ON CONFLICT (code)
        DO UPDATE SET title = excluded.title, id = 12
        """,
      found: ["one": [], "uno": [12]]),
    Case(
      sql: "INSERT INTO book (title, code) VALUES ('uno', 'a') ON CONFLICT (code) DO NOTHING",
      found: ["one": [1], "uno": []]),
    Case(
      sql: """
        INSERT OR IGNORE INTO book (id, title) VALUES (1, 'uno');
        REPLACE INTO book (id, title) VALUES (1, 'one'), (2, 'due');
        """,
      found: ["one": [1], "uno": [], "two": [], "due": [2]]),
  ]

  @Test(arguments: cases, [false, true])
  func `keep it correct for every kind of write`(
    _ expected: Case, isRecursive: Bool
  ) throws {
    let library = try IndexedBooks()
    try library.connection.run(
      "INSERT INTO book (title, code) VALUES ('one', 'a'), ('two', 'b'), ('three', 'c')")
    try library.connection.execute("PRAGMA recursive_triggers = \(unsafe: "\(isRecursive)")")
    try library.connection.execute(SQL(unsafe: expected.sql))
    for (word, ids) in expected.found {
      #expect(try library.find(.words(word)) == ids, "\(word)")
    }
    #expect(try library.problems() == [])
  }

  @Test func `support keys of several columns, of expressions, and partial indexes`() throws {
    let library = try IndexedBooks(
      ["title"],
      schema: """
        CREATE TABLE book (
          id INTEGER PRIMARY KEY, title TEXT, a TEXT COLLATE NOCASE, b, c, UNIQUE (a, b));
        CREATE UNIQUE INDEX book_c ON book (lower(c)) WHERE c <> 'none';
        CREATE UNIQUE INDEX book_sum ON book (b + c DESC);
        """)
    let connection = library.connection
    try connection.run(
      """
      INSERT INTO book (title, a, b, c)
      VALUES ('one', 'x', 1, 'P'), ('two', 'x', 2, 'Q'), ('three', 'y', 3, 100)
      """)
    try connection.run("REPLACE INTO book (title, a, b, c) VALUES ('four', 'X', 1, 'R')")
    #expect(try library.find(.any("one four")) == [4])
    try connection.run("REPLACE INTO book (title, a, b, c) VALUES ('five', 'z', 7, 'q')")
    #expect(try library.find(.any("two five")) == [5])
    try connection.run("UPDATE OR REPLACE book SET b = 51, c = 52 WHERE id = 5")
    #expect(try library.find(.any("three five")) == [5])
    #expect(try library.problems() == [])
  }

  @Test func `support a unique index with a collation that differs from its column's`() throws {
    let library = try IndexedBooks(
      ["title"],
      schema: """
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, code TEXT);
        CREATE UNIQUE INDEX book_code ON book (code COLLATE NOCASE);
        """)
    let connection = library.connection
    try connection.run("INSERT INTO book (title, code) VALUES ('one', 'a'), ('two', 'b')")
    try connection.run("REPLACE INTO book (title, code) VALUES ('three', 'A')")
    #expect(try library.find(.any("one three")) == [3])
    try connection.run("UPDATE OR REPLACE book SET code = 'B' WHERE id = 3")
    #expect(try library.find(.any("two three")) == [3])
    #expect(try library.problems() == [])
  }

  @Test func `do not index unchanged text again`() throws {
    let library = try IndexedBooks()
    try library.add("one", "two")
    func pages() throws -> [[SQLiteValue]] {
      try library.connection.rows("SELECT id, block FROM book_search_data ORDER BY id")
    }
    let before = try pages()
    try library.connection.run("UPDATE book SET title = title, n = 5")
    try library.connection.run("UPDATE book SET n = 6")
    try library.connection.run("REPLACE INTO book (id, title) VALUES (1, 'one')")
    #expect(try pages() == before)
    try library.connection.run("UPDATE book SET title = 'ONE' WHERE id = 1")
    #expect(try pages() != before)
  }

  @Test func `detect changes of text that the column's collation considers equal`() throws {
    let library = try IndexedBooks(
      ["title"], tokenizer: .trigram(isCaseSensitive: true),
      schema: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT COLLATE NOCASE)")
    try library.add("Foxes")
    try library.connection.run("UPDATE book SET title = 'foxes'")
    #expect(try library.find(.words("fox")) == [1])
    try library.connection.run("REPLACE INTO book VALUES (1, 'FOXES')")
    #expect(try library.find(.words("FOX")) == [1])
    #expect(try library.problems() == [])
  }

  @Test func `index values of every type as text`() throws {
    let library = try IndexedBooks(
      ["title"], schema: "CREATE TABLE book (id INTEGER PRIMARY KEY, title)")
    try library.connection.run("INSERT INTO book (title) VALUES (12), (1.5), (NULL), (x'666f78')")
    #expect(try library.find(.words("12")) == [1])
    #expect(try library.find(.words("fox")) == [4])
    try library.connection.run("UPDATE book SET title = 12.0 WHERE id = 1")
    try library.connection.run("UPDATE book SET title = 'fox' WHERE id = 4")
    #expect(try library.problems() == [])
  }

  @Test func `are rolled back with the transaction and with a failed statement`() throws {
    struct Undo: Error {}
    let library = try IndexedBooks()
    try library.add("one")
    #expect(throws: Undo.self) {
      try library.connection.transaction {
        try library.add("two")
        #expect(try library.find(.words("two")) == [2])
        _ = try? library.connection.savepoint {
          try library.connection.run("DELETE FROM book")
          throw Undo()
        }
        #expect(try library.find(.any("one two")) == [1, 2])
        throw Undo()
      }
    }
    #expect(throws: SQLiteError.self) {
      try library.connection.run(
        "INSERT INTO book (title, code) VALUES ('three', 'a'), ('four', 'a')")
    }
    #expect(try library.find(.any("one two three four")) == [1])
    #expect(try library.problems() == [])
  }

  @Test func `work with other triggers that change an inserted row`() throws {
    for isLater in [false, true] {
      let library = try IndexedBooks()
      let trigger = """
        CREATE TRIGGER tidy AFTER INSERT ON book
        BEGIN UPDATE book SET title = upper(title) || ' tidied' WHERE id = new.id; END
        """
      try library.connection.execute(SQL(unsafe: trigger))
      if !isLater {
        try library.index.drop(in: library.connection)
        try library.index.create(in: library.connection)
      }
      try library.add("one")
      #expect(try library.find(.words("one tidied")) == [1])
      #expect(try library.problems() == [])
    }
  }

  @Test func `index the effects of foreign key actions`() throws {
    let library = try IndexedBooks(
      ["title"],
      schema: """
        CREATE TABLE author (id INTEGER PRIMARY KEY);
        CREATE TABLE book (
          id INTEGER PRIMARY KEY, title TEXT, author REFERENCES author ON DELETE CASCADE,
          parent REFERENCES book ON DELETE CASCADE);
        INSERT INTO author VALUES (1);
        """)
    try library.connection.run(
      "INSERT INTO book VALUES (1, 'one', 1, NULL), (2, 'two', NULL, 1), (3, 'three', NULL, 2)")
    try library.connection.run("DELETE FROM author")
    #expect(try library.find(.any("one two three")) == [])
    #expect(try library.problems() == [])
  }

  @Test func `cost the same in a large index as in a small one`() throws {
    let library = try IndexedBooks()
    let connection = library.connection
    func steps(_ sql: String) throws -> [Int] {
      let statement = try connection.prepare(SQL(unsafe: sql))
      try statement.run()
      return [
        try statement.count(of: .machineSteps), try statement.count(of: .fullScanSteps),
      ]
    }
    let writes = [
      "INSERT INTO book (title, body) VALUES ('one two', 'three')",
      "UPDATE book SET title = 'four' WHERE id = 1", "DELETE FROM book WHERE id = 1",
      "REPLACE INTO book (id, title) VALUES (2, 'five')",
      "INSERT INTO book (title, code) VALUES ('z', 'b') ON CONFLICT (code) DO UPDATE SET title = 'y'",
    ]
    func run() throws -> [[Int]] {
      try connection.run(
        "REPLACE INTO book (id, title, code) VALUES (1, 'w', NULL), (2, 'w', NULL), (3, 'w', 'b')")
      return try writes.map(steps)
    }
    let small = try run()
    try connection.run(
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      INSERT INTO book (title, body) SELECT 'book ' || i, 'some words of it' FROM n
      """)
    #expect(try run() == small)
  }

  @Test func `keep the row identifier of the last inserted row`() throws {
    let library = try IndexedBooks()
    for number in [70, 8, 900] {
      let changes = try library.connection.run(
        "REPLACE INTO book (id, title, code) VALUES (?, 'some words', 'a')", number)
      #expect(changes.lastInsertedRowID.rawValue == Int64(number))
      #expect(changes.count == 1)
    }
  }

  @Test func `index generated columns`() throws {
    let library = try IndexedBooks(
      ["title", "both"],
      schema: """
        CREATE TABLE book (
          id INTEGER PRIMARY KEY, title TEXT, n, both AS (title || ' ' || n),
          double AS (n * 2) STORED UNIQUE)
        """)
    try library.connection.run("INSERT INTO book (title, n) VALUES ('fox', 'red'), ('dog', 4)")
    try library.connection.run("UPDATE book SET n = 'blue' WHERE id = 1")
    #expect(try library.find(.phrase("fox blue")) == [1])
    #expect(try library.find(.words("red")) == [])
    try library.connection.run("UPDATE OR REPLACE book SET n = 4 WHERE id = 1")
    #expect(try library.find(.words("4")) == [1])
    #expect(try library.problems() == [])
  }
}

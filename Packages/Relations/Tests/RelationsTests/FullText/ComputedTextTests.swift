import Relations
import SQLiteCore
import Testing

@Suite struct `Computed text` {
  @Test func `is found after it was computed, and searches fail before`() throws {
    let library = try ComputedBooks()
    try library.connection.run("INSERT INTO book (title) VALUES ('the fox'), ('a dog')")
    #expect(try library.index.isStale(in: library.connection))
    for search in [library.find, { [Int64(try library.connection.count(of: library.index, $0))] }] {
      let error = #expect(throws: RelationError.self) { _ = try search(.words("fox")) }
      #expect(error?.code == .staleIndex)
    }
    #expect(try library.problems() == [.stale(2)])
    try library.index.markStale([99], in: library.connection)
    #expect(try library.index.staleRows(in: library.connection) == [1, 2])
    #expect(try library.index.staleRows(in: library.connection, limit: 1) == [1])
    #expect(try library.update() == 3)
    #expect(try library.index.staleRows(in: library.connection) == [])
    #expect(try !library.index.isStale(in: library.connection))
    #expect(try library.find(.words("fox")) == [1])
    #expect(try library.update() == 0)
    let hits = try library.connection.search(
      library.index, .words("fox"), excerpts: [.highlight("title")])
    #expect(hits.first?.excerpts == ["THE <b>FOX</b>"])
  }

  @Test func `is updated for its other sources, but not for columns that it does not use`() throws {
    let library = try ComputedBooks()
    try library.connection.run("INSERT INTO book (title) VALUES ('one'), ('two')")
    try library.update()
    try library.connection.run("UPDATE book SET n = 7")
    #expect(try !library.index.isStale(in: library.connection))
    try library.connection.run("INSERT INTO tag VALUES (1, 'red'), (2, 'blue'), (99, 'lost')")
    #expect(try library.update() == 3)
    #expect(try library.find(.words("red")) == [1])
    try library.connection.run("UPDATE tag SET book = 2 WHERE name = 'red'")
    try library.update()
    #expect(try library.find(.words("two red")) == [2])
    try library.connection.run("INSERT INTO tag VALUES ('no number', 'red'), (NULL, 'x')")
    try library.connection.run("REPLACE INTO tag VALUES ('no number', 'red')")
    try library.connection.run("DELETE FROM tag")
    try library.update()
    #expect(try library.find(.any("red blue")) == [])
    #expect(try library.problems() == [])
  }

  @Test func `is removed with its row, or if it is no longer returned`() throws {
    let library = try ComputedBooks()
    try library.connection.run("INSERT INTO book (title) VALUES ('one'), ('two'), ('three')")
    try library.update()
    try library.connection.run("DELETE FROM book WHERE id = 1")
    try library.connection.run("UPDATE book SET title = NULL WHERE id = 2")
    try library.connection.run("UPDATE book SET id = 30 WHERE id = 3")
    try library.update()
    #expect(try library.find(.any("one two three")) == [30])
    #expect(try library.problems() == [])
  }

  @Test func `leaves everything unchanged if computing it fails`() throws {
    struct Failed: Error {}
    let library = try ComputedBooks()
    try library.connection.run("INSERT INTO book (title) VALUES ('1'), ('2'), ('3'), ('4')")
    var calls = 0
    #expect(throws: Failed.self) {
      try library.index.update(in: library.connection, batchSize: 3) { rows in
        calls += 1
        if calls == 2 { throw Failed() }
        return try library.texts(rows)
      }
    }
    #expect(try library.problems() == [.stale(4)])
    for wrong in [[RowID(rawValue: 1): ["only one"]], [77: ["a", "b"]]] {
      let error = #expect(throws: RelationError.self) {
        try library.index.update(in: library.connection) { _ in wrong }
      }
      #expect(error?.code == .invalidQuery)
    }
    #expect(try library.problems() == [.stale(4)])
  }

  @Test func `is computed again on request, and written only if it differs`() throws {
    let library = try ComputedBooks()
    try library.connection.run("INSERT INTO book (title) VALUES ('one'), ('two')")
    try library.update()
    func pages() throws -> [[SQLiteValue]] {
      try library.connection.rows("SELECT id, block FROM find_data ORDER BY id")
    }
    let before = try pages()
    try library.index.markAllStale(in: library.connection)
    #expect(try library.update() == 2)
    #expect(try pages() == before)
    try library.index.markStale([1], in: library.connection)
    try library.index.update(in: library.connection) { _ in [1: ["uno", ""]] }
    #expect(try library.find(.any("one uno two")) == [1, 2])
    #expect(try library.find(.words("uno")) == [1])
  }

  @Test func `is computed again for rows that the closure changes`() throws {
    let library = try ComputedBooks()
    try library.connection.run("INSERT INTO book (title) VALUES ('one')")
    var rounds = 0
    let count = try library.index.update(in: library.connection) { rows in
      rounds += 1
      if rounds == 1 { try library.connection.run("UPDATE book SET title = 'two'") }
      return rounds == 1 ? [1: ["old", ""]] : try library.texts(rows)
    }
    #expect((count, rounds) == (2, 2))
    #expect(try library.find(.any("old two")) == [1])
    #expect(try library.find(.words("old")) == [])
  }

  @Test func `is never requested for an index of columns`() throws {
    let library = try IndexedBooks()
    #expect(try !library.index.isStale(in: library.connection))
    for use in [
      { try library.index.markAllStale(in: library.connection) },
      { _ = try library.index.update(in: library.connection) { _ in [:] } },
    ] {
      let error = #expect(throws: RelationError.self) { try use() }
      #expect(error?.code == .invalidQuery)
    }
  }
}

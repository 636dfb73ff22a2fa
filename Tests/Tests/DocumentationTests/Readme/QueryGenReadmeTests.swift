import Foundation
import QueryGen
import Testing

/// The types that are named in the README's product table.
struct Price: Hashable, Sendable {
  var cents: Int
}

enum CentsFormat: ColumnFormat {
  static func read(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) -> Price {
    Price(cents: try row.read(at: index))
  }

  static func sqliteValue(of value: Price) -> SQLiteValue { .integer(Int64(value.cents)) }
}

struct Details: Codable, Hashable, Sendable {
  var size: Int
}

enum Kind: Int { case made, bought }

extension Queries.Filter<FilteredPlayersMatching> {
  static var isShort: Self { \.size < 4 || .isIn(\.name, ["Alfred", "Bertha"]) }
}

@Suite struct `The README of QueryGen` {
  @Test func `composes orders, conditions and filters`() async throws {
    let db = try DB()
    for (name, score) in [("Al", 9), ("Bertha", nil), ("Carl", 4), ("Alfred", 9)] {
      try await db.addPlayer.execute(team: 7, name: name, joined: 0, score: score)
    }
    // The samples, which discard the results.
    try await db.players.execute(team: 7)  // ORDER BY id
    try await db.players.execute(team: 7, sort: [.best, .name.descending])  // best, then name

    try await db.findPlayers.execute(team: 7)  // … WHERE team = ?
    try await db.findPlayers.execute(team: 7, name: "A%")  // … WHERE team = ? AND name LIKE ?

    try await db.filteredPlayers.execute(team: 7, matching: \.score > 3 && !(\.name == "Al"))
    try await db.filteredPlayers.execute(team: 7, matching: .isShort && !.isNull(\.score))

    #expect(try await db.players.execute(team: 7).map(\.id) == [1, 2, 3, 4])
    let best = try await db.players.execute(team: 7, sort: [.best, .name.descending])
    #expect(best.map(\.name) == ["Alfred", "Al", "Carl", "Bertha"])
    #expect(try await db.findPlayers.execute(team: 7).count == 4)
    let named = try await db.findPlayers.execute(team: 7, name: "A%")
    #expect(named.map(\.name) == ["Al", "Alfred"])
    let filtered = try await db.filteredPlayers.execute(
      team: 7, matching: \.score > 3 && !(\.name == "Al"))
    #expect(filtered.map(\.name) == ["Carl", "Alfred"])
    let short = try await db.filteredPlayers.execute(
      team: 7, matching: .isShort && !.isNull(\.score))
    #expect(short.map(\.name) == ["Al", "Alfred"])
  }

  @Test func `runs and observes queries`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("todo.sqlite")
    let made = try DB(path: path)
    try await made.addTodo.execute(many: ["Milk", "Bread", "Tea"])
    let printRecorder = PrintRecorder()
    @Sendable func print(_ items: any Sendable...) { printRecorder.add(items) }

    let task = Task {
      let db = try DB(path: path)  // `try DB()` is in memory
      for todo in try await db.openTodos.execute() { print(todo.id, todo.name) }
      try await db.finish.execute(date: 1_700_000_000, ids: [1, 2])
      for try await todos in db.openTodos.observe() { print("still open: \(todos.count)") }
    }

    await printRecorder.wait(for: "still open: 1")
    task.cancel()
    _ = await task.result
    #expect(printRecorder.lines == ["1 Milk", "2 Bread", "3 Tea", "still open: 1"])
  }

  @Test func `has types for columns`() async throws {
    let db = try DB()
    let (id, added) = (UUID(), Date(timeIntervalSince1970: 1_700_000_000))
    try await db.addProduct.execute(
      id: id, added: added, price: Price(cents: 120), kind: .bought, state: .onSale)
    let product = try #require(try await db.products.execute().first)
    #expect(product.id == id && product.added == added && product.price == Price(cents: 120))
    #expect(product.tags == [] && product.details == nil)
    #expect(product.kind == .bought && product.state == .onSale)
    #expect(try await db.totals.execute(Price(cents: 100)) == [Price(cents: 120)])
    #expect(try await db.totals.execute(Price(cents: 200)) == [])
  }

  @Test func `has lists of a join's rows`() async throws {
    let db = try DB()
    try await db.database.write {
      try $0.execute(
        """
        INSERT INTO author VALUES (1, 'Eliot'), (2, 'Nobody');
        INSERT INTO book VALUES (1, 1, 'Middlemarch', 1871), (2, 1, 'Romola', NULL);
        """)
    }
    let authors = try await db.authorsWithBooks.execute()
    #expect(authors.map(\.author.name) == ["Eliot", "Nobody"])
    #expect(authors.map { $0.books.map(\.title) } == [["Middlemarch", "Romola"], []])
    let titles = try await db.authorsWithTitles.execute()
    #expect(titles.map { $0.books.map(\.year) } == [[1871, nil], []])
  }

  @Test func `inserts rows and executes several statements`() async throws {
    let db = try DB()
    try await db.database.write {
      try $0.execute("INSERT INTO author VALUES (1, 'Austen'), (2, 'A Lady')")
      try $0.execute("INSERT INTO book VALUES (1, 2, 'Persuasion', 1817)")
    }
    try await db.addTodos.execute([Todo(id: 1, name: "Milk", doneOn: nil)])
    let ids = try await db.putBooks.execute(books: [.init(author: 1, title: "Emma")], year: nil)
    let book = try await db.addBook.execute(.init(author: 1, title: "Lady Susan", year: 1871))
    #expect(try await db.openTodos.execute().map(\.name) == ["Milk"])
    #expect(ids == [2])
    #expect(book == Book(id: 3, author: 1, title: "Lady Susan", year: 1871))

    let books = try await db.mergeAuthors.execute(into: 1, author: 2)
    #expect(Set(books.map(\.title)) == ["Persuasion", "Emma", "Lady Susan"])
  }

  @Test func `has lists in the elements of lists`() async throws {
    let db = try DB()
    try await db.database.write {
      try $0.execute(
        """
        INSERT INTO author VALUES (1, 'Eliot');
        INSERT INTO book VALUES (1, 1, 'Middlemarch', 1871), (2, 1, 'Romola', NULL);
        INSERT INTO chapter VALUES (1, 1, 'Miss Brooke'), (2, 1, 'Old and Young');
        INSERT INTO review VALUES (1, 5), (1, 4);
        INSERT INTO address VALUES (1, 'London', 'Cheyne Walk');
        """)
    }
    let printRecorder = PrintRecorder()
    @Sendable func print(_ items: any Sendable...) { printRecorder.add(items) }
    for tree in try await db.authorTrees.execute() {  // author, books, addresses
      for entry in tree.books {  // book, chapters, ratings
        print(entry.book.title, entry.chapters.map(\.heading), entry.ratings, tree.addresses.count)
      }
    }
    #expect(
      printRecorder.lines == [
        #"Middlemarch ["Miss Brooke", "Old and Young"] [4, 5] 1"#, "Romola [] [] 1",
      ])
  }

  @Test func `runs without a database`() async throws {
    let db = try DB()
    try await db.addTodo.execute("Tea")

    let preview: any OpenTodosQuery = Queries.Just([Todo(id: 1, name: "Milk", doneOn: nil)])
    let failing: any OpenTodosQuery = Queries.Fail(CancellationError())
    let recorder = Queries.Recorder<FinishInput, Int>(1)  // recorder.executed, recorder.send(…)
    let names = db.openTodos.map { todos in todos.map(\.name) }  // also mapInput, with

    #expect(try await preview.execute().map(\.name) == ["Milk"])
    await #expect(throws: CancellationError.self) { try await failing.execute() }
    #expect(try await recorder.execute(FinishInput(date: 1, ids: [1])) == 1)
    #expect(recorder.executed.map(\.ids) == [[1]])
    #expect(try await names.execute() == ["Tea"])
  }
}

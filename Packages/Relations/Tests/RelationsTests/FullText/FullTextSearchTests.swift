import Relations
import SQLiteCore
import Testing

@Suite struct `Full-text search` {
  @Test func `returns hits by rank, and by row identifier if ranks are equal`() throws {
    let library = try IndexedBooks()
    try library.add(
      "a fox among very many other words that say nothing", "fox fox fox", "a fox here",
      "a fox here")
    #expect(try library.find(.words("fox")) == [2, 3, 4, 1])
    let hits = try library.connection.search(library.index, .words("fox"))
    #expect(hits.map(\.rank) == hits.map(\.rank).sorted())
    #expect(hits[1].rank == hits[2].rank)
  }

  @Test func `keeps the order of ranks for rows joined by a custom statement`() throws {
    let library = try IndexedBooks()
    try library.add("a fox among very many words", "fox fox", "fox", "dog")
    let hits = try library.index.hits(.words("fox"))
    let titles = try library.connection.values(
      String.self,
      """
      SELECT book.title FROM \(sql: hits) AS hit JOIN book ON book.id = hit.id
      WHERE book.id <> \(3) ORDER BY hit.rank, hit.id
      """)
    #expect(titles == ["fox fox", "a fox among very many words"])
    let matches = library.index.matchCondition(.words("fox"), alias: "b")
    let count = try library.connection.value(
      Int.self, "SELECT count(*) FROM book AS b WHERE \(sql: matches) AND b.id > \(1)")
    #expect(count == 2)
    let nothing = try library.index.hits(.words(""))
    #expect(try library.connection.rows("SELECT id, rank FROM \(sql: nothing)").isEmpty)
    let none = library.index.matchCondition(.words(" "))
    #expect(try library.connection.values(Int.self, "SELECT id FROM book WHERE \(sql: none)") == [])
  }

  @Test func `uses the index, and finds rows by their row identifiers`() throws {
    let library = try IndexedBooks()
    let hits = try library.index.hits(.words("fox"))
    let plans = try [
      library.connection.queryPlan(
        for: "SELECT * FROM \(sql: hits) AS hit JOIN book ON book.id = hit.id ORDER BY hit.rank"),
      library.connection.queryPlan(
        for: "SELECT * FROM book WHERE \(sql: library.index.matchCondition(.words("fox")))"),
    ]
    for plan in plans {
      #expect(
        plan.details.contains { $0.contains("VIRTUAL TABLE INDEX") && $0.contains(":M") }, "\(plan)"
      )
      #expect(plan.details.contains { $0.hasPrefix("SEARCH book USING INTEGER PRIMARY KEY") })
    }
  }

  @Test func `uses the index's column weights unless a search overrides them`() throws {
    let library = try IndexedBooks([.init("title", weight: 10), "body"])
    try library.connection.run(
      "INSERT INTO book (title, body) VALUES ('x y', 'fox z'), ('fox y', 'x z')")
    #expect(try library.find(.words("fox")) == [2, 1])
    let turned = try library.connection.search(
      library.index, .words("fox"), weights: ["title": 1, "body": 10])
    #expect(turned.map(\.rowID) == [1, 2])
    for weights in [["nothing": 1.0], ["title": .nan], ["title": 1e-9]] {
      let error = #expect(throws: RelationError.self) {
        try library.connection.search(library.index, .words("fox"), weights: weights)
      }
      #expect(error?.code == .invalidQuery)
    }
  }

  @Test func `continues after a hit, and skips hits`() throws {
    let library = try IndexedBooks()
    for number in 0..<20 {
      try library.add("fox" + String(repeating: " word", count: number % 4))
    }
    let all = try library.connection.search(library.index, .words("fox"))
    var pages: [FullTextIndex.Hit] = []
    while true {
      let page = try library.connection.search(
        library.index, .words("fox"), after: pages.last?.position, limit: 3)
      if page.isEmpty { break }
      pages += page
    }
    #expect(pages == all)
    #expect(all.count == 20)
    let middle = try library.connection.search(library.index, .words("fox"), limit: 4, offset: 5)
    #expect(middle == Array(all[5..<9]))
    let weights = ["title": 3.0]
    let weighed = try library.connection.search(library.index, .words("fox"), weights: weights)
    #expect(
      try library.connection.search(
        library.index, .words("fox"), after: weighed[2].position, weights: weights)
        == Array(weighed[3...]))
  }

  @Test func `counts matches, and applies additional conditions on the table`() throws {
    let library = try IndexedBooks()
    try library.add("fox one", "fox two", "dog")
    try library.connection.run("UPDATE book SET n = id")
    #expect(try library.connection.count(of: library.index, .words("fox")) == 2)
    #expect(try library.connection.count(of: library.index, .words("fox"), where: "n > \(1)") == 1)
    #expect(try library.connection.count(of: library.index, .words("")) == 0)
    let hits = try library.connection.search(
      library.index, .words("fox"), where: "n > \(1) OR title = \("fox 9")", limit: 5)
    #expect(hits.map(\.rowID) == [2])
  }

  @Test func `shows matches in the whole text and in the best snippet`() throws {
    let library = try IndexedBooks(["title", "body", .init("code", isIndexed: false)])
    let filler = Array(repeating: "word", count: 40).joined(separator: " ")
    try library.connection.run(
      "INSERT INTO book (title, body, code) VALUES ('A Fox', ?, 'K7')",
      "\(filler) the fox \(filler)")
    let hits = try library.connection.search(
      library.index, .words("fox"),
      excerpts: [
        .highlight("title", opening: "[", closing: "]"),
        .snippet("body", opening: "[", closing: "]", ellipsis: "~", words: 4), .highlight("code"),
        .snippet(),
      ])
    let excerpts = try #require(hits.first?.excerpts)
    #expect(excerpts[0] == "A [Fox]")
    let snippet = try #require(excerpts[1])
    #expect(snippet.hasPrefix("~") && snippet.hasSuffix("~") && snippet.contains("[fox]"))
    #expect(snippet.split(separator: " ").count == 4)
    #expect(excerpts[2] == "K7")
    #expect(excerpts[3]?.contains("<b>") == true)
    #expect(throws: RelationError.self) {
      try library.connection.search(library.index, .words("fox"), excerpts: [.highlight("n")])
    }
    try library.connection.run("UPDATE book SET title = NULL")
    let empty = try library.connection.search(
      library.index, .words("fox"), excerpts: [.highlight("title")])
    #expect((empty.first?.excerpts).map { $0 == [nil] || $0 == [""] } == true)
  }

  @Test func `searches only the columns named in a query`() throws {
    let library = try IndexedBooks(["title", "body", .init("code", isIndexed: false)])
    try library.connection.run(
      "INSERT INTO book (title, body, code) VALUES ('fox', 'dog', 'cat'), ('dog', 'fox', 'owl')")
    #expect(try library.find(.words("fox").inColumns(["title"])) == [1])
    #expect(try library.find(.words("fox").outsideColumns(["title"])) == [2])
    #expect(try library.find(.words("cat")) == [])
    let error = #expect(throws: SQLiteError.self) {
      try library.find(.words("fox").inColumns(["nothing"]))
    }
    #expect(error?.code == .error)
  }

  @Test func `fails with SQLite's message for an invalid raw query`() throws {
    let library = try IndexedBooks()
    try library.add("fox")
    #expect(try library.find(.raw("fo* OR dog")) == [1])
    let error = #expect(throws: SQLiteError.self) { try library.find(.raw("\"fox")) }
    #expect(error?.code == .error)
    #expect(error?.message.contains("unterminated string") == true)
  }
}

import QueryGen
import Testing

@Suite struct `Generated queries` {
  @Test func `return an inserted row as the table's struct`() async throws {
    let library = try await Library()
    let book: Book = try await library.db.addBook.execute(
      authorID: library.woolf, title: "The Waves", price: 12, cover: [0xFF])
    #expect(
      book
        == Book(
          id: 4, authorId: library.woolf, title: "The Waves", price: 12, cover: [0xFF],
          isLent: false, shelfMark: "THE-4"))
  }

  @Test func `insert or update, and return the key`() async throws {
    let library = try await Library()
    let again = try await library.db.saveAuthor.execute(name: "Virginia Woolf", born: 1882)
    #expect(again == library.woolf)
    let born = try await library.db.birthYear.execute(library.woolf)
    #expect(born == 1882)
  }

  @Test func `return an optional row for a key`() async throws {
    let library = try await Library()
    let author = try await library.db.author.execute(library.austen)
    #expect(author == Author(id: library.austen, name: "Jane Austen", born: 1775, country: nil))
    let nobody = try await library.db.author.execute(99)
    #expect(nobody == nil)
    let noYear = try await library.db.birthYear.execute(99)
    #expect(noYear == nil)
  }

  @Test func `return the number of changed rows`() async throws {
    let library = try await Library()
    let renamed = try await library.db.renameAuthor.execute(name: "J. A.", id: library.austen)
    #expect(renamed == 1)
    let nobody = try await library.db.renameAuthor.execute(name: "J. A.", id: 99)
    #expect(nobody == 0)
    let lent = try await library.db.lend.execute(isLent: true, id: 1)
    #expect(lent == 1)
    let books = try await library.db.books.execute()
    #expect(books.map(\.isLent) == [true, false, false])
  }

  @Test func `return the inserted key with :execlastid`() async throws {
    let library = try await Library()
    let id = try await library.db.insertAuthor.execute("Zadie Smith")
    #expect(try await library.db.author.execute(id)?.name == "Zadie Smith")
  }

  @Test func `return a value if there is always one`() async throws {
    let db = try DB()
    let count = try await db.countAuthors.execute()
    #expect(count == 0)
    let nothing: Double? = try await db.totalPrice.execute()
    #expect(nothing == nil)
    let library = try await Library()
    let sum = try await library.db.totalPrice.execute()
    #expect(sum == 16.5)
  }

  @Test(
    arguments: [
      ([], 0, []), ([1, 2, 3], 0, ["Emma", "Persuasion"]), ([2, 1], 8, ["Emma"]),
      ([3, 3, 99], 0, []),
    ] as [([Int], Double, [String])])
  func `accept lists among other parameters`(
    _ ids: [Int], _ price: Double, _ titles: [String]
  ) async throws {
    let library = try await Library()
    let found = try await library.db.booksByIDs.execute(ids: ids, price: price)
    #expect(found == titles)
  }

  @Test func `exclude the values of a list, and no row for an empty list`() async throws {
    let library = try await Library()
    let others = try await library.db.booksExcept.execute([1, 3])
    #expect(others == ["Persuasion"])
    let all = try await library.db.booksExcept.execute([])
    #expect(all.count == 3)
    let deleted = try await library.db.deleteAuthors.execute([library.austen, library.woolf])
    #expect(deleted == 2)
  }

  @Test func `distinguish two columns with the same name`() async throws {
    let library = try await Library()
    let rows = try await library.db.booksWithAuthor.execute()
    #expect(rows.map(\.id) == [1, 2, 3])
    #expect(rows.map(\.id2) == [library.austen, library.austen, library.woolf])
    #expect(rows.map(\.name) == ["Jane Austen", "Jane Austen", "Virginia Woolf"])
  }

  @Test func `return nil for missing rows of an outer join`() async throws {
    let library = try await Library()
    try await library.db.saveAuthor.execute(name: "Zadie Smith", born: 1975)
    let rows = try await library.db.authorsWithBooks.execute()
    #expect(rows.map(\.title) == ["Emma", "Persuasion", "Orlando", nil])
  }

  @Test func `accept a limit and an offset`() async throws {
    let library = try await Library()
    let page = try await library.db.page.execute(limit: 1, offset: 1)
    #expect(page.map(\.title) == ["Persuasion"])
  }

  @Test func `group, rank and recurse`() async throws {
    let library = try await Library()
    let groups = try await library.db.pricePerAuthor.execute()
    #expect(groups.map(\.author) == ["Jane Austen", "Virginia Woolf"])
    #expect(groups.map(\.books) == [2, 1])
    #expect(groups.map(\.total) == [16.5, 0])
    let ranks = try await library.db.rankedPrices.execute()
    #expect(ranks.map(\.rank) == [1, 2, 3])

    try await library.db.addTag.execute(name: "fiction", parent: nil)
    try await library.db.addTag.execute(name: "novel", parent: "fiction")
    try await library.db.addTag.execute(name: "letters", parent: "novel")
    let tags = try await library.db.tagsBelow.execute("fiction")
    #expect(tags.map(\.name) == ["fiction", "novel", "letters"])
    #expect(tags.map(\.depth) == [0, 1, 2])
  }

  @Test func `report constraint violations`() async throws {
    let library = try await Library()
    let error = await #expect(throws: SQLiteError.self) {
      try await library.db.addBook.execute(authorID: 99, title: "?", price: nil, cover: nil)
    }
    #expect(error?.code == .constraintForeignKey)
  }
}

@Suite struct `Generated code` {
  @Test func `supports names and strings that need escaping in Swift`() async throws {
    let db = try DB()
    try await db.addOrder.execute(
      default: 1, connection: "two words", in: "class", self_: 5, execute: .text("any"))
    let rows = try await db.default.execute("two words")
    let row = try #require(rows.first)
    #expect(row.default == 1)
    #expect(row.twoWords == "two words")
    #expect(row.class == "class")
    #expect(row.self_ == 5)
    #expect(row.init_ == .text("any"))
    #expect(row.text == "it's \\n \"\"\" #")
  }

  @Test func `has a case for each value in a constraint`() async throws {
    let db = try DB()
    try await db.choose.execute(many: ChoiceRow.allCases)
    let choices = try await db.choices.execute()
    #expect(choices == ChoiceRow.allCases)
    #expect(choices.count == 15)
    #expect(choices.contains(.self_) && choices.contains(.class) && choices.contains(.empty))
    try await db.addOrder.execute(default: 1, connection: "", in: nil, self_: nil, execute: .null)
    let rows = try await db.nestedNames.execute()
    #expect(rows.map(\.in.default) == [1])
    #expect(rows.first?.class.map(\.row) == ChoiceRow.allCases)
  }

  @Test(
    arguments: [
      .null, .integer(.min), .real(0.5), .text("é\u{0}"), .blob([]), .blob([0, 255]),
    ] as [SQLiteValue])
  func `passes values of any type`(_ value: SQLiteValue) async throws {
    let db = try DB()
    try await db.addData.execute(value)
    let values = try await db.data.execute()
    #expect(values == [value])
  }

  @Test func `runs inside a transaction`() async throws {
    let library = try await Library()
    let titles = try await library.db.database.write { [db = library.db, author = library.woolf] in
      try db.addBook.execute(
        authorID: author, title: "The Waves", price: nil, cover: nil, in: $0)
      return try db.books.execute(in: $0).map(\.title)
    }
    #expect(titles == ["Emma", "Persuasion", "Orlando", "The Waves"])
  }

  @Test func `is observed, through views and joins too`() async throws {
    let library = try await Library()
    var iterator = library.db.pricePerAuthor.observe().makeAsyncIterator()
    let first = try await iterator.next()
    #expect(first?.map(\.books) == [2, 1])
    try await library.db.addBook.execute(
      authorID: library.woolf, title: "The Waves", price: 3, cover: nil)
    let second = try await iterator.next()
    #expect(second?.map(\.total) == [16.5, 3])
  }

  @Test func `only observes the rows that its input selects`() async throws {
    let library = try await Library()
    let db = library.db
    #expect(
      db.author.region(for: 7)
        == .rows(
          of: "authors", where: .column("id", equals: .integer(7)),
          reading: ["born", "country", "id", "name"]))
    #expect(
      DB.AuthorStatement.region == Region(reading: ["authors": ["born", "country", "id", "name"]]))
    #expect(db.authors.region(for: ()) == DB.AuthorsStatement.region)
    var iterator = db.author.observe(library.woolf).makeAsyncIterator()
    #expect(try await iterator.next()??.born == nil)
    try await db.renameAuthor.execute(name: "J. A.", id: library.austen)
    try await db.renameAuthor.execute(name: "V. W.", id: library.woolf)
    #expect(try await iterator.next()??.name == "V. W.")
  }

  @Test func `has its migrations in the order of their numbers`() throws {
    #expect(
      DB.migrations.map(\.name) == [
        "001_library", "002_tags", "010_hostile", "020_shop", "030_visits",
      ])
    let applied = try DB().database.read { try $0.appliedMigrations() }
    #expect(applied == DB.migrations.map(\.name))
  }
}

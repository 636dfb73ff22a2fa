import Relations
import SQLiteCore
import Testing

@Suite struct `Related rows` {
  static func fill(_ session: ModelSession) async throws {
    try await session.fillLibrary(
      "INSERT INTO Shelf (id, room) VALUES (1, 'a'), (2, 'b'), (3, 'c')",
      "INSERT INTO Writer (id, name) VALUES (1, 'Ann'), (2, 'Bob')",
      """
      INSERT INTO Book (id, title, pages, writer, shelf)
      VALUES (1, 'p', 100, 1, 1), (2, 'q', 300, 2, 1), (3, 'r', 200, 1, 1), (4, 's', 50, NULL, 2)
      """,
      "INSERT INTO Reader (id, name) VALUES (1, 'Eve'), (2, 'Dan')",
      """
      INSERT INTO Book_readers (owner, position, target)
      VALUES (1, 1, 1), (1, 2, 2), (1, 3, 1), (2, 1, 2)
      """)
  }

  @Test func `are counted and summed for many owners, and not multiplied`() async throws {
    try await withLoggedSession { session, log in
      try await Self.fill(session)
      let shelves = try await Shelf.fetchQuery()
      let books = try Shelf.related(\.books)
      let thick = try Shelf.related(\.books, where: "pages >= ?", [200])
      let statements = try await log.recordStatements {
        let found = try await shelves.values(
          of: books.count, try books.sum("pages", as: Int.self), thick.count, books.isEmpty,
          try books.average("pages"))
        #expect(found.count == 3)
        #expect(found[1]?.0 == 3)
        #expect(found[1]?.1 == 600)
        #expect(found[1]?.2 == 2)
        #expect(found[1]?.3 == false)
        #expect(found[1]?.4 == 200)
        #expect(found[3]?.0 == 0)
        #expect(found[3]?.1 == .some(nil))
        #expect(found[3]?.3 == true)
      }
      #expect(statements.count == 1)
      let extremes = try await shelves.values(
        of: try books.min("title", as: String.self), try books.max("pages", as: Int.self))
      #expect(extremes[1]?.0 == "p")
      #expect(extremes[1]?.1 == 300)
      let all = try await Book.fetchQuery()
      let readers = try await all.values(of: try Book.related(\.readers).count)
      #expect(readers == [1: 3, 2: 1, 3: 0, 4: 0])
      #expect(throws: RelationError.self) { try books.max("nothing") }
    }
  }

  @Test func `select owners`() async throws {
    try await withSession { session in
      try await Self.fill(session)
      let books = try Shelf.related(\.books)
      #expect(try await Shelf.fetchQuery(where: books.exists, orderedBy: "id").map(\.id) == [1, 2])
      #expect(try await Shelf.fetchQuery(where: books.isEmpty).map(\.id) == [3])
      #expect(
        try await Shelf.fetchQuery(where: books.count > 1 || books.isEmpty, orderedBy: "id").map(
          \.id) == [1, 3])
      #expect(try await Shelf.fetchQuery(where: !books.exists && books.count == 0).map(\.id) == [3])
      let byBob = try Shelf.related(
        \.books, where: try Book.related(\.writer, where: "name = ?", ["Bob"]).exists)
      #expect(try await Shelf.fetchQuery(where: byBob.exists).map(\.id) == [1])
      let ordered = try await Shelf.fetchQuery(
        "WHERE id < ? ORDER BY \(sql: books.count.sql)", [9])
      #expect(ordered.map(\.id) == [3, 2, 1])
      let dan = try Book.related(\.readers, where: RelationCondition("name = ?", ["Dan"]))
      #expect(try await Book.fetchQuery(where: dan.exists, orderedBy: "id").map(\.id) == [1, 2])
      #expect(try await Book.fetchQuery(where: try Book.related(\.writer).isEmpty).map(\.id) == [4])
    }
  }

  @Test func `may be of the same table, and through other tables`() async throws {
    try await withSession { session in
      try await Trees.fill(session)
      let children = try Twig.related(\.children)
      let counts = try await Twig.fetchIds([1, 2, 6, 12]).values(of: children.count)
      #expect(counts == [1: 2, 2: 1, 6: 0, 12: 2])
      let grand = try Twig.related(\.children, where: children.exists)
      #expect(try await Twig.fetchQuery(where: grand.count > 1).map(\.id) == [1])
      let named = try Twig.related(\.parent, where: "Twig.name = ?", ["a"])
      #expect(
        try await Twig.fetchQuery(where: named.exists, orderedBy: "id").map(\.id) == [2, 3])

      _ = try await `Lists through other tables`.courses()
      let student = try await Student.create()
      student.courses.append(try await Course.fetchQuery("WHERE id <> 4"))
      try await student.save()
      let figures = try await [student].values(
        of: try Student.related(\.courses).count, try Student.related(\.teachers).count,
        try Student.related(\.teachers, where: "name = ?", ["Ann"]).exists)
      #expect(figures[student.id]?.0 == 3)
      #expect(figures[student.id]?.1 == 2)
      #expect(figures[student.id]?.2 == true)
    }
  }
}

import SQLiteCore
import Testing

@testable import Relations

private final class Leaflet: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Leaflet"
    var id = 0
    var text = ""
    var book = OneRelation<Leaflet>()
    var pages = ManyRelation<Leaflet>(\.book)

    init() {}
    init(id: Int, text: String = "") { (self.id, self.text) = (id, text) }
    init(row: borrowing SQLiteCore.Row) throws(SQLiteError) {
      id = try row.read(at: 0)
      text = try row.read(at: 1)
      book = try row.read(at: 2)
    }
    static var properties: [RowProperty<Value>] {
      [
        .init(column: "id") { $0.id }, .init(column: "text") { $0.text },
        .init(column: "book") { $0.book }, .init(relation: "pages") { $0.pages },
      ]
    }
  }
  var value: Value
  init(_ value: Value) { self.value = value }
  var pages: ManyRelation<Leaflet> { value.pages }
}

@Suite struct `Instances of tables that are read without Codable` {
  /// Returns the instances of the given rows without running a statement.
  private func instances(_ rows: [Leaflet.Value], in session: ModelSession) throws -> [Leaflet] {
    let metadata = try TableMetadata.of(Leaflet.Value.self)
    let accessors = try #require(metadata.accessors(Leaflet.Value.self))
    let fetched = ModelSession.FetchedRows(rows, [], accessors, revision: session.clock.now)
    return session.identities(of: Leaflet.self).instances(of: fetched, in: session)
  }

  @Test func `are unique for each row, even if it occurs several times`() async throws {
    try await withSession { session in
      let rows = [1, 2, 1, 3, 2, 1].map { Leaflet.Value(id: $0, text: "page \($0)") }
      let pages = try instances(rows, in: session)
      #expect(pages.map(\.id) == [1, 2, 1, 3, 2, 1])
      for (page, row) in zip(pages, rows) {
        #expect(page === pages.first { $0.id == row.id })
        #expect(page.value.text == row.text)
        #expect(!session.isChanged(page))
      }
      // Some instances exist already, and others don't.
      let more = try instances([4, 3, 4, 1].map { Leaflet.Value(id: $0) }, in: session)
      #expect(more[1] === pages[3])
      #expect(more[3] === pages[0])
      #expect(more[0] === more[2])
    }
  }

  @Test func `are created again after they were released`() async throws {
    try await withSession { session in
      try await session.save((1...3).map { Leaflet.Value(id: $0, text: "old") })
      var pages = try await session.fetchAll(Leaflet.self, "ORDER BY id")
      weak var first: Leaflet?
      first = pages[0]
      pages = []
      #expect(first == nil)
      try await session.elsewhere("UPDATE Leaflet SET text = 'new'")
      pages = try await session.fetchAll(Leaflet.self, "ORDER BY id")
      #expect(pages.map(\.value.text) == ["new", "new", "new"])
      let again = try await session.fetchAll(Leaflet.self, "ORDER BY id")
      #expect(zip(pages, again).allSatisfy { $0 === $1 })
    }
  }

  @Test func `have their relations, which report changes`() async throws {
    try await withSession { session in
      try await session.save((1...3).map { Leaflet.Value(id: $0) })
      let pages = try await session.fetchAll(Leaflet.self, "ORDER BY id")
      await pages[1].value.book.setObject(pages[0])
      pages[0].value.pages.append([pages[2]])
      #expect(pages.map { session.isChanged($0) } == [true, true, true])
      try await session.saveChanges()
      #expect(
        try await session.rows("SELECT book FROM Leaflet ORDER BY id") == [[.null], [1], [1]])
      try await pages.fetchAll(\.pages)
      #expect(pages[0].value.pages.items.map(\.id) == [2, 3])
      #expect(pages[0].value.pages.items[0] === pages[1])
    }
  }
}

import Relations
import SQLiteCore
import Testing

@Suite struct `Tables that are verified` {
  struct Label: Table {
    static let tableName = "label"
    var id = 0
    var name = ""
  }

  struct Disc: Table {
    static let tableName = "disc"
    var id = 0
    var name = ""
    var year: Int?
    var label = OneRelation<Label>()
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let columns: String
    /// The column of the error; `nil` if there is no error.
    var column: String?
    var testDescription: String { columns }
  }

  private func session(_ columns: String) throws -> ModelSession {
    let database = try Database.inMemory()
    try database.write {
      try $0.execute(
        """
        CREATE TABLE label (id INTEGER PRIMARY KEY, name VARCHAR(20) NOT NULL);
        CREATE TABLE other (id INTEGER PRIMARY KEY);
        CREATE TABLE disc (\(unsafe: columns));
        """)
    }
    return ModelSession(database, schema: .verified)
  }

  @Test(arguments: [
    Case(
      columns:
        "id INTEGER PRIMARY KEY, name TEXT NOT NULL, year INT, label INTEGER REFERENCES label (id)"),
    Case(
      columns: "label INTEGER NOT NULL, year, name CLOB NOT NULL, id INTEGER NOT NULL PRIMARY KEY"),
    Case(
      columns:
        "id INTEGER PRIMARY KEY, name TEXT NOT NULL, year INT, label INT, more TEXT, most TEXT NOT NULL DEFAULT 'x'"
    ),
    Case(columns: "id INTEGER PRIMARY KEY, name TEXT NOT NULL, label INT", column: "year"),
    Case(
      columns: "id INTEGER PRIMARY KEY, name INTEGER NOT NULL, year INT, label INT", column: "name"),
    Case(columns: "id INTEGER PRIMARY KEY, name TEXT, year INT, label INT", column: "name"),
    Case(
      columns: "id INTEGER PRIMARY KEY, name TEXT NOT NULL, year INT NOT NULL, label INT",
      column: "year"),
    Case(
      columns: "id INTEGER PRIMARY KEY, name TEXT NOT NULL, year AS (1) STORED, label INT",
      column: "year"),
    Case(
      columns: "id INTEGER PRIMARY KEY, name TEXT NOT NULL, year INT, label INT REFERENCES other",
      column: "label"),
    Case(
      columns: "id INTEGER PRIMARY KEY, name TEXT NOT NULL, year INT, label INT, size INT NOT NULL",
      column: "size"),
    Case(columns: "id INTEGER NOT NULL, name TEXT NOT NULL, year INT, label INT", column: "id"),
    // A key with a separate index is not the rowid and may be NULL.
    Case(
      columns: "id INTEGER PRIMARY KEY DESC, name TEXT NOT NULL, year INT, label INT", column: "id"),
    Case(
      columns:
        "id INTEGER NOT NULL, name TEXT NOT NULL, year INT, label INT, PRIMARY KEY (id, name)",
      column: "id"),
  ])
  func `are used if they match the types, and refused with the column otherwise`(
    _ expected: Case
  ) async throws {
    let session = try session(expected.columns)
    guard let column = expected.column else {
      let label = try await session.save(Label(name: "Fiction"))
      try await session.save(Disc(name: "Faith", label: OneRelation(label.id)))
      let discs = try await session.fetchAll(Disc.self)
      #expect(try await discs[0].label.object.name == "Fiction")
      return
    }
    let error = await #expect(throws: RelationError.self) {
      try await session.save(Disc(name: "Faith"))
    }
    #expect(error?.code == .schemaMismatch)
    #expect(error?.table == "disc")
    #expect(error?.column == column)
    let count = try await session.database.read {
      try $0.value(Int.self, "SELECT count(*) FROM disc")
    }
    #expect(count == 0)
  }

  @Test func `are not created if they are missing`() async throws {
    let session = ModelSession(try Database.inMemory(), schema: .verified)
    let error = await #expect(throws: RelationError.self) {
      try await session.fetchAll(Label.self)
    }
    #expect(error?.code == .schemaMismatch)
    #expect(error?.table == "label")
    #expect(try await session.database.read { try $0.tables() }.isEmpty)
  }
}

@Suite struct `A relation as a column` {
  @Test func `stores the target's key, and has no target if the column is NULL`() throws {
    let connection = try Connection.inMemory()
    typealias Label = `Tables that are verified`.Label
    let relation = try #require(
      try connection.value(OneRelation<Label>.self, "SELECT ?", OneRelation<Label>(7)))
    #expect(relation.key == 7)
    let statement = try connection.prepare("SELECT NULL")
    #expect(try statement.step())
    #expect(try statement.row.read(OneRelation<Label>.self, at: 0).key == nil)
    #expect(try connection.value(Int?.self, "SELECT ?", OneRelation<Label>()) == .some(nil))
  }
}

import Relations
import SQLiteCore
import Testing

enum Genre: String, Codable { case rock, pop }
enum Stars: Int, Codable { case one = 1, two }
struct Size: Codable, Hashable, Sendable { var width = 0, height = 0 }

/// Versions of one table: the types have the same table name.
enum Former {
  struct Disc: Table {
    static let tableName = "Disc"
    var id = 0
    var name = ""
    var year = "1981"
  }
}
enum Later {
  struct Disc: Table {
    static let tableName = "Disc"
    var id = 0
    var title = "untitled"
    var year = 0
    var rating = 0.5
    var count = 0
    var genre = Genre.rock
    var stars: Stars?
    var size = Size(width: 3)
    var note: String?
    static var renamedColumns: [String: String] { ["name": "title"] }
  }
}
enum Smaller {
  struct Disc: Table {
    static let tableName = "Disc"
    var id = 0
  }
}
enum Unique {
  struct Disc: Table {
    static let tableName = "Disc"
    var id = 0
    var name = ""
    var year = "1981"
    static var uniqueIndexes: [[String]] { [["name"]] }
    static var indexes: [[String]] { [["year", "name"]] }
  }
}
enum Renamed {
  struct Disc: Table {
    static let tableName = "Record"
    var id = 0
    var name = ""
    var year = "1981"
    static var formerTableName: String? { "Disc" }
    static var checks: [String] { ["length(name) < 10"] }
  }
}
enum Child1 {
  struct Owner: Table {
    static let tableName = "Owner"
    var id = 0
    var number = "7"
    var things = ManyRelation<Thing>(\.owner)
  }
  struct Thing: Table {
    static let tableName = "Thing"
    var id = 0
    var owner = OneRelation<Owner>(isRequired: true, onDelete: .cascade)
  }
}
enum Child2 {
  struct Owner: Table {
    static let tableName = "Owner"
    var id = 0
    var number = 0
    var things = ManyRelation<Thing>(\.owner)
  }
  struct Thing: Table {
    static let tableName = "Thing"
    var id = 0
    var owner = OneRelation<Owner>(isRequired: true, onDelete: .cascade)
  }
}
/// Two types of one table, which lead to each other.
enum Shared {
  final class Shelf: Model, @unchecked Sendable {
    struct Value: Table {
      static let tableName = "Shelf"
      var id: AutoId = 0
      var books = ManyRelation<Book>(\.shelf)
      var loans = ManyRelation<Loan>(\.shelf)
    }
    var value: Value
    init(_ value: Value) { self.value = value }
  }
  struct Book: Table {
    static let tableName = "Book"
    var id: AutoId = 0
    var title = ""
    var year = 7
    var shelf = OneRelation<Shelf>()
    static var indexes: [[String]] { [["title"]] }
  }
  /// A type with a removed column, an added column and another default.
  struct Loan: Table {
    static let tableName = "book"
    var id: AutoId = 0
    var title = "untitled"
    var shelf = OneRelation<Shelf>()
    var reader: String?
    static var indexes: [[String]] { [["title"], ["reader"]] }
  }
}
/// Each contradicts the one before.
enum Contradicting {
  struct Number: Table {
    static let tableName = "Number"
    var id = 0
    var value = 0
    static var indexes: [[String]] { [["value"]] }
  }
  struct Text: Table {
    static let tableName = "Number"
    var id = 0
    var value = ""
  }
  struct Key: Table {
    static let tableName = "Number"
    static let keyColumns = ["value"]
    var id: Int {
      get { value }
      set { value = newValue }
    }
    var value = 0
    init() {}
    enum CodingKeys: CodingKey { case value }
  }
  struct Unique: Table {
    static let tableName = "Number"
    var id = 0
    var value = 0
    static var uniqueIndexes: [[String]] { [["value"]] }
  }
  struct Needed: Table {
    static let tableName = "Number"
    var id = 0
    var value = 0
    var shelf = OneRelation<Shared.Shelf>(isRequired: true)
  }
}

@Suite struct `Tables of types` {
  private func withDiscs(
    _ body: (Database) async throws -> Void
  ) async throws {
    let database = try Database(.memory)
    let session = ModelSession(database)
    try await session.save([Former.Disc(name: "Faith"), Former.Disc(name: "Doubt", year: "1990")])
    try await body(database)
  }

  @Test func `get new columns with the values of init() in existing rows`() async throws {
    try await withDiscs { database in
      let session = ModelSession(database, schema: .automaticAllowingDataLoss)
      let rows = try await session.fetchAll(Later.Disc.self, "ORDER BY id")
      #expect(rows.map(\.title) == ["Faith", "Doubt"])
      #expect(rows.map(\.year) == [1981, 1990])
      #expect(rows.map(\.rating) == [0.5, 0.5])
      #expect(rows.map(\.count) == [0, 0])
      #expect(rows.map(\.genre) == [.rock, .rock])
      #expect(rows.map(\.stars) == [nil, nil])
      #expect(rows.map(\.size) == [Size(width: 3), Size(width: 3)])
    }
  }

  @Test func `and their columns are renamed as declared`() async throws {
    try await withDiscs { database in
      let session = ModelSession(database)
      let rows = try await session.fetchAll(Renamed.Disc.self, "ORDER BY id")
      #expect(rows.map(\.name) == ["Faith", "Doubt"])
      #expect(
        try await session.rows("SELECT count(*) FROM sqlite_master WHERE name = 'Disc'") == [[0]])
      let error = await #expect(throws: SQLiteError.self) {
        try await session.save(Renamed.Disc(name: "longer than ten"))
      }
      #expect(error?.code == .constraintCheck)
    }
  }

  @Test func `keep columns without a property, and can still be written`() async throws {
    try await withDiscs { database in
      let session = ModelSession(database)
      try await session.save(Smaller.Disc())
      #expect(
        try await session.rows("SELECT name, year FROM Disc ORDER BY id")
          == [["Faith", "1981"], ["Doubt", "1990"], ["", "1981"]])
      #expect(try await session.schemaChange(for: [Smaller.Disc.self]).isEmpty)
      let careless = ModelSession(database, schema: .automaticAllowingDataLoss)
      #expect(
        try await careless.schemaChange(for: [Smaller.Disc.self]).losses.count == 2)
      try await careless.prepare(Smaller.Disc.self)
      #expect(try await session.rows("SELECT * FROM Disc") == [[1], [2], [3]])
    }
  }

  @Test func `refuse a required column without a property`() async throws {
    let database = try Database(.memory)
    try await database.write {
      try $0.execute("CREATE TABLE Disc (id INTEGER PRIMARY KEY, secret TEXT NOT NULL)")
    }
    let session = ModelSession(database)
    let error = await #expect(throws: RelationError.self) {
      try await session.fetchAll(Former.Disc.self)
    }
    #expect(error?.code == .lossyChange)
    #expect(error?.column == "secret")
    #expect(try await session.rows("SELECT count(*) FROM pragma_table_info('Disc')") == [[2]])
  }

  @Test func `report the values that violate a new unique index, and delete no row`() async throws {
    try await withDiscs { database in
      let session = ModelSession(database)
      try await session.save([Former.Disc(name: "Faith"), Former.Disc(name: "Pictures")])
      let error = await #expect(throws: SQLiteError.self) {
        try await session.fetchAll(Unique.Disc.self)
      }
      #expect(error?.code == .constraintUnique)
      #expect(error?.message.contains("'Faith'") == true)
      #expect(try await session.rows("SELECT count(*) FROM Disc") == [[4]])
      try await session.elsewhere("DELETE FROM Disc WHERE id = 3")
      #expect(try await session.fetchAll(Unique.Disc.self).count == 3)
      #expect(
        try await session.rows("SELECT name FROM pragma_index_list('Disc') ORDER BY name")
          == [["Disc_name"], ["Disc_year_name"]])
    }
  }

  @Test func `keep objects that do not belong to the types`() async throws {
    try await withDiscs { database in
      try await database.write { connection in
        try connection.execute(
          """
          CREATE INDEX mine ON Disc (lower(year)) WHERE year IS NOT NULL;
          CREATE TABLE other (x);
          CREATE VIEW names AS SELECT name FROM Disc;
          CREATE TRIGGER watch AFTER INSERT ON Disc BEGIN INSERT INTO other VALUES (new.name); END
          """)
      }
      let session = ModelSession(database)
      try await session.prepare(Unique.Disc.self)
      try await session.save(Unique.Disc(name: "new"))
      #expect(try await session.rows("SELECT x FROM other") == [["new"]])
      #expect(try await session.rows("SELECT count(*) FROM names") == [[3]])
      #expect(
        try await session.rows("SELECT count(*) FROM sqlite_master WHERE name = 'mine'") == [[1]])
    }
  }

  @Test func `are not changed by a dry run`() async throws {
    try await withDiscs { database in
      let session = ModelSession(database)
      let diff = try await session.schemaChange(for: [Unique.Disc.self])
      #expect(diff.steps.map(\.kind) == [.createIndex, .createIndex])
      #expect(diff.description.contains("CREATE UNIQUE INDEX"))
      #expect(try await session.rows("SELECT count(*) FROM pragma_index_list('Disc')") == [[0]])
    }
  }

  @Test func `are not changed if migrations are explicit, and missing parts are named`()
    async throws
  {
    let database = try Database(.memory)
    let session = ModelSession(database, schema: .explicit)
    var error = await #expect(throws: RelationError.self) {
      try await session.fetchAll(Former.Disc.self)
    }
    #expect(error?.code == .schemaMismatch)
    #expect(error?.table == "Disc")
    try await session.elsewhere("CREATE TABLE Disc (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    error = await #expect(throws: RelationError.self) {
      try await session.save(Former.Disc(name: "Faith"))
    }
    #expect(error?.code == .schemaMismatch)
    #expect(error?.column == "year")
    try await session.elsewhere("ALTER TABLE Disc ADD COLUMN year TEXT")
    try await session.save(Former.Disc(name: "Faith"))
    #expect(try await session.fetchAll(Former.Disc.self).map(\.name) == ["Faith"])
  }

  @Test func `that are referenced are rebuilt, and the references are kept`() async throws {
    let database = try Database(.memory)
    let first = ModelSession(database)
    let owner = try await first.save(Child1.Owner())
    try await first.save(Child1.Thing(owner: OneRelation(owner.id)))
    let second = ModelSession(database, schema: .automaticAllowingDataLoss)
    #expect(try await second.fetchAll(Child2.Owner.self).map(\.number) == [7])
    #expect(try await second.rows("SELECT owner FROM Thing") == [[1]])
    let error = await #expect(throws: SQLiteError.self) {
      try await second.save(Child2.Thing(owner: OneRelation(99)))
    }
    #expect(error?.code == .constraintForeignKey)
  }

  @Test func `are created by two connections concurrently`() async throws {
    let directory = try ScratchFolder()
    let path = directory.path + "/models.db"
    var configuration = Configuration()
    // On a busy machine, each task may take long.
    configuration.busyTimeout = .seconds(60)
    try await withThrowingTaskGroup(of: Void.self) { [configuration] group in
      for number in 0..<4 {
        group.addTask {
          let session = ModelSession(try Database(.file(path), configuration: configuration))
          try await session.prepare([Unique.Disc.self, Parent.Value.self, Track.Value.self])
          try await session.save(Unique.Disc(name: "\(number)"))
        }
      }
      try await group.waitForAll()
    }
    let session = ModelSession(try Database(.file(path)))
    #expect(try await session.fetchAll(Unique.Disc.self).count == 4)
  }

  @Test func `of several types are created together or not at all`() async throws {
    try await withDiscs { database in
      let session = ModelSession(database)
      try await session.save(Former.Disc(name: "Faith"))
      await #expect(throws: SQLiteError.self) {
        try await session.prepare([Child1.Owner.self, Unique.Disc.self])
      }
      #expect(
        try await session.rows("SELECT count(*) FROM sqlite_master WHERE name = 'Owner'") == [[0]])
    }
  }

  @Test func `need a database that enforces foreign keys`() async throws {
    var configuration = Configuration()
    configuration.enforcesForeignKeys = false
    let session = ModelSession(try Database(.memory, configuration: configuration))
    let error = await #expect(throws: RelationError.self) {
      try await session.fetchAll(Child1.Thing.self)
    }
    #expect(error?.code == .foreignKeysOff)
    #expect(try await session.fetchAll(Former.Disc.self).isEmpty)
  }

  @Test func `can belong to several types that lead to each other`() async throws {
    let database = try Database(.memory)
    let session = ModelSession(database)
    var loan = Shared.Loan()
    loan.reader = "Ada"
    loan = try await session.save(loan)
    var book = Shared.Book()
    book.title = "Emma"
    try await session.save(book)
    #expect(
      try await session.rows("SELECT title, year, reader FROM Book ORDER BY id")
        == [["untitled", 7, "Ada"], ["Emma", 7, nil]])
    let later = ModelSession(database)
    #expect(try await later.schemaChange(for: [Shared.Book.self, Shared.Loan.self]).isEmpty)
    #expect(
      try await later.fetchAll(Shared.Book.self, "ORDER BY id").map(\.title) == [
        "untitled", "Emma",
      ])
    let indexes = try await database.read { try $0.indexes(of: "Book").map(\.name) }
    #expect(indexes.sorted() == ["book_reader", "book_shelf", "book_title"])
  }

  @Test(
    arguments: [
      (
        Contradicting.Text.self, "value",
        "Number declares the column as `INTEGER NOT NULL`, but Text, which has the same table, "
          + "declares it as `TEXT NOT NULL`"
      ),
      (
        Contradicting.Key.self, nil,
        "Number and Key have the same table, but different keys: (\"id\") and (\"value\")"
      ),
      (
        Contradicting.Unique.self, nil,
        "Number declares \"Number_value\" as `CREATE INDEX \"Number_value\" ON \"Number\" "
          + "(\"value\")`, and Unique as `CREATE UNIQUE INDEX \"Number_value\" ON \"Number\" "
          + "(\"value\")`"
      ),
      (
        Contradicting.Needed.self, "shelf",
        "Number can't insert rows into the table, because it lacks this column, which Needed "
          + "declares as NOT NULL without a default"
      ),
    ] as [(any Table.Type, String?, String)])
  func `of several types with contradictory declarations throw an error`(
    _ type: any Table.Type, _ column: String?, _ message: String
  ) async throws {
    let session = ModelSession(try Database(.memory))
    let error = await #expect(throws: RelationError.self) {
      try await session.prepare([Contradicting.Number.self, type])
    }
    #expect(error?.code == .schemaMismatch)
    #expect(error?.table == "Number")
    #expect(error?.column == column)
    #expect(error?.message == message)
  }
}

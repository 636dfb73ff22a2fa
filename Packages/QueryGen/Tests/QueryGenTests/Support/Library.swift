import QueryGen

/// A handwritten equivalent of a generated database.
struct Library: GeneratedDatabase {
  static let migrations: [Migration] = [
    Migration(
      name: "1",
      sql: """
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, price REAL);
        CREATE TABLE chapter (number INTEGER PRIMARY KEY, title TEXT NOT NULL);
        """)
  ]

  let database: Database

  init(migrated database: Database) { self.database = database }
}

struct Book: Hashable, Identifiable, Sendable, RowDecodable {
  var id: Int
  var title: String
  var price: Double?

  init(id: Int, title: String, price: Double? = nil) {
    self.id = id
    self.title = title
    self.price = price
  }

  init(row: borrowing Row) throws(SQLiteError) {
    self.id = try row.read(Int.self, at: 0)
    self.title = try row.read(String.self, at: 1)
    self.price = try row.read(Double?.self, at: 2)
  }
}

struct AddBookInput: Hashable, Sendable {
  var title: String
  var price: Double?
}

typealias BooksQuery = Query<Void, [Book]>
typealias AddBookQuery = Query<AddBookInput, Int>

extension Library {
  var books: BooksStatement { .init(database: database) }
  var addBook: AddBookStatement { .init(database: database) }
  var booksByID: BooksByIDStatement { .init(database: database) }

  struct BooksStatement: StatementQuery {
    typealias Input = Void
    typealias Output = [Book]

    static let isReadOnly = true
    static let region = Region(reading: ["book": []])
    static let sql: SQL = "SELECT * FROM book ORDER BY id"
    let database: Database

    func execute(_ input: Input, in connection: Connection) throws -> Output {
      try connection.fetchAll(Book.self, Self.sql)
    }

    func statement(for input: Input) -> Queries.BoundStatement { Queries.BoundStatement(Self.sql) }
  }

  struct AddBookStatement: StatementQuery {
    typealias Input = AddBookInput
    typealias Output = Int

    static let isReadOnly = false
    static let region = Region(reading: [:])
    static let sql: SQL = "INSERT INTO book (title, price) VALUES (?, ?)"
    let database: Database

    @discardableResult
    func execute(_ input: Input, in connection: Connection) throws -> Output {
      try connection.run(Self.sql, input.title, input.price).count
    }

    func statement(for input: Input) -> Queries.BoundStatement {
      Queries.BoundStatement(Self.sql, input.title, input.price)
    }
  }

  var addChapter: AddChapterStatement { .init(database: database) }
  var chapters: ChaptersStatement { .init(database: database) }

  struct AddChapterStatement: StatementQuery {
    typealias Input = (number: Int, title: String)
    typealias Output = Int

    static let isReadOnly = false
    static let sql: SQL = "INSERT INTO chapter VALUES (?, ?)"
    let database: Database

    @discardableResult
    func execute(_ input: Input, in connection: Connection) throws -> Output {
      try connection.run(Self.sql, input.number, input.title).count
    }

    func statement(for input: Input) -> Queries.BoundStatement {
      Queries.BoundStatement(Self.sql, input.number, input.title)
    }
  }

  struct ChaptersStatement: StatementQuery {
    typealias Input = Void
    typealias Output = [String]

    static let isReadOnly = true
    static let sql: SQL = "SELECT title FROM chapter ORDER BY number"
    let database: Database

    func execute(_ input: Input, in connection: Connection) throws -> Output {
      try connection.values(String.self, Self.sql)
    }

    func statement(for input: Input) -> Queries.BoundStatement { Queries.BoundStatement(Self.sql) }
  }

  struct BooksByIDStatement: StatementQuery {
    typealias Input = [Int]
    typealias Output = [Book]

    static let isReadOnly = true
    static let region = Region(reading: ["book": []])
    static let sql = Queries.SQLTemplate(
      .text("SELECT * FROM book WHERE id IN "), .list(1), .text(" ORDER BY id"),
      parameterCount: 1)
    let database: Database

    func execute(_ input: Input, in connection: Connection) throws -> Output {
      let statement = self.statement(for: input)
      return try connection.fetchAll(Book.self, statement.sql, values: statement.values)
    }

    func statement(for input: Input) -> Queries.BoundStatement {
      var call = Queries.TemplateExpansion(Self.sql)
      call.list(input, at: 1)
      return call.statement
    }
  }
}

extension Library.AddBookStatement {
  @discardableResult
  func execute(title: String, price: Double? = nil) async throws -> Output {
    try await self.execute(AddBookInput(title: title, price: price))
  }
}

import Foundation
import PostgreSQL
import PostgreSQLTesting
import Testing

struct Book: Codable, PostgreSQLRowDecodable, Equatable {
  var id: Int
  var title: String
  var year: Int?
  var price: Decimal?
  var tags: [String]
}

struct NewBook: PostgreSQLRowEncodable, Sendable {
  var title: String
  var year: Int?

  func bind(to parameters: inout PostgreSQLParameters) throws(PostgreSQLError) {
    try parameters.bind(title)
    try parameters.bind(year)
  }
}

@Suite(.needsServer, .timeLimit(.minutes(1))) struct `The samples of the README` {
  @Test func `run`() async throws {
    let server = try #require(PostgreSQLTestServer.shared)
    try await prepare(server)
    let (host, port, password) = (server.folder, server.port, "")

    var configuration = PostgreSQLConfiguration(
      host: host, port: port, database: "shop", user: "app")
    configuration.password = password
    let database = PostgreSQLDatabase(configuration)
    try await database.execute(
      """
      CREATE TABLE book (
        id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        title text NOT NULL UNIQUE, year int, price numeric(8, 2), tags text[] NOT NULL DEFAULT '{}')
      """)
    try await database.run(
      "INSERT INTO book (title, year, price) VALUES ($1, $2, $3)", "Middlemarch", 1871,
      Decimal(12.5))

    let (title, years) = ("Emma", [1815, 1871])
    let found = try await database.fetchAll(
      Book.self, "SELECT * FROM book WHERE title = \(title) OR year = ANY (\(years))")
    let first = try await database.value(Int.self, "SELECT min(year) FROM book WHERE id > $1", 0)
    #expect(found == [Book(id: 1, title: "Middlemarch", year: 1871, price: 12.5, tags: [])])
    #expect(first == 1871)

    let books = (1...1_000).map { NewBook(title: "Volume \($0)", year: 1900 + $0 % 100) }
    try await database.copy(into: "book", columns: ["title", "year"], rows: books)
    try await database.run(
      "INSERT INTO book (title, year) VALUES ($1, $2)",
      ofEach: [NewBook(title: "Emma", year: 1815), NewBook(title: "Beowulf", year: nil)])

    let options = PostgreSQLTransactionOptions(isolation: .serializable, repetitions: 10)
    try await database.transaction(options) { connection in
      let price = try await connection.value(
        Decimal?.self, "SELECT price FROM book WHERE title = $1", "Middlemarch")
      try await connection.run("UPDATE book SET price = $1 WHERE title = 'Emma'", price ?? nil)
    }
    #expect(
      try await database.value(Decimal.self, "SELECT price FROM book WHERE title = 'Emma'") == 12.5)

    for try await title in database.rows(
      "SELECT title FROM book ORDER BY title", decode: { try $0.read(String.self, at: 0) })
    {
      if title.hasPrefix("M") { break }
    }

    do {
      try await database.run("INSERT INTO book (title) VALUES ('Emma')")
    } catch let error as PostgreSQLError where error.code == .uniqueViolation {
      print(error.table ?? "", error.constraint ?? "")  // book book_title_key
    }
    database.close()
  }

  private func prepare(_ server: PostgreSQLTestServer) async throws {
    let connection = try await PostgreSQLConnection.connect(server.configuration())
    try await connection.run("CREATE ROLE app LOGIN")
    try await connection.run("CREATE DATABASE shop OWNER app")
    await connection.close()
  }
}

// Prints: 1 row
import SQLiteCore

/// An app that only uses SQLiteCore. Generic code of the product is specialized for the app's types.
enum SQLiteCoreConsumer {
  struct Book: RowDecodable, RowEncodable, Equatable {
    var id: Int
    var title: String

    init(id: Int, title: String) {
      self.id = id
      self.title = title
    }

    init(row: borrowing Row) throws(SQLiteError) {
      self.init(id: try row.read(at: 0), title: try row.read(at: 1))
    }

    func bind(to statement: Statement) throws(SQLiteError) {
      try statement.bind(id, at: 1)
      try statement.bind(title, at: 2)
    }
  }

  struct Draft: RowDecodable, RowEncodable, Codable, Equatable {
    var id: Int
    var title: String
  }

  static func run() async throws -> String {
    let books = [Book(id: 1, title: "On Formally Undecidable Propositions")]
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
    try connection.run("INSERT INTO book VALUES (?, ?)", ofEach: books)
    let read = try connection.fetchAll(Book.self, "SELECT * FROM book")
    let draft = Draft(id: 1, title: "Über formal unentscheidbare Sätze")
    try connection.run("UPDATE book SET title = :title WHERE id = :id", of: draft)
    let decoded = try connection.fetchAll(Draft.self, "SELECT * FROM book")
    return read == books && decoded == [draft] ? "\(read.count) row" : "\(read) and \(decoded)"
  }
}

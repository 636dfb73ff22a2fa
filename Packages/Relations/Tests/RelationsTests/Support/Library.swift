import Relations
import SQLiteCore

/// Rows as plain values.
struct Writer: Table {
  var id = 0
  var name = ""
  var books = ManyRelation<Book>(\.writer, orderedBy: "title")
}

struct Book: Table {
  var id = 0
  var title = ""
  var pages = 0
  var writer = OneRelation<Writer>()
  var shelf = OneRelation<Shelf>()
  var readers = ManyRelation<Reader>(initial: 2, limit: 2)
}

struct Reader: Table {
  var id = 0
  var name = ""
}

/// Rows with identity.
final class Shelf: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Shelf"
    var id = 0
    var room = ""
    var books = ManyRelation<Book>(\.shelf, initial: 2, limit: 2)
  }
  var value: Value
  init(_ value: Value) { self.value = value }
  var books: ManyRelation<Book> { value.books }
}

extension ModelSession {
  /// Creates the library's tables, and runs statements.
  func fillLibrary(_ script: String...) async throws {
    try await prepare(Book.self)
    try await database.write { connection in
      try connection.execute("PRAGMA defer_foreign_keys = ON")
      for sql in script { try connection.execute(SQL(unsafe: sql)) }
    }
  }
}

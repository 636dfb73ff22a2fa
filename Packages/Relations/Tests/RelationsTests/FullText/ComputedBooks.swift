import Relations
import SQLiteCore

/// An in-memory database of books with an index of text computed from their titles and tags.
struct ComputedBooks {
  let connection: Connection
  let index: FullTextIndex

  init() throws {
    connection = try Connection.inMemory(configuration: .trusting)
    try connection.execute(
      """
      CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, code UNIQUE, n INTEGER);
      CREATE TABLE tag (book INTEGER, name TEXT, UNIQUE (book, name));
      """)
    index = FullTextIndex(
      "find", on: "book", columns: [.init("title", weight: 2), "tags"],
      content: .computed(from: ["title"], with: [.init("tag", rowID: "book")]))
    try index.create(in: connection)
    try update()
  }

  @discardableResult
  func update() throws -> Int {
    try index.update(in: connection, batchSize: 3) { rows in try texts(rows) }
  }

  /// Returns the text of each row that has a title.
  func texts(_ rows: [RowID]) throws -> [RowID: [String]] {
    var texts: [RowID: [String]] = [:]
    for row in rows {
      guard
        let title = try connection.value(
          String?.self, "SELECT title FROM book WHERE id = ?", row.rawValue),
        let title
      else { continue }
      let tags = try connection.values(
        String.self, "SELECT name FROM tag WHERE book = ? ORDER BY name", row.rawValue)
      texts[row] = [title.uppercased(), tags.joined(separator: ", ")]
    }
    return texts
  }

  func find(_ query: FullTextQuery) throws -> [Int64] {
    try connection.search(index, query).map(\.rowID.rawValue)
  }

  func problems() throws -> [FullTextIndex.Problem] { try index.integrityCheck(in: connection) }

  func keptTexts() throws -> [RowID: [String]] {
    var kept: [RowID: [String]] = [:]
    try connection.forEach("SELECT holt_row, title, tags FROM find_text") { row in
      kept[RowID(rawValue: try row.read(at: 0))] = [try row.read(at: 1), try row.read(at: 2)]
    }
    return kept
  }

  func freshTexts() throws -> [RowID: [String]] {
    try texts(connection.values(Int64.self, "SELECT id FROM book").map { RowID(rawValue: $0) })
  }
}

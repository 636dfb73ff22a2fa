import QueryGen

/// A library with a few books, inserted with generated code.
struct Library {
  let db: DB
  let austen: Int
  let woolf: Int

  init() async throws {
    db = try DB()
    austen = try await db.saveAuthor.execute(name: "Jane Austen", born: 1775)
    woolf = try await db.saveAuthor.execute(name: "Virginia Woolf", born: nil)
    try await db.addBook.execute(authorID: austen, title: "Emma", price: 9.5, cover: [1, 2])
    try await db.addBook.execute(authorID: austen, title: "Persuasion", price: 7, cover: nil)
    try await db.addBook.execute(authorID: woolf, title: "Orlando", price: nil, cover: nil)
  }
}

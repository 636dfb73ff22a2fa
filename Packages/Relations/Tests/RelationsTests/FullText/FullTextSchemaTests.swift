import Relations
import SQLiteCore
import Testing

/// Versions of one table with a full-text index.
private enum Was {
  struct Essay: Table {
    static let tableName = "Essay"
    var id = 0
    var title = ""
    var words = "0"
    var old = ""
    var search = FTSColumn<Essay>(["title", "old"])
  }
}
private enum Wider {
  struct Essay: Table {
    static let tableName = "Essay"
    var id = 0
    var title = ""
    var words = 0
    var old = ""
    var body = "nothing"
    var search = FTSColumn<Essay>(["title", "old"])
    static var checks: [String] { ["length(title) > 0"] }
  }
}
private enum Lesser {
  struct Essay: Table {
    static let tableName = "Essay"
    var id = 0
    var name = ""
    var search = FTSColumn<Essay>(["name"])
    static var renamedColumns: [String: String] { ["title": "name"] }
  }
}
private enum Moved {
  struct Essay: Table {
    static let tableName = "Paper"
    var id = 0
    var title = ""
    var words = "0"
    var old = ""
    var search = FTSColumn<Essay>(["title", "old"])
    static var formerTableName: String? { "Essay" }
  }
}

@Suite struct `A table with a full-text index` {
  private func withEssays(
    _ body: (Database) async throws -> Void
  ) async throws {
    var configuration = Configuration()
    configuration.trustsSchema = true
    let database = try Database(.memory, configuration: configuration)
    try await ModelSession(database).save([
      Was.Essay(id: 1, title: "forest"), Was.Essay(id: 2, title: "faith", old: "forest"),
    ])
    try await body(database)
  }

  @Test func `can be searched as before after its columns have changed`() async throws {
    try await withEssays { database in
      let session = ModelSession(database, schema: .automaticAllowingDataLoss)
      try await session.save(Wider.Essay(id: 3, title: "third", body: "forest"))
      try await session.use {
        let search = Wider.Essay().search
        let found = try await search.search("forest")
        #expect(found.map(\.item.id).sorted() == [1, 2])
        #expect(try await search.integrityCheck() == [])
      }
    }
  }

  @Test func `is indexed again if the indexed columns change`() async throws {
    try await withEssays { database in
      let session = ModelSession(database, schema: .automaticAllowingDataLoss)
      try await session.save(Lesser.Essay(id: 3, name: "forest"))
      try await session.use {
        let search = Lesser.Essay().search
        let found = try await search.search("forest")
        #expect(found.map(\.item.id).sorted() == [1, 3])
        #expect(try await search.integrityCheck() == [])
      }
    }
  }

  @Test func `is indexed under its new name`() async throws {
    try await withEssays { database in
      let session = ModelSession(database)
      try await session.save(Moved.Essay(id: 3, title: "forest"))
      try await session.use {
        let search = Moved.Essay().search
        let found = try await search.search("forest")
        #expect(found.map(\.item.id).sorted() == [1, 2, 3])
        #expect(try await search.integrityCheck() == [])
      }
    }
  }
}

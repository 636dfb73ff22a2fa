import Relations
import SQLiteCore
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

final class Folder: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Folder"
    var id = 0
    var name = ""
    var deletedAt: Date?
    var files = ManyRelation<File>(\.folder)
    var pinned = ManyRelation<File>()
    static var deletedColumn: String? { "deletedAt" }
    static var uniqueIndexes: [[String]] { [["name"]] }
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

final class File: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "File"
    var id = 0
    var name = ""
    var deletedAt: Date?
    var folder = OneRelation<Folder>(onDelete: .cascade)
    static var deletedColumn: String? { "deletedAt" }
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

struct Flagged: Table {
  var id = 0
  var name = ""
  var isGone = false
  static var deletedColumn: String? { "isGone" }
}

@Suite struct `Rows that are marked as deleted` {
  private func withFolder(_ body: (ModelSession, Folder, [File]) async throws -> Void) async throws
  {
    try await withSession { session in
      let folder = try await Folder.create()
      folder.value.name = "a"
      var files: [File] = []
      for name in ["x", "y"] {
        let file = try await File.create()
        file.value.name = name
        files.append(file)
      }
      folder.value.files.append(files)
      folder.value.pinned.append(files)
      try await folder.save()
      try await body(session, folder, files)
    }
  }

  @Test func `are omitted from fetches unless requested`() async throws {
    try await withFolder { session, folder, files in
      try await files[0].delete()
      #expect(try await File.fetchQuery("WHERE name = ?", ["x"]).isEmpty)
      #expect(try await File.fetchQuery("ORDER BY File.name").map(\.value.name) == ["y"])
      #expect(try await !File.exists(files[0].id))
      let all = try await File.fetchQuery("ORDER BY name", includingDeleted: true)
      #expect(all.map(\.value.name) == ["x", "y"])
      #expect(all[0] === files[0])
      #expect(files[0].value.deletedAt != nil)
      #expect(try await session.find(File.self, files[0].id, includingDeleted: true) === files[0])
    }
  }

  @Test func `are omitted from lists and their counts`() async throws {
    try await withFolder { session, folder, files in
      try await files[0].delete()
      let other = ModelSession(session.database)
      let found = try await other.fetch(Folder.self, folder.id)
      try await found.value.files.fetch()
      try await found.value.pinned.fetch()
      #expect(found.value.files.items.map(\.value.name) == ["y"])
      #expect(found.value.pinned.items.map(\.value.name) == ["y"])
      #expect(try await found.value.files.totalCount() == 1)
      #expect(try await found.value.pinned.totalCount() == 1)
      try await other.restore([
        try await other.fetch(File.self, [files[0].id], includingDeleted: true)[0]
      ])
      #expect(try await found.value.pinned.totalCount() == 2)
    }
  }

  @Test func `mark the rows that a cascade would delete, and restore them`() async throws {
    try await withFolder { session, folder, files in
      try await files[1].delete()
      try await session.elsewhere(
        "UPDATE File SET deletedAt = '2020-01-01 00:00:00.000' WHERE id = 2")
      try await folder.delete()
      #expect(try await Folder.fetchQuery().isEmpty)
      #expect(try await File.fetchQuery().isEmpty)
      #expect(files[0].value.deletedAt != nil)
      #expect(folder.value.deletedAt == files[0].value.deletedAt)
      await #expect(throws: RelationError.self) {
        let other = ModelSession(session.database)
        let file = try await other.fetch(File.self, [files[0].id], includingDeleted: true)[0]
        _ = try await file.value.folder.object
      }
      try await folder.restore()
      #expect(try await Folder.fetchQuery().count == 1)
      #expect(try await File.fetchQuery().map(\.value.name) == ["x"])
      #expect(folder.value.deletedAt == nil)
      #expect(files[0].value.deletedAt == nil)
    }
  }

  @Test func `keep their mark if they are deleted again, and are restored together`() async throws {
    try await withFolder { session, folder, _ in
      try await folder.delete()
      try await session.elsewhere(
        """
        UPDATE Folder SET deletedAt = '2020-01-01 00:00:00.000';
        UPDATE File SET deletedAt = '2020-01-01 00:00:00.000';
        """)
      try await session.delete(Folder.self, [folder.id])
      #expect(
        try await session.rows("SELECT deletedAt FROM Folder") == [["2020-01-01 00:00:00.000"]])
      try await folder.restore()
      #expect(try await File.fetchQuery("ORDER BY name").map(\.value.name) == ["x", "y"])
    }
  }

  @Test func `do not reserve their unique values`() async throws {
    try await withFolder { session, folder, _ in
      try await folder.delete()
      let other = try await Folder.createWith(name: "a")
      let error = await #expect(throws: SQLiteError.self) { try await folder.restore() }
      #expect(error?.code == .constraintUnique)
      let saved = try await session.upsert(
        [Folder.Value(name: "a")], onConflict: ["name"], updating: ["name"])
      #expect(saved[0].id == other.id)
    }
  }

  @Test func `can be deleted permanently`() async throws {
    try await withFolder { session, folder, files in
      try await folder.delete()
      try await folder.deletePermanently()
      #expect(try await session.rows("SELECT count(*) FROM Folder") == [[0]])
      #expect(try await session.rows("SELECT count(*) FROM File") == [[0]])
    }
  }

  @Test func `may be marked by a flag`() async throws {
    try await withSession { session in
      let rows = try await session.save([Flagged(name: "a"), Flagged(name: "b")])
      try await rows[0].delete()
      #expect(try await Flagged.fetchQuery().map(\.name) == ["b"])
      #expect(try await session.rows("SELECT isGone FROM Flagged") == [[1], [0]])
      try await session.restore([rows[0]])
      #expect(try await Flagged.fetchQuery().count == 2)
    }
  }
}

import Relations
import SQLiteCore
import Primitives
import Testing

/// A log of the called hooks, for each task.
final class Journal: Sendable {
  @TaskLocal static var current = Journal()
  private let entries = Mutex<[String]>([])
  func add(_ entry: String) { entries.withLock { $0.append(entry) } }
  func take() -> [String] {
    entries.withLock { entries in
      defer { entries = [] }
      return entries
    }
  }
}

struct HookError: Error {}

final class HookedSong: Model, @unchecked Sendable {
  struct Value: Table, SavingHooks {
    static let tableName = "HookedSong"
    var id = 0
    var title = ""
    var changes = 0

    mutating func willValidate() throws {
      Journal.current.add("willValidate \(title)")
      if title.isEmpty { throw HookError() }
    }
    mutating func willSave(_ operation: ModelSession.SaveOperation) throws {
      Journal.current.add("willSave \(operation)")
    }
    mutating func willInsert() throws { Journal.current.add("willInsert") }
    mutating func willUpdate(from former: Self) throws {
      Journal.current.add("willUpdate from \(former.title)")
      changes += 1
    }
    func willDelete() throws {
      Journal.current.add("willDelete")
      if title == "keep" { throw HookError() }
    }
    func didSave(_ operation: ModelSession.SaveOperation, in connection: Connection) throws {
      try connection.execute("CREATE TABLE IF NOT EXISTS journal (entry)")
      try connection.run("INSERT INTO journal VALUES (?)", "\(operation) \(id) \(title)")
      if title == "fail" { throw HookError() }
    }
    func didCommit(_ operation: ModelSession.SaveOperation) {
      Journal.current.add("didCommit \(operation)")
    }
    func didRollback(_ operation: ModelSession.SaveOperation) {
      Journal.current.add("didRollback \(operation)")
    }
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

@Suite struct `Saving hooks` {
  private func withJournal(_ body: (Journal, ModelSession) async throws -> Void) async throws {
    let journal = Journal()
    try await Journal.$current.withValue(journal) {
      try await withSession { try await body(journal, $0) }
    }
  }

  @Test func `are called in order before, in and after the transaction`() async throws {
    try await withJournal { journal, session in
      let song = try await HookedSong.create()
      song.value.title = "Faith"
      try await song.save()
      #expect(
        journal.take() == [
          "willValidate Faith", "willSave insert", "willInsert", "didCommit insert",
        ])
      song.value.title = "Primary"
      try await song.save()
      #expect(
        journal.take() == [
          "willValidate Primary", "willSave update", "willUpdate from Faith", "didCommit update",
        ])
      #expect(song.value.changes == 1)
      try await song.delete()
      #expect(journal.take() == ["willDelete", "didCommit delete"])
      #expect(
        try await session.rows("SELECT entry FROM journal")
          == [["insert 1 Faith"], ["update 1 Primary"], ["delete 1 Primary"]])
    }
  }

  @Test func `are not called for unchanged models`() async throws {
    try await withJournal { journal, session in
      let song = try await HookedSong.createWith(title: "Faith")
      _ = journal.take()
      try await song.save()
      try await session.saveChanges()
      #expect(journal.take().isEmpty)
    }
  }

  @Test func `may change the row, and the model is updated`() async throws {
    try await withJournal { _, session in
      let song = try await HookedSong.createWith(title: "Faith")
      song.value.title = "Primary"
      try await song.save()
      song.value.title = "Doubt"
      try await song.save()
      #expect(song.value.changes == 2)
      #expect(try await session.rows("SELECT title, changes FROM HookedSong") == [["Doubt", 2]])
    }
  }

  @Test func `prevent the whole save if one of them throws`() async throws {
    try await withJournal { journal, session in
      let good = try await HookedSong.createWith(title: "Faith")
      good.value.title = "Primary"
      let bad = try await HookedSong.create()
      await #expect(throws: HookError.self) { try await session.save([good, bad]) }
      #expect(try await session.rows("SELECT title FROM HookedSong") == [["Faith"]])
      #expect(good.value.title == "Primary")
      #expect(good.value.changes == 0)
      _ = journal.take()

      bad.value.title = "fail"
      await #expect(throws: HookError.self) { try await session.save([good, bad]) }
      #expect(
        journal.take().suffix(2) == ["didRollback update", "didRollback insert"])
      #expect(bad.value.id == 0)
      #expect(good.value.changes == 0)
      #expect(try await session.rows("SELECT title FROM HookedSong") == [["Faith"]])
      #expect(try await session.rows("SELECT entry FROM journal") == [["insert 1 Faith"]])

      bad.value.title = "well"
      try await session.saveChanges()
      #expect(
        try await session.rows("SELECT title, changes FROM HookedSong") == [
          ["Primary", 1], ["well", 0],
        ])
    }
  }

  @Test func `prevent the deletion of a row, also by its key`() async throws {
    try await withJournal { _, session in
      let song = try await HookedSong.createWith(title: "keep")
      await #expect(throws: HookError.self) { try await song.delete() }
      await #expect(throws: HookError.self) { try await session.delete(HookedSong.self, [song.id]) }
      #expect(try await HookedSong.exists(song.id))
    }
  }

  @Test func `of values are called too`() async throws {
    try await withJournal { journal, session in
      let row = try await session.save(HookedSong.Value(title: "Faith"))
      _ = try await session.save(row)
      #expect(
        journal.take() == [
          "willValidate Faith", "willSave insert", "willInsert", "didCommit insert",
          "willValidate Faith", "willSave upsert", "didCommit upsert",
        ])
    }
  }

  @Test func `can't access the database in another way, and never wait`() async throws {
    try await withSession { session in
      _ = try await Author.createWith(name: "Robert")
      let error = await #expect(throws: SQLiteError.self) {
        try await session.write { _ in
          try session.database.write { try $0.execute("DELETE FROM Author") }
        }
      }
      #expect(error?.code == .nestedAccess)
      #expect(try await session.rows("SELECT count(*) FROM Author") == [[1]])
    }
  }
}

import Foundation
import QueryGen
import Router
import Testing

@testable import Notes

/// Tests the routes and the triggers with a database.
@Suite struct `A notebook in a database` {
  private func titles(
    _ notebook: Notebook, deleted: Bool = false, tag: String? = nil
  ) async throws -> [String] {
    try await notebook.noteList.execute(.init(deleted: deleted, tag: tag, limit: -1)).map(
      \.note.title)
  }

  @Test func `lists notes with their tags, the most recently edited first`() async throws {
    var notebook = try Notebook.inMemory()
    let first = try await notebook.add(title: "A", tags: ["home", "food"])
    let second = try await notebook.add(title: "B", tags: ["home"])
    #expect(try await titles(notebook) == ["B", "A"])
    #expect(try await titles(notebook, tag: "food") == ["A"])
    notebook.now = { .noon + 60 }
    try await notebook.edit(first, body: "Changed")
    #expect(try await titles(notebook) == ["A", "B"])
    let note = try await notebook.note(first)
    #expect(note.tags.map(\.name) == ["food", "home"])
    #expect(note.note.created == .noon)
    #expect(note.note.edited == .noon + 60)
    #expect(try await notebook.noteList.execute(.init(deleted: false, limit: 1)).count == 1)
    try await notebook.tag(second, adding: ["home", "new"], removing: ["home"])
    #expect(try await notebook.note(second).tags.map(\.name) == ["new"])
    #expect(try await notebook.tagCounts.execute().map(\.name) == ["food", "home", "new"])
  }

  @Test func `writes in one transaction`() async throws {
    let notebook = try Notebook.inMemory()
    let id = try await notebook.add(title: "A")
    await #expect(throws: NoteError.noSuchNote(9)) { try await notebook.delete([id, 9]) }
    #expect(try await titles(notebook) == ["A"])
    await #expect(throws: NoteError.noSuchNote(9)) { try await notebook.tag(9, adding: ["x"]) }
    #expect(try await notebook.tagCounts.execute() == [])
  }

  @Test func `keeps deleted notes until they are purged`() async throws {
    var notebook = try Notebook.inMemory()
    let id = try await notebook.add(title: "Milk", tags: ["home"])
    try await notebook.delete([id, id])
    #expect(try await titles(notebook) == [])
    #expect(try await titles(notebook, deleted: true) == ["Milk"])
    #expect(try await notebook.search("milk", limit: 5) == [])
    await #expect(throws: NoteError.deletedNote(id)) { try await notebook.delete([id]) }
    await #expect(throws: NoteError.deletedNote(id)) { try await notebook.edit(id, body: "x") }
    try await notebook.undelete([id])
    #expect(try await notebook.search("milk", limit: 5).map(\.id) == [id])
    await #expect(throws: NoteError.notDeleted(id)) { try await notebook.undelete([id]) }
    try await notebook.delete([id])
    notebook.now = { .noon + 3_600 }
    #expect(try await notebook.purge(deletedFor: 3_601) == 0)
    #expect(try await notebook.purge(deletedFor: 3_599) == 1)
    await #expect(throws: NoteError.noSuchNote(id)) { try await notebook.undelete([id]) }
    #expect(try await notebook.add(title: "Next") == id + 1)
  }

  @Test func `finds words regardless of accents, titles first, and marks the matches`() async throws
  {
    let notebook = try Notebook.inMemory()
    try await notebook.add(title: "Soup", body: "Leeks, butter and CRÈME fraîche")
    try await notebook.add(title: "Crème brûlée", body: "Eggs", tags: ["sweet"])
    let found = try await notebook.search("creme", limit: 5)
    #expect(found.map(\.title) == ["\u{2}Crème\u{3} brûlée", "Soup"])
    #expect(found.last?.excerpt == "Leeks, butter and \u{2}CRÈME\u{3} fraîche")
    #expect(try await notebook.search("cre fr", limit: 5).isEmpty)
    #expect(try await notebook.search("creme fr", limit: 5).count == 1)
    #expect(try await notebook.search("creme", tag: "sweet", limit: 5).map(\.id) == [2])
    #expect(try await notebook.search("creme -eggs", limit: 5).map(\.id) == [1])
    try await notebook.edit(1, body: "Onions")
    #expect(try await notebook.search("creme", limit: 5).map(\.id) == [2])
    #expect(try await notebook.search("onion", limit: 5).map(\.id) == [1])
  }

  @Test(
    arguments: [
      "\"", "a\"b", "AND", "NEAR(", "title:", "*", "^x", "(", ")", "-", "'; DROP TABLE note; --",
      "\u{0}", "a OR", "{x} : y", "+", "…",
    ])
  func `accepts any text as a search`(text: String) async throws {
    let notebook = try Notebook.inMemory()
    try await notebook.add(title: "A note")
    #expect(try await notebook.search(text, limit: 5).count <= 1)
    #expect(try await titles(notebook) == ["A note"])
  }

  @Test func `counts`() async throws {
    let notebook = try Notebook.inMemory()
    #expect(try await notebook.noteStats.execute().notes == 0)
    try await notebook.add(title: "A", body: "12345", tags: ["x"])
    let id = try await notebook.add(title: "B", body: "none", tags: ["x"])
    try await notebook.delete([id])
    try await notebook.add(title: "C")
    #expect(
      try await notebook.noteStats.execute()
        == NoteStatsRow(
          notes: 2, deleted: 1, untagged: 1, characters: 5, oldest: .noon, newest: .noon))
    #expect(try await notebook.tagCounts.execute() == [TagCountsRow(name: "x", notes: 1)])
    #expect(
      try await notebook.notesByMonth.execute(3) == [NotesByMonthRow(month: "2026-11", notes: 2)])
  }
}

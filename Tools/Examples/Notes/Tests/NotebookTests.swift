import Foundation
import QueryGen
import Router
import SQLiteCore
import Testing

@testable import Notes

/// Tests the logic without a database, using overridden routes and test doubles for queries.
@Suite struct `A notebook without a database` {
  /// The returned row of an added note.
  private struct Added: Encodable {
    var id: Int
  }

  @Test func `adds tags, a note and their links in this order`() async throws {
    var notebook = Notebook.withoutDatabase()
    let log = RouteLog()
    notebook.router.log = log
    notebook.router.override(\.makeTags, with: .affected(2))
    notebook.router.override(\.add, with: Added(id: 7))
    notebook.router.override(\.tagNewest, with: .affected(2))
    let id = try await notebook.add(
      title: " Buy\nmilk ", body: "Two", tags: ["#Home", "home", "Food"])
    #expect(id == 7)
    #expect(log.calls.map(\.name) == ["makeTags", "add", "tagNewest"])
    let added = try #require(log.calls[1].route?.values.first)
    #expect(added["title"] == "Buy milk")
    #expect(added["created"] == 1_795_348_800)
    #expect(log.calls[0].route?.values.map { $0["name"] } == ["home", "food"])
  }

  @Test func `adds a note without tags with one route`() async throws {
    var notebook = Notebook.withoutDatabase()
    notebook.router.override(\.add) { note in .value(Added(id: note.title.count)) }
    #expect(try await notebook.add(title: "Four") == 4)
  }

  @Test(arguments: ["", "#", "two words", "a,b", "<b>"])
  func `rejects an invalid tag before writing`(tag: String) async throws {
    let notebook = Notebook.withoutDatabase()
    await #expect(throws: NoteError.invalidTag(tag)) {
      try await notebook.add(title: "A", tags: ["fine", tag])
    }
    await #expect(throws: NoteError.invalidTag(tag)) { try await notebook.tag(1, adding: [tag]) }
  }

  @Test(arguments: ["", " ", "\n\t"])
  func `rejects a blank title`(title: String) async throws {
    let notebook = Notebook.withoutDatabase()
    await #expect(throws: NoteError.emptyTitle) { try await notebook.add(title: title) }
    await #expect(throws: NoteError.emptyTitle) { try await notebook.edit(1, title: title) }
    await #expect(throws: NoteError.nothingToChange) { try await notebook.edit(1) }
  }

  @Test(
    arguments: [
      (nil, NoteError.noSuchNote(3)), (.sample(3, "A", deleted: .noon), .deletedNote(3)),
    ] as [(TaggedNote?, NoteError)])
  func `reports which note can't be written, and why`(
    note: TaggedNote?, expected: NoteError
  ) async throws {
    var notebook = Notebook.withoutDatabase()
    let missing = RouterError(code: .notFound, message: "one row is demanded")
    notebook.router.override(\.change, with: .failure(missing))
    notebook.router.override(\.delete, with: .failure(missing))
    notebook.noteWithTags = Queries.Just(note)
    await #expect(throws: expected) { try await notebook.edit(3, title: "B") }
    await #expect(throws: expected) { try await notebook.delete([3]) }
  }

  @Test func `reports that a note to restore is not deleted`() async throws {
    var notebook = Notebook.withoutDatabase()
    notebook.router.override(
      \.undelete, with: .failure(RouterError(code: .notFound, message: "none")))
    notebook.noteWithTags = Queries.Just(.sample(3, "A"))
    await #expect(throws: NoteError.notDeleted(3)) { try await notebook.undelete([3]) }
  }

  @Test func `passes on other errors`() async throws {
    struct DiskFull: Error {}
    var notebook = Notebook.withoutDatabase()
    notebook.router.override(\.delete, with: .failure(DiskFull()))
    await #expect(throws: DiskFull.self) { try await notebook.delete([1]) }
    notebook.findNotes = Queries.Fail(DiskFull())
    await #expect(throws: DiskFull.self) { try await notebook.search("milk", limit: 1) }
  }

  @Test(
    arguments: [
      ("milk bre", "\"milk\" \"bre\"*"), ("milk ", "\"milk\""), ("a\"b", "\"a\" \"b\""),
      ("milk -tea", "\"milk\" NOT \"tea\""), ("tea or coffee", "\"tea\" OR \"coffee\""),
    ])
  func `builds a query from typed text`(text: String, words: String) async throws {
    let recorder = Queries.Recorder<FindNotesInput, [FindNotesRow]>([])
    var notebook = Notebook.withoutDatabase()
    notebook.findNotes = recorder
    _ = try await notebook.search(text, limit: 5)
    #expect(recorder.executed.map(\.words) == [words])
  }

  @Test(arguments: ["", "  ", "\"", "-milk"])
  func `runs no query if the text has no word`(text: String) async throws {
    #expect(try await Notebook.withoutDatabase().search(text, limit: 5) == [])
  }

  @Test func `skips existing notes of a file`() async throws {
    var notebook = Notebook.withoutDatabase()
    notebook.noteList = Queries.Just([.sample(1, "Milk", body: "Two")])
    let log = RouteLog()
    notebook.router.log = log
    notebook.router.override(\.add, with: Added(id: 2))
    let count = try await notebook.add([
      FiledNote(title: "Milk", body: "Two", created: .noon), FiledNote(title: "Milk", body: "Two"),
      FiledNote(title: "Milk", body: "Three"), FiledNote(title: "Milk", body: "Three"),
      FiledNote(title: "Milk", body: "Two", created: .noon + 60),
    ])
    #expect(count == 2)
    #expect(log.calls.map(\.name) == ["add", "add"])
  }
}

import ArgumentParser
import Foundation
import QueryGen
import Router
import Testing

@testable import Notes

@Suite struct `Commands on notes` {
  @Test func `list the results of the query`() async throws {
    let asked = Queries.Recorder<NoteListInput, [TaggedNote]>([
      .sample(2, "Milk", tags: ["food", "home"]), .sample(1, "A \u{1B}[31mred\u{7} title"),
    ])
    var notebook = Notebook.withoutDatabase()
    notebook.noteList = asked
    #expect(
      try await output(of: "list", "--tag", "#Home", "--limit", "3", on: notebook) == """
          #  Title            Tags       Edited
          ─  ───────────────  ─────────  ────────────────
          2  Milk             food home  2026-11-22 12:00
          1  A [31mred title             2026-11-22 12:00

        """)
    #expect(
      asked.executed == [
        NoteListInput(
          deleted: false, tag: "home", order: [.init(.edited, .descending)], limit: 3)
      ])
    notebook.noteList = Queries.Just([])
    #expect(try await output(of: "list", "--deleted", on: notebook) == "no notes\n")
  }

  @Test(arguments: [
    ([], ["b", "a", "C"]), (["--reversed"], ["C", "a", "b"]),
    (["--sort", "title"], ["a", "b", "C"]), (["--sort", "title", "--reversed"], ["C", "b", "a"]),
    (["--sort", "created"], ["a", "C", "b"]),
    (["--sort", "created", "--reversed", "--limit", "2"], ["b", "C"]),
  ])
  func `list notes in the chosen order`(_ options: [String], _ titles: [String]) async throws {
    var notebook = try Notebook.inMemory()
    for title in ["b", "C", "a"] {
      notebook.now = { [now = notebook.now] in now() + 60 }
      try await notebook.add(title: title)
    }
    notebook.now = { .noon + 600 }
    try await notebook.edit(1, body: "Changed")
    let list = try await output(of: ["list"] + options, on: notebook)
    let listed = list.split(separator: "\n").dropFirst(2).map { $0.split(separator: " ")[1] }
    #expect(listed.map(String.init) == titles)
  }

  @Test func `show a note in full`() async throws {
    var notebook = Notebook.withoutDatabase()
    notebook.noteWithTags = Queries.Just(.sample(4, "Milk", body: "Two\nbottles", tags: ["food"]))
    #expect(
      try await output(of: "show", "4", on: notebook) == """
        #4  Milk
        food, created 2026-11-22 12:00, edited 2026-11-22 12:00

        Two
        bottles

        """)
    notebook.noteWithTags = Queries.Just(nil)
    await #expect(throws: NoteError.noSuchNote(4)) {
      try await output(of: "show", "4", on: notebook)
    }
  }

  @Test func `mark matches with asterisks, and exit with 1 if a search has no results`()
    async throws
  {
    var notebook = Notebook.withoutDatabase()
    notebook.findNotes = Queries.Just([
      FindNotesRow(
        id: 3, title: "\u{2}Milk\u{3}", excerpt: "some\n\u{2}milk\u{3} and", edited: .noon,
        score: -1)
    ])
    #expect(
      try await output(of: "search", "milk -tea", on: notebook)
        == "#3  *Milk*\n    some *milk* and\n")
    notebook.findNotes = Queries.Just([])
    await #expect(throws: ExitCode(1)) {
      try await output(of: "search", "--", "milk", "-tea", on: notebook)
    }
  }

  @Test func `append to the text of a note`() async throws {
    let notebook = try Notebook.inMemory()
    #expect(try await output(of: "add", "Milk", "-b", "Two", on: notebook) == "added #1\n")
    _ = try await output(of: "edit", "1", "--append", "Three", on: notebook)
    _ = try await output(of: "edit", "1", "--title", "Bread", on: notebook)
    let note = try await notebook.note(1).note
    #expect(note.title == "Bread")
    #expect(note.body == "Two\nThree")
  }

  @Test(
    arguments: [
      ["edit", "1", "--body", "a", "--append", "b"], ["tag", "1"], ["list", "--limit", "0"],
      ["watch", "--count", "0"], ["purge", "--days", "-1"], ["delete"], ["show", "x"], ["none"],
    ])
  func `with invalid arguments are rejected when they are parsed`(_ line: [String]) {
    let error = #expect(throws: (any Error).self) { try NotesCommand.parseAsRoot(line) }
    #expect(error.map { NotesCommand.exitCode(for: $0) } == .validationFailure)
  }

  @Test func `watch the list and skip unchanged values`() async throws {
    let lists = Queries.Recorder<NoteListInput, [TaggedNote]>([.sample(1, "A")])
    var notebook = Notebook.withoutDatabase()
    notebook.noteList = lists
    let written = Written()
    let session = written.session(notebook)
    async let end: Void = Self.watch(session)
    while !written.text.contains("A") { await Task.yield() }
    lists.send([.sample(1, "A")])
    lists.send([.sample(2, "B"), .sample(1, "A")])
    try await end
    #expect(written.text.matches(of: /Title/).count == 2)
    #expect(
      written.text.hasSuffix(
        "2  B            2026-11-22 12:00\n  1  A            2026-11-22 12:00\n"))
    #expect(lists.observed == [NoteListInput(deleted: false, limit: 20)])
  }

  private static func watch(_ session: NotesSession) async throws {
    try await Watch.parse(["--count", "2"]).run(in: session)
  }

  @Test func `watch until the query fails`() async throws {
    var notebook = Notebook.withoutDatabase()
    notebook.noteList = Queries.Fail(Unused())
    await #expect(throws: Unused.self) { try await output(of: "watch", on: notebook) }
  }

  @Test func `of the tour all succeed`() async throws {
    let written = Written()
    try await Tour().run(in: written.session(try .inMemory()))
    for line in Tour.lines { #expect(written.text.contains("$ notes \(line[0])")) }
    #expect(written.text.contains("*crème* *fraîche*"))
    #expect(written.text.hasSuffix("Run notes --help for more.\n"))
    #expect(written.text.contains("4  Call Ada"))
  }
}

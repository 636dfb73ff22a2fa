import CommandTesting
import Foundation
import Testing

@testable import Notes

@Suite struct `Files of notes` {
  private let folder: CommandRun

  init() throws { folder = try CommandRun("notes", products: []) }

  private static let notes: [TaggedNote] = [
    .sample(1, "Crème, \"brûlée\"", body: "Two\nlines\tand a tab", tags: ["food", "sweet"]),
    .sample(2, "007", edited: .noon + 90),
  ]

  @Test(arguments: NoteFile.extensions)
  func `are read as they were written`(end: String) throws {
    let file = try NoteFile(folder.path("notes" + end))
    try file.write(Self.notes, replacing: false)
    #expect(
      try file.read() == [
        FiledNote(
          title: "Crème, \"brûlée\"", body: "Two\nlines\tand a tab", tags: ["food", "sweet"],
          created: .noon, edited: .noon),
        FiledNote(title: "007", created: .noon, edited: .noon + 90),
      ])
    #expect(throws: NoteError.fileExists(file.path)) { try file.write([], replacing: false) }
    try file.write([Self.notes[0]], replacing: true)
    #expect(try file.read().count == 1)
  }

  @Test(
    arguments: [
      (
        "a.json",
        #"[{"title": "Milk", "body": "Two", "tags": ["a", "b"], "created": "2026-11-22"}]"#
      ),
      ("b.csv", "created,title,body,tags\n2026-11-22T00:00:00Z,Milk,Two,a b\n"),
      ("c.jsonl", #"{"Title":"Milk","body":"Two","tags":"a, b","created":1795305600}"# + "\n"),
      (
        "d.json",
        #"{"notes": [{"title": "Milk", "body": "Two", "tags": ["a", "b"], "created": "2026-11-22"}], "tags": [{"name": "a"}]}"#
      ),
    ])
  func `can have different layouts`(name: String, text: String) throws {
    let file = try NoteFile(try folder.write(text, to: name))
    #expect(
      try file.read() == [
        FiledNote(
          title: "Milk", body: "Two", tags: ["a", "b"],
          created: Date(timeIntervalSince1970: 1_795_305_600))
      ])
  }

  @Test(
    arguments: [
      ("a.json", #"[{"name": "Milk"}]"#, "no table has a column `title`"),
      ("b.json", #"[{"title": "A"}, {"title": null}]"#, "row 2 has no title"),
      (
        "c.csv", "title,created\nA,yesterday\n",
        "row 1: \"yesterday\" is not a date such as 2026-11-22"
      ),
      (
        "d.json", #"{"a": [{"title": "A"}], "b": [{"title": "B"}]}"#,
        "several tables have a column `title`: a, b"
      ),
    ])
  func `with other content are rejected with a reason`(
    name: String, text: String, reason: String
  ) throws {
    let path = try folder.write(text, to: name)
    #expect(throws: NoteError.noNotes(path: path, reason: reason)) { try NoteFile(path).read() }
  }

  @Test func `in other formats are rejected by their extensions`() {
    #expect(throws: NoteError.unknownFormat("notes.txt")) { try NoteFile("notes.txt") }
    #expect(throws: NoteError.unknownFormat("notes.jsonl")) {
      try NoteFile("notes.jsonl").write([], replacing: false)
    }
  }
}

import ArgumentParser
import Foundation
import Primitives
import QueryGen
import Router
import RouterTesting
import Testing

@testable import Notes

/// The error of queries that a test must not use.
struct Unused: Error {}

extension Notebook {
  /// Creates a notebook without a database. All queries and routes fail unless a test overrides them.
  static func withoutDatabase() -> Notebook {
    Notebook(
      noteList: Queries.Fail(Unused()), noteWithTags: Queries.Fail(Unused()),
      findNotes: Queries.Fail(Unused()), noteStats: Queries.Fail(Unused()),
      tagCounts: Queries.Fail(Unused()), notesByMonth: Queries.Fail(Unused()),
      router: DatabaseRouter(UnimplementedExecutor()), now: { .noon })
  }

  /// Creates a notebook with a database in memory.
  static func inMemory() throws -> Notebook {
    var notebook = Notebook(try DB(configuration: .notes))
    notebook.now = { .noon }
    return notebook
  }
}

extension Date {
  /// 2026-11-22 12:00 UTC.
  static let noon = Date(timeIntervalSince1970: 1_795_348_800)
}

extension TaggedNote {
  static func sample(
    _ id: Int, _ title: String, body: String = "", tags: [String] = [], edited: Date = .noon,
    deleted: Date? = nil
  ) -> TaggedNote {
    TaggedNote(
      note: Note(
        id: id, title: title, body: body, created: .noon, edited: edited, deleted: deleted),
      tags: tags.enumerated().map { Tag(id: $0.offset + 1, name: $0.element) })
  }
}

/// Records the output of a session.
final class Written: Sendable {
  private let parts = Mutex<[String]>([])

  var text: String { parts.withLock { $0.joined() } }

  func session(_ notebook: Notebook) -> NotesSession {
    var pages = NotePages()
    pages.timeZone = .gmt
    return NotesSession(notebook: notebook, pages: pages) { text in
      self.parts.withLock { $0.append(text) }
    }
  }
}

/// Runs a command line with a notebook, and returns its output.
func output(of line: String..., on notebook: Notebook) async throws -> String {
  try await output(of: line, on: notebook)
}

/// Runs a command line with a notebook, and returns its output.
func output(of line: [String], on notebook: Notebook) async throws -> String {
  let command = try #require(NotesCommand.parseAsRoot(line) as? any NoteCommand)
  let written = Written()
  try await command.run(in: written.session(notebook))
  return written.text
}

import Foundation
import QueryGen
import Router

/// A collection of notes, which are read with generated queries and written with routes.
///
/// A notebook does not depend on a database: a query can be a `Queries.Just`, and a route can be
/// overridden.
struct Notebook: Sendable {
  var noteList: any NoteListQuery
  var noteWithTags: any Query<Int, TaggedNote?>
  var findNotes: any FindNotesQuery
  var noteStats: any NoteStatsQuery
  var tagCounts: any TagCountsQuery
  var notesByMonth: any NotesByMonthQuery
  var router: DatabaseRouter<NoteRoute>
  /// Returns the current time.
  var now: @Sendable () -> Date = { Date() }
}

extension Notebook {
  /// Creates a notebook for a database.
  init(_ db: DB) {
    self.init(
      noteList: db.noteList,
      // Both queries return notes with tags, but in different structs.
      noteWithTags: db.noteWithTags.map { row in
        row.map { TaggedNote(note: $0.note, tags: $0.tags) }
      },
      findNotes: db.findNotes, noteStats: db.noteStats, tagCounts: db.tagCounts,
      notesByMonth: db.notesByMonth, router: DatabaseRouter(db.database))
  }
}

// MARK: Reading

extension Notebook {
  /// Fetches a note, which may be deleted.
  ///
  /// - Throws: ``NoteError/noSuchNote(_:)``; errors of the query.
  func note(_ id: Int) async throws -> TaggedNote {
    guard let found = try await noteWithTags.execute(id) else { throw NoteError.noSuchNote(id) }
    return found
  }

  /// Searches notes by words, the best matches first. Any text is valid; a text without words has no
  /// results.
  func search(_ text: String, tag: String? = nil, limit: Int) async throws -> [FindNotesRow] {
    guard let words = Self.query(text).expression else { return [] }
    return try await findNotes.execute(.init(words: words, tag: tag, limit: limit))
  }

  /// Returns the query for a typed text. A text with `"phrases"`, `-excluded` words or `or` is interpreted
  /// like a web search. Otherwise all words must match, and the last one is matched as a prefix.
  static func query(_ text: String) -> FullTextQuery {
    let words = text.split(whereSeparator: \.isWhitespace)
    let isOfWeb =
      text.contains("\"") || words.contains { $0.hasPrefix("-") || $0.lowercased() == "or" }
    return isOfWeb ? .web(text) : .prefix(text)
  }
}

import Foundation
import QueryGen
import Router

/// The notes: read by queries, which were generated, and written by routes.
///
/// It knows no database. Each query may be a `Queries.Just` as well, and each route may be answered by an override.
struct Notebook: Sendable {
  var noteList: any NoteListQuery
  var noteWithTags: any Query<Int, TaggedNote?>
  var findNotes: any FindNotesQuery
  var noteStats: any NoteStatsQuery
  var tagCounts: any TagCountsQuery
  var notesByMonth: any NotesByMonthQuery
  var router: DatabaseRouter<NoteRoute>
  /// What time it is.
  var now: @Sendable () -> Date = { Date() }
}

extension Notebook {
  /// The notes of a database.
  init(_ db: DB) {
    self.init(
      noteList: db.noteList,
      // Both queries give a note with its tags; each has a struct of its own.
      noteWithTags: db.noteWithTags.map { row in
        row.map { TaggedNote(note: $0.note, tags: $0.tags) }
      },
      findNotes: db.findNotes, noteStats: db.noteStats, tagCounts: db.tagCounts,
      notesByMonth: db.notesByMonth, router: DatabaseRouter(db.database))
  }
}

// MARK: Reading

extension Notebook {
  /// A note, deleted or not.
  ///
  /// - Throws: ``NoteError/noSuchNote(_:)``; what the query throws.
  func note(_ id: Int) async throws -> TaggedNote {
    guard let found = try await noteWithTags.execute(id) else { throw NoteError.noSuchNote(id) }
    return found
  }

  /// The notes that a person's words find, the best first. No text is an error; one without a word finds nothing.
  func search(_ text: String, tag: String? = nil, limit: Int) async throws -> [FindNotesRow] {
    guard let words = Self.query(text).expression else { return [] }
    return try await findNotes.execute(words: words, tag: tag, limit: limit)
  }

  /// Where someone writes as for a search on the web, with `"phrases"`, `-without` and `or`, it is that; otherwise all words
  /// are looked for, of which the last one may go on.
  static func query(_ text: String) -> FullTextQuery {
    let words = text.split(whereSeparator: \.isWhitespace)
    let isOfWeb =
      text.contains("\"") || words.contains { $0.hasPrefix("-") || $0.lowercased() == "or" }
    return isOfWeb ? .web(text) : .prefix(text)
  }
}

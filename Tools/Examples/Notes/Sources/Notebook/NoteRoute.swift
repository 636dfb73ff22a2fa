import Foundation
import Router
import SQLiteCore

/// All writes, as values that a test can inspect and override without a database.
enum NoteRoute: RouteCollection, Hashable {
  case add(NewNote)
  /// Changes a note unless it is deleted.
  case change(id: Int, to: NoteChange)
  case delete(id: Int, at: Date)
  case undelete(id: Int)
  /// Permanently removes notes that were deleted before a date.
  case purge(deletedBefore: Date)
  /// Creates missing tags.
  case makeTags([String])
  /// Adds tags to the note that was added last in the same transaction.
  case tagNewest([String])
  case tag(id: Int, with: [String])
  case untag(id: Int, from: [String])

  func route() async throws -> DatabaseRoute {
    switch self {
    case .add(let note):
      try .insert(note.record, into: .note)
    case .change(let id, let change):
      try .update(
        change.record, in: .note, filteredBy: .id(id), Column.deleted.isNull()
      ).expecting(.one)
    case .delete(let id, let date):
      try .update(
        ["deleted": .seconds(of: date)] as Record, in: .note, filteredBy: .id(id),
        Column.deleted.isNull()
      ).expecting(.one)
    case .undelete(let id):
      try .update(
        ["deleted": nil] as Record, in: .note, filteredBy: .id(id), Column.deleted.isNotNull()
      ).expecting(.one)
    case .purge(let date):
      .delete(from: .note, filteredBy: Column.deleted.lessThan(SQLiteValue.seconds(of: date)))
    case .makeTags(let names):
      try .upsert(names.map { ["name": .text($0)] as Record }, in: "tag", returning: .minimal)
        .onConflict("name", resolution: .ignore)
    case .tagNewest(let names):
      try .custom(on: "note_tag", access: .write) { _ in
        """
        INSERT INTO note_tag (note, tag)
        SELECT (SELECT max(id) FROM note), id FROM tag WHERE name IN \(names)
        """
      }
    case .tag(let id, let names):
      try .custom(on: "note_tag", access: .write) { _ in
        """
        INSERT INTO note_tag (note, tag)
        SELECT \(id), id FROM tag WHERE name IN \(names) ON CONFLICT DO NOTHING
        """
      }
    case .untag(let id, let names):
      try .custom(on: "note_tag", access: .write) { _ in
        """
        DELETE FROM note_tag
        WHERE note = \(id) AND tag IN (SELECT id FROM tag WHERE name IN \(names))
        """
      }
    }
  }
}

private typealias Record = DatabaseRoute.Record
private typealias Column = DatabaseRoute.Column

extension DatabaseRoute.Table { fileprivate static let note: Self = "note" }

extension DatabaseRoute.Column { fileprivate static let deleted: Self = "deleted" }

extension SQLiteValue {
  /// Returns the stored form of a date: whole seconds since 1970.
  fileprivate static func seconds(of date: Date) -> SQLiteValue {
    .integer(Int64(date.timeIntervalSince1970.rounded(.down)))
  }
}

/// A note to insert.
struct NewNote: Hashable {
  var title: String
  var body = ""
  var created: Date
  var edited: Date

  fileprivate var record: DatabaseRoute.Record {
    [
      "title": .text(title), "body": .text(body), "created": .seconds(of: created),
      "edited": .seconds(of: edited),
    ]
  }
}

/// A change of a note. If the title or the body is `nil`, it is not changed.
struct NoteChange: Hashable {
  var title: String?
  var body: String?
  var edited: Date

  fileprivate var record: DatabaseRoute.Record {
    var record: DatabaseRoute.Record = ["edited": .seconds(of: edited)]
    if let title { record["title"] = .text(title) }
    if let body { record["body"] = .text(body) }
    return record
  }
}

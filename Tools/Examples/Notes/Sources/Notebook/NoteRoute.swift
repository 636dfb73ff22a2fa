import Foundation
import Router
import SQLiteCore

/// All that is written, as values: a test reads them, and answers them without a database.
enum NoteRoute: RouteCollection, Hashable {
  case add(NewNote)
  /// Changes a note that is not deleted.
  case change(id: Int, to: NoteChange)
  case delete(id: Int, at: Date)
  case undelete(id: Int)
  /// Removes for good what was deleted before a moment.
  case purge(deletedBefore: Date)
  /// Makes the tags that there are not yet.
  case makeTags([String])
  /// Gives tags to the note that was added last, in the same transaction.
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
  /// A date as the tables have it: whole seconds since 1970.
  fileprivate static func seconds(of date: Date) -> SQLiteValue {
    .integer(Int64(date.timeIntervalSince1970.rounded(.down)))
  }
}

/// A note that is yet to be written.
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

/// What is to be changed of a note: the title and the body stay as they are where they are `nil`.
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

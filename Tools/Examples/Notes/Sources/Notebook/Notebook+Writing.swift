import Foundation
import QueryGen
import Router

extension Notebook {
  /// Adds a note with tags in one transaction.
  ///
  /// - Returns: The note's number.
  /// - Throws: ``NoteError`` before any row is written; errors of the router.
  @discardableResult
  func add(title: String, body: String = "", tags: [String] = []) async throws -> Int {
    let note = NewNote(
      title: try Self.title(title), body: body, created: now(), edited: now())
    let routes = Self.routes(adding: note, tags: try Tags.names(tags))
    let responses = try await router.run(routes)
    let place = routes.firstIndex { if case .add = $0 { true } else { false } }
    let added = try place.map { try responses[$0].values(NoteNumber.self) } ?? []
    guard let number = added.first else {
      throw RouterError(code: .notFound, message: "the added note was not returned")
    }
    return number.id
  }

  /// Changes a note. `nil` arguments are not changed.
  ///
  /// - Throws: ``NoteError``; errors of the router.
  func edit(_ id: Int, title: String? = nil, body: String? = nil) async throws {
    if title == nil, body == nil { throw NoteError.nothingToChange }
    let change = NoteChange(title: try title.map(Self.title), body: body, edited: now())
    try await write([.change(id: id, to: change)], of: [id])
  }

  /// Adds tags to a note and removes others in one transaction.
  ///
  /// - Throws: ``NoteError``; errors of the router.
  func tag(_ id: Int, adding: [String], removing: [String] = []) async throws {
    let (added, removed) = (try Tags.names(adding), try Tags.names(removing))
    if added.isEmpty, removed.isEmpty { throw NoteError.nothingToChange }
    var routes: [NoteRoute] = [.change(id: id, to: NoteChange(edited: now()))]
    if !added.isEmpty { routes += [.makeTags(added), .tag(id: id, with: added)] }
    if !removed.isEmpty { routes.append(.untag(id: id, from: removed)) }
    try await write(routes, of: [id])
  }

  /// Marks notes as deleted in one transaction.
  ///
  /// - Throws: ``NoteError``; errors of the router.
  func delete(_ ids: [Int]) async throws {
    let date = now()
    let ids = Set(ids).sorted()
    try await write(ids.map { .delete(id: $0, at: date) }, of: ids)
  }

  /// Restores deleted notes in one transaction.
  ///
  /// - Throws: ``NoteError``; errors of the router.
  func undelete(_ ids: [Int]) async throws {
    let ids = Set(ids).sorted()
    try await write(ids.map { .undelete(id: $0) }, of: ids, whichAreDeleted: true)
  }

  /// Permanently removes notes that were deleted at least `seconds` ago.
  ///
  /// - Returns: The number of removed notes.
  func purge(deletedFor seconds: TimeInterval) async throws -> Int {
    try await router.affectedCount(of: .purge(deletedBefore: now().addingTimeInterval(-seconds)))
  }

  /// Adds the notes of a file in one transaction. Existing notes are skipped. A note exists if a note has the
  /// same title and body and, if the file specifies it, the same creation time in seconds.
  ///
  /// - Returns: The number of added notes.
  /// - Throws: ``NoteError`` before any row is written; errors of the queries and the router.
  func add(_ filed: [FiledNote]) async throws -> Int {
    var known: Set<KnownNote> = []
    for deleted in [false, true] {
      for note in try await noteList.execute(.init(deleted: deleted, limit: -1)).map(\.note) {
        known.formUnion(KnownNote.both(note.title, note.body, note.created))
      }
    }
    var (routes, count): ([NoteRoute], Int) = ([], 0)
    for note in filed {
      let title = try Self.title(note.title)
      if known.contains(KnownNote(title, note.body, note.created)) { continue }
      let created = note.created ?? now()
      known.formUnion(KnownNote.both(title, note.body, created))
      let new = NewNote(
        title: title, body: note.body, created: created, edited: note.edited ?? created)
      routes += Self.routes(adding: new, tags: try Tags.names(note.tags))
      count += 1
    }
    if !routes.isEmpty { _ = try await router.run(routes) }
    return count
  }

  /// The identity of a note when importing files.
  private struct KnownNote: Hashable {
    let title: String
    let body: String
    let second: Int?

    init(_ title: String, _ body: String, _ created: Date?) {
      self.title = title
      self.body = body
      second = created.map { Int($0.timeIntervalSince1970.rounded(.down)) }
    }

    /// The identities with and without the creation time, which a file may omit.
    static func both(_ title: String, _ body: String, _ created: Date) -> [KnownNote] {
      [KnownNote(title, body, created), KnownNote(title, body, nil)]
    }
  }

  private static func routes(adding note: NewNote, tags: [String]) -> [NoteRoute] {
    tags.isEmpty ? [.add(note)] : [.makeTags(tags), .add(note), .tagNewest(tags)]
  }

  private static func title(_ text: String) throws(NoteError) -> String {
    let title = text.split(whereSeparator: \.isNewline).joined(separator: " ")
      .trimmingCharacters(in: .whitespaces)
    if title.isEmpty { throw .emptyTitle }
    return title
  }

  /// Runs routes in one transaction. If a route changes no row, throws an error for the note that is missing
  /// or has the wrong state.
  private func write(
    _ routes: [NoteRoute], of ids: [Int], whichAreDeleted: Bool = false
  ) async throws {
    do {
      _ = try await router.run(routes)
    } catch let error as RouterError where error.code == .notFound {
      for id in ids where try await (note(id).note.deleted != nil) != whichAreDeleted {
        throw whichAreDeleted ? NoteError.notDeleted(id) : NoteError.deletedNote(id)
      }
      throw error
    }
  }
}

/// The key of an inserted row.
private struct NoteNumber: Decodable, Sendable {
  var id: Int
}

import Relations
import SQLiteCore
import Testing

/// A note about a book or a shelf.
struct Remark: Table {
  enum Subject {
    case book(OneRelation<Book>)
    case shelf(OneRelation<Shelf>)
  }
  var id = 0
  var text = ""
  var book = OneRelation<Book>(onDelete: .cascade)
  var shelf = OneRelation<Shelf>(onDelete: .cascade)
  static let subjects = RelationAlternatives<Remark, Subject>()
    .or(\.book, Subject.book).or(\.shelf, Subject.shelf)
  static var alternatives: [any AlternativeRelations] { [subjects] }
  var subject: Subject? { Self.subjects[self] }
}

/// A note that may have no subject.
struct Mark: Table {
  var id = 0
  var book = OneRelation<Book>()
  var seat = OneRelation<Seat>()
  static var alternatives: [any AlternativeRelations] {
    [RelationAlternatives<Mark, Int>(isRequired: false).or(\.book) { _ in 1 }.or(\.seat) { _ in 2 }]
  }
}

@Suite struct `Alternative relations` {
  @Test func `are enforced by a CHECK, and read as an enum`() async throws {
    try await withLoggedSession { session, log in
      try await `Related rows`.fill(session)
      try await [Remark(text: "a", book: OneRelation(1)), Remark(text: "b", shelf: OneRelation(2))]
        .save()
      for wrong in [
        Remark(text: "none"), Remark(text: "two", book: OneRelation(1), shelf: OneRelation(1)),
      ] {
        let error = await #expect(throws: SQLiteError.self) { try await wrong.save() }
        #expect(error?.code == .constraintCheck)
      }
      let remarks = try await Remark.fetchQuery("ORDER BY id")
      let statements = try await log.recordStatements {
        try await remarks.load { $0.with(\.book).with(\.shelf) }
      }
      #expect(statements.count == 2)
      guard case .book(let book) = remarks[0].subject, case .shelf(let shelf) = remarks[1].subject
      else {
        Issue.record("the subjects are others")
        return
      }
      #expect(try book.loaded()?.title == "p")
      #expect(try shelf.loaded()?.value.room == "b")

      Remark.subjects.set(\.shelf, try shelf.loaded(), in: remarks[0])
      #expect(remarks[0].book.key == nil)
      try await remarks[0].save()
      let again = try await Remark.fetchId(remarks[0].id)
      guard case .shelf = again.subject else {
        Issue.record("the subject is another")
        return
      }
      try await shelf.object.delete()
      #expect(try await Remark.fetchQuery().isEmpty)
    }
  }

  @Test func `may have no target if allowed, and refer to keys of several columns`() async throws {
    try await withSession { session in
      try await `Related rows`.fill(session)
      try await Seat(hall: "A", number: 1).save()
      let key = SeatKey(hall: "A", number: 1)
      try await [Mark(), Mark(book: OneRelation(1)), Mark(seat: OneRelation(key))].save()
      await #expect(throws: SQLiteError.self) {
        try await Mark(book: OneRelation(1), seat: OneRelation(key)).save()
      }
      #expect(try await Mark.fetchQuery().count == 3)
    }
  }
}

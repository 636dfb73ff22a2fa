import Foundation
import Relations
import SQLiteCore
import Testing

@Suite struct `Keys` {
  @Test(arguments: [1, 3, 1_000])
  func `of text, UUIDs and BLOBs identify rows, with one statement for all`(
    _ count: Int
  ) async throws {
    try await withLoggedSession { session, log in
      let texts = (0..<count).map { TextTag(id: "a'\"b\\\u{0}ü\($0)", weight: $0) }
      let uuids = (0..<count).map { UUIDTag(id: UUID(), weight: $0) }
      let blobs = (0..<count).map {
        BlobTag(id: [0, 255, UInt8($0 & 255), UInt8($0 >> 8)], weight: $0)
      }
      try await texts.save()
      try await uuids.save()
      try await blobs.save()
      let rows = (0..<count).map { place in
        let row = Tagged(
          id: [7, UInt8(place & 255), UInt8(place >> 8)],
          text: OneRelation(texts[place].id), uuid: OneRelation(uuids[place].id),
          blob: OneRelation(blobs[place].id))
        row.texts.append([texts[place], texts[0]])
        row.uuids.append([uuids[place], uuids[0]])
        row.blobs.append([blobs[place], blobs[0]])
        return row
      }
      try await rows.save()
      #expect(try await Tagged.fetchId(rows[0].id).text.object.weight == 0)
      let found = try await Tagged.fetchQuery()
      let statements = try await log.recordStatements {
        try await found.load {
          $0.with(\.text).with(\.uuid).with(\.blob).with(\.texts).with(\.uuids).with(\.blobs)
        }
      }
      #expect(statements.count == 6)
      for row in found {
        let place = Int(row.id[1]) | Int(row.id[2]) << 8
        #expect(try row.text.loaded()?.weight == place)
        #expect(try row.uuid.loaded()?.weight == place)
        #expect(try row.blob.loaded()?.weight == place)
        #expect(try row.texts.loaded().map(\.weight) == [place, 0])
        #expect(try row.uuids.loaded().map(\.weight) == [place, 0])
        #expect(try row.blobs.loaded().map(\.weight) == [place, 0])
      }
      try await found.delete()
      #expect(try await Tagged.fetchQuery().isEmpty)
      let links = try await session.database.read {
        try $0.value(Int.self, "SELECT count(*) FROM Tagged_blobs")
      }
      #expect(links == 0)
    }
  }
}

@Suite struct `Keys of several columns` {
  @Test func `identify rows, and are foreign keys of several columns`() async throws {
    try await withSession { session in
      try await Seat(hall: "A", number: 1, price: 10).save()
      try await Seat(hall: "A", number: 2, price: 20).save()
      try await Seat(hall: "A", number: 2, price: 25).save()
      let seat = try await Seat.fetchId(SeatKey(hall: "A", number: 2))
      #expect(seat.price == 25)
      let wanted = [
        SeatKey(hall: "A", number: 2), SeatKey(hall: "B", number: 1), SeatKey(hall: "A", number: 1),
      ]
      #expect(try await Seat.fetchIds(wanted).map(\.price) == [25, 10])
      let ticket = try await Ticket(name: "x", seat: OneRelation(seat.id)).save()
      #expect(try await ticket.seat.object.price == 25)
      let keys = try await session.database.read {
        try $0.rows("SELECT seat_hall, seat_number FROM Ticket")
      }
      #expect(keys == [[.text("A"), .integer(2)]])
      let error = await #expect(throws: SQLiteError.self) {
        try await Ticket(name: "y", seat: OneRelation(SeatKey(hall: "B", number: 9))).save()
      }
      #expect(error?.code == .constraintForeignKey)
      try await seat.delete()
      #expect(try await Ticket.fetchQuery().isEmpty)
      #expect(try await Seat.fetchQuery().count == 1)
    }
  }

  @Test func `are read for many owners with one statement, and may be NULL`() async throws {
    try await withLoggedSession { _, log in
      let seats = (0..<500).map { Seat(hall: "h\($0 % 7)", number: $0, price: Double($0)) }
      try await seats.save()
      try await (0..<500).map { place in
        Ticket(name: "\(place)", seat: OneRelation(place % 5 == 0 ? nil : seats[place].id))
      }.save()
      let tickets = try await Ticket.fetchQuery("ORDER BY id")
      let statements = try await log.recordStatements { try await tickets.fetchAll(\.seat) }
      #expect(statements.count == 1)
      for (place, ticket) in tickets.enumerated() {
        #expect(try ticket.seat.loaded()?.price == (place % 5 == 0 ? nil : Double(place)))
      }
      let found = try await Seat.fetchQuery("ORDER BY number")
      let lists = try await log.recordStatements { try await found.fetchAll(\.tickets, limit: 1) }
      #expect(lists.count == 1)
      #expect(
        try found.map { try $0.tickets.loaded().count } == (0..<500).map { $0 % 5 == 0 ? 0 : 1 })
      #expect(found.allSatisfy { !$0.tickets.hasMore })
    }
  }

  @Test func `are changed by setting or removing the target`() async throws {
    try await withSession { _ in
      let seats = [Seat(hall: "A", number: 1), Seat(hall: "B", number: 2)]
      try await seats.save()
      let box = try await Box.create()
      await box.value.best.setObject(seats[0])
      try await box.save()
      await box.value.best.setObject(seats[1])
      try await Box.saveChanges()
      let key = try await Box.session.database.read {
        try $0.rows("SELECT best_hall, best_number FROM Box")
      }
      #expect(key == [[.text("B"), .integer(2)]])
      await box.value.best.setObject(nil)
      try await Box.saveChanges()
      let none = try await Box.session.database.read {
        try $0.rows("SELECT best_hall, best_number FROM Box")
      }
      #expect(none == [[.null, .null]])
    }
  }

  @Test func `are in lists of links, and own such lists`() async throws {
    try await withSession { session in
      let seats = (0..<6).map { Seat(hall: "A", number: $0) }
      try await seats.save()
      let box = try await Box.create()
      box.value.seats.append([seats[3], seats[1], seats[3]])
      try await box.save()
      box.value.seats.insert([seats[5]], at: 1)
      box.value.seats.remove(at: 2)
      try await box.save()
      let other = ModelSession(session.database)
      let found = try await other.fetch(Box.self, box.id)
      try await found.value.seats.fetch()
      #expect(try found.value.seats.loaded().map(\.number) == [3, 5, 3])
      #expect(try await found.value.seats.totalCount() == 3)

      let seat = try await Seat.fetchId(seats[0].id)
      try await [TextTag(id: "x"), TextTag(id: "y")].save()
      seat.tags.append([TextTag(id: "y"), TextTag(id: "x")])
      try await seat.save()
      let again = try await Seat.fetchId(seats[0].id)
      try await again.tags.fetch()
      #expect(try again.tags.loaded().map(\.id) == ["y", "x"])
      try await seats[3].delete()
      try await found.value.seats.reload()
      #expect(try found.value.seats.loaded().map(\.number) == [5])
    }
  }

  @Test func `are found through the table's index`() async throws {
    try await withLoggedSession { session, log in
      try await (0..<50).map { Seat(hall: "A", number: $0) }.save()
      let statements = try await log.recordStatements {
        _ = try await Seat.fetchIds([SeatKey(hall: "A", number: 3), SeatKey(hall: "A", number: 4)])
      }
      let sql = try #require(statements.last)
      let plan = try await session.database.read { connection in
        try connection.rows(SQL(unsafe: "EXPLAIN QUERY PLAN " + sql), values: [SQLiteArray([1])])
      }
      let steps = plan.map { "\($0.last ?? .null)" }
      #expect(steps.contains { $0.contains("SEARCH Seat USING INDEX") })
    }
  }
}

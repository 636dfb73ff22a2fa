import Foundation
import QueryGen
import Testing

@Suite struct `A configuration` {
  private let noon = Date(timeIntervalSince1970: 1_700_049_600)

  private func studio() async throws -> Studio {
    let studio = try Studio(
      functions: StudioFunctions(
        discounted: { price, percent in Money(cents: price.cents * (100 - percent) / 100) },
        lastOf: LastOf.self))
    try await studio.addRoom.execute(many: [
      AddRoomInput(code: "blue", kind: "large"), AddRoomInput(code: "red", kind: "small"),
    ])
    try await studio.addBooking.execute(
      room: .red, guest: "Ada", at: noon, price: Money(cents: 1250), notes: Notes(lines: ["loud"]))
    try await studio.addBooking.execute(
      room: .red, guest: "Bo", at: noon.addingTimeInterval(3600), price: nil, notes: nil)
    return studio
  }

  @Test func `sets the names and types of tables and columns`() async throws {
    let bookings: [Booking] = try await studio().allBookings.execute()
    #expect(
      bookings == [
        Booking(
          room: .red, guest: "Ada", startsAt: noon, price: Money(cents: 1250),
          notes: Notes(lines: ["loud"]), anything: .null),
        Booking(
          room: .red, guest: "Bo", startsAt: noon.addingTimeInterval(3600), price: nil, notes: nil,
          anything: .null),
      ])
  }

  @Test func `sets the names of queries, rows and parameters`() async throws {
    let rows: [RoomBooking] = try await studio().bookings.execute(
      room: .red, notBefore: noon.addingTimeInterval(1))
    #expect(rows.map(\.guest) == ["Bo"])
    #expect(rows.map(\.startsAt) == [noon.addingTimeInterval(3600)])
  }

  @Test func `can replace a generated enum with a plain type`() async throws {
    let room: Rooms = try await studio().addRoom.execute(code: "green", kind: "small")
    #expect(room.kind == "small")
    #expect(room.id == "green")
  }

  @Test func `declares functions with its types`() async throws {
    let studio = try await studio()
    let discounts = try await studio.discounts.execute(20)
    #expect(discounts.map(\.guest) == ["Ada", "Bo"])
    #expect(discounts.map(\.price) == [Money(cents: 1000), nil])
    #expect(try await studio.lastPrice.execute() == Money(cents: 1250))
  }

  @Test func `selects the Codable structs`() async throws {
    let rooms = try await studio().roomsAndNotes.execute()
    let copy = try JSONDecoder().decode(
      [RoomsAndNotesRow].self, from: try JSONEncoder().encode(rooms))
    #expect(copy == rooms)
    #expect(!((Booking.self as Any) is any Decodable.Type))
  }

  @Test func `selects the columns that become lists`() async throws {
    let rooms = try await studio().roomsAndNotes.execute()
    #expect(rooms.map(\.code) == ["blue", "red"])
    #expect(rooms.map { $0.visits.map(\.guest) } == [[], ["Ada", "Bo"]])
    #expect(rooms.map { $0.visits.map(\.price) } == [[], [Money(cents: 1250), nil]])
  }
}

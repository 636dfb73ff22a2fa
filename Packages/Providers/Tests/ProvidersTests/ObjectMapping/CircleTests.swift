import SQLiteCore
import Testing

@testable import Providers

@Suite struct `Elements of a list that refer back to its owner` {
  final class Team: DataTable {
    var id = ""
    var name = ""
    var players = CrossReference<Player>(name: "PlayerOfTeam")
    init() {}
    init(_ id: String, _ players: [Player] = []) {
      self.id = id
      self.players.storage = players
      for player in players { player.team = self }
    }
    func release() { players.removeAll() }
  }

  final class Player: DataTable {
    var id = ""
    var team: Team?
    init() {}
    init(_ id: String) { self.id = id }
  }

  struct House: DataTable, Equatable {
    var id = ""
    var name = ""
    var rooms = CrossReference<Room>(name: "RoomOfHouse")
  }

  struct Room: DataTable, Equatable {
    var id = ""
    var house: House?
  }

  /// A reference from the element that leads to the owner through other rows.
  struct City: DataTable, Equatable {
    var id = ""
    var mayor: Mayor?
    var name = ""
  }
  struct Mayor: DataTable, Equatable {
    var id = ""
    var friends = CrossReference<Neighbour>(name: "FriendOfMayor")
    var party: Party?
  }
  struct Party: DataTable, Equatable {
    var id = ""
  }
  struct Neighbour: DataTable, Equatable {
    var id = ""
    var city: City?
  }

  private func savedTeam(_ access: TestAccess) throws {
    let team = Team("t", ["a", "b"].map(Player.init))
    team.name = "old"
    defer { team.release() }
    try access.save(team)
  }

  private func savedHouse(_ access: TestAccess) throws {
    let plain = House(id: "h", name: "old")
    var house = plain
    house.rooms.storage = ["a", "b"].map { Room(id: $0) }
    try access.save(house)
    try access.connection.execute("UPDATE Room SET house = 'h'")
  }

  @Test func `refer to the owner itself if it is an instance`() throws {
    let access = try TestAccess()
    try savedTeam(access)
    let team = try #require(try access.getRows(ofType: Team.self).first)
    defer { team.release() }
    #expect(team.players.map(\.id) == ["a", "b"] && team.players.unloadedCount == 0)
    #expect(team.players.allSatisfy { $0.team === team })
    team.name = "new"
    team.players[1].team = nil
    team.players.remove(at: 0)
    try access.save(team)
    #expect(
      try access.connection.rows("SELECT id, team FROM Player ORDER BY 1")
        == [["a", "t"], ["b", nil]])
    #expect(try access.connection.rows("SELECT name FROM Team") == [["new"]])
    #expect(try access.connection.rows("SELECT rightID FROM PlayerOfTeam") == [["b"]])
  }

  @Test func `are loaded with their owner when read directly`() throws {
    let access = try TestAccess()
    try savedTeam(access)
    let players = try access.getRows(ofType: Player.self, orderedBy: "id")
    let team = try #require(players[0].team)
    defer { team.release() }
    #expect(players[1].team === team)
    #expect(team.players.map(\.id) == ["b"] && team.players[0] === players[1])
    #expect(team.players.unloadedCount == 1)
    try access.save(players)
    #expect(
      try access.connection.rows("SELECT rightID FROM PlayerOfTeam ORDER BY position")
        == [["a"], ["b"]])
  }

  @Test func `refer to the owner with unloaded lists if it is a value`() throws {
    let access = try TestAccess()
    try savedHouse(access)
    let house = try #require(try access.getRows(ofType: House.self).first)
    #expect(house.rooms.map(\.id) == ["a", "b"] && house.rooms.unloadedCount == 0)
    let back = try #require(house.rooms[1].house)
    #expect(back.name == "old" && back.rooms.isEmpty && back.rooms.unloadedCount == 2)
    let rooms = try access.getRows(ofType: Room.self, orderedBy: "id")
    #expect(rooms.map { $0.house?.id } == ["h", "h"])
    #expect(rooms[0].house?.rooms.map(\.id) == ["b"])
    #expect(rooms[0].house?.rooms.unloadedCount == 1)
    #expect(rooms[1].house?.rooms.unloadedCount == 2)
    // Saved unchanged.
    try access.save(house)
    try access.save(rooms)
    #expect(try access.getRows(ofType: House.self) == [house])
    #expect(try access.getRows(ofType: Room.self, orderedBy: "id") == rooms)
  }

  @Test func `can refer to an owner that was saved without lists`() throws {
    let access = try TestAccess()
    for round in 0..<2 {
      var house = try access.getRowIfThere(House.self, "h") ?? House(id: "h", name: "n")
      house.rooms.append(Room(id: "\(round)a", house: house))
      house.rooms.append(Room(id: "\(round)b", house: House(id: "h", name: "n")))
      try access.save(house)
    }
    #expect(
      try access.connection.rows("SELECT id, house FROM Room ORDER BY 1")
        == [["0a", "h"], ["0b", "h"], ["1a", "h"], ["1b", "h"]])
    let links = try access.connection.values(
      String.self, "SELECT rightID FROM RoomOfHouse ORDER BY position")
    #expect(links == ["0a", "0b", "1a", "1b"])
    // An emptied list differs from a list that was never filled.
    var house = try #require(try access.getRows(ofType: House.self).first)
    var empty = house
    empty.rooms.removeAll()
    house.rooms[0].house = empty
    let error = #expect(throws: ProviderError.self) { try access.save(house) }
    #expect(error?.code == .conflictingCopies)
    try access.save(empty)
    #expect(try access.connection.rows("SELECT * FROM RoomOfHouse").isEmpty)
  }

  @Test func `are ignored if the owner was changed, unless they were changed too`() throws {
    let access = try TestAccess()
    try savedHouse(access)
    var house = try #require(try access.getRows(ofType: House.self).first)
    house.name = "new"
    house.rooms.append(Room(id: "c"))
    house.rooms.remove(at: 0)
    try access.save(house)
    house = try #require(try access.getRows(ofType: House.self).first)
    #expect(house.name == "new" && house.rooms.map(\.id) == ["b", "c"])
    #expect(house.rooms[0].house?.name == "new" && house.rooms[1].house == nil)
    // Only the changed copy is saved, regardless of its position.
    var room = house.rooms[0]
    room.house?.name = "newest"
    var error = #expect(throws: ProviderError.self) {
      var both = house
      both.rooms[0] = room
      try access.save(both)
    }
    #expect(error?.code == .conflictingCopies && error?.table == "House")
    try access.save(room)
    #expect(try access.connection.rows("SELECT name FROM House") == [["newest"]])
    #expect(try access.rowCount(forType: Room.self) == 3)
    house = try #require(try access.getRows(ofType: House.self).first)
    house.rooms[0].house?.rooms.removeAll()
    error = #expect(throws: ProviderError.self) { try access.save(house) }
    #expect(error?.code == .conflictingCopies)
  }

  @Test func `can refer back through other rows`() throws {
    let access = try TestAccess()
    let mayor = Mayor(id: "m", party: Party(id: "p"))
    try access.save(City(id: "c", mayor: mayor, name: "old"))
    try access.save([Neighbour(id: "x"), Neighbour(id: "y")])
    try access.connection.execute(
      """
      UPDATE Neighbour SET city = 'c';
      INSERT INTO FriendOfMayor VALUES ('m', 'y', 0), ('m', 'x', 1)
      """)
    var city = try #require(try access.getRows(ofType: City.self).first)
    #expect(city.mayor?.friends.map(\.id) == ["y", "x"])
    let friend = try #require(city.mayor?.friends[0])
    #expect(friend.city?.mayor?.party?.id == "p")
    #expect(friend.city?.mayor?.friends.unloadedCount == 2)
    city.mayor?.party = nil
    try access.save(city)
    #expect(try access.connection.rows("SELECT party FROM Mayor") == [[nil]])
    let neighbours = try access.getRows(ofType: Neighbour.self, orderedBy: "id")
    #expect(neighbours[0].city?.mayor?.friends.map(\.id) == ["y"])
    try access.save(neighbours)
    #expect(try access.getRows(ofType: Neighbour.self, orderedBy: "id") == neighbours)
  }

  @Test func `can be accessed while the owner is created`() throws {
    final class Sorted: DataTable {
      var id = ""
      var words = CrossReference<Word>(name: "WordOfSorted")
      var others = CrossReference<Back>(name: "BackOfSorted")
      var count = 0
      enum Key: CodingKey { case id, words, others, count }
      init() {}
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        id = try container.decode(String.self, forKey: .id)
        words = try container.decode(CrossReference<Word>.self, forKey: .words)
        others = try container.decode(CrossReference<Back>.self, forKey: .others)
        words.storage.sort { $0.id < $1.id }
        count = others.count
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encode(words, forKey: .words)
        try container.encode(others, forKey: .others)
        try container.encode(count, forKey: .count)
      }
    }
    final class Back: DataTable {
      var id = ""
      var owner: Sorted?
    }
    let access = try TestAccess()
    let sorted = Sorted()
    sorted.id = "s"
    sorted.words.storage = ["b", "a", "c"].map { Word(id: $0) }
    let back = Back()
    back.owner = sorted
    sorted.others.append(back)
    defer { sorted.others.removeAll() }
    try access.save(sorted)
    let read = try #require(try access.getRows(ofType: Sorted.self).first)
    #expect(read.words.map(\.id) == ["a", "b", "c"] && read.count == 1)
    #expect(read.others[0].owner?.id == "s")
    read.count = 0
    try access.save(read)
    #expect(try access.connection.rows("SELECT * FROM WordOfSorted").count == 3)
    #expect(try access.connection.rows("SELECT * FROM BackOfSorted").count == 1)
  }

  @Test func `can be of any number`() throws {
    let access = try TestAccess()
    let team = Team("t", (0..<2_000).map { Player("\($0)") })
    try access.save(team)
    team.release()
    var read: Team?
    let statements = try access.statements { read = try access.getRows(ofType: Team.self).first }
    defer { read?.release() }
    #expect(statements.count == 2)
    #expect(read?.players.count == 2_000)
    #expect(read?.players.allSatisfy { $0.team === read } == true)
    // A loaded list is a separate value.
    var copy = try #require(read).players
    copy.removeAll { $0.id != "7" }
    #expect(copy.map(\.id) == ["7"] && read?.players.count == 2_000)
  }

  @Test func `are an error without a list in the cycle`() throws {
    struct Egg: DataTable {
      var id = ""
      var hens = CrossReference<Hen>(name: "HenOfEgg")
    }
    struct Hen: DataTable {
      var id = ""
      var egg: Egg?
    }
    let access = try TestAccess()
    try access.save(Egg(id: "e"))
    try access.save(Node("a"))
    try access.connection.execute("UPDATE Node SET next = id")
    let error = #expect(throws: ProviderError.self) { try access.getRows(ofType: Node.self) }
    #expect(error?.code == .cyclicReference && error?.column == "next")
    #expect(try access.getRows(ofType: Egg.self).count == 1)
  }
}

extension TestAccess {
  /// Before the first save, the table does not exist.
  fileprivate func getRowIfThere<Row: DataTable>(_ type: Row.Type, _ key: String) throws -> Row? {
    try registerTableSchema(type)
    return try getRow(ofType: type, forPrimaryKeyValue: key)
  }
}

import Observe
import SQLiteCore
import Testing

@testable import Relations

/// A shop whose rows are read without `Codable`, and the same types as read by `Codable`.
private enum Direct {
  struct Shop: Table {
    static let tableName = "Shop"
    var id = 0
    var name = ""
    var rating: Double?
    var isOpen = true
    var goods = ManyRelation<Ware>(\.shop)

    init() {}
    init(id: Int, name: String, rating: Double? = nil) {
      (self.id, self.name, self.rating) = (id, name, rating)
    }
    init(row: borrowing Row) throws(SQLiteError) {
      id = try row.read(at: 0)
      name = try row.read(at: 1)
      rating = try row.read(at: 2)
      isOpen = try row.read(at: 3)
    }
    static var properties: [RowProperty<Shop>] {
      [
        .init(column: "id") { $0.id }, .init(column: "name") { $0.name },
        .init(column: "rating") { $0.rating }, .init(column: "isOpen") { $0.isOpen },
        .init(relation: "goods") { $0.goods },
      ]
    }
  }

  struct Ware: Table {
    static let tableName = "Ware"
    var id = 0
    var name = ""
    var shop = OneRelation<Shop>(onDelete: .cascade)
    var label = OneRelation<Tag>()

    init() {}
    init(id: Int, name: String, shop: Int?, label: String? = nil) {
      (self.id, self.name) = (id, name)
      self.shop = OneRelation(shop)
      self.label = OneRelation(label)
    }
    init(row: borrowing Row) throws(SQLiteError) {
      id = try row.read(at: 0)
      name = try row.read(at: 1)
      shop = OneRelation(try row.read(at: 2))
      label = OneRelation(try row.read(at: 3))
    }
    static var properties: [RowProperty<Ware>] {
      [
        .init(column: "id") { $0.id }, .init(column: "name") { $0.name },
        .init(column: "shop", isRead: false) { $0.shop },
        .init(column: "label", isRead: false) { $0.label },
      ]
    }
  }

  struct Tag: Table {
    static let tableName = "Tag"
    var id = ""

    init() {}
    init(id: String) { self.id = id }
    init(row: borrowing Row) throws(SQLiteError) { id = try row.read(at: 0) }
    static var properties: [RowProperty<Tag>] { [.init(column: "id") { $0.id }] }
  }

  final class ShopModel: Model, @unchecked Sendable {
    struct Value: Table {
      static let tableName = "Shop"
      var id = 0
      var name = ""
      var rating: Double?
      var isOpen = true
      var goods = ManyRelation<WareModel>(\.shop)

      init() {}
      init(row: borrowing SQLiteCore.Row) throws(SQLiteError) {
        id = try row.read(at: 0)
        name = try row.read(at: 1)
        rating = try row.read(at: 2)
        isOpen = try row.read(at: 3)
      }
      static var properties: [RowProperty<Value>] {
        [
          .init(column: "id") { $0.id }, .init(column: "name") { $0.name },
          .init(column: "rating") { $0.rating }, .init(column: "isOpen") { $0.isOpen },
          .init(relation: "goods") { $0.goods },
        ]
      }
    }
    var value: Value
    init(_ value: Value) { self.value = value }
    var goods: ManyRelation<WareModel> { value.goods }
  }

  final class WareModel: Model, @unchecked Sendable {
    struct Value: Table {
      static let tableName = "Ware"
      var id = 0
      var name = ""
      var shop = OneRelation<ShopModel>(onDelete: .cascade)
      var label = OneRelation<Tag>()

      init() {}
      init(row: borrowing SQLiteCore.Row) throws(SQLiteError) {
        id = try row.read(at: 0)
        name = try row.read(at: 1)
        shop = OneRelation(try row.read(at: 2))
        label = OneRelation(try row.read(at: 3))
      }
      static var properties: [RowProperty<Value>] {
        [
          .init(column: "id") { $0.id }, .init(column: "name") { $0.name },
          .init(column: "shop", isRead: false) { $0.shop },
          .init(column: "label", isRead: false) { $0.label },
        ]
      }
    }
    var value: Value
    init(_ value: Value) { self.value = value }
    var shop: OneRelation<ShopModel> { value.shop }
    var label: OneRelation<Tag> { value.label }
  }
}

private final class StockRack: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "StockRack"
    var id: AutoId = 0
    var wares = ManyRelation<Direct.WareModel>()
  }
  var value: Value
  init(_ value: Value) { self.value = value }
  var wares: ManyRelation<Direct.WareModel> { value.wares }
}

/// An integer key without an `integerKey`.
private struct SquadID: TableKey, SQLiteReadable, SQLiteBindable {
  var number: Int64

  var keyValues: [SQLiteValue] { [.integer(number)] }
  static var columnTypes: [String] { ["INTEGER"] }
  init(number: Int64) { self.number = number }
  init(from decoder: any Decoder) throws {
    number = try decoder.singleValueContainer().decode(Int64.self)
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(number)
  }
  init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    number = try Int64(from: row, at: index)
  }
  var sqliteValue: SQLiteValue { .integer(number) }
}
private struct Squad: Table {
  static let tableName = "Squad"
  var id = SquadID(number: 0)
  var players = ManyRelation<SquadPlayer>(\.team)

  init() {}
  init(id: SquadID) { self.id = id }
}
private struct SquadPlayer: Table {
  static let tableName = "SquadPlayer"
  var id = 0
  var team = OneRelation<Squad>()

  init() {}
  init(id: Int, team: Int64) { (self.id, self.team) = (id, OneRelation(SquadID(number: team))) }
  init(row: borrowing Row) throws(SQLiteError) {
    id = try row.read(at: 0)
    team = OneRelation(try row.read(at: 1))
  }
  static var properties: [RowProperty<SquadPlayer>] {
    [.init(column: "id") { $0.id }, .init(column: "team", isRead: false) { $0.team }]
  }
}

/// Guests with a relation that is created only from a non-NULL key.
private enum Chosen {
  struct Room: Table {
    static let tableName = "Room"
    var id = 0
    var guests = ManyRelation<Guest>(\.room)

    init() {}
    init(id: Int) { self.id = id }
    init(row: borrowing Row) throws(SQLiteError) { id = try row.read(at: 0) }
    static var properties: [RowProperty<Room>] {
      [.init(column: "id") { $0.id }, .init(relation: "guests") { $0.guests }]
    }
  }

  struct Guest: Table {
    static let tableName = "Guest"
    var id = 0
    var room = OneRelation<Room>()
    var former = OneRelation<Room>()

    init() {}
    init(id: Int, room: Int, former: Int?) {
      self.id = id
      self.room = OneRelation(room)
      self.former = OneRelation(former)
    }
    init(row: borrowing Row) throws(SQLiteError) {
      id = try row.read(at: 0)
      room = try row.read(at: 1)
      if try !row.isNull(at: 2) { former = try row.read(at: 2) }
    }
    static var properties: [RowProperty<Guest>] {
      [
        .init(column: "id") { $0.id }, .init(column: "room", isRead: false) { $0.room },
        .init(column: "former", isRead: false) { $0.former },
      ]
    }
  }
}

/// Types whose properties differ from their encoded properties.
private struct Misnamed: Table {
  var id = 0
  var first = 0
  var second = 0
  init() {}
  init(row: borrowing Row) throws(SQLiteError) {
    id = try row.read(at: 0)
    first = try row.read(at: 1)
    second = try row.read(at: 2)
  }
  static var properties: [RowProperty<Misnamed>] {
    [
      .init(column: "id") { $0.id }, .init(column: "second") { $0.second },
      .init(column: "first") { $0.first },
    ]
  }
}
private struct Short: Table {
  var id = 0
  var first = 0
  init() {}
  init(row: borrowing Row) throws(SQLiteError) { id = try row.read(at: 0) }
  static var properties: [RowProperty<Short>] { [.init(column: "id") { $0.id }] }
}

@Suite struct `Rows that are read without Codable` {
  private func withShops(_ body: (ModelSession) async throws -> Void) async throws {
    try await withSession { session in
      try await [Direct.Tag(id: "new"), Direct.Tag(id: "old")].save()
      try await [
        Direct.Shop(id: 1, name: "Corner", rating: 4.5), Direct.Shop(id: 2, name: "Market"),
        Direct.Shop(id: 3, name: "Empty"),
      ].save()
      try await [
        Direct.Ware(id: 10, name: "tea", shop: 1, label: "new"),
        Direct.Ware(id: 11, name: "salt", shop: 2),
        Direct.Ware(id: 12, name: "rice", shop: 1, label: "old"),
        Direct.Ware(id: 13, name: "none", shop: nil),
      ].save()
      try await body(session)
    }
  }

  @Test func `equal the saved rows, including their relations`() async throws {
    try await withShops { session in
      let shops = try await Direct.Shop.fetchQuery("ORDER BY id")
      #expect(shops.map(\.name) == ["Corner", "Market", "Empty"])
      #expect(shops.map(\.rating) == [4.5, nil, nil])
      try await shops.fetchAll(\.goods)
      #expect(try shops.map { try $0.goods.loaded().map(\.id) } == [[10, 12], [11], []])
      let wares = try await Direct.Ware.fetchQuery("ORDER BY id")
      #expect(wares.map(\.shop.key) == [1, 2, 1, nil])
      let labels = try await wares.fetchAll(\.label)
      #expect(labels.keys.sorted() == ["new", "old"])
      #expect(try wares.map { try $0.label.loaded()?.id } == ["new", nil, "old", nil])
      #expect(try await wares[0].shop.object.name == "Corner")
      #expect(try await shops[0].goods.items[1].label.object.id == "old")
    }
  }

  @Test func `have one instance each, and are saved if they have changed`() async throws {
    try await withShops { session in
      let shops = try await Direct.ShopModel.fetchQuery("ORDER BY id")
      try await shops.fetchAll(\.goods)
      let tea = try #require(shops[0].goods.items.first)
      #expect(tea.shop._object === shops[0])
      try await Direct.ShopModel.saveChanges()
      tea.value.name = "green tea"
      await tea.shop.setObject(shops[1])
      shops[0].value.rating = nil
      shops[2].value.isOpen = false
      try await session.saveChanges()
      let rows = try await session.database.read { connection in
        try connection.rows("SELECT name, shop FROM Ware WHERE id = 10")
          + connection.rows("SELECT rating, isOpen FROM Shop WHERE id IN (1, 3) ORDER BY id")
      }
      #expect(
        rows == [
          [.text("green tea"), .integer(2)], [.null, .integer(1)], [.null, .integer(0)],
        ])
      try await shops.fetchAll(\.goods)
      #expect(shops.map { $0.goods.items.map(\.id) } == [[12], [10, 11], []])
      #expect(shops[1].goods.items[0] === tea)
    }
  }

  @Test func `are written once, and only in their changed columns`() async throws {
    try await withShops { session in
      let wares = try await Direct.WareModel.fetchQuery("ORDER BY id")
      // Other columns written by other connections are kept.
      try await session.database.write { connection in
        try connection.execute(
          """
          UPDATE Ware SET label = 'old';
          CREATE TABLE written (id INTEGER);
          CREATE TRIGGER note AFTER UPDATE ON Ware
          BEGIN INSERT INTO written VALUES (new.id); END;
          """)
      }
      for ware in wares { ware.value.name += "!" }
      wares[3].value.label = OneRelation("new")
      try await session.saveChanges()
      try await session.saveChanges()
      let (rows, written) = try await session.database.read { connection in
        (
          try connection.rows("SELECT name, label FROM Ware ORDER BY id"),
          try connection.values(Int.self, "SELECT id FROM written")
        )
      }
      #expect(
        rows == [
          [.text("tea!"), .text("old")], [.text("salt!"), .text("old")],
          [.text("rice!"), .text("old")], [.text("none!"), .text("new")],
        ])
      #expect(written == [10, 11, 12, 13])
    }
  }

  @Test func `adopt their own relation that replaced another one`() async throws {
    try await withShops { session in
      let ware = try await Direct.WareModel.fetchId(10)
      ware.value.name = "mint"
      ware.value.shop = OneRelation(1)
      try await session.saveChanges()
      #expect(!session.isChanged(ware))
      // The relation has its owner now, so setting it is a change of the owner.
      ware.shop.key = 2
      #expect(session.isChanged(ware))
      try await session.saveChanges()
      #expect(try await session.fetch(Direct.Ware.self, 10).shop.key == 2)
    }
  }

  @Test func `that are changed during a save are saved by the next save`() async throws {
    try await withShops { session in
      let shop = try await Direct.ShopModel.fetchId(1)
      shop.value.name = "first"
      try await session.write(saving: [shop]) { connection in
        let name = try connection.value(String.self, "SELECT name FROM Shop WHERE id = 1")
        #expect(name == "first")
      }
      #expect(!session.isChanged(shop))
      shop.value.name = "second"
      async let saving: Void = session.saveChanges()
      try await saving
      shop.value.name = "first"
      try await session.saveChanges()
      #expect(try await session.fetch(Direct.Shop.self, 1).name == "first")
    }
  }

  @Test func `keep their recorded state if a save fails`() async throws {
    try await withShops { session in
      let shops = try await Direct.ShopModel.fetchQuery("ORDER BY id")
      shops[0].value.name = "changed"
      try await session.database.write { try $0.execute("DELETE FROM Shop WHERE id = 2") }
      shops[1].value.name = "gone"
      let error = await #expect(throws: RelationError.self) { try await session.saveChanges() }
      #expect(error?.code == .missingRow)
      #expect(session.isChanged(shops[0]))
      #expect(try await session.fetch(Direct.Shop.self, 1).name == "Corner")
      try await session.save(shops[0])
      #expect(try await session.fetch(Direct.Shop.self, 1).name == "changed")
    }
  }

  @Test func `are written once if one of their lists is saved first`() async throws {
    try await withShops { session in
      // The models of this type are scanned first.
      let shelf = try await session.create(StockRack.self)
      let wares = try await Direct.WareModel.fetchQuery("ORDER BY id")
      shelf.wares.append([wares[0]])
      try await session.database.write { connection in
        try connection.execute(
          """
          CREATE TABLE written (id INTEGER);
          CREATE TRIGGER note AFTER UPDATE ON Ware
          BEGIN INSERT INTO written VALUES (new.id); END;
          """)
      }
      wares[0].value.name = "green tea"
      wares[1].value.name = "sea salt"
      try await session.write(saving: [shelf, wares[0], wares[1], wares[0]]) { _ in }
      shelf.wares.append([wares[2]])
      wares[2].value.name = "wild rice"
      try await session.saveChanges()
      let written = try await session.database.read { connection in
        try connection.values(Int.self, "SELECT id FROM written ORDER BY id")
      }
      #expect(written == [10, 11, 12])
    }
  }

  @Test func `that are fetched during a save have the changes of other connections`()
    async throws
  {
    try await withShops { session in
      let ware = try await Direct.WareModel.fetchId(10)
      try await session.database.write { connection in
        try connection.execute("UPDATE Ware SET label = 'old' WHERE id = 10")
      }
      ware.value.name = "mint"
      var unitOfWork = UnitOfWork(session)
      try session.identities(of: Direct.WareModel.self).addChanged(to: &unitOfWork)
      // The save is planned; then the row is fetched and merged before the save is recorded.
      _ = try await Direct.WareModel.fetchId(10)
      #expect(ware.label.key == "old")
      _ = try await session.run(&unitOfWork)
      #expect(!session.isChanged(ware))
      try await session.database.write { connection in
        try connection.execute("UPDATE Ware SET label = 'new' WHERE id = 10")
      }
      try await session.saveChanges()
      #expect(try await session.fetch(Direct.Ware.self, 10).label.key == "new")
      _ = try await Direct.WareModel.fetchId(10)
      #expect(ware.label.key == "new")
      ware.value.name = "sage"
      try await session.saveChanges()
      #expect(ware.value.label.key == "new")
    }
  }

  @Test func `that were removed from a list are no longer saved with it`() async throws {
    try await withShops { session in
      let shop = try await Direct.ShopModel.fetchId(1)
      try await [shop].fetchAll(\.goods)
      shop.goods.remove(at: 0)
      try await session.saveChanges()
      #expect(!shop.goods.isChanged)
      #expect(!session.isChanged(shop))
      #expect(try await session.fetch(Direct.Ware.self, 10).shop.key == nil)
    }
  }

  @Test func `can have custom integer key types`() async throws {
    try await withSession { session in
      try await [Squad(id: SquadID(number: 1)), Squad(id: SquadID(number: 2))].save()
      try await [
        SquadPlayer(id: 5, team: 2), SquadPlayer(id: 6, team: 1), SquadPlayer(id: 7, team: 2),
      ].save()
      let teams = try await session.fetchAll(Squad.self, "ORDER BY id")
      try await teams.fetchAll(\.players)
      #expect(try teams.map { try $0.players.loaded().map(\.id) } == [[6], [5, 7]])
      let players = try await session.fetchAll(SquadPlayer.self, "ORDER BY id")
      #expect(try await players.fetchAll(\.team).count == 2)
      #expect(try players.map { try $0.team.loaded()?.id.number } == [2, 1, 2])
    }
  }

  @Test func `have their session if a relation is created only from a non-NULL key`()
    async throws
  {
    let file = try TemporaryFile()
    let session = ModelSession(try file.open())
    try await session.save([Chosen.Room(id: 1)])
    try await session.save([
      Chosen.Guest(id: 1, room: 1, former: nil), Chosen.Guest(id: 2, room: 1, former: 1),
    ])
    let rooms = try await session.fetchAll(Chosen.Room.self)
    try await rooms.fetchAll(\.guests)
    for guest in try rooms[0].guests.loaded() {
      // There is no other session.
      guest.former.key = 1
      #expect(try await guest.former.fetch()?.id == 1)
      #expect(try await guest.room.fetch()?.id == 1)
    }
    session.database.close()
  }

  @Test func `with changed keys are written under the new keys`() async throws {
    try await withShops { session in
      let shop = try await Direct.ShopModel.fetchId(3)
      shop.value.id = 30
      shop.value.name = "moved"
      try await session.saveChanges()
      #expect(try await Direct.ShopModel.fetchId(30) === shop)
      shop.value.name = "again"
      try await session.saveChanges()
      #expect(try await session.fetch(Direct.Shop.self, 30).name == "again")
    }
  }

  @Test func `in lists are refreshed after commits, and keep unsaved changes`() async throws {
    try await withShops { session in
      let shops = try await Direct.Shop.fetchQuery("ORDER BY id")
      try await shops.fetchAll(\.goods)
      try await session.database.write { try $0.execute("UPDATE Ware SET shop = 2 WHERE id = 12") }
      await session.database.waitUntilIdle(includingConsumers: true)
      #expect(shops[0].goods.items.map(\.id) == [10])
      try await shops.fetchAll(\.goods)
      #expect(shops.map { $0.goods.items.map(\.id) } == [[10], [11, 12], []])
      shops[2].goods.append([Direct.Ware(id: 14, name: "soap", shop: 3)])
      try await shops.fetchAll(\.goods)
      #expect(shops[2].goods.items.map(\.id) == [14])
    }
  }

  @Test func `are refused if their properties differ from the encoded properties`() async throws {
    try await withSession { session in
      for type in [Misnamed.self, Short.self] as [any Table.Type] {
        let error = await #expect(throws: RelationError.self) { try await session.prepare(type) }
        #expect(error?.code == .schemaMismatch, "\(type)")
      }
    }
  }
}

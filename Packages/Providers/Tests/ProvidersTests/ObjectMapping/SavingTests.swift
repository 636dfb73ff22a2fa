import Foundation
import SQLiteCore
import Testing

@testable import Providers

@Suite struct `Saved objects` {
  @Test func `are read back unchanged with all types of columns`() throws {
    let access = try TestAccess()
    var least = Everything()
    least.id = "least"
    least.i = .min
    least.i8 = .min
    least.i16 = .min
    least.i32 = .min
    least.i64 = .min
    least.double = -.greatestFiniteMagnitude
    least.float = -.greatestFiniteMagnitude
    least.decimal = Decimal(string: "-0.00000000000000000000000000000000000001")!
    var most = Everything()
    most.id = "most"
    most.flag = true
    most.i = .max
    most.i8 = .max
    most.i16 = .max
    most.i32 = .max
    most.i64 = .max
    most.u = UInt(Int64.max)
    most.u8 = .max
    most.u16 = .max
    most.u32 = .max
    most.u64 = UInt64(Int64.max)
    most.float = .greatestFiniteMagnitude
    most.double = .infinity
    most.text = "quote ' \" \0 nul, é 🧶\r\n"
    most.date = Date(timeIntervalSinceReferenceDate: 812_345_678.123_456)
    most.data = Data((0...255).map { UInt8($0) })
    most.bytes = [0, 255]
    most.decimal = Decimal(string: "12345678901234567890123456789012345678")!
    most.number = .two
    most.word = .yes
    most.shape = .circle(radius: 0.1)
    most.part = .init(name: "see note]", sizes: [])
    most.list = ["[", "]", "`", "<>", "@obj"]
    most.map = ["": 0.1, "]": -1e300]
    most.maybeInt = 3_000_000_000
    most.maybeText = ""
    most.maybeDate = Date(timeIntervalSinceReferenceDate: -1e9)
    most.maybeData = Data()
    most.maybeNumber = .one
    most.maybePart = .init()
    most.maybeFlag = false
    try access.save([least, most])
    #expect(try access.getRow(ofType: Everything.self, forPrimaryKeyValue: "least") == least)
    #expect(try access.getRow(ofType: Everything.self, forPrimaryKeyValue: "most") == most)
  }

  @Test func `create a table with the type's properties in order`() throws {
    let access = try TestAccess()
    try access.save(Everything())
    let columns = try access.connection.columns(of: "Everything")
    #expect(columns.map(\.name).prefix(4) == ["id", "flag", "i", "i8"])
    let types = Dictionary(uniqueKeysWithValues: columns.map { ($0.name, $0.declaredType) })
    #expect(types["flag"] == "BOOLEAN")
    #expect(types["u64"] == "INTEGER")
    #expect(types["float"] == "REAL")
    #expect(types["date"] == "DATE")
    #expect(types["data"] == "BLOB")
    #expect(types["url"] == "TEXT")
    #expect(types["number"] == "INTEGER")
    #expect(types["maybeNumber"] == "INTEGER")
    #expect(types["word"] == "TEXT")
    #expect(types["part"] == "TEXT")
    #expect(
      columns.filter { !$0.isNotNull }.map(\.name) == [
        "url", "maybeInt", "maybeText", "maybeDate", "maybeData", "maybeNumber", "maybePart",
        "maybeFlag",
      ])
  }

  @Test func `of a class are updated by key, which is returned`() throws {
    let access = try TestAccess()
    let keys = try access.save([Category(), Category()])
    #expect(keys == [1, 2])
    let category = try #require(try access.getRow(ofType: Category.self, forPrimaryKeyValue: 2))
    category.type = .web
    category.name = "n"
    #expect(try access.save(category) == 2)
    let read = try #require(try access.getRow(ofType: Category.self, forPrimaryKeyValue: 2))
    #expect(read.type == .web && read.name == "n" && read.icon == category.icon)
    #expect(read.added == category.added)
    #expect(try access.rowCount(forType: Category.self) == 2)
    #expect(try access.makeID(Category.self) as! Int == 3)
    #expect(try access.make(Category.self).id == 3)
  }

  @Test func `with AUTOINCREMENT have their keys written back`() throws {
    let access = try TestAccess()
    var player = Player(name: "Ada")
    let key: Int = try access.save(&player)
    #expect(key == 1 && player.id == 1)
    player.score = 0.5
    #expect(try access.save(player) as Int == 1)
    #expect(try access.getRow(ofType: Player.self, forKey: 1) == player)
    try access.delete(player)
    var others = [Player(name: "a"), Player(name: "b")]
    try access.save(&others)
    #expect(others.map(\.id) == [2, 3])
    #expect(try access.makeID(Player.self) as? Int == 4)
  }

  @Test func `store structured values as SPON documents`() throws {
    let access = try TestAccess()
    let home = Address(addr1: "25 Nasa Rd 1", city: "Seabrook", state: "TX", zip: "77586")
    let person = Person(firstName: "John", lastName: "Doe", addresses: ["home": home])
    try access.save(person)
    let text = try access.connection.value(String.self, "SELECT addresses FROM People")
    #expect(text?.hasPrefix("@obj:") == true)
    let read = try #require(try access.getRow(ofType: Person.self, forPrimaryKeyValue: person.id))
    #expect(read.addresses == ["home": home])
  }
}

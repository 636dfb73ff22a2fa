import Foundation
import SQLiteCore
import Testing

@testable import Providers

@Suite struct `Tables of types that have changed` {
  struct Old: DataTable {
    static let tableName = "Item"
    var id = 0
    var name = ""
    var count: Int?
    var gone = "kept?"
  }

  struct New: DataTable, Equatable {
    static let tableName = "Item"
    var id = 0
    var label = "none"
    var name = ""
    var count = -1
    var parts = ["p"]
    var note: String?
  }

  struct Grown: DataTable {
    static let tableName = "Item"
    var id = 0
    var name = ""
    var count: Int?
    var gone = ""
    var price = 1.5
    var note: String?
  }

  private func filled() throws -> SQLiteProvider {
    let provider = SQLiteProvider()
    try provider.createSourceInMemory()
    try provider.save([Old(id: 1, name: "a", count: 5), Old(id: 2, name: "b", count: nil)])
    return provider
  }

  @Test func `get columns with the values of init()`() throws {
    let provider = try filled()
    try provider.execute("CREATE INDEX byName ON Item (name)")
    try provider.execute("CREATE TABLE log (text)")
    try provider.execute(
      "CREATE TRIGGER t AFTER INSERT ON Item BEGIN INSERT INTO log VALUES (new.name); END")
    let diff = try provider.updateTableSchema(Grown.self)
    #expect(!diff.isEmpty && diff.losses.isEmpty)
    let rows = try provider.getRows(ofType: Grown.self, orderedBy: "id")
    #expect(rows.map(\.price) == [1.5, 1.5] && rows.map(\.note) == [nil, nil])
    #expect(rows.map(\.gone) == ["kept?", "kept?"] && rows.map(\.count) == [5, nil])
    #expect(try provider.updateTableSchema(Grown.self).isEmpty)
    try provider.save(Grown(id: 3, name: "c"))
    #expect(try provider.query("SELECT text FROM log")["text"] == "c")
    #expect(try provider.query("PRAGMA index_info(byName)")["name"] == "name")
    #expect(try provider.query("PRAGMA foreign_keys")[0][0] == 1)
  }

  @Test func `lose a column only if permitted`() throws {
    let provider = try filled()
    let plan = try provider.updateTableSchema(New.self, dryRun: true)
    #expect(plan.losses == [.column("gone", of: "Item")])
    #expect(plan.steps.flatMap(\.statements).contains { $0.contains("CREATE TABLE") })
    let error = #expect(throws: ProviderError.self) { try provider.updateTableSchema(New.self) }
    #expect(error?.code == .lossyChange && error?.table == "Item")
    #expect(error?.message.contains("column gone of Item") == true)
    #expect(try provider.getRows(ofType: Old.self).map(\.gone) == ["kept?", "kept?"])
    try provider.updateTableSchema(New.self, allowingLoss: true)
    let rows = try provider.getRows(ofType: New.self, orderedBy: "id")
    #expect(rows == [New(id: 1, name: "a", count: 5), New(id: 2, name: "b", count: -1)])
  }

  @Test func `change a value's type only if permitted`() throws {
    struct Retyped: DataTable {
      static let tableName = "Item"
      var id = 0
      var name = 0.0
      var count: Int?
      var gone = ""
    }
    let provider = try filled()
    let error = #expect(throws: ProviderError.self) { try provider.updateTableSchema(Retyped.self) }
    #expect(error?.code == .lossyChange)
    #expect(error?.message.contains("values of column name of Item") == true)
  }

  @Test func `are created if they are missing`() throws {
    let provider = SQLiteProvider()
    try provider.createSourceInMemory()
    #expect(try provider.updateTableSchema(Group.self).steps.count >= 3)
    #expect(Set(try provider.tableNames()) == ["Groups", "People", "PeopleInGroup"])
    #expect(try provider.updateTableSchema(Group.self).isEmpty)
    try provider.save(Group(name: "g", people: [Person(firstName: "f", lastName: "l")]))
  }

  @Test func `can be referenced`() throws {
    struct BigHome: DataTable {
      static let tableName = "Home"
      static let primaryKeyType = DataTableKeyType.autoIncrementingInt
      var id = -1
      var street = "?"
      var city = ""
    }
    let provider = SQLiteProvider()
    try provider.createSourceInMemory()
    try provider.save(Owner(name: "a", home: Home(city: "Oslo")))
    try provider.updateTableSchema(BigHome.self)
    #expect(try provider.getRows(ofType: BigHome.self).map(\.street) == ["?"])
    #expect(try provider.getRows(ofType: Owner.self).map(\.home.city) == ["Oslo"])
    #expect(try provider.save(BigHome()) == 2)
  }

  @Test func `are unchanged if rows violate the new schema`() throws {
    struct Strange: DataTable {
      static let tableName = "Item"
      static let primaryKey = "name"
      var id = 0
      var name = ""
      var count: Int?
      var gone = ""
    }
    let provider = try filled()
    try provider.save(Old(id: 3, name: "a"))
    let before = try provider.query("SELECT sql FROM sqlite_schema")
    #expect(throws: SQLiteError.self) {
      try provider.updateTableSchema(Strange.self, allowingLoss: true)
    }
    #expect(try provider.query("SELECT sql FROM sqlite_schema") == before)
    #expect(try provider.rowCount(forType: Old.self) == 3)
  }

  @Test func `can be changed in a transaction and rolled back`() throws {
    let provider = try filled()
    try provider.beginTransaction()
    try provider.updateTableSchema(Grown.self)
    #expect(try provider.getRows(ofType: Grown.self).count == 2)
    try provider.rollbackTransaction()
    let error = #expect(throws: ProviderError.self) { try provider.getRows(ofType: Grown.self) }
    #expect(error?.code == .schemaMismatch)
  }
}

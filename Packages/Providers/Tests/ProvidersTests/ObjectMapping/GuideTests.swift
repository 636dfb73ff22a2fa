import Foundation
import Providers
import SQLiteCore
import Testing

/// The original guide's operations on objects, with its names.
@Suite struct `The guide's object samples` {
  struct Person: DataTable {
    static let primaryKey = "ID"
    static let primaryKeyType = DataTableKeyType.computedInt
    var ID = 0
    var Name = ""
  }

  @Test func `run unchanged`() throws {
    let provider = SQLiteProvider()
    try provider.createSourceInMemory()

    let addr1 = Address(
      addr1: "PO Box 1234", addr2: "", city: "Houston", state: "TX", zip: "77012")
    let addr2 = Address(
      addr1: "25 Nasa Rd 1", addr2: "Apt #123", city: "Seabrook", state: "TX", zip: "77586")
    let p1 = ProvidersTests.Person(
      firstName: "John", lastName: "Doe", addresses: ["home": addr1, "work": addr2])
    let p2 = ProvidersTests.Person(
      firstName: "Sue", lastName: "Smith", addresses: ["home": addr1, "work": addr2])
    let group = Group(name: "Employees", people: [p1, p2])
    try provider.save(group)
    #expect(try provider.getRows(ofType: Group.self).first?.people.count == 2)

    try provider.registerTableSchema(Category.self)
    try provider.updateTableSchema(Category.self)
    var category = try provider.make(Category.self)
    #expect(category.id == 1)
    let id = try provider.makeID(Category.self) as! Int
    #expect(id == 1)
    category = Category()
    try provider.save(category)
    let c1 = Category()
    let c2 = Category()
    try provider.save([c1, c2])
    #expect(try provider.rowCount(forType: Category.self) == 3)

    try provider.save((1...11).map { Person(ID: $0, Name: "\($0)") })
    let found = try provider.hasRow(forType: Person.self, matchingPrimaryKey: 1)
    #expect(found)
    let count = try provider.rowCount(forType: Person.self)
    #expect(count == 11)
    let records = try provider.getRows(ofType: Person.self)
    #expect(records.count == 11)
    let sql = "SELECT * FROM Person WHERE ID = ?"
    let matching = try provider.getRows(
      ofType: Person.self, matchingSQL: SQL(unsafe: sql), withParameters: [1])
    #expect(matching.map(\.Name) == ["1"])
    let person = try provider.getRow(ofType: Person.self, forPrimaryKeyValue: 1)
    #expect(person?.Name == "1")
    let tenth = try provider.getRow(ofType: Person.self, atIndex: 10)
    #expect(tenth?.ID == 11)
    if let person { try provider.delete(person) }
    try provider.delete(records)
    #expect(try provider.rowCount(forType: Person.self) == 0)
    try provider.dropTable(Category.self)
    #expect(try !provider.tableExists("Categories"))
  }

  @Test func `also run with a file's tables`() throws {
    let folder = try TemporaryFolder()
    let provider = SQLiteProvider(directories: folder.directories)
    try provider.openSource("Test.db")
    try provider.save([Category(), Category()])
    try provider.closeSource()
    try provider.openSource("Test.db")
    #expect(try provider.getRows(ofType: Category.self).map(\.id) == [1, 2])
    try provider.closeSource()
  }
}

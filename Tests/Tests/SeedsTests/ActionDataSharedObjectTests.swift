import Foundation
import Providers
import SQLiteCore
import Testing

// The seed's samples in order, continued: objects of types.

extension `The samples of the seed on shared providers` {
  @Test func `register a table`() throws {
    try ADSQLiteProvider.shared.registerTableSchema(Category.self)

    #expect(try ADSQLiteProvider.shared.tableNames() == ["Categories"])
  }

  @Test func `update a table`() throws {
    // An old table that lacks most of the type's properties and has another column.
    try ADSQLiteProvider.shared.execute(
      "CREATE TABLE Categories (id INTEGER PRIMARY KEY, name TEXT, enabled BOOLEAN)")
    try ADSQLiteProvider.shared.execute("INSERT INTO Categories VALUES (3, 'Home', 0)")

    try ADSQLiteProvider.shared.updateTableSchema(Category.self)

    let category = try #require(
      try ADSQLiteProvider.shared.getRow(ofType: Category.self, forPrimaryKeyValue: 3))
    #expect(category.name == "Home")
    #expect(!category.enabled)
    #expect(category.highlightColor == "#FFFFFF")
    #expect(category.type == .local)
  }

  @Test func `update a missing table`() throws {
    try ADSQLiteProvider.shared.updateTableSchema(Person.self)
    #expect(try ADSQLiteProvider.shared.tableExists("People"))
  }

  @Test func `check whether a record exists`() throws {
    try saveSue()

    let found = try ADSQLiteProvider.shared.hasRow(forType: Person.self, matchingPrimaryKey: 1)

    #expect(found)
    #expect(try !ADSQLiteProvider.shared.hasRow(forType: Person.self, matchingPrimaryKey: 2))
  }

  @Test func `count the records of a type`() throws {
    try saveSue()

    let count = try ADSQLiteProvider.shared.rowCount(forType: Person.self)

    #expect(count == 1)
    #expect(
      try ADSQLiteProvider.shared.rowCount(forType: Person.self, filteredBy: "lastName = 'X'") == 0)
  }

  @Test func `create a record with a key`() throws {
    try saveCategories(4)

    var category = try ADSQLiteProvider.shared.make(Category.self)

    #expect(category.id == 5)
    try ADSQLiteProvider.shared.save(category)
    category = try ADSQLiteProvider.shared.make(Category.self)
    #expect(category.id == 6)
  }

  @Test func `create a key`() throws {
    try saveCategories(4)

    let id = try ADSQLiteProvider.shared.makeID(Category.self) as! Int

    #expect(id == 5)
    #expect(try ADSQLiteProvider.shared.makeID(Person.self) as? String != nil)
  }

  @Test func `save a record`() throws {
    var category = Category()
    try ADSQLiteProvider.shared.save(category)

    category = try #require(try ADSQLiteProvider.shared.getRows(ofType: Category.self).first)
    category.name = "Home"
    try ADSQLiteProvider.shared.save(category)
    #expect(try ADSQLiteProvider.shared.getRows(ofType: Category.self).map(\.name) == ["Home"])
  }

  @Test func `save several records`() throws {
    let c1 = Category()
    let c2 = Category()
    try ADSQLiteProvider.shared.save([c1, c2])

    #expect(try ADSQLiteProvider.shared.getRows(ofType: Category.self).map(\.id) == [1, 2])
  }

  @Test func `load all records`() throws {
    try saveSue()

    // Return all people from data source
    let records = try ADSQLiteProvider.shared.getRows(ofType: Person.self)

    #expect(records.map(\.firstName) == ["Sue"])
    try saveCategories(5)
    #expect(
      try ADSQLiteProvider.shared.getRows(
        ofType: Category.self, filteredBy: "id > ?", orderedBy: "id DESC", startingAt: 1,
        limitedTo: 2, withParameters: [1]
      ).map(\.id) == [4, 3])
  }

  @Test func `load records by SQL`() throws {
    try saveSue()
    try ADSQLiteProvider.shared.execute("CREATE VIEW Person AS SELECT * FROM People")

    let sql: SQL = "SELECT * FROM Person WHERE ID = ?"
    let records = try ADSQLiteProvider.shared.getRows(
      ofType: Person.self, matchingSQL: sql, withParameters: [1])

    #expect(records.map(\.firstName) == ["Sue"])
  }

  @Test func `load a record by its key`() throws {
    try saveSue()

    let person = try ADSQLiteProvider.shared.getRow(ofType: Person.self, forPrimaryKeyValue: 1)

    #expect(person?.firstName == "Sue")
  }

  @Test func `load a record by its index`() throws {
    try saveCategories(11)

    let category = try ADSQLiteProvider.shared.getRow(ofType: Category.self, atIndex: 10)

    #expect(category?.id == 11)
    #expect(try ADSQLiteProvider.shared.getRow(ofType: Category.self, atIndex: 11) == nil)
  }

  @Test func `delete a record`() throws {
    try saveCategories(10)

    let category = try ADSQLiteProvider.shared.getRow(ofType: Category.self, forPrimaryKeyValue: 10)
    try ADSQLiteProvider.shared.delete(try #require(category))

    #expect(try !ADSQLiteProvider.shared.hasRow(forType: Category.self, matchingPrimaryKey: 10))
    #expect(try ADSQLiteProvider.shared.rowCount(forType: Category.self) == 9)
  }

  @Test func `delete several records`() throws {
    try saveCategories(10)

    let c1 = try ADSQLiteProvider.shared.getRow(ofType: Category.self, forPrimaryKeyValue: 10)
    let c2 = try ADSQLiteProvider.shared.getRow(ofType: Category.self, forPrimaryKeyValue: 5)
    try ADSQLiteProvider.shared.delete([try #require(c1), try #require(c2)])

    #expect(
      try ADSQLiteProvider.shared.getRows(ofType: Category.self, orderedBy: "id").map(\.id)
        == [1, 2, 3, 4, 6, 7, 8, 9])
  }

  @Test func `drop a table`() throws {
    try saveCategories(1)

    try ADSQLiteProvider.shared.dropTable(Category.self)

    #expect(try !ADSQLiteProvider.shared.tableExists("Categories"))
  }
}

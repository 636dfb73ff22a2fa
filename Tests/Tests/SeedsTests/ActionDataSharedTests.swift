import Foundation
import Providers
import SQLiteCore
import Testing

// The seed's samples in order, continued: samples that use the shared providers. The sources are in memory, so that no
// file is written to the user's documents. No other test uses the shared providers.

@Suite(.serialized) struct `The samples of the seed on shared providers` {
  typealias Category = ActionDataModels.Category
  typealias Person = ActionDataModels.Person

  init() throws {
    try ADSQLiteProvider.shared.createSourceInMemory()
    try ADSPONProvider.shared.createSourceInMemory()
  }

  /// Creates the table that the SQL samples use.
  func makePeople() throws {
    try ADSQLiteProvider.shared.execute(
      "CREATE TABLE Person (`ID` INTEGER, `Name` STRING); INSERT INTO Person VALUES (1, 'Ada'), (7, 'Bo')"
    )
  }

  /// Creates a person whose key matches the number in the samples.
  func saveSue() throws {
    let sue = Person(firstName: "Sue", lastName: "Smith")
    sue.id = "1"
    try ADSQLiteProvider.shared.save(sue)
  }

  func saveCategories(_ count: Int) throws {
    try ADSQLiteProvider.shared.save((0..<count).map { _ in Category() })
  }

  // MARK: Working with data providers

  @Test func `use the shared provider, or another`() {
    // Use shared instance
    let provider = ADSQLProvider.shared

    // Use custom instance
    let myProvider = ADSQLProvider()

    #expect(provider === ADSQLiteProvider.shared)
    #expect(myProvider !== provider)
  }

  /// The file does not exist in the user's documents. `deletes sources` below tests an existing file.
  @Test func `delete a data source`() {
    let error = #expect(throws: ADDataProviderError.self) {
      // Delete the database
      try ADSQLiteProvider.shared.deleteSource("MyDatabase.db")
    }
    #expect(error?.code == .notFound)
  }

  @Test func `deletes sources`() throws {
    let directories = `The seed on data providers`.Directories()
    let provider = ADSQLiteProvider(directories: directories.paths)
    try provider.createSource("MyDatabase.db")
    #expect(directories.exists("Documents/MyDatabase.db"))
    try provider.deleteSource("MyDatabase.db")
    #expect(!directories.exists("Documents/MyDatabase.db"))
  }

  @Test func `persist and close`() throws {
    // Save current changes
    try ADSPONProvider.shared.persist()

    // Save current changes
    try ADSPONProvider.shared.closeSource()

    #expect(throws: ADDataProviderError.self) {
      try ADSPONProvider.shared.execute("CREATE TABLE t (a)")
    }
  }

  // MARK: SQL

  @Test func `execute commands`() throws {
    let sql: SQL = "CREATE TABLE IF NOT EXISTS Person (`ID` INTEGER, `Name` STRING)"
    try ADSQLiteProvider.shared.execute(sql)

    let provider = ADSQLiteProvider.shared
    #expect(try provider.execute(sql) == 1)
    try provider.execute("CREATE TABLE Pet (ID INTEGER PRIMARY KEY, Name TEXT)")
    #expect(try provider.execute("INSERT INTO Pet VALUES (41, 'Rex')") == 41)
    #expect(try provider.execute("INSERT INTO Pet (Name) VALUES ('Tom')") == 42)
    #expect(try provider.execute("UPDATE Pet SET Name = upper(Name)") == 2)
    #expect(try provider.execute("DELETE FROM Pet WHERE ID = ?", withParameters: [41]) == 1)
    #expect(throws: SQLiteError.self) { try provider.execute("INSERT INTO Cat VALUES (1)") }
  }

  @Test func `query a source`() throws {
    let home = Category()
    home.name = "Home"
    try ADSPONProvider.shared.save(home)

    let provider = ADSPONProvider.shared
    let record = try provider.query("SELECT * FROM Categories WHERE id = ?", withParameters: [1])
    print(record["name"] ?? .null)

    #expect(record["name"] == .text("Home"))
    let records: ADRecordSet = record
    let first: ADRecord = try #require(records.first)
    #expect(first["id"] == .integer(1))
  }

  @Test func `check whether a table exists`() throws {
    try makePeople()

    // Does table exist?
    let exists = try ADSQLiteProvider.shared.tableExists("Person")
    if exists {
      try ADSQLiteProvider.shared.execute("DROP TABLE Person")
    }

    #expect(exists)
    #expect(try !ADSQLiteProvider.shared.tableExists("Person"))
  }

  @Test func `describe a table`() throws {
    try ADSQLiteProvider.shared.execute("CREATE TABLE Category (id INTEGER PRIMARY KEY, name TEXT)")

    // Get table information
    let schema = try ADSQLiteProvider.shared.getTableSchema(forTableName: "Category")

    #expect(schema.columns.map(\.name) == ["id", "name"])
    #expect(schema.columns.map(\.declaredType) == ["INTEGER", "TEXT"])
  }

  @Test func `count records`() throws {
    try makePeople()

    // Get record count
    let count = try ADSQLiteProvider.shared.countRows(
      inTable: "Person", filteredBy: "ID = ?", withParameters: [1])

    #expect(count == 1)
    #expect(try ADSQLiteProvider.shared.countRows(inTable: "Person") == 2)
    #expect(try ADSQLiteProvider.shared.countRows(inTable: "Person", filteredBy: "") == 2)
  }

  @Test func `find the largest key`() throws {
    try makePeople()

    // Get last person ID
    let lastID = try ADSQLiteProvider.shared.lastIntID(forTable: "Person", withKey: "ID")

    #expect(lastID == 7)
  }

  @Test func `find the last generated key`() throws {
    try ADSQLiteProvider.shared.execute(
      "CREATE TABLE Category (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT)")
    try ADSQLiteProvider.shared.execute(
      "INSERT INTO Category (name) VALUES ('Home'), ('Work'); DELETE FROM Category")

    // Get last auto generated ID
    let lastID = try ADSQLiteProvider.shared.lastAutoID(forTable: "Category")

    #expect(lastID == 2)
  }

  @Test func `work in a transaction`() throws {
    do {
      let sql: SQL = "CREATE TABLE IF NOT EXISTS Person (`ID` INTEGER, `Name` STRING)"
      try ADSQLiteProvider.shared.beginTransaction()
      try ADSQLiteProvider.shared.execute(sql)
      try ADSQLiteProvider.shared.endTransaction()
    } catch {
      try ADSQLiteProvider.shared.rollbackTransaction()
    }

    #expect(try ADSQLiteProvider.shared.tableExists("Person"))
    try ADSQLiteProvider.shared.beginTransaction()
    try ADSQLiteProvider.shared.execute("DROP TABLE Person")
    try ADSQLiteProvider.shared.rollbackTransaction()
    #expect(try ADSQLiteProvider.shared.tableExists("Person"))
  }
}

import Foundation
import Providers
import SQLiteCore
import Testing

/// Tests the behavior that the seed documents for all providers.
@Suite struct `The seed on data providers` {
  typealias Category = ActionDataModels.Category
  typealias Address = ActionDataModels.Address
  typealias Person = ActionDataModels.Person
  typealias Group = ActionDataModels.Group

  /// The providers in the seed's samples, and the ones that it announces.
  enum Kind: String, CaseIterable {
    case sqlite, spon, json, xml

    func make(_ directories: SourceSession.Directories) -> any ADDataProvider {
      switch self {
      case .sqlite: ADSQLiteProvider(directories: directories)
      case .spon: ADSPONProvider(place: .memory, directories: directories)
      case .json: ADJSONProvider(options: JSONProvider.Options(), directories: directories)
      case .xml: ADXMLProvider(options: XMLProvider.Options(), directories: directories)
      }
    }
  }

  /// Keeps the directories for the duration of a test, since a provider also writes when it is
  /// deinitialized.
  private let directories = Directories()

  /// Temporary directories that are removed when the object is deinitialized.
  final class Directories {
    let root = FileManager.default.temporaryDirectory
      .appendingPathComponent("holt-seed-\(UUID().uuidString)").path

    var paths: SourceSession.Directories {
      SourceSession.Directories(documents: "\(root)/Documents", bundle: "\(root)/Bundle")
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    func exists(_ path: String) -> Bool {
      FileManager.default.fileExists(atPath: "\(root)/\(path)")
    }
  }

  func sue(_ addresses: [String: Address] = [:]) -> Person {
    Person(firstName: "Sue", lastName: "Smith", addresses: addresses)
  }

  // MARK: ADSQLiteProvider, ADSPONProvider

  /// Runs the sample that the seed contains for two providers with all providers.
  @Test(arguments: Kind.allCases)
  func `saves a group with its people`(_ kind: Kind) throws {
    let provider = kind.make(directories.paths)
    try provider.openSource("Test.db")

    let addr1 = Address(
      addr1: "PO Box 1234", addr2: "", city: "Houston", state: "TX", zip: "77012")
    let addr2 = Address(
      addr1: "25 Nasa Rd 1", addr2: "Apt #123", city: "Seabrook", state: "TX", zip: "77586")

    let p1 = Person(firstName: "John", lastName: "Doe", addresses: ["home": addr1, "work": addr2])
    let p2 = Person(firstName: "Sue", lastName: "Smith", addresses: ["home": addr1, "work": addr2])

    let group = Group(name: "Employees", people: [p1, p2])
    try provider.save(group)

    // Written and read by another provider.
    try provider.closeSource()
    let other = kind.make(directories.paths)
    try other.openSource("Test.db")
    #expect(try other.tableNames().sorted() == ["Groups", "People", "PeopleInGroup"])
    let loaded = try #require(try other.getRow(ofType: Group.self, forPrimaryKeyValue: group.id))
    #expect(loaded.name == "Employees")
    #expect(loaded.people.storage.map(\.firstName) == ["John", "Sue"])
    #expect(loaded.people.storage[1].addresses["work"]?.addr2 == "Apt #123")
    #expect(loaded.people.storage[1].addresses["home"]?.zip == "77012")
    // The addresses are stored in one column as SPON.
    let text = try other.query("SELECT addresses FROM People WHERE firstName = 'Sue'")["addresses"]
    #expect("\(text ?? .null)".contains("@obj:Address<"))
    try other.closeSource()
  }

  // MARK: Working with data providers

  /// Runs an app's code with any provider.
  static func tasks(on provider: any ADDataProvider, in file: String) throws -> [String] {
    try provider.openSource(file)
    try provider.execute(
      "CREATE TABLE IF NOT EXISTS Task (id INTEGER PRIMARY KEY, name TEXT, done BOOLEAN, cost REAL)"
    )
    for (name, cost) in [("Shop", 12.5), ("Cook", 0.5), ("Wash", 2)] {
      try provider.execute(
        "INSERT INTO Task (name, done, cost) VALUES (?, ?, ?)",
        withParameters: [name, false, cost])
    }
    try provider.beginTransaction()
    try provider.execute("DELETE FROM Task")
    try provider.rollbackTransaction()
    try provider.execute("UPDATE Task SET done = ? WHERE cost > 1", withParameters: [true])
    let category = try provider.make(Category.self)
    category.name = "Home"
    try provider.save(category)
    let group = Group(name: "Family", people: [Person(firstName: "Ada", lastName: "L")])
    try provider.save(group)
    try provider.closeSource()

    try provider.openSource(file)
    var log = try provider.query("SELECT name, done, cost FROM Task ORDER BY name DESC")
      .map(\.description)
    log.append("\(try provider.countRows(inTable: "Task", filteredBy: "done"))")
    log.append("\(try provider.lastIntID(forTable: "Task", withKey: "id"))")
    log.append("\(try provider.tableNames().sorted())")
    log.append("\(try provider.getTableSchema(forTableName: "Task").columns.map(\.declaredType))")
    log += try provider.getRows(ofType: Category.self).map { "\($0.id) \($0.name) \($0.type)" }
    log += try provider.getRows(ofType: Group.self).map {
      "\($0.name): \($0.people.map(\.firstName))"
    }
    try provider.closeSource()
    return log
  }

  @Test func `switches between providers without other changes`() throws {
    let logs = try Kind.allCases.map { kind in
      try Self.tasks(on: kind.make(directories.paths), in: "Tasks.\(kind.rawValue)")
    }
    #expect(
      logs[0] == [
        "name: 'Wash', done: 1, cost: 2.0", "name: 'Shop', done: 1, cost: 12.5",
        "name: 'Cook', done: 0, cost: 0.5", "2", "3",
        #"["Categories", "Groups", "People", "PeopleInGroup", "Task"]"#,
        #"["INTEGER", "TEXT", "BOOLEAN", "REAL"]"#, "1 Home local", #"Family: ["Ada"]"#,
      ])
    for (kind, log) in zip(Kind.allCases, logs) { #expect(log == logs[0], "\(kind)") }
  }

  // MARK: Opening a database

  @Test(arguments: Kind.allCases)
  func `opens databases`(_ kind: Kind) throws {
    let provider = kind.make(directories.paths)

    // Open the database
    do {
      // Creating and opening a database in the Document directory.
      try provider.openSource("Test.db")
      print("Database Location: \(provider.path ?? "")")
    } catch {
      print("Unable to open requested sample database 'Test.db'.")
      throw error
    }
    try provider.execute("CREATE TABLE Person (`ID` INTEGER, `Name` STRING)")
    try provider.execute("INSERT INTO Person VALUES (1, 'Ada')")
    try provider.persist()
    try provider.saveSource(atPath: "\(directories.root)/Test.db")
    try provider.closeSource()
    try provider.deleteSource("Test.db")
    try FileManager.default.createDirectory(
      atPath: directories.paths.bundle, withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: "\(directories.root)/Test.db", toPath: "\(directories.paths.bundle)/Test.db")

    // Open the database
    do {
      // Open a read only Bundle database.
      try provider.openSource("Test.db", fromBundle: true, readOnly: true)
      print("Database Location: \(provider.path ?? "")")
    } catch {
      print("Unable to open requested sample database 'Test.db'.")
      throw error
    }
    #expect(provider.isReadOnly)
    #expect(!directories.exists("Documents/Test.db"))

    // Open the database
    do {
      // Copying a template from the Bundle.
      try provider.openSource("Test.db", fromBundle: true, readOnly: false)
      print("Database Location: \(provider.path ?? "")")
    } catch {
      print("Unable to open requested sample database 'Test.db'.")
      throw error
    }
    #expect(directories.exists("Documents/Test.db"))
    #expect(try provider.countRows(inTable: "Person") == 1)

    // Open the database
    do {
      // Create a new database and open it.
      try provider.createSource("Test.db")
      print("Database Location: \(provider.path ?? "")")
    } catch {
      print("Unable to create or open requested sample database 'Test.db'.")
      throw error
    }
    #expect(try provider.countRows(inTable: "Person") == 1)

    // Duplicate the database
    do {
      // Open an existing database.
      try provider.openSource("Test.db")

      // Save under a new name and reopen
      try provider.saveSource("New.bd")
    } catch {
      // Handle error
      throw error
    }
    #expect(provider.path == "\(directories.paths.documents)/New.bd")

    // Delete the database
    try provider.deleteSource("Test.db")
    #expect(!directories.exists("Documents/Test.db"))

    // Save current changes
    try provider.persist()

    // Save current changes
    try provider.closeSource()
    #expect(directories.exists("Documents/New.bd"))
  }

  // MARK: SQL

  @Test(arguments: Kind.allCases)
  func `runs SQL`(_ kind: Kind) throws {
    let provider = kind.make(directories.paths)
    try provider.createSourceInMemory()

    let sql: SQL = "CREATE TABLE IF NOT EXISTS Person (`ID` INTEGER, `Name` STRING)"
    #expect(try provider.execute(sql) == 1)
    #expect(try provider.execute("INSERT INTO Person VALUES (1, 'Ada')") == 1)
    #expect(try provider.execute("UPDATE Person SET Name = 'Bo' WHERE ID = 7") == 0)

    let category = Category()
    category.name = "Home"
    try provider.save(category)
    let record = try provider.query("SELECT * FROM Categories WHERE id = ?", withParameters: [1])
    print(record["name"] ?? .null)
    #expect(record["name"] == .text("Home"))

    // Does table exist?
    let exists = try provider.tableExists("Person")
    #expect(exists)

    // Get table information
    let schema: ADTableSchema = try provider.getTableSchema(forTableName: "Categories")
    #expect(
      schema.columns.map { (column: ADColumnSchema) in "\(column.name) \(column.declaredType)" }
        == [
          "id INTEGER", "added DATE", "name TEXT", "description TEXT", "enabled BOOLEAN",
          "highlightColor TEXT", "type TEXT", "icon BLOB",
        ])

    // Get record count
    let count = try provider.countRows(
      inTable: "Person", filteredBy: "ID = ?", withParameters: [1])
    #expect(count == 1)

    // Get last person ID
    let lastID = try provider.lastIntID(forTable: "Person", withKey: "ID")
    #expect(lastID == 1)

    // Get last auto generated ID
    let lastAutoID = try provider.lastAutoID(forTable: "Categories")
    #expect(lastAutoID == 1)

    do {
      let sql: SQL = "CREATE TABLE IF NOT EXISTS Pet (`ID` INTEGER, `Name` STRING)"
      try provider.beginTransaction()
      try provider.execute(sql)
      try provider.endTransaction()
    } catch {
      try provider.rollbackTransaction()
    }
    #expect(try provider.tableExists("Pet"))
    try provider.beginTransaction()
    try provider.execute("DROP TABLE Pet")
    try provider.rollbackTransaction()
    #expect(try provider.tableExists("Pet"))
  }

  // MARK: Object relationship management

  @Test(arguments: Kind.allCases)
  func `manages objects`(_ kind: Kind) throws {
    let provider = kind.make(directories.paths)
    try provider.createSourceInMemory()

    try provider.registerTableSchema(Category.self)
    try provider.registerTableSchema(Person.self)
    try provider.updateTableSchema(Category.self)

    let sue = sue()
    try provider.save(sue)
    let found = try provider.hasRow(forType: Person.self, matchingPrimaryKey: sue.id)
    #expect(found)
    #expect(try !provider.hasRow(forType: Person.self, matchingPrimaryKey: "1"))

    let count = try provider.rowCount(forType: Person.self)
    #expect(count == 1)

    for number in 1...4 {
      let category = Category()
      category.name = "number \(number)"
      try provider.save(category)
    }
    let made = try provider.make(Category.self)
    #expect(made.id == 5)

    let id = try provider.makeID(Category.self) as! Int
    #expect(id == 5)

    let category = Category()
    try provider.save(category)

    let c1 = Category()
    let c2 = Category()
    try provider.save([c1, c2])
    #expect(try provider.rowCount(forType: Category.self) == 7)

    // Return all people from data source
    let records = try provider.getRows(ofType: Person.self)
    #expect(records.map(\.firstName) == ["Sue"])

    let sql: SQL = "SELECT * FROM People WHERE ID = ?"
    let matching = try provider.getRows(
      ofType: Person.self, matchingSQL: sql, withParameters: [sue.id])
    #expect(matching.map(\.lastName) == ["Smith"])

    let person = try provider.getRow(ofType: Person.self, forPrimaryKeyValue: sue.id)
    #expect(person?.firstName == "Sue")

    let atIndex = try provider.getRow(ofType: Category.self, atIndex: 10)
    #expect(atIndex == nil)
    let third = try provider.getRow(ofType: Category.self, atIndex: 2)
    #expect(third?.name == "number 3")

    // Deletes one record, and then several.
    let last = try provider.getRow(ofType: Category.self, forPrimaryKeyValue: 7)
    try provider.delete(try #require(last))
    let first = try provider.getRow(ofType: Category.self, forPrimaryKeyValue: 1)
    let fifth = try provider.getRow(ofType: Category.self, forPrimaryKeyValue: 5)
    try provider.delete([try #require(first), try #require(fifth)])
    #expect(try provider.getRows(ofType: Category.self, orderedBy: "id").map(\.id) == [2, 3, 4, 6])

    try provider.dropTable(Category.self)
    #expect(try !provider.tableExists("Categories"))
  }

  // MARK: Moving data

  @Test func `moves data from one source to another`() throws {
    let spon = ADSPONProvider(place: .memory, directories: directories.paths)
    try spon.openSource("Web.spon")
    try spon.save([sue(), Person(firstName: "John", lastName: "Doe")])
    let database = ADSQLiteProvider(directories: directories.paths)
    try database.openSource("Local.db")
    try database.save(spon.getRows(ofType: Person.self))
    #expect(
      try database.getRows(ofType: Person.self, orderedBy: "firstName").map(\.firstName)
        == ["John", "Sue"])
    try spon.closeSource()
    try database.closeSource()
  }

  @Test func `returns records as keys and values`() throws {
    let provider: any ADDataProvider = ADSQLiteProvider()
    try provider.createSourceInMemory()
    let records: ADRecordSet = try provider.query("SELECT 1 AS a, 'x' AS b")
    let record: ADRecord = try #require(records.first)
    #expect(record["a"] == .integer(1))
    #expect(record["b"] == .text("x"))
    try provider.closeSource()
  }
}

import Foundation
import Providers
import SPON
import SQLiteCore
import Testing

// The seed's samples in order: values and sources. `ActionDataSharedTests.swift` continues with SQL and objects.

@Suite struct `The samples of the seed on data providers` {
  typealias Address = ActionDataModels.Address
  typealias Person = ActionDataModels.Person
  typealias Group = ActionDataModels.Group
  typealias Directories = `The seed on data providers`.Directories

  /// Keeps the directories for the duration of a test.
  private let directories = Directories()

  // MARK: Swift Portable Object Notation

  struct Values: Codable, Equatable {
    var bool = true
    var int = 7
    var string = "text"
    var float: Float = 0.5
    var double = 0.25
    var data = Data([1, 2, 3])
    var array = [1, 2]
    var address = Address(city: "Oslo")

    static func == (one: Values, other: Values) -> Bool {
      one.bool == other.bool && one.int == other.int && one.string == other.string
        && one.float == other.float && one.double == other.double && one.data == other.data
        && one.array == other.array && one.address.city == other.address.city
    }
  }

  @Test func `have a character for each type`() throws {
    let text = try SPONEncoder().encode(Values())
    for written in [
      "bool%=`", "int!=`7`", "string$=`text`", "float^=`0.5`", "double&=`0.25`", "data*=`",
      "array=@array[", "address=@obj:Address<",
    ] {
      #expect(text.contains(written), "\(written) in \(text)")
    }
    #expect(try SPONDecoder().decode(Values.self, from: text) == Values())
  }

  @Test func `show an address in SPON`() throws {
    let text = """
      @obj:Address<state$=`TX` city$=`Seabrook` addr1$=`25 Nasa Rd 1` zip$=`77586` addr2$=`Apt #123`>
      """
    let address = try SPONDecoder().decode(Address.self, from: text)
    #expect([address.addr1, address.addr2] == ["25 Nasa Rd 1", "Apt #123"])
    #expect([address.city, address.state, address.zip] == ["Seabrook", "TX", "77586"])
    #expect(try SPONValue(parsing: SPONEncoder().encode(address)) == SPONValue(parsing: text))
  }

  // MARK: ADSQLiteProvider, ADSPONProvider

  func expectEmployees(in provider: any ADDataProvider) throws {
    let group = try #require(try provider.getRows(ofType: Group.self).first)
    #expect(group.name == "Employees")
    #expect(group.people.storage.map(\.firstName) == ["John", "Sue"])
    #expect(group.people.storage[0].addresses["home"]?.city == "Houston")
    #expect(try provider.countRows(inTable: "PeopleInGroup") == 2)
  }

  @Test func `save a group into SQLite`() throws {
    let provider = ADSQLiteProvider()
    try provider.createSourceInMemory()

    let addr1 = Address(
      addr1: "PO Box 1234", addr2: "", city: "Houston", state: "TX", zip: "77012")
    let addr2 = Address(
      addr1: "25 Nasa Rd 1", addr2: "Apt #123", city: "Seabrook", state: "TX", zip: "77586")

    let p1 = Person(firstName: "John", lastName: "Doe", addresses: ["home": addr1, "work": addr2])
    let p2 = Person(firstName: "Sue", lastName: "Smith", addresses: ["home": addr1, "work": addr2])

    let group = Group(name: "Employees", people: [p1, p2])
    try provider.save(group)

    try expectEmployees(in: provider)
  }

  @Test func `save a group into SPON`() throws {
    let provider = ADSPONProvider(place: .memory, directories: directories.paths)
    try provider.openSource("Test.spon")

    let addr1 = Address(
      addr1: "PO Box 1234", addr2: "", city: "Houston", state: "TX", zip: "77012")
    let addr2 = Address(
      addr1: "25 Nasa Rd 1", addr2: "Apt #123", city: "Seabrook", state: "TX", zip: "77586")

    let p1 = Person(firstName: "John", lastName: "Doe", addresses: ["home": addr1, "work": addr2])
    let p2 = Person(firstName: "Sue", lastName: "Smith", addresses: ["home": addr1, "work": addr2])

    let group = Group(name: "Employees", people: [p1, p2])
    try provider.save(group)

    try provider.closeSource()
    try provider.openSource("Test.spon", readOnly: true)
    try expectEmployees(in: provider)
    try provider.closeSource()
  }

  // MARK: Opening a database

  /// Returns a provider whose bundle contains a database with one person.
  func makeProvider(_ directories: Directories) throws -> ADSQLiteProvider {
    let provider = ADSQLiteProvider(directories: directories.paths)
    try FileManager.default.createDirectory(
      atPath: directories.paths.bundle, withIntermediateDirectories: true)
    try provider.createSource(atPath: "\(directories.paths.bundle)/Test.db")
    try provider.execute("CREATE TABLE Person (`ID` INTEGER, `Name` STRING)")
    try provider.execute("INSERT INTO Person VALUES (1, 'Ada')")
    try provider.closeSource()
    return provider
  }

  @Test func `open a database in the document directory`() throws {
    let provider = ADSQLiteProvider(directories: directories.paths)

    // Open the database
    do {
      // Creating and opening a database in the Document directory.
      try provider.openSource("Test.db")
      print("Database Location: \(provider.path ?? "")")
    } catch {
      print("Unable to open requested sample database 'Test.db'.")
      throw error
    }

    #expect(provider.path == "\(directories.paths.documents)/Test.db")
    #expect(directories.exists("Documents/Test.db"))
  }

  @Test func `open a copy of a template in the bundle`() throws {
    let provider = try makeProvider(directories)

    // Open the database
    do {
      // Copying a template from the Bundle.
      try provider.openSource("Test.db", fromBundle: true, readOnly: false)
      print("Database Location: \(provider.path ?? "")")
    } catch {
      print("Unable to open requested sample database 'Test.db'.")
      throw error
    }

    #expect(provider.path == "\(directories.paths.documents)/Test.db")
    try provider.execute("INSERT INTO Person VALUES (2, 'Bo')")
    // An existing copy is opened unchanged.
    try provider.openSource("Test.db", fromBundle: true, readOnly: false)
    #expect(try provider.countRows(inTable: "Person") == 2)
    try provider.openSource("Test.db", fromBundle: true, readOnly: true)
    #expect(try provider.countRows(inTable: "Person") == 1)
  }

  @Test func `open a database of the bundle to read it`() throws {
    let provider = try makeProvider(directories)

    // Open the database
    do {
      // Open a read only Bundle database.
      try provider.openSource("Test.db", fromBundle: true, readOnly: true)
      print("Database Location: \(provider.path ?? "")")
    } catch {
      print("Unable to open requested sample database 'Test.db'.")
      throw error
    }

    #expect(provider.path == "\(directories.paths.bundle)/Test.db")
    #expect(!directories.exists("Documents/Test.db"))
    #expect(throws: (any Error).self) { try provider.execute("DELETE FROM Person") }
  }

  @Test func `create a database, or open an existing one`() throws {
    let provider = ADSQLiteProvider(directories: directories.paths)

    // Open the database
    do {
      // Create a new database and open it.
      try provider.createSource("Test.db")
      print("Database Location: \(provider.path ?? "")")
    } catch {
      print("Unable to create or open requested sample database 'Test.db'.")
      throw error
    }

    try provider.execute("CREATE TABLE Person (`ID` INTEGER, `Name` STRING)")
    try provider.createSource("Test.db")
    #expect(try provider.tableExists("Person"))
  }

  @Test func `duplicate a data source`() throws {
    let provider = ADSQLiteProvider(directories: directories.paths)

    // Duplicate the database
    do {
      // Open an existing database.
      try provider.openSource("Test.db")
      try provider.execute("CREATE TABLE Person (`ID` INTEGER, `Name` STRING)")

      // Save under a new name and reopen
      try provider.saveSource("New.bd")
    } catch {
      // Handle error
      throw error
    }

    #expect(provider.path == "\(directories.paths.documents)/New.bd")
    #expect(try provider.tableExists("Person"))
    try provider.openSource("Test.db")
    #expect(try provider.tableExists("Person"))
  }
}

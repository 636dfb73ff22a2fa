import Foundation
import Providers
import SQLiteCore
import Testing

// The samples of Docs/Guides/FromActionDataProviders.md, verbatim, and tests of its statements about files written by
// Action Data.

struct Address: Codable, Equatable {
  var addr1 = ""
  var addr2 = ""
  var city = ""
  var state = ""
  var zip = ""
}

final class Person: DataTable {
  static let tableName = "People"
  static let primaryKeyType = DataTableKeyType.autoUUIDString

  var id = ""
  var firstName = ""
  var lastName = ""
  var address = Address()

  init() {}
}

final class Group: DataTable {
  static let tableName = "Groups"
  static let primaryKeyType = DataTableKeyType.autoUUIDString

  var id = ""
  var name = ""
  var added = Date()
  var people = CrossReference<Person>(
    name: "PeopleInGroup", leftKeyName: "groupID", rightKeyName: "personID")

  init() {}
}

struct Category: ADDataTable {
  enum CategoryType: String, Codable { case local, web }

  static let tableName = "Categories"
  static let primaryKeyType = ADDataTableKeyType.computedInt

  var id = 0
  var added = Date()
  var name = ""
  var enabled = true
  var type = CategoryType.local
  var icon = Data()
  var remark: String?
}

@Suite struct `From Action Data Providers` {
  /// The SQL that its SQLite provider runs for these models. The column order varies, and only the key is NOT
  /// NULL.
  static let script = """
    CREATE TABLE IF NOT EXISTS Categories ('icon' BLOB, 'id' INTEGER PRIMARY KEY NOT NULL UNIQUE, \
    'enabled' BOOLEAN, 'name' TEXT, 'added' DATE, 'type' TEXT);
    INSERT INTO Categories(icon, id, enabled, name, added, type) VALUES
      (x'00FF', 1, 1, 'Tools', '2026-11-21 14:37:29', 'local'),
      (x'', 2, 0, 'News', '2026-11-21 14:37:30', 'web');
    CREATE TABLE IF NOT EXISTS People ('address' TEXT, 'lastName' TEXT, \
    'id' TEXT PRIMARY KEY NOT NULL UNIQUE, 'firstName' TEXT);
    INSERT INTO People(address, lastName, id, firstName) VALUES
      ('@obj:Address<state$=`TX` city$=`Seabrook` addr1$=`25 Nasa Rd 1` zip$=`77586` \
    addr2$=`Apt #123`>', 'Lovelace', '5B1A0E2C-9F40-4D5E-8A7B-6C5D4E3F2A1B', 'Ada'),
      ('@obj:Address<state$=`` city$=`Oslo` addr1$=`` zip$=`` addr2$=``>', 'Hopper',
      '6B1A0E2C-9F40-4D5E-8A7B-6C5D4E3F2A1B', 'Grace');
    CREATE TABLE IF NOT EXISTS Groups ('name' TEXT, 'added' DATE, \
    'id' TEXT PRIMARY KEY NOT NULL UNIQUE);
    INSERT INTO Groups(name, added, id) VALUES
      ('Pioneers', '2026-11-21 14:37:29', '7B1A0E2C-9F40-4D5E-8A7B-6C5D4E3F2A1B');
    CREATE TABLE IF NOT EXISTS PeopleInGroup ('groupID' TEXT, 'personID' TEXT);
    INSERT INTO PeopleInGroup VALUES
      ('7B1A0E2C-9F40-4D5E-8A7B-6C5D4E3F2A1B', '6B1A0E2C-9F40-4D5E-8A7B-6C5D4E3F2A1B'),
      ('7B1A0E2C-9F40-4D5E-8A7B-6C5D4E3F2A1B', '5B1A0E2C-9F40-4D5E-8A7B-6C5D4E3F2A1B');
    """
  static let moment = Date(timeIntervalSince1970: 1_795_271_849)

  @Test func `a file is opened, the changes are shown and applied`() throws {
    let file = try LegacyFile(Self.script)
    let path = file.path
    let provider = SQLiteProvider()
    try provider.openSource(atPath: path)
    defer { try? provider.closeSource() }
    print(try provider.updateTableSchema(Category.self, dryRun: true))
    try provider.updateTableSchema(Category.self)
    try provider.updateTableSchema(Group.self)
    // A second run changes nothing.
    #expect(try provider.updateTableSchema(Category.self, dryRun: true).isEmpty)
    #expect(try provider.updateTableSchema(Group.self, dryRun: true).isEmpty)

    let categories = try provider.getRows(ofType: Category.self, orderedBy: "id")
    #expect(categories.map(\.name) == ["Tools", "News"])
    #expect(categories.map(\.added) == [Self.moment, Self.moment + 1])
    #expect(categories.map(\.enabled) == [true, false])
    #expect(categories.map(\.type) == [.local, .web])
    #expect(categories.map(\.icon) == [Data([0, 255]), Data()])
    #expect(categories.map(\.remark) == [nil, nil])
  }

  @Test func `lists keep their links and order, and documents are read`() throws {
    let file = try LegacyFile(Self.script)
    let provider = SQLiteProvider()
    try provider.openSource(atPath: file.path)
    defer { try? provider.closeSource() }
    try provider.updateTableSchema(Group.self)
    let group = try #require(try provider.getRow(ofType: Group.self, atIndex: 0))
    #expect(group.people.storage.map(\.firstName) == ["Grace", "Ada"])
    #expect(
      group.people.storage[1].address
        == Address(
          addr1: "25 Nasa Rd 1", addr2: "Apt #123", city: "Seabrook", state: "TX", zip: "77586"))
  }

  @Test func `rows are read without changing the tables if there are no lists`() throws {
    let file = try LegacyFile(Self.script)
    let provider = SQLiteProvider()
    try provider.openSource(atPath: file.path, readOnly: true)
    defer { try? provider.closeSource() }
    #expect(try provider.getRows(ofType: Person.self).count == 2)
    let count = try provider.countRows(
      inTable: "People", filteredBy: "lastName = ?", withParameters: ["Hopper"])
    #expect(count == 1)
  }

  @Test func `a NULL is read as the default of its property`() throws {
    let file = try LegacyFile(Self.script + "UPDATE Categories SET name = NULL WHERE id = 2;")
    let provider = SQLiteProvider()
    try provider.openSource(atPath: file.path)
    defer { try? provider.closeSource() }
    try provider.updateTableSchema(Category.self)
    #expect(try provider.getRow(ofType: Category.self, forPrimaryKeyValue: 2)?.name == "")
  }

  @Test func `the example saves, changes and deletes`() throws {
    let file = try LegacyFile(Self.script)
    let provider = SQLiteProvider()
    try provider.openSource(atPath: file.path)
    defer { try? provider.closeSource() }
    try provider.updateTableSchema(Category.self)
    try provider.updateTableSchema(Group.self)

    let grace = Person()
    grace.firstName = "Grace"
    let group = Group()
    group.name = "Compilers"
    group.people.append(grace)
    try provider.transaction { transaction in
      try transaction.save(group)
      try transaction.execute(
        "UPDATE Categories SET enabled = ? WHERE id = ?", withParameters: [true, 2])
    }
    let enabled = try provider.query("SELECT name FROM Categories WHERE enabled ORDER BY id")
    #expect(enabled.map { $0["name"] } == ["Tools", "News"])
    #expect(try provider.rowCount(forType: Group.self) == 2)
    let saved = try provider.getRows(
      ofType: Group.self, filteredBy: "name = ?", withParameters: ["Compilers"])
    #expect(saved.flatMap(\.people.storage).map(\.firstName) == ["Grace"])
    try provider.delete(saved)
    #expect(try provider.rowCount(forType: Person.self) == 3)
  }

  @Test func `another format contains the same data`() throws {
    let file = try LegacyFile(Self.script)
    let provider = SQLiteProvider()
    try provider.openSource(atPath: file.path)
    defer { try? provider.closeSource() }
    try provider.updateTableSchema(Category.self)
    let copy = JSONProvider()
    try copy.createSourceInMemory()
    defer { try? copy.closeSource() }
    let report = try DataTransfer().copy(from: provider, to: copy)
    #expect(report.rowCount == 7)
    #expect(try copy.getRows(ofType: Category.self).count == 2)
  }
}

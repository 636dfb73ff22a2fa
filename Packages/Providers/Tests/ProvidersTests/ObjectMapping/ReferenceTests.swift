import Foundation
import SQLiteCore
import Testing

@testable import Providers

struct Home: DataTable, Equatable {
  static let primaryKeyType = DataTableKeyType.autoIncrementingInt
  var id = -1
  var city = ""
}

struct Owner: DataTable, Equatable {
  static let primaryKeyType = DataTableKeyType.autoIncrementingInt
  var id = -1
  var name = ""
  var home = Home()
  var second: Home?
}

final class Node: KeyedDataTable {
  static let primaryKeyType = DataTableKeyType.autoIncrementingInt
  var id = -1
  var name = ""
  var next: Node?
  var primaryKeyValue: Int {
    get { id }
    set { id = newValue }
  }

  init() {}
  init(_ name: String, next: Node? = nil) {
    self.name = name
    self.next = next
  }
}

@Suite struct `Properties that are tables` {
  @Test func `are separate rows that the owner refers to`() throws {
    let access = try TestAccess()
    try access.save(Owner(name: "a", home: Home(city: "Oslo"), second: Home(city: "Rome")))
    #expect(try access.tables == ["Home", "Owner"])
    var owner = try #require(try access.getRow(ofType: Owner.self, forPrimaryKeyValue: 1))
    #expect(owner.home.city == "Oslo" && owner.second?.city == "Rome")
    // Saving again does not insert rows.
    owner.home.city = "Bergen"
    owner.second = nil
    try access.save(owner)
    #expect(try access.getRows(ofType: Owner.self) == [owner])
    #expect(try access.rowCount(forType: Home.self) == 2)
    let key = try #require(access.connection.foreignKeys(of: "Owner").first)
    #expect(key.parentTable == "Home")
  }

  @Test func `are read with one statement for each, regardless of the number of rows`() throws {
    let access = try TestAccess()
    try access.save(
      (0..<50).map { Owner(name: "\($0)", home: Home(city: "\($0)"), second: Home(city: "s\($0)")) }
    )
    var owners: [Owner] = []
    let statements = try access.statements { owners = try access.getRows(ofType: Owner.self) }
    #expect(statements.count == 3)
    #expect(owners.map(\.home.city) == (0..<50).map { "\($0)" })
  }

  @Test func `are kept when their owner is deleted, and can't be deleted before`() throws {
    let access = try TestAccess()
    try access.save(Owner(home: Home(city: "Oslo")))
    let owner = try #require(try access.getRows(ofType: Owner.self).first)
    let error = #expect(throws: SQLiteError.self) { try access.delete(owner.home) }
    #expect(error?.code == .constraintForeignKey)
    try access.delete(owner)
    #expect(try access.rowCount(forType: Home.self) == 1)
    #expect(try access.delete(owner.home))
  }

  @Test func `of a class are saved once and read as one instance`() throws {
    let access = try TestAccess()
    let end = Node("end")
    try access.save([Node("a", next: end), Node("b", next: end)])
    #expect(try access.rowCount(forType: Node.self) == 3)
    #expect(end.id > 0)
    let read = try access.getRows(
      ofType: Node.self, filteredBy: "name < 'c'", orderedBy: "name")
    #expect(read.map(\.name) == ["a", "b"])
    #expect(read[0].next === read[1].next && read[0].next?.name == "end")
  }

  @Test func `can be a chain longer than the stack`() throws {
    let access = try TestAccess()
    var first: Node? = Node("0")
    for number in 1..<3_000 { first = Node("\(number)", next: first) }
    let key: Int = try access.save(#require(first))
    #expect(try access.rowCount(forType: Node.self) == 3_000)
    var read = try access.getRow(ofType: Node.self, forKey: key)
    var length = 0
    while let node = read {
      length += 1
      read = node.next
      // Releasing a whole chain at the same time would recurse.
      node.next = nil
    }
    while let node = first {
      first = node.next
      node.next = nil
    }
    #expect(length == 3_000)
  }

  @Test func `in cycles can be saved but not read`() throws {
    let access = try TestAccess()
    let a = Node("a")
    a.next = Node("b", next: a)
    try access.save(a)
    defer { a.next = nil }
    let rows = try access.connection.rows(
      "SELECT a.name, b.name FROM Node a JOIN Node b ON a.next = b.id ORDER BY 1")
    #expect(rows == [["a", "b"], ["b", "a"]])
    try access.save(a)
    #expect(try access.rowCount(forType: Node.self) == 2)
    let error = #expect(throws: ProviderError.self) { try access.getRows(ofType: Node.self) }
    #expect(error?.code == .cyclicReference && error?.column == "next")
  }

  @Test func `to missing rows are an error`() throws {
    let access = try TestAccess()
    try access.save(Owner(home: Home(city: "Oslo")))
    try access.connection.execute(
      "PRAGMA foreign_keys = off; DELETE FROM Home; PRAGMA foreign_keys = on")
    let error = #expect(throws: ProviderError.self) { try access.getRows(ofType: Owner.self) }
    #expect(error?.code == .danglingReference && error?.column == "home")
  }

  @Test func `are created with their owner`() throws {
    let access = try TestAccess()
    #expect(try access.make(Owner.self) == Owner(id: 1, home: Home()))
    try access.save(Owner())
    #expect(try access.make(Owner.self).id == 2)
    #expect(try access.make(Group.self).people.isEmpty)
  }

  @Test func `fail with their owner`() throws {
    let access = try TestAccess()
    try access.registerTableSchema(Owner.self)
    try access.connection.execute(
      "CREATE TRIGGER t BEFORE INSERT ON Owner BEGIN SELECT RAISE(ABORT, 'no'); END")
    #expect(throws: SQLiteError.self) { try access.save(Owner(home: Home(city: "Oslo"))) }
    #expect(try access.rowCount(forType: Home.self) == 0)
  }
}

import Foundation
import SQLiteCore
import Testing

@testable import Providers

@Suite struct `Cross references` {
  @Test func `save their elements and links, and load them in their order`() throws {
    let access = try TestAccess()
    let people = (0..<4).map { Person(firstName: "\($0)", lastName: "P") }
    let group = Group(name: "Employees", people: people)
    try access.save(group)
    #expect(try access.tables == ["Groups", "People", "PeopleInGroup"])
    var read = try #require(try access.getRow(ofType: Group.self, forPrimaryKeyValue: group.id))
    #expect(read.people.map(\.firstName) == ["0", "1", "2", "3"])
    read.people.remove(at: 1)
    read.people.append(Person(firstName: "4", lastName: "P"))
    read.people.swapAt(0, 1)
    try access.save(read)
    read = try #require(try access.getRow(ofType: Group.self, forPrimaryKeyValue: group.id))
    #expect(read.people.map(\.firstName) == ["2", "0", "3", "4"])
    #expect(try access.rowCount(forType: Person.self) == 5)
    try access.delete(read)
    #expect(try access.rowCount(forType: Person.self) == 5)
    #expect(try access.connection.value(Int.self, "SELECT count(*) FROM PeopleInGroup") == 0)
  }
}

import Foundation
import SQLiteCore
import Testing

@testable import Providers

@Suite struct `Objects in asynchronous code` {
  private func provider() throws -> SQLiteProvider {
    let provider = SQLiteProvider()
    try provider.createSourceInMemory()
    return provider
  }

  @Test func `need not be Sendable`() async throws {
    let provider = try provider()
    let people = [Person(firstName: "f", lastName: "l"), Person(firstName: "g", lastName: "l")]
    let group = Group(name: "n", people: people)
    let key = try await provider.save(group)
    #expect(key.text == group.id)
    let read = try await provider.getRow(ofType: Group.self, forPrimaryKeyValue: group.id)
    #expect(read?.people.map(\.firstName) == ["f", "g"])
    #expect(
      try await provider.getRows(
        ofType: Person.self, filteredBy: "firstName = ?", withParameters: ["g"]
      ).count == 1)
    #expect(
      try await provider.getRow(ofType: Person.self, atIndex: 1, orderedBy: "firstName")?.firstName
        == "g")
    #expect(
      try await provider.getRows(ofType: Person.self, matchingSQL: "SELECT * FROM People").count
        == 2)
    #expect(try await provider.rowCount(forType: Person.self) == 2)
    #expect(try await provider.hasRow(forType: Person.self, matchingPrimaryKey: people[0].id))
    #expect(try await provider.delete(people) == 2)
    #expect(try await provider.delete(group))
    try await provider.dropTable(Group.self)
    #expect(try await !provider.tableExists("Groups"))
  }

  @Test func `have their keys written back`() async throws {
    let provider = try provider()
    try await provider.registerTableSchema(Counter.self)
    #expect(try await provider.makeID(Counter.self) as? Int == 1)
    let counter = Counter()
    #expect(try await provider.save(counter) as Int == 1)
    #expect(counter.id == 1)
    var player = Player(name: "p")
    #expect(try await provider.save(&player) as Int == 1)
    #expect(player.id == 1)
    #expect(try await provider.getRow(ofType: Player.self, forKey: 1) == player)
    #expect(try await provider.make(Player.self).id == 2)
  }

  @Test func `are saved all or none`() async throws {
    let provider = try provider()
    let bad = Everything.Number.one
    var first = Everything()
    first.id = "a"
    first.number = bad
    var second = Everything()
    second.id = "b"
    second.double = .nan
    await #expect(throws: SQLiteError.self) { try await provider.save([first, second]) }
    #expect(try await !provider.tableExists("Everything"))
  }

  @Test func `have tables that are changed`() async throws {
    let provider = try provider()
    try await provider.save(Word(id: "a"))
    #expect(try await provider.updateTableSchema(Word.self, dryRun: true).isEmpty)
    #expect(try await provider.updateTableSchema(Word.self).isEmpty)
  }

  @Test func `belong to transactions`() async throws {
    let provider = try provider()
    try await provider.save(Word(id: "a"))
    struct Stop: Error {}
    await #expect(throws: Stop.self) {
      try await provider.transaction { transaction in
        try transaction.save(Word(id: "b"))
        #expect(try transaction.rowCount(forType: Word.self) == 2)
        throw Stop()
      }
    }
    #expect(try await provider.rowCount(forType: Word.self) == 1)
  }
}

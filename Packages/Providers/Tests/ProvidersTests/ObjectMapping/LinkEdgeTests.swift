import Foundation
import SQLiteCore
import Testing

@testable import Providers

@Suite struct `Edge cases of link lists` {
  struct Tag<Key: Codable & Sendable & Equatable & SQLiteBindable & Initial>: DataTable {
    static var tableName: String { "Tag" }
    var id = Key()
  }
  struct Tagged<Key: Codable & Sendable & Equatable & SQLiteBindable & Initial>: DataTable {
    static var tableName: String { "Tagged" }
    var id = Key()
    var one: Tag<Key>?
    var tags = CrossReference<Tag<Key>>(name: "TagOfTagged")
  }

  private func expectKeys<Key: Codable & Sendable & Equatable & SQLiteBindable & Initial>(
    _ keys: [Key]
  ) throws {
    let access = try TestAccess()
    let tags = keys.map { Tag(id: $0) }
    try access.save(
      Tagged(id: keys[0], one: tags[0], tags: .init(name: "TagOfTagged", storage: tags)))
    for _ in 0..<2 {
      let read = try #require(
        try access.getRow(ofType: Tagged<Key>.self, forPrimaryKeyValue: keys[0]))
      #expect(read.tags.map(\.id) == keys && read.one?.id == keys[0])
      try access.save(read)
    }
    var read = try #require(try access.getRows(ofType: Tagged<Key>.self).first)
    read.tags.storage.reverse()
    read.tags.remove(at: 0)
    try access.save(read)
    read = try #require(try access.getRows(ofType: Tagged<Key>.self).first)
    #expect(read.tags.map(\.id) == Array(keys.reversed().dropFirst()))
    #expect(try access.rowCount(forType: Tag<Key>.self) == keys.count)
    #expect(try access.updateTableSchema(Tagged<Key>.self).isEmpty)
  }

  @Test func `have elements with keys of any type`() throws {
    try expectKeys([UUID(), UUID(), UUID()])
    try expectKeys([Data([0, 255]), Data(), Data([1])])
    try expectKeys([1.0, -0.5, 1e300, 3])
    try expectKeys([Float(1), 0.1])
    try expectKeys([true, false])
    try expectKeys([UInt64(0), 7, UInt64(Int64.max)])
    try expectKeys(["", "1", "1.0", "é", "A", "a", "'\"\0"])
    try expectKeys([Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1.25)])
  }

  @Test func `can contain their owner`() throws {
    let access = try TestAccess()
    let friend = Friend("f")
    friend.friends.append(friend)
    defer { friend.friends.removeAll() }
    try access.save(friend)
    try access.save(friend)
    #expect(try access.connection.rows("SELECT leftID, rightID FROM Friendship") == [[1, 1]])
    let read = try #require(try access.getRow(ofType: Friend.self, forKey: 1))
    #expect(read.friends.isEmpty && read.friends.unloadedCount == 1)
    try access.save(read)
    #expect(try access.connection.rows("SELECT leftID, rightID FROM Friendship") == [[1, 1]])
    // All links are removed, including links that were not loaded.
    read.friends.removeAll()
    #expect(read.friends.unloadedCount == 0)
    try access.save(read)
    #expect(try access.connection.rows("SELECT * FROM Friendship").isEmpty)
    #expect(try access.rowCount(forType: Friend.self) == 1)
  }

  @Test func `can share an element with another list`() throws {
    let access = try TestAccess()
    var bags = [Bag(), Bag()]
    bags[0].words.storage = ["a", "b", "c"].map { Word(id: $0) }
    try access.save(&bags)
    bags[1].words.append(bags[0].words.remove(at: 1))
    try access.save(&bags)
    var read = try access.getRows(ofType: Bag.self, orderedBy: "id")
    #expect(read.map { $0.words.map(\.id) } == [["a", "c"], ["b"]])
    // Twice in one list, and in two lists.
    read[1].words.append(contentsOf: [Word(id: "a"), Word(id: "b")])
    try access.save(read)
    read = try access.getRows(ofType: Bag.self, orderedBy: "id")
    #expect(read.map { $0.words.map(\.id) } == [["a", "c"], ["b", "a"]])
  }

  @Test func `save an element again if its row was deleted`() throws {
    let access = try TestAccess()
    var bag = Bag()
    bag.words.storage = ["a", "b"].map { Word(id: $0, text: $0) }
    try access.save(&bag)
    try access.delete(Word(id: "a"))
    try access.save(bag)
    #expect(
      try access.getRow(ofType: Bag.self, forKey: bag.id)?.words.map(\.text) == ["a", "b"])
    // The list also contains the owner.
    try access.delete(bag)
    try access.save(bag)
    #expect(
      try access.getRow(ofType: Bag.self, forKey: bag.id)?.words.map(\.text) == ["a", "b"])
  }

  @Test func `follow a key that SQL changes`() throws {
    let access = try TestAccess()
    var bag = Bag()
    bag.words.storage = ["a", "b"].map { Word(id: $0) }
    try access.save(&bag)
    try access.connection.execute("UPDATE Word SET id = 'z' WHERE id = 'a'; UPDATE Bag SET id = 9")
    #expect(try access.getRow(ofType: Bag.self, forKey: 9)?.words.map(\.id) == ["z", "b"])
  }

  @Test func `can be optional, and are unchanged if nil`() throws {
    struct Shelf: DataTable {
      var id = ""
      var words: CrossReference<Word>? = .init(name: "WordOnShelf")
    }
    struct Without: DataTable {
      var id = ""
      var words: CrossReference<Word>?
    }
    let access = try TestAccess()
    var shelf = Shelf(id: "s")
    shelf.words?.append(Word(id: "a"))
    try access.save(shelf)
    shelf = try #require(try access.getRows(ofType: Shelf.self).first)
    #expect(shelf.words?.map(\.id) == ["a"])
    shelf.words = nil
    try access.save(shelf)
    #expect(try access.getRows(ofType: Shelf.self).first?.words?.count == 1)
    #expect(try access.make(Shelf.self).words?.isEmpty == true)
    let error = #expect(throws: ProviderError.self) { try access.registerTableSchema(Without.self) }
    #expect(error?.code == .schemaMismatch && error?.column == "words")
  }

  @Test func `are values, even in a loaded instance`() throws {
    let access = try TestAccess()
    try access.save(
      Group(name: "g", people: ["1", "2"].map { Person(firstName: $0, lastName: "") }))
    let group = try #require(try access.getRows(ofType: Group.self).first)
    let before = group.people
    group.people.append(Person(firstName: "3", lastName: ""))
    group.people[0] = Person(firstName: "new", lastName: "")
    #expect(before.map(\.firstName) == ["1", "2"])
    #expect(group.people.map(\.firstName) == ["new", "2", "3"])
    try access.save(group)
    let read = try #require(try access.getRows(ofType: Group.self).first)
    #expect(read.people.map(\.firstName) == ["new", "2", "3"])
  }

  @Test func `are loaded for each row, even with missing or duplicate keys`() throws {
    let access = try TestAccess()
    try access.connection.execute(
      """
      CREATE TABLE Owner (id INTEGER, name TEXT, home INTEGER, second INTEGER);
      INSERT INTO Owner VALUES (1, 'a', 1, NULL), (1, 'b', 1, NULL), (NULL, 'c', 1, NULL);
      CREATE TABLE Home (id INTEGER PRIMARY KEY, city TEXT);
      INSERT INTO Home VALUES (1, 'Oslo')
      """)
    let owners = try access.getRows(
      ofType: Owner.self, filteredBy: "id NOTNULL", orderedBy: "name")
    #expect(owners.map(\.name) == ["a", "b"] && owners.allSatisfy { $0.home.city == "Oslo" })
  }

  @Test(arguments: [1, 2])
  func `keep their order after any changes`(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let access = try TestAccess()
    let courses = (0..<5).map { "c\($0)" }
    let students = (0..<8).map { "s\($0)" }
    try access.save(courses.map { Course(id: $0) })
    try access.save(students.map { Student(id: $0) })
    var ofCourse: [String: [String]] = [:]
    var ofStudent: [String: [String]] = [:]
    func reload() throws -> ([String: [String]], [String: [String]]) {
      let courses = try courses.map { id in
        (id, try access.getRow(ofType: Course.self, forPrimaryKeyValue: id)?.students.map(\.id))
      }
      let students = try students.map { id in
        (id, try access.getRow(ofType: Student.self, forPrimaryKeyValue: id)?.courses.map(\.id))
      }
      return (
        Dictionary(uniqueKeysWithValues: courses.map { ($0, $1 ?? []) }),
        Dictionary(uniqueKeysWithValues: students.map { ($0, $1 ?? []) })
      )
    }
    (ofCourse, ofStudent) = try reload()
    for step in 0..<12 {
      let id = courses.randomElement(using: &random) ?? ""
      var list = ofCourse[id] ?? []
      switch Int.random(in: 0..<4, using: &random) {
      case 0: list.shuffle(using: &random)
      case 1: list.removeAll { _ in Bool.random(using: &random) }
      default:
        for student in students.shuffled(using: &random).prefix(3) where !list.contains(student) {
          list.insert(student, at: Int.random(in: 0...list.count, using: &random))
        }
      }
      // Saving students as objects would also save their lists.
      let wanted = list.map { SQLiteValue.text($0) }
      try access.write { connection in
        let plan = try TableMapping.of(Course.self)
        try LinkWriter(connection, plan.side(of: plan.links[0])).write(
          wanted, of: .text(id), unloaded: [], others: [])
      }
      for student in students {
        let before = ofStudent[student] ?? []
        let isLinked = list.contains(student)
        if isLinked, !before.contains(id) {
          ofStudent[student] = before + [id]
        } else if !isLinked {
          ofStudent[student] = before.filter { $0 != id }
        }
      }
      ofCourse[id] = list
      let (byCourse, byStudent) = try reload()
      #expect(byCourse == ofCourse, "step \(step)")
      #expect(byStudent == ofStudent, "step \(step)")
    }
  }
}

/// The value of a key before it is set.
protocol Initial {
  init()
}
extension UUID: Initial {}
extension Data: Initial {}
extension Double: Initial {}
extension Float: Initial {}
extension Bool: Initial {}
extension UInt64: Initial {}
extension String: Initial {}
extension Date: Initial {}

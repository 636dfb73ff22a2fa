import Foundation
import SQLiteCore
import Testing

@testable import Providers

/// A class whose instances refer to each other in cycles.
final class Friend: KeyedDataTable {
  static let primaryKeyType = DataTableKeyType.autoIncrementingInt
  var id = -1
  var name = ""
  var friends = CrossReference<Friend>(name: "Friendship")
  var primaryKeyValue: Int {
    get { id }
    set { id = newValue }
  }

  init() {}
  init(_ name: String) { self.name = name }
}

/// The row has only a key and a list, and no other column.
struct Bag: KeyedDataTable {
  static let primaryKeyType = DataTableKeyType.autoIncrementingInt
  var id = -1
  var words = CrossReference<Word>(name: "BagWord")
  var primaryKeyValue: Int {
    get { id }
    set { id = newValue }
  }
}

/// Two types that refer to each other with one table of links.
struct Course: DataTable {
  var id = ""
  var students = CrossReference<Student>(
    name: "Enrolment", leftKeyName: "course", rightKeyName: "student")
}

struct Student: DataTable {
  var id = ""
  var courses = CrossReference<Course>(
    name: "Enrolment", leftKeyName: "student", rightKeyName: "course")
}

@Suite struct `Cross references` {
  @Test func `save and load their elements and links in order`() throws {
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
  }

  @Test func `write only the links that differ`() throws {
    let access = try TestAccess()
    var bag = Bag()
    bag.words.append(contentsOf: (0..<20).map { Word(id: "\($0)") })
    try access.save(&bag)
    func linkWrites(_ change: (inout Bag) -> Void) throws -> [String] {
      change(&bag)
      return try access.statements { try access.save(bag) }
        .filter { $0.contains("BagWord") && !$0.hasPrefix("SELECT") }
        .map { String($0.prefix(6)) }
    }
    #expect(try linkWrites { _ in } == [])
    #expect(try linkWrites { $0.words.append(Word(id: "x")) } == ["INSERT"])
    #expect(try linkWrites { $0.words.remove(at: 3) } == ["DELETE"])
    #expect(try linkWrites { $0.words.swapAt(18, 19) }.count == 1)
    let read = try #require(try access.getRow(ofType: Bag.self, forKey: bag.id))
    #expect(read.words == bag.words)
  }

  @Test func `of a type without other columns are saved`() throws {
    let access = try TestAccess()
    var bag = Bag()
    try access.save(&bag)
    bag.words.append(Word(id: "a"))
    try access.save(bag)
    #expect(try access.getRow(ofType: Bag.self, forKey: 1)?.words.map(\.id) == ["a"])
  }

  @Test func `lose their links when either row is deleted`() throws {
    let access = try TestAccess()
    var bag = Bag()
    bag.words.storage = [Word(id: "a"), Word(id: "b")]
    try access.save(&bag)
    try access.delete(Word(id: "a"))
    #expect(try access.getRow(ofType: Bag.self, forKey: 1)?.words.map(\.id) == ["b"])
    try access.delete(bag)
    #expect(try access.connection.value(Int.self, "SELECT count(*) FROM BagWord") == 0)
    #expect(try access.rowCount(forType: Word.self) == 1)
  }

  @Test func `leave no rows behind if an element can't be saved`() throws {
    let access = try TestAccess()
    try access.registerTableSchema(Word.self)
    try access.connection.execute(
      "CREATE TRIGGER t BEFORE INSERT ON Word WHEN new.id = 'bad' BEGIN SELECT RAISE(ABORT, ''); END"
    )
    var bag = Bag()
    bag.words.storage = [Word(id: "a"), Word(id: "bad")]
    #expect(throws: SQLiteError.self) { try access.save(bag) }
    #expect(try access.tables == ["Word"])
    #expect(try access.rowCount(forType: Word.self) == 0)
  }

  @Test func `link a duplicate element once`() throws {
    let access = try TestAccess()
    var bag = Bag()
    bag.words.storage = [Word(id: "a"), Word(id: "b"), Word(id: "a")]
    try access.save(&bag)
    try access.save(bag)
    let read = try #require(try access.getRow(ofType: Bag.self, forKey: 1))
    #expect(read.words.storage == [Word(id: "a"), Word(id: "b")])
  }

  @Test func `are read with one statement for each list and level`() throws {
    let access = try TestAccess()
    let people = (0..<30).map { Person(firstName: "\($0)", lastName: "P") }
    for number in 0..<10 {
      try access.save(Group(name: "\(number)", people: Array(people[number..<number + 20])))
    }
    var groups: [Group] = []
    let statements = try access.statements {
      groups = try access.getRows(ofType: Group.self, orderedBy: "name")
    }
    #expect(statements.count == 2)
    #expect(groups.map { $0.people.count } == Array(repeating: 20, count: 10))
    #expect(groups[0].people[5] === groups[1].people[4])
    #expect(groups[3].people.map(\.firstName) == (3..<23).map { "\($0)" })
  }

  @Test func `stop at cycles and preserve their links`() throws {
    let access = try TestAccess()
    let names = ["a", "b", "c"]
    let friends = names.map { Friend($0) }
    for friend in friends { friend.friends.storage = friends.filter { $0 !== friend } }
    defer { for friend in friends { friend.friends.removeAll() } }
    try access.save(friends[0])
    #expect(friends.map(\.id).sorted() == [1, 2, 3])
    func links() throws -> Int? {
      try access.connection.value(Int.self, "SELECT count(*) FROM Friendship")
    }
    #expect(try links() == 6)
    let a = try #require(try access.getRows(ofType: Friend.self, filteredBy: "name = 'a'").first)
    #expect(a.friends.map(\.name).sorted() == ["b", "c"])
    var made: [ObjectIdentifier: Friend] = [:]
    var open = [a]
    while let next = open.popLast() {
      if made.updateValue(next, forKey: ObjectIdentifier(next)) == nil { open += next.friends }
    }
    #expect(made.count == 3)
    #expect(made.values.map { $0.friends.count + $0.friends.unloadedCount } == [2, 2, 2])
    // Saving the objects unchanged loses nothing.
    try access.save(a)
    #expect(try links() == 6)
    #expect(try access.rowCount(forType: Friend.self) == 3)
  }

  @Test func `can form long cycles`() throws {
    let access = try TestAccess()
    let count = 2_000
    let friends = (0..<count).map { Friend("\($0)") }
    for (number, friend) in friends.enumerated() {
      friend.friends.append(friends[(number + 1) % count])
    }
    try access.save(friends)
    for friend in friends { friend.friends.removeAll() }
    let read = try access.getRows(ofType: Friend.self, orderedBy: "id")
    #expect(read.count == count)
    #expect(read.reduce(0) { $0 + $1.friends.unloadedCount } == 1)
    for friend in read { friend.friends.removeAll() }
  }

  @Test func `can share one table for both sides`() throws {
    let access = try TestAccess()
    var course = Course(id: "math")
    course.students.storage = [Student(id: "ada"), Student(id: "bob")]
    try access.save(course)
    let ada = try #require(try access.getRow(ofType: Student.self, forPrimaryKeyValue: "ada"))
    #expect(ada.courses.map(\.id) == ["math"])
    var bob = Student(id: "bob")
    bob.courses.storage = [Course(id: "art")]
    try access.save(bob)
    let rows = try access.connection.rows("SELECT course, student FROM Enrolment ORDER BY 1, 2")
    #expect(rows == [["art", "bob"], ["math", "ada"]])
  }

  @Test func `are loaded for rows of a statement by key`() throws {
    let access = try TestAccess()
    var bag = Bag()
    bag.words.append(Word(id: "a"))
    try access.save(bag)
    let read = try access.getRows(
      ofType: Bag.self, matchingSQL: "SELECT id FROM Bag WHERE id = ?", withParameters: [1])
    #expect(read.first?.words.map(\.id) == ["a"])
    let error = #expect(throws: ProviderError.self) {
      try access.getRows(ofType: Bag.self, matchingSQL: "SELECT 1 AS key FROM Bag")
    }
    #expect(error?.code == .schemaMismatch && error?.column == "id")
  }

  @Test func `have a key, an index and references`() throws {
    let access = try TestAccess()
    try access.registerTableSchema(Group.self)
    let keys = try access.connection.foreignKeys(of: "PeopleInGroup")
    #expect(keys.map(\.onDelete) == ["CASCADE", "CASCADE"])
    let columns = try access.connection.columns(of: "PeopleInGroup")
    #expect(columns.map(\.name) == ["groupID", "personID", "position"])
    #expect(columns.compactMap(\.primaryKeyPosition) == [1, 2])
    #expect(
      try access.connection.indexes(of: "PeopleInGroup").contains { $0.columns == ["personID"] })
    try access.dropTable(Group.self)
    #expect(try access.tables == ["People"])
  }

  @Test func `are refused if their table is used otherwise`() throws {
    let access = try TestAccess()
    try access.connection.execute("CREATE TABLE BagWord (a, b)")
    let error = #expect(throws: ProviderError.self) { try access.save(Bag()) }
    #expect(error?.code == .schemaMismatch && error?.table == "BagWord")
  }

  @Test func `are encoded with their elements outside of tables`() throws {
    let list = CrossReference(name: "n", storage: [Word(id: "a", text: "t")])
    let data = try JSONEncoder().encode(list)
    #expect(try JSONDecoder().decode(CrossReference<Word>.self, from: data) == list)
  }
}

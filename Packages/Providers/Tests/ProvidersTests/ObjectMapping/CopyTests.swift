import Foundation
import SQLiteCore
import Testing

@testable import Providers

@Suite struct `Objects that are saved several times together` {
  struct Member: DataTable, Equatable {
    var id = ""
    var name = ""
  }

  struct Team: DataTable, Equatable {
    var id = ""
    var leader = Member()
    var members = CrossReference<Member>(name: "MemberOfTeam")
  }

  final class Worker: KeyedDataTable {
    static let primaryKeyType = DataTableKeyType.autoIncrementingInt
    var id = 0
    var name = ""
    var boss: Worker?
    var primaryKeyValue: Int {
      get { id }
      set { id = newValue }
    }
    init() {}
    init(_ name: String, id: Int = 0, boss: Worker? = nil) {
      self.id = id
      self.name = name
      self.boss = boss
    }
  }

  /// A row with a new row and a list of new rows.
  struct Box: DataTable {
    struct Label: DataTable {
      static let primaryKeyType = DataTableKeyType.computedInt
      var id = 0
      var text = ""
    }
    var id = ""
    var label = Label()
    var more = CrossReference<Label>(name: "LabelOnBox")
    var inner = CrossReference<Box>(name: "BoxInBox")
  }

  /// A row with values without an order.
  struct Tagged: DataTable, Equatable {
    enum Size: String, Codable { case small, medium, large }
    struct Note: Codable, Hashable {
      var words: Set<String> = []
    }
    var id = ""
    var tags: Set<String> = []
    var counts: [Size: Int] = [:]
    var notes: Set<Note> = []
    var maybe: Set<Int>?
  }

  struct Pair: DataTable {
    var id = ""
    var one = Tagged()
    var all = CrossReference<Tagged>(name: "TaggedInPair")
  }

  private let ada = Member(id: "ada", name: "Ada")

  private func team(_ leader: Member, _ members: [Member]) -> Team {
    Team(id: "t", leader: leader, members: .init(name: "MemberOfTeam", storage: members))
  }

  @Test func `are written once if they are equal`() throws {
    let access = try TestAccess()
    let log = try access.statements {
      try access.save(team(ada, [ada, Member(id: "bob"), ada]))
    }
    #expect(log.filter { $0.hasPrefix("INSERT INTO \"Member\"") }.count == 2)
    let read = try #require(try access.getRow(ofType: Team.self, forPrimaryKeyValue: "t"))
    #expect(read.leader == ada && read.members.map(\.id) == ["ada", "bob"])
  }

  @Test func `are equal regardless of the order of unordered collections`() throws {
    let access = try TestAccess()
    let words = (0..<12).map { "word\($0)" }
    func tagged(_ words: some Sequence<String>) -> Tagged {
      var tags = Set<String>(minimumCapacity: Int.random(in: 0..<100))
      for word in words { tags.insert(word) }
      return Tagged(
        id: "t", tags: tags, counts: [.small: 1, .medium: 2, .large: 3],
        notes: [.init(words: tags), .init(words: ["a", "b", "c"])], maybe: Set(1...9))
    }
    for _ in 0..<5 {
      let pair = Pair(
        id: "p", one: tagged(words),
        all: .init(name: "TaggedInPair", storage: [tagged(words.reversed()), tagged(words)]))
      try access.save(pair)
      let read = try #require(try access.getRow(ofType: Pair.self, forPrimaryKeyValue: "p"))
      #expect(read.one == tagged(words) && Array(read.all) == [read.one])
      try access.save(read)
    }
  }

  @Test func `are refused without effect if they differ`() throws {
    let access = try TestAccess()
    try access.save(team(ada, [ada]))
    for change in [{ $0.leader.name = "new" }, { $0.members[0].name = "new" }]
      as [(inout Team) -> Void]
    {
      var read = try #require(try access.getRow(ofType: Team.self, forPrimaryKeyValue: "t"))
      change(&read)
      let error = #expect(throws: ProviderError.self) { try access.save(read) }
      #expect(error?.code == .conflictingCopies)
      #expect(error?.table == "Member" && error?.column == "id")
      #expect(error?.message.contains("'ada'") == true)
      #expect(try access.getRows(ofType: Member.self) == [ada])
      // Equal changes in both copies are not a conflict.
      read.leader.name = "new"
      read.members[0].name = "new"
      try access.save(read)
      #expect(try access.getRows(ofType: Member.self).map(\.name) == ["new"])
      try access.save(ada)
    }
  }

  @Test func `are refused if two instances of one row differ`() throws {
    let access = try TestAccess()
    let same = [Worker("a", boss: Worker("x", id: 7)), Worker("b", boss: Worker("x", id: 7))]
    try access.save(same)
    #expect(try access.rowCount(forType: Worker.self) == 3)
    let other = [Worker("a", boss: Worker("x", id: 7)), Worker("b", boss: Worker("y", id: 7))]
    let error = #expect(throws: ProviderError.self) { try access.save(other) }
    #expect(error?.code == .conflictingCopies && error?.table == "Worker")
    #expect(other.map(\.id) == [0, 0])
    // The referenced objects belong to them: two new instances are two rows.
    let third = [
      Worker("a", boss: Worker("x", id: 8, boss: Worker("new"))),
      Worker("b", boss: Worker("x", id: 8, boss: Worker("new"))),
    ]
    #expect(throws: ProviderError.self) { try access.save(third) }
    third[1].boss?.boss = third[0].boss?.boss
    try access.save(third)
    #expect(third[0].boss?.boss?.id == third[1].boss?.boss?.id)
  }

  @Test func `save their new rows`() throws {
    let access = try TestAccess()
    var small = Box(id: "small", label: .init(text: "l"))
    small.more.storage = [.init(text: "1"), .init(text: "2"), .init(text: "1")]
    var large = Box(id: "large")
    large.inner.storage = [small, small]
    var largest = Box(id: "largest")
    largest.inner.storage = [large, small]
    try access.save(largest)
    #expect(try access.rowCount(forType: Box.self) == 3)
    #expect(try access.rowCount(forType: Box.Label.self) == 6)
    let read = try #require(try access.getRow(ofType: Box.self, forPrimaryKeyValue: "small"))
    #expect(read.more.map(\.text) == ["1", "2", "1"])
    largest.inner[1].more.storage.removeLast()
    let error = #expect(throws: ProviderError.self) { try access.save(largest) }
    #expect(error?.code == .conflictingCopies && error?.message.contains("'small'") == true)
  }

  @Test func `are one row if they are one new instance`() throws {
    let access = try TestAccess()
    let counter = Counter()
    let keys: [Record.Key] = try access.save([counter, Counter(), counter])
    #expect(keys == [1, 2, 1] && counter.id == 1)
    #expect(try access.rowCount(forType: Counter.self) == 2)
    let worker = Worker("w")
    #expect(try access.save([worker, worker]) as [Record.Key] == [1, 1])
    #expect(try access.rowCount(forType: Worker.self) == 1)
    var list = [worker, worker]
    try access.save(&list)
    #expect(try access.rowCount(forType: Worker.self) == 1)
    let person = Person(firstName: "f", lastName: "l")
    person.id = ""
    let made = try access.save([person, person])
    #expect(made[0] == made[1] && made[0].text?.count == 36)
    #expect(try access.rowCount(forType: Person.self) == 1)
  }

  @Test func `are saved one after another if passed as an array`() throws {
    let access = try TestAccess()
    try access.save([Word(id: "a", text: "1"), Word(id: "a", text: "2")])
    #expect(try access.getRows(ofType: Word.self) == [Word(id: "a", text: "2")])
    let bob = Member(id: "bob")
    try access.save([team(ada, [ada]), Team(id: "u", leader: bob), team(bob, [bob])])
    let read = try #require(try access.getRow(ofType: Team.self, forPrimaryKeyValue: "t"))
    #expect(read == team(bob, [bob]))
    #expect(try access.rowCount(forType: Member.self) == 2)
  }

  @Test func `are equal if one has loaded more than the other`() throws {
    let access = try TestAccess()
    let ada = Student(id: "ada")
    try access.save(
      [
        Course(
          id: "math",
          students: .init(
            name: "Enrolment", leftKeyName: "course", rightKeyName: "student",
            storage: [ada, Student(id: "bob")])),
        Course(
          id: "art",
          students: .init(
            name: "Enrolment", leftKeyName: "course", rightKeyName: "student", storage: [ada])),
      ])
    let courses = try access.getRows(ofType: Course.self, orderedBy: "id")
    let apart = try access.getRows(ofType: Course.self, orderedBy: "id DESC")
    try access.save(courses + apart)
    try access.save(
      Student(
        id: "new",
        courses: .init(
          name: "Enrolment", leftKeyName: "student", rightKeyName: "course",
          storage: courses + apart)))
    let read = try access.connection.rows("SELECT course, student FROM Enrolment ORDER BY 1, 2")
    #expect(
      read == [
        ["art", "ada"], ["art", "new"], ["math", "ada"], ["math", "bob"], ["math", "new"],
      ])
  }
}

@Suite struct `Instances of subclasses` {
  class Base: DataTable {
    var id = ""
    var name = ""
    required init() {}
  }

  final class Derived: Base {
    var extra = "x"
    required init() { super.init() }
    init(_ id: String, extra: String = "x") {
      super.init()
      self.id = id
      self.extra = extra
    }
    required init(from decoder: any Decoder) throws {
      try super.init(from: decoder)
      extra = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .extra)
    }
    override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(extra, forKey: .extra)
    }
    enum Key: CodingKey { case extra }
  }

  struct Holder: DataTable {
    var id = "h"
    var list = CrossReference<Base>(name: "BaseOfHolder")
    var one: Base?
  }

  @Test func `are rows of their type's table`() throws {
    let access = try TestAccess()
    try access.save(Derived("a", extra: "kept"))
    #expect(try access.tables == ["Derived"])
    #expect(try access.getRows(ofType: Derived.self).map(\.extra) == ["kept"])
    #expect(try access.delete(Derived("a")))
  }

  @Test func `are refused as instances of the superclass`()
    throws
  {
    let access = try TestAccess()
    try access.registerTableSchema(Holder.self)
    let derived = Derived("a")
    let deeds: [() throws -> Void] = [
      { try access.save(derived as Base) },
      { try access.save([Base(), derived] as [Base]) },
      { try access.save(Holder(one: derived)) },
      { try access.save(Holder(list: .init(name: "BaseOfHolder", storage: [Base(), derived]))) },
      { try access.delete(derived as Base) },
    ]
    for deed in deeds {
      let error = #expect(throws: ProviderError.self) { try access.write { _ in try deed() } }
      #expect(error?.code == .schemaMismatch && error?.table == "Base")
      #expect(error?.message.contains("Derived") == true)
    }
    #expect(try access.rowCount(forType: Base.self) == 0)
  }

  @Test func `are not read as instances of the superclass`() throws {
    let access = try TestAccess()
    try access.save(Derived("a"))
    let type: Base.Type = Derived.self
    let deeds: [() throws -> Void] = [
      { _ = try access.getRows(ofType: type) }, { try access.dropTable(type) },
      { _ = try access.getRow(ofType: type, forPrimaryKeyValue: "a") },
      { _ = try access.updateTableSchema(type) }, { try access.registerTableSchema(type) },
      { _ = try access.make(type) },
    ]
    for deed in deeds {
      let error = #expect(throws: ProviderError.self) { try deed() }
      #expect(error?.code == .schemaMismatch && error?.table == "Base")
    }
    let any: any DataTable.Type = Derived.self
    #expect(try access.rowCount(forType: any) == 1)
  }
}

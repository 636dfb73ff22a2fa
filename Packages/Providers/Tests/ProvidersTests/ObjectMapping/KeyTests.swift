import Foundation
import SQLiteCore
import Testing

@testable import Providers

struct Word: DataTable, Equatable {
  var id = ""
  var text = ""
}

struct Place: DataTable, Equatable {
  static let primaryKeyColumns = ["x", "y"]
  var x = 0
  var y = ""
  var note: String?
}

struct Ticket: KeyedDataTable, Equatable {
  static let primaryKeyType = DataTableKeyType.autoUUIDString
  var id = ""
  var seat = 0
  var primaryKeyValue: String {
    get { id }
    set { id = newValue }
  }
}

final class Counter: KeyedDataTable {
  static let primaryKeyType = DataTableKeyType.autoIncrementingInt
  var id: Int?
  var count = 0
  var primaryKeyValue: Int {
    get { id ?? -1 }
    set { id = newValue }
  }
}

struct OnlyKey: DataTable, Equatable {
  static let primaryKeyType = DataTableKeyType.autoIncrementingInt
  var id = -1
}

@Suite struct `Keys of objects` {
  @Test func `of the application are inserted once, then updated`() throws {
    let access = try TestAccess()
    #expect(try access.save(Word(id: "a", text: "1")) == "a")
    #expect(try access.save(Word(id: "a", text: "2")) == "a")
    #expect(try access.getRows(ofType: Word.self) == [Word(id: "a", text: "2")])
    #expect(try access.makeID(Word.self) == nil)
    #expect(try access.make(Word.self) == Word())
    #expect(try access.hasRow(forType: Word.self, matchingPrimaryKey: "a"))
    #expect(try !access.hasRow(forType: Word.self, matchingPrimaryKey: "b"))
  }

  @Test func `with several columns find their row`() throws {
    let access = try TestAccess()
    #expect(try access.save(Place(x: 1, y: "a", note: "n")) == [1, "a"])
    try access.save([Place(x: 1, y: "b"), Place(x: 1, y: "a", note: "m")])
    #expect(try access.rowCount(forType: Place.self) == 2)
    let key: Record.Key = [1, "a"]
    let place = try access.getRow(ofType: Place.self, forPrimaryKeyValue: key)
    #expect(place == Place(x: 1, y: "a", note: "m"))
    #expect(try access.delete(Place(x: 1, y: "b")))
    #expect(try !access.hasRow(forType: Place.self, matchingPrimaryKey: [1, "b"] as Record.Key))
  }

  @Test func `with AUTOINCREMENT are never reused`() throws {
    let access = try TestAccess()
    #expect(try access.makeID(OnlyKey.self) as? Int == 1)
    #expect(try access.save([OnlyKey(), OnlyKey(id: 7), OnlyKey()]) == [1, 7, 8])
    try access.delete(OnlyKey(id: 8))
    #expect(try access.makeID(OnlyKey.self) as? Int == 9)
    #expect(try access.save(OnlyKey()) == 9)
    #expect(try access.save(OnlyKey(id: 7)) == 7)
    #expect(try access.make(OnlyKey.self) == OnlyKey(id: 10))
  }

  @Test func `that are computed follow the largest key`() throws {
    let access = try TestAccess()
    #expect(try access.make(Category.self).id == 1)
    let category = Category()
    category.id = 40
    try access.save(category)
    #expect(try access.make(Category.self).id == 41)
    #expect(try access.save(Category()) == 41)
    category.id = .max
    try access.save(category)
    let error = #expect(throws: ProviderError.self) { try access.makeID(Category.self) }
    #expect(error?.code == .limitExceeded && error?.table == "Categories")
  }

  @Test func `beyond the largest number are refused, not random`() throws {
    let access = try TestAccess()
    let category = Category()
    category.id = .max - 1
    try access.save(category)
    #expect(try access.save(Category()) == Record.Key(.integer(.max)))
    for new in [[Category()], [category, Category()]] {
      let error = #expect(throws: ProviderError.self) { try access.save(new) }
      #expect(error?.code == .limitExceeded && error?.table == "Categories")
    }
    #expect(try access.rowCount(forType: Category.self) == 2)
    // A key counted by SQLite can have been used and deleted.
    try access.save(Player(id: .max))
    try access.delete(Player(id: .max))
    let others: [() throws -> Void] = [
      { _ = try access.save(Player()) as Int }, { _ = try access.save(Friend("new")) as Int },
    ]
    let last = Friend("last")
    last.id = .max
    try access.save(last)
    for save in others {
      let error = #expect(throws: ProviderError.self) { try access.write { _ in try save() } }
      #expect(error?.code == .limitExceeded && error?.column == "id")
    }
    let error = #expect(throws: ProviderError.self) { try access.save([Friend("a"), last]) }
    #expect(error?.code == .limitExceeded)
  }

  @Test func `that are UUIDs are generated if not set`() throws {
    let access = try TestAccess()
    var ticket = Ticket(seat: 4)
    let key: String = try access.save(&ticket)
    #expect(UUID(uuidString: key) != nil && ticket.id == key)
    #expect(try access.getRow(ofType: Ticket.self, forKey: key) == ticket)
    #expect(UUID(uuidString: try access.make(Ticket.self).id) != nil)
    #expect(UUID(uuidString: try access.makeID(Ticket.self) as? String ?? "") != nil)
  }

  @Test func `are written back into instances of classes`() throws {
    let access = try TestAccess()
    let counters = [Counter(), Counter()]
    try access.save(counters)
    #expect(counters.map(\.id) == [1, 2])
    let third = Counter()
    #expect(try access.save(third) as Int == 3)
    #expect(third.id == 3)
  }

  @Test func `are not written back if saving fails`() throws {
    let access = try TestAccess()
    try access.connection.execute(
      "CREATE TABLE Counter (id INTEGER PRIMARY KEY AUTOINCREMENT, count INTEGER CHECK (count < 5))"
    )
    let counters = [Counter(), Counter()]
    counters[1].count = 9
    #expect(throws: SQLiteError.self) { try access.save(counters) }
    #expect(counters.map(\.id) == [nil, nil])
    #expect(try access.rowCount(forType: Counter.self) == 0)
  }

  @Test func `of another type are refused`() throws {
    let access = try TestAccess()
    try access.save(Word(id: "1"))
    try access.save(Category())
    #expect(try access.getRow(ofType: Word.self, forPrimaryKeyValue: 1)?.id == "1")
    #expect(try !access.hasRow(forType: Word.self, matchingPrimaryKey: 2))
    var error = #expect(throws: ProviderError.self) {
      try access.getRow(ofType: Word.self, forPrimaryKeyValue: 1.5)
    }
    #expect(error?.code == .wrongKeyType && error?.table == "Word" && error?.column == "id")
    error = #expect(throws: ProviderError.self) {
      try access.hasRow(forType: Category.self, matchingPrimaryKey: "1")
    }
    #expect(error?.code == .wrongKeyType)
    error = #expect(throws: ProviderError.self) {
      try access.getRow(ofType: Place.self, forPrimaryKeyValue: 1)
    }
    #expect(error?.code == .wrongKeyType)
    error = #expect(throws: ProviderError.self) {
      try access.hasRow(forType: Word.self, matchingPrimaryKey: String?.none)
    }
    #expect(error?.code == .missingKey)
    #expect(try !access.hasRow(forType: Category.self, matchingPrimaryKey: UInt8(9)))
  }

  @Test func `that a type can't have are refused`() throws {
    struct NoKey: DataTable { var name = "" }
    struct TextKey: DataTable {
      static let primaryKeyType = DataTableKeyType.computedInt
      var id = ""
    }
    struct PartKey: DataTable { var id = [1] }
    struct Two: DataTable {
      static let primaryKeyColumns = ["a", "b"]
      static let primaryKeyType = DataTableKeyType.autoIncrementingInt
      var a = 0
      var b = 0
    }
    struct Child: DataTable {
      var id = 0
      var parent = Place()
    }
    let access = try TestAccess()
    func code(_ type: (some DataTable).Type) -> ProviderError.Code? {
      #expect(throws: ProviderError.self) { try access.registerTableSchema(type) }?.code
    }
    #expect(code(NoKey.self) == .missingKey)
    #expect(code(TextKey.self) == .wrongKeyType)
    #expect(code(PartKey.self) == .wrongKeyType)
    #expect(code(Two.self) == .wrongKeyType)
    #expect(code(Child.self) == .wrongKeyType)
    #expect(try access.tables.isEmpty)
  }

  @Test func `that are missing are refused`() throws {
    struct Maybe: DataTable { var id: String? }
    let access = try TestAccess()
    var error = #expect(throws: ProviderError.self) { try access.save(Maybe()) }
    #expect(error?.code == .missingKey)
    #expect(try access.tables.isEmpty)
    try access.save(Counter())
    error = #expect(throws: ProviderError.self) { try access.delete(Counter()) }
    #expect(error?.code == .missingKey)
  }
}

/// Errors with keys of several columns, or of other types.
@Suite struct `Keys in unusual places` {
  struct Turned: DataTable {
    static let primaryKeyColumns = ["b", "a"]
    var a = ""
    var b = ""
    init() {}
    init(_ a: String, _ b: String) { (self.a, self.b) = (a, b) }
  }

  final class Child: KeyedDataTable {
    static let primaryKeyType = DataTableKeyType.autoIncrementingInt
    var id = 0
    var primaryKeyValue: Int {
      get { id }
      set { id = newValue }
    }
    init() {}
  }

  struct Parent: KeyedDataTable {
    static let primaryKeyType = DataTableKeyType.autoIncrementingInt
    var id = 0
    var child = Child()
    var primaryKeyValue: Int {
      get { id }
      set { id = newValue }
    }
  }

  struct Leaf: DataTable {
    static let primaryKeyType = DataTableKeyType.autoUUIDString
    var id = ""
  }

  struct Tree: DataTable {
    static let primaryKeyType = DataTableKeyType.computedInt
    var id = 0
    var leaves = CrossReference<Leaf>(name: "LeavesOfTree")
  }

  @Test func `that are computed identify the row of a later save`() throws {
    struct Note: DataTable, Equatable {
      static let primaryKeyType = DataTableKeyType.computedInt
      var id = 0
      var text = ""
    }
    final class Page: DataTable {
      static let primaryKeyType = DataTableKeyType.computedInt
      var id = 0
      var text = ""
    }
    let access = try TestAccess()
    var note = Note(text: "a")
    try access.save(&note)
    #expect(note == Note(id: 1, text: "a"))
    note.text = "b"
    try access.save(&note)
    try access.save(note)
    #expect(try access.getRows(ofType: Note.self) == [Note(id: 1, text: "b")])
    var notes = [Note(text: "c"), note]
    try access.save(&notes)
    #expect(notes.map(\.id) == [2, 1])
    var page = Page()
    page.text = "a"
    try access.save(&page)
    page.text = "b"
    try access.save(&page)
    #expect(try access.getRows(ofType: Page.self).map(\.text) == ["b"])
    let made = try access.make(Page.self)
    made.text = "c"
    try access.save(made)
    made.text = "d"
    try access.save(made)
    #expect(try access.getRows(ofType: Page.self).map(\.text) == ["b", "d"])
  }

  @Test func `with several columns are in the key's order`() throws {
    let access = try TestAccess()
    try access.save(Turned("2", "1"))
    let key = try access.save(Turned("1", "2"))
    #expect(key.values == ["2", "1"])
    #expect(try access.getRow(ofType: Turned.self, forPrimaryKeyValue: key)?.a == "1")
  }

  @Test func `are written back into objects that list elements refer to`() throws {
    let access = try TestAccess()
    var all = [Parent(), Parent()]
    try access.save(&all)
    try access.save(&all)
    #expect(all.map(\.child.id) == [1, 2])
    #expect(try access.rowCount(forType: Child.self) == 2)
  }

  @Test func `that are empty texts count as missing when a row is deleted`() throws {
    let access = try TestAccess()
    try access.save(Leaf())
    let error = #expect(throws: ProviderError.self) { try access.delete(Leaf()) }
    #expect(error?.code == .missingKey)
  }

  @Test func `of links can be at the largest position`() throws {
    let access = try TestAccess()
    var tree = Tree()
    tree.leaves.append(Leaf())
    let key = try access.save(tree)
    try access.write { connection in
      try connection.execute(
        "UPDATE LeavesOfTree SET position = ?", values: [Int64.max - 1])
    }
    tree = try #require(try access.getRow(ofType: Tree.self, forPrimaryKeyValue: key))
    for _ in 0..<3 { tree.leaves.append(Leaf()) }
    try access.save(tree)
    let loaded = try #require(try access.getRow(ofType: Tree.self, forPrimaryKeyValue: key))
    #expect(loaded.leaves.count == 4)
    #expect(loaded.leaves.first?.id == tree.leaves.first?.id)
  }
}

import SQLiteCore
import Testing

@testable import Providers

@Suite struct `Tables of links whose types have changed` {
  struct Part: DataTable {
    var id = ""
    var name = ""
  }
  struct List: DataTable {
    static let tableName = "List"
    var id = ""
    var parts = CrossReference<Part>(name: "PartOfList", leftKeyName: "owner")
  }
  struct Renamed: DataTable {
    static let tableName = "List"
    var id = ""
    var parts = CrossReference<Part>(
      name: "PartOfList", leftKeyName: "list", rightKeyName: "part")
  }
  struct NumberedPart: DataTable {
    static let tableName = "Part"
    var id = 0
    var name = ""
  }
  struct Numbered: DataTable {
    static let tableName = "List"
    var id = ""
    var parts = CrossReference<NumberedPart>(name: "PartOfList", leftKeyName: "owner")
  }
  struct Loop: DataTable {
    static let tableName = "Loop"
    var id = ""
    var next = CrossReference<Loop>(name: "LoopOfLoop", leftKeyName: "from", rightKeyName: "to")
  }
  struct Turned: DataTable {
    static let tableName = "Loop"
    var id = ""
    var next = CrossReference<Turned>(name: "LoopOfLoop", leftKeyName: "a", rightKeyName: "b")
  }
  struct Lone: DataTable {
    static let tableName = "Student"
    var id = ""
    var courses = CrossReference<Plain>(
      name: "Enrolment", leftKeyName: "student", rightKeyName: "course")
  }
  struct Plain: DataTable {
    static let tableName = "Course"
    var id = ""
  }

  private func provider() throws -> SQLiteProvider {
    let provider = SQLiteProvider()
    try provider.createSourceInMemory()
    return provider
  }

  @Test func `are renamed and keep their links`() throws {
    let provider = try provider()
    let parts = ["2", "1"].map { Part(id: $0) }
    try provider.save(
      List(id: "l", parts: .init(name: "PartOfList", leftKeyName: "owner", storage: parts)))
    var error = #expect(throws: ProviderError.self) { try provider.save(Renamed(id: "m")) }
    #expect(error?.code == .schemaMismatch && error?.table == "PartOfList")
    #expect(error?.column == "list" && error?.message.contains("updateTableSchema") == true)
    error = #expect(throws: ProviderError.self) { try provider.getRows(ofType: Renamed.self) }
    #expect(error?.code == .schemaMismatch && error?.column == "list")
    #expect(try provider.updateTableSchema(Renamed.self).losses.isEmpty)
    #expect(try provider.getRows(ofType: Renamed.self).map { $0.parts.map(\.id) } == [["2", "1"]])
    #expect(try provider.updateTableSchema(Renamed.self, dryRun: true).isEmpty)
    try provider.save(Renamed(id: "m"))
    // There is only one index.
    let indexes = try provider.query(
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'PartOfList' AND sql > ''"
    )
    #expect(indexes.count == 1)
  }

  @Test func `of one type are renamed by their positions in the key`() throws {
    let provider = try provider()
    var loop = Loop(id: "1")
    loop.next.storage = [Loop(id: "2"), Loop(id: "3")]
    try provider.save(loop)
    try provider.updateTableSchema(Turned.self)
    let read = try #require(try provider.getRow(ofType: Turned.self, forPrimaryKeyValue: "1"))
    #expect(read.next.map(\.id) == ["2", "3"])
  }

  @Test func `adopt the key's new type`() throws {
    let provider = try provider()
    let parts = ["7", "2"].map { Part(id: $0) }
    try provider.save(
      List(id: "l", parts: .init(name: "PartOfList", leftKeyName: "owner", storage: parts)))
    let error = #expect(throws: ProviderError.self) {
      try provider.updateTableSchema(Numbered.self)
    }
    #expect(error?.code == .lossyChange)
    try provider.updateTableSchema(Numbered.self, allowingLoss: true)
    #expect(try provider.getRows(ofType: Numbered.self).map { $0.parts.map(\.id) } == [[7, 2]])
    #expect(try provider.query("PRAGMA foreign_key_check").isEmpty)
    try provider.save(NumberedPart(id: 9))
  }

  @Test func `get an order for a new side`() throws {
    let provider = try provider()
    var lone = Lone(id: "s")
    lone.courses.storage = [Plain(id: "z"), Plain(id: "a")]
    try provider.save(lone)
    var error = #expect(throws: ProviderError.self) { try provider.save(Course(id: "c")) }
    #expect(error?.code == .schemaMismatch && error?.column == "reversePosition")
    error = #expect(throws: ProviderError.self) { try provider.getRows(ofType: Student.self) }
    #expect(error?.code == .schemaMismatch && error?.table == "Enrolment")
    #expect(try provider.updateTableSchema(Course.self).losses.isEmpty)
    let read = try #require(try provider.getRow(ofType: Student.self, forPrimaryKeyValue: "s"))
    #expect(read.courses.map(\.id) == ["z", "a"])
    try provider.save(Course(id: "c"))
    // Changing back would lose an order.
    error = #expect(throws: ProviderError.self) { try provider.updateTableSchema(Lone.self) }
    #expect(error?.code == .lossyChange)
  }

  @Test(arguments: ["", "WITHOUT ROWID"])
  func `without positions get the insertion order on each side`(
    options: String
  ) throws {
    let provider = try provider()
    // As created by Action Data, except for the key that a table without rowids needs.
    let key = options.isEmpty ? "" : ", PRIMARY KEY (student, course)"
    try provider.execute(
      """
      CREATE TABLE Student ('id' TEXT PRIMARY KEY NOT NULL UNIQUE);
      CREATE TABLE Course ('id' TEXT PRIMARY KEY NOT NULL UNIQUE);
      CREATE TABLE Enrolment ('student' TEXT, 'course' TEXT\(unsafe: key)) \(unsafe: options);
      INSERT INTO Student VALUES ('s'), ('t');
      INSERT INTO Course VALUES ('z'), ('a');
      INSERT INTO Enrolment VALUES ('t', 'z'), ('s', 'z'), ('s', 'a');
      """)
    #expect(try provider.updateTableSchema(Student.self).losses.isEmpty)
    let student = try #require(try provider.getRow(ofType: Student.self, forPrimaryKeyValue: "s"))
    let course = try #require(try provider.getRow(ofType: Course.self, forPrimaryKeyValue: "z"))
    if options.isEmpty {
      #expect(student.courses.map(\.id) == ["z", "a"])
      #expect(course.students.map(\.id) == ["t", "s"])
    } else {
      #expect(Set(student.courses.map(\.id)) == ["z", "a"])
      #expect(Set(course.students.map(\.id)) == ["t", "s"])
    }
    #expect(try provider.updateTableSchema(Student.self, dryRun: true).isEmpty)
    try provider.delete(course)
    #expect(try provider.countRows(inTable: "Enrolment") == 1)
  }

  @Test func `with duplicate links are refused and unchanged`() throws {
    let provider = try provider()
    try provider.execute(
      """
      CREATE TABLE Course ('id' TEXT PRIMARY KEY NOT NULL UNIQUE);
      CREATE TABLE Student ('id' TEXT PRIMARY KEY NOT NULL UNIQUE);
      CREATE TABLE Enrolment ('student' TEXT, 'course' TEXT);
      INSERT INTO Student VALUES ('s');
      INSERT INTO Course VALUES ('a');
      INSERT INTO Enrolment VALUES ('s', 'a'), ('s', 'a');
      """)
    let error = #expect(throws: SQLiteError.self) { try provider.updateTableSchema(Student.self) }
    #expect(error?.code == .constraintUnique)
    #expect(error?.message.contains("is not unique") == true)
    #expect(try provider.countRows(inTable: "Enrolment") == 2)
  }

  @Test func `can belong to types that share a table`() throws {
    struct Brief: DataTable {
      static let tableName = "List"
      var id = ""
    }
    struct Other: DataTable {
      static let tableName = "List"
      var id = ""
      var more = 0
    }
    struct Same: DataTable {
      var id = ""
      var list: List?
      var brief: Brief?
    }
    struct Different: DataTable {
      var id = ""
      var list: List?
      var other: Other?
    }
    let provider = try provider()
    try provider.updateTableSchema(Same.self)
    try provider.save(Same(id: "s", list: List(id: "l"), brief: Brief(id: "l")))
    #expect(try provider.rowCount(forType: Brief.self) == 1)
    let error = #expect(throws: ProviderError.self) {
      try provider.updateTableSchema(Different.self)
    }
    #expect(error?.code == .schemaMismatch && error?.table == "List")
  }

  @Test func `are recreated if they lack foreign keys or the primary key`() throws {
    let provider = try provider()
    try provider.save([Part(id: "p")])
    try provider.execute("CREATE TABLE List (id TEXT PRIMARY KEY NOT NULL)")
    try provider.execute("CREATE TABLE PartOfList (owner TEXT, rightID TEXT, position INTEGER)")
    try provider.execute("INSERT INTO List VALUES ('l')")
    try provider.execute("INSERT INTO PartOfList VALUES ('l', 'p', 0)")
    try provider.updateTableSchema(List.self)
    #expect(try provider.getRows(ofType: List.self).map { $0.parts.map(\.id) } == [["p"]])
    try provider.delete(Part(id: "p"))
    #expect(try provider.countRows(inTable: "PartOfList") == 0)
  }

  @Test func `with a new reference property are changed if there are no rows`() throws {
    struct Old: DataTable {
      static let tableName = "Owned"
      var id = ""
    }
    struct Needed: DataTable {
      static let tableName = "Owned"
      var id = ""
      var part = Part()
    }
    struct Wanted: DataTable {
      static let tableName = "Owned"
      var id = ""
      var part: Part?
      var parts = CrossReference<Part>(name: "PartOfOwned")
    }
    let provider = try provider()
    try provider.registerTableSchema(Old.self)
    #expect(try !provider.updateTableSchema(Needed.self, dryRun: true).isEmpty)
    try provider.save(Old(id: "a"))
    for isDry in [true, false] {
      let error = #expect(throws: ProviderError.self) {
        try provider.updateTableSchema(Needed.self, allowingLoss: true, dryRun: isDry)
      }
      #expect(error?.code == .schemaMismatch && error?.table == "Owned")
      #expect(error?.column == "part" && error?.message.contains("optional") == true)
    }
    try provider.updateTableSchema(Wanted.self)
    var row = try #require(try provider.getRows(ofType: Wanted.self).first)
    #expect(row.part == nil && row.parts.isEmpty)
    row.part = Part(id: "p")
    row.parts.append(Part(id: "p"))
    try provider.save(row)
    // It can be required once all rows have a value.
    try provider.updateTableSchema(Needed.self)
    #expect(try provider.getRows(ofType: Needed.self).map(\.part.id) == ["p"])
  }
}

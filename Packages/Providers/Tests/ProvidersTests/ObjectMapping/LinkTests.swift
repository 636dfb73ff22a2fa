import SQLiteCore
import Testing

@testable import Providers

@Suite struct `Tables of links that two sides have` {
  final class Relative: KeyedDataTable {
    static let primaryKeyType = DataTableKeyType.computedInt
    var id = 0
    var name = ""
    var children = CrossReference<Relative>(
      name: "Family", leftKeyName: "parent", rightKeyName: "child")
    var parents = CrossReference<Relative>(
      name: "family", leftKeyName: "Child", rightKeyName: "Parent")
    var primaryKeyValue: Int {
      get { id }
      set { id = newValue }
    }
    init() {}
    init(_ name: String, children: [Relative] = []) {
      self.name = name
      self.children.storage = children
    }
  }

  private func course(_ id: String, _ students: [String] = []) -> Course {
    var course = Course(id: id)
    course.students.storage = students.map { Student(id: $0) }
    return course
  }

  private func student(_ id: String, _ courses: [String] = []) -> Student {
    var student = Student(id: id)
    student.courses.storage = courses.map { Course(id: $0) }
    return student
  }

  private func students(_ access: TestAccess, _ id: String) throws -> [String] {
    try #require(try access.getRow(ofType: Course.self, forPrimaryKeyValue: id)).students.map(\.id)
  }

  private func courses(_ access: TestAccess, _ id: String) throws -> [String] {
    try #require(try access.getRow(ofType: Student.self, forPrimaryKeyValue: id)).courses.map(\.id)
  }

  @Test func `keep one side's order when the other's is changed`() throws {
    let access = try TestAccess()
    try access.save([course("c1", ["s1", "s2", "s3"])])
    var s1 = try #require(try access.getRow(ofType: Student.self, forPrimaryKeyValue: "s1"))
    s1.courses.storage.insert(contentsOf: [Course(id: "c0"), Course(id: "c2")], at: 0)
    try access.save(s1)
    #expect(try students(access, "c1") == ["s1", "s2", "s3"])
    #expect(try courses(access, "s1") == ["c0", "c2", "c1"])
    var c1 = try #require(try access.getRow(ofType: Course.self, forPrimaryKeyValue: "c1"))
    c1.students.storage.reverse()
    try access.save(c1)
    #expect(try students(access, "c1") == ["s3", "s2", "s1"])
    #expect(try courses(access, "s1") == ["c0", "c2", "c1"])
    // An element added on one side is last on the other.
    func add(_ id: String) throws {
      let student = try access.getRow(ofType: Student.self, forPrimaryKeyValue: "s1")
      var course = Course(id: id)
      course.students.append(try #require(student))
      try access.save(course)
    }
    try add("b")
    #expect(try courses(access, "s1") == ["c0", "c2", "c1", "b"])
    try access.connection.execute("UPDATE Enrolment SET reversePosition = \(Int64.max)")
    try add("a")
    #expect(try courses(access, "s1") == ["b", "c0", "c1", "c2", "a"])
  }

  @Test func `do not depend on which type is saved first`() throws {
    let one = try TestAccess()
    try one.save(course("c", ["s"]))
    let other = try TestAccess()
    try other.save(student("s", ["c"]))
    let sql = "SELECT sql FROM sqlite_schema WHERE name LIKE 'Enrolment%' ORDER BY name"
    #expect(try one.connection.rows(SQL(unsafe: sql)) == other.connection.rows(SQL(unsafe: sql)))
    let row = "SELECT course, student, position, reversePosition FROM Enrolment"
    #expect(try one.connection.rows(SQL(unsafe: row)) == [["c", "s", 0, 0]])
    #expect(try other.connection.rows(SQL(unsafe: row)) == [["c", "s", 0, 0]])
    #expect(try one.updateTableSchema(Student.self, dryRun: true).isEmpty)
    #expect(try one.updateTableSchema(Course.self, dryRun: true).isEmpty)
  }

  @Test func `can belong to one type and have names that differ in case`() throws {
    let access = try TestAccess()
    let last = Relative("c")
    let ada = Relative("a", children: [Relative("b"), last])
    try access.save(ada)
    var read = try #require(try access.getRow(ofType: Relative.self, forKey: last.id))
    #expect(read.parents.map(\.name) == ["a"] && read.children.isEmpty)
    #expect(read.parents[0].children.map(\.name) == ["b"])
    #expect(read.parents[0].children.unloadedCount == 1)
    read.parents.insert(Relative("z"), at: 0)
    try access.save(read)
    read = try #require(try access.getRow(ofType: Relative.self, forKey: last.id))
    #expect(read.parents.map(\.name) == ["z", "a"])
    let again = try #require(try access.getRow(ofType: Relative.self, forKey: ada.id))
    #expect(again.children.map(\.name) == ["b", "c"])
    again.children.removeAll()
    try access.save(again)
    read = try #require(try access.getRow(ofType: Relative.self, forKey: last.id))
    #expect(read.parents.map(\.name) == ["z"])
    #expect(try access.updateTableSchema(Relative.self, dryRun: true).isEmpty)
  }

  @Test func `keep a link that only one side has loaded`() throws {
    let access = try TestAccess()
    let s = student("s", ["a"])
    var c = course("c", ["t"])
    c.students.append(s)
    try access.save(c)
    // `s` does not contain `c`, whose list contains `s`.
    #expect(try students(access, "c") == ["t", "s"])
    #expect(try courses(access, "s") == ["a", "c"])
  }

  @Test func `are refused if other lists use them`() throws {
    struct Thief: DataTable {
      var id = ""
      var words = CrossReference<Word>(name: "BagWord")
      var bag: Bag?
    }
    struct Twice: DataTable {
      var id = ""
      var friends = CrossReference<Word>(name: "WordOfTwice")
      var enemies = CrossReference<Word>(name: "WordOfTwice")
    }
    struct Flat: DataTable {
      var id = ""
      var words = CrossReference<Word>(name: "FlatWord", leftKeyName: "a", rightKeyName: "A")
    }
    struct Taken: DataTable {
      var id = ""
      var words = CrossReference<Word>(name: "TakenWord", leftKeyName: "Position")
    }
    struct Row: DataTable {
      var id = ""
      var words = CrossReference<Word>(name: "WORD")
    }
    let access = try TestAccess()
    for type in [Thief.self, Twice.self, Flat.self, Taken.self, Row.self] as [any DataTable.Type] {
      for deed in [
        { try access.registerTableSchema(type) }, { _ = try access.updateTableSchema(type) },
      ] as [() throws -> Void] {
        let error = #expect(throws: ProviderError.self) { try deed() }
        #expect(error?.code == .schemaMismatch)
      }
    }
    #expect(try access.tables.isEmpty)
  }
}

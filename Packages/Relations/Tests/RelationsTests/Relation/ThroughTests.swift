import Relations
import SQLiteCore
import Testing

@Suite struct `Lists through other tables` {
  static func courses() async throws -> [Course] {
    try await [Teacher(id: 1, name: "Zoe"), Teacher(id: 2, name: "Ann")].save()
    return try await [
      Course(id: 1, name: "Logic", teacher: OneRelation(1)),
      Course(id: 2, name: "Music", teacher: OneRelation(2)),
      Course(id: 3, name: "Greek", teacher: OneRelation(1)),
      Course(id: 4, name: "Chess"),
    ].save()
  }

  @Test func `insert links with further columns, and delete them`() async throws {
    try await withSession { session in
      let courses = try await Self.courses()
      let student = try await Student.create()
      student.courses.append([courses[0]])
      try student.courses.append(courses[1], link: Enrolment(grade: 2))
      student.courses.append([courses[3], courses[1]])
      #expect(student.courses.items.map(\.id) == [1, 2, 4, 2])
      try await student.save()
      let links = try await student.courses.links(Enrolment.self)
      #expect(links.map(\.course.key) == [1, 2, 4, 2])
      #expect(links.map(\.grade) == [nil, 2, nil, nil])
      #expect(links.map(\.student.key) == [student.id, student.id, student.id, student.id])
      #expect(try links[1].course.loaded()?.name == "Music")

      // Of two links to one row, the intended one is deleted.
      student.courses.remove(at: 1)
      try await student.save()
      #expect(try await student.courses.links(Enrolment.self).map(\.grade) == [nil, nil, nil])
      let other = try await ModelSession(session.database).fetch(Student.self, student.id)
      try await other.courses.fetch()
      #expect(try other.courses.loaded().map(\.id) == [1, 4])
      #expect(other.courses.hasMore)
      try await other.courses.fetch()
      #expect(try other.courses.loaded().map(\.id) == [1, 4, 2])
      #expect(!other.courses.hasMore)
      #expect(try await other.courses.totalCount() == 3)
      var changed = links[0]
      changed.grade = 5
      try await changed.save()
      #expect(try await Enrolment.fetchQuery("WHERE grade = 5").count == 1)
      let wrong = #expect(throws: RelationError.self) {
        try student.courses.append(courses[0], link: Lesson())
      }
      #expect(wrong?.code == .schemaMismatch)
    }
  }

  @Test
  func `are read with one statement for all owners, in the order of the links`() async throws {
    try await withLoggedSession { session, log in
      _ = try await Self.courses()
      try await session.prepare(Student.Value.self)
      try await session.database.write { connection in
        try connection.execute("INSERT INTO Student (id, name) VALUES (1, 'a'), (2, 'b'), (3, 'c')")
        try connection.execute(
          """
          INSERT INTO Enrolment (id, student, course, grade)
          VALUES (1, 1, 1, NULL), (2, 1, 2, 3), (3, 1, 3, 9), (4, 2, 4, 1), (5, 2, 1, 1)
          """)
        try connection.execute(
          "INSERT INTO Lesson (id, course) VALUES (1, 1), (2, 1), (3, 2), (4, 4)")
      }
      let students = try await Student.fetchQuery("ORDER BY id")
      let statements = try await log.recordStatements {
        try await students.load {
          $0.with(\.courses, limit: 2).with(\.value.byGrade).with(\.value.teachers)
            .with(\.value.lessons, limit: 2)
        }
      }
      #expect(statements.count == 4)
      #expect(try students.map { try $0.courses.loaded().map(\.id) } == [[1, 2], [4, 1], []])
      #expect(students.map(\.courses.hasMore) == [true, false, false])
      #expect(
        try students.map { try $0.value.byGrade.loaded().map(\.id) } == [[3, 2, 1], [4, 1], []])
      // Each row occurs once, regardless of the number of paths to it.
      #expect(
        try students.map { try $0.value.teachers.loaded().map(\.name) }
          == [["Ann", "Zoe"], ["Zoe"], []])
      #expect(
        try students.map { try $0.value.lessons.loaded().map(\.id) } == [[1, 2], [1, 2], []])
      #expect(students.map(\.value.lessons.hasMore) == [true, true, false])
      try await students[0].value.lessons.fetch()
      #expect(try students[0].value.lessons.loaded().map(\.id) == [1, 2, 3])
      #expect(!students[0].value.lessons.hasMore)
      #expect(try await students[0].value.teachers.totalCount() == 2)
      #expect(try await students[0].value.byGrade.totalCount() == 3)
      try await students[0].courses.fetch()
      #expect(try students[0].courses.loaded().map(\.id) == [1, 2, 3])
    }
  }

  @Test func `of several steps can't be changed`() async throws {
    try await withSession { _ in
      _ = try await Self.courses()
      let student = try await Student.create()
      student.value.teachers.append([Teacher(id: 1)])
      let error = await #expect(throws: RelationError.self) { try await student.save() }
      #expect(error?.code == .readOnlyRelation)
      #expect(try await Student.fetchQuery().isEmpty)
    }
  }

  @Test func `are unchanged after a failed save`() async throws {
    try await withSession { session in
      _ = try await Self.courses()
      let student = try await Student.create()
      student.courses.append([Course(id: 99, name: "none")])
      await #expect(throws: SQLiteError.self) { try await student.save() }
      #expect(try await Enrolment.fetchQuery().isEmpty)
      try await Course(id: 99, name: "made").save()
      try await student.save()
      #expect(try await Enrolment.fetchQuery().map(\.course.key) == [99])
      try await session.saveChanges()
      #expect(try await Enrolment.fetchQuery().count == 1)
    }
  }
}

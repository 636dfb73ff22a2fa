import Relations
import SQLiteCore

final class Student: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Student"
    var id = 0
    var name = ""
    var courses = ManyRelation<Course>(
      through: \Enrolment.student, \Enrolment.course, initial: 2, limit: 2)
    var byGrade = ManyRelation<Course>(
      through: \Enrolment.student, \Enrolment.course, orderedBy: "grade DESC NULLS LAST")
    var teachers = ManyRelation<Teacher>(
      via: RelationPath(\Enrolment.student).to(\.course).to(\.teacher), orderedBy: "name")
    var lessons = ManyRelation<Lesson>(
      via: RelationPath(\Enrolment.student).to(\.course).from(\Lesson.course), initial: 2, limit: 2)
  }
  var value: Value
  init(_ value: Value) { self.value = value }
  var courses: ManyRelation<Course> { value.courses }
}

struct Enrolment: Table {
  var id: AutoId = 0
  var student = OneRelation<Student>(isRequired: true, onDelete: .cascade)
  var course = OneRelation<Course>(isRequired: true, onDelete: .cascade)
  var grade: Int?
}

struct Course: Table {
  var id = 0
  var name = ""
  var teacher = OneRelation<Teacher>()
}

struct Teacher: Table {
  var id = 0
  var name = ""
}

struct Lesson: Table {
  var id = 0
  var course = OneRelation<Course>()
}

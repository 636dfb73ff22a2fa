import QueryModel
import SQLSemantics
import Testing

@Suite struct `Definitions in transactions` {
  struct Case: CustomTestStringConvertible, Sendable {
    let script: String
    let tables: [String]
    var testDescription: String { script }
  }

  @Test(arguments: [
    Case(script: "BEGIN; CREATE TABLE a (x); COMMIT", tables: ["a"]),
    Case(script: "BEGIN; CREATE TABLE a (x); ROLLBACK", tables: []),
    Case(script: "CREATE TABLE a (x); BEGIN; DROP TABLE a; ROLLBACK", tables: ["a"]),
    Case(
      script: "SAVEPOINT s; CREATE TABLE a (x); ROLLBACK TO s; CREATE TABLE b (x); RELEASE s",
      tables: ["b"]),
    Case(
      script: "BEGIN; CREATE TABLE a (x); SAVEPOINT s; CREATE TABLE b (x); RELEASE s; ROLLBACK",
      tables: []),
    Case(
      script: """
        BEGIN; SAVEPOINT s; CREATE TABLE a (x); SAVEPOINT s; CREATE TABLE b (x); ROLLBACK TO s;
        RELEASE s; COMMIT
        """, tables: ["a"]),
    Case(script: "CREATE TABLE a (x); ROLLBACK; RELEASE s; ROLLBACK TO s", tables: ["a"]),
  ])
  func `exist unless they are rolled back`(_ expected: Case) {
    let database = Database(expected.script)
    #expect(database.catalog.tables().map(\.name) == expected.tables)
  }
}

import QueryGenTestSupport
import Testing

@testable import QueryGenDriver

@Suite struct `Faults` {
  @Test func `of all files are reported in one run, each with its line`() throws {
    let workspace = try Workspace([
      "Migrations/1.sql": "CREATE TABLE todo (id INTEGER, name TEXT);\n",
      "Migrations/2.sql": "CREATE TABLE list (id INTEGER,, name TEXT);\n",
      "Queries/A.sql": """
      DEFINE QUERY first AS
      SELECT nmae FROM todo;

      DEFINE QUERY second AS
      SELECT id FROM tood;

      """,
      "Queries/B.sql": "third: SELECT id FROM todo WHERE;\n",
    ])
    let outcome = workspace.driver.generate()
    let report = workspace.report(outcome)
    #expect(outcome.exitCode == 1)
    #expect(report.contains("Migrations/2.sql:1:31: error: "), "\(report)")
    #expect(report.contains("  CREATE TABLE list (id INTEGER,, name TEXT);\n"), "\(report)")
    #expect(report.contains("Queries/A.sql:2:8: error: "), "\(report)")
    #expect(report.contains("  SELECT nmae FROM todo;\n         ^~~~\n"), "\(report)")
    #expect(report.contains("Queries/A.sql:5:16: error: "), "\(report)")
    #expect(report.contains("Queries/B.sql:1:33: error: "), "\(report)")
    #expect(workspace.generated.isEmpty)
  }

  @Test func `that follow from another fault are not reported`() throws {
    let workspace = try Workspace([
      "Migrations/1.sql": "CREATE TABLE list (id INTEGER,, name TEXT);\n",
      "Queries/A.sql": "DEFINE QUERY lists AS SELECT * FROM list;\n",
    ])
    let outcome = workspace.driver.generate()
    #expect(outcome.errorCount == 1, "\(outcome.report)")
  }

  @Test func `are limited to a hundred for each file`() throws {
    let workspace = try Workspace([
      "Migrations/1.sql": String(repeating: "CREATE TABLE;\n", count: 1_000),
      "Queries/A.sql": String(repeating: "DEFINE QUERY x AS SELECT;\n", count: 1_000),
    ])
    let outcome = workspace.driver.generate()
    #expect(outcome.errorCount <= 200)
    #expect(outcome.errorCount > 100)
  }

  @Test(arguments: [
    ("getUser", "getUser", "a query named 'getUser' already exists"),
    ("getUser", "get_user", "the queries 'getUser' and 'get_user' are both 'getUser' in Swift"),
  ])
  func `include queries in two files with the same name`(
    _ first: String, _ second: String, _ message: String
  ) throws {
    let workspace = try Workspace([
      "Queries/A.sql": "DEFINE QUERY \(first) AS SELECT 1;\n",
      "Queries/B.sql": "-- Another.\nDEFINE QUERY \(second) AS SELECT 1;\n",
    ])
    let outcome = workspace.driver.check()
    let carets = "^" + String(repeating: "~", count: second.count - 1)
    #expect(
      workspace.report(outcome) == """
        Queries/B.sql:2:14: error: \(message)
          DEFINE QUERY \(second) AS SELECT 1;
                       \(carets)
        Queries/B.sql: note: the other query is in Queries/A.sql, line 1

        """)
  }

  @Test func `of the database's name are reported`() throws {
    let workspace = try Workspace.todo()
    let outcome = Driver(DriverOptions(path: workspace.path, databaseName: "my db")).check()
    #expect(
      outcome.report == "querygen: error: 'my db' is not a valid name for the database type\n")
  }
}

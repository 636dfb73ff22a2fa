import QueryGenTestSupport
import Testing

@testable import QueryGenDriver

@Suite struct `Foreign keys that SQLite can't check` {
  private let queries = ["Queries/A.sql": "one: SELECT 1;\n"]

  private func report(_ migrations: String...) throws -> String {
    var files = queries
    for (number, text) in migrations.enumerated() { files["Migrations/\(number + 1).sql"] = text }
    let workspace = try Workspace(files)
    return workspace.report(workspace.driver.check())
  }

  @Test func `to a missing table are reported with their place`() throws {
    #expect(
      try report(
        "CREATE TABLE author (id INTEGER PRIMARY KEY);\n",
        "CREATE TABLE book (\n  author INTEGER REFERENCES athor(id)\n);\n") == """
          Migrations/2.sql:2:18: warning: the table 'book' can't be used: its foreign key references `athor`, \
          which does not exist; did you mean `author`?
              author INTEGER REFERENCES athor(id)
                             ^~~~~~~~~~~~~~~~~~~~
                                        author

          """)
  }

  @Test func `to a missing column are reported with their place`() throws {
    #expect(
      try report(
        "CREATE TABLE author (key INTEGER PRIMARY KEY);\nCREATE TABLE book (a, b);\n",
        "ALTER TABLE book ADD COLUMN author INTEGER REFERENCES author(kye);\n") == """
          Migrations/2.sql:1:44: warning: the table 'book' can't be used: its foreign key references `kye`, \
          which is not a column of `author`; did you mean `key`?
            ALTER TABLE book ADD COLUMN author INTEGER REFERENCES author(kye);
                                                       ^~~~~~~~~~~~~~~~~~~~~~
                                                                         key

          """)
  }

  @Test func `to columns that are not unique are reported with their place`() throws {
    #expect(
      try report(
        """
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE book (a TEXT, FOREIGN KEY (a) REFERENCES author (name));

        """) == """
          Migrations/1.sql:2:44: warning: the table 'book' can't be used: its foreign key references columns of \
          `author` that are neither PRIMARY KEY nor UNIQUE
            CREATE TABLE book (a TEXT, FOREIGN KEY (a) REFERENCES author (name));
                                                       ^~~~~~~~~~~~~~~~~~~~~~~~

          """)
  }

  @Test func `are checked after the last migration`() throws {
    #expect(
      try report(
        "CREATE TABLE book (author REFERENCES author(name));\n",
        "CREATE TABLE author (name TEXT);\nCREATE UNIQUE INDEX names ON author (name);\n") == "")
  }

  @Test func `of a renamed table are reported with their place`() throws {
    let text = try report(
      "CREATE TABLE old (b REFERENCES gone);\n", "ALTER TABLE old RENAME TO new;\n")
    #expect(
      text.contains("Migrations/1.sql:1:21: warning: the table 'new' can't be used"), "\(text)")
  }
}

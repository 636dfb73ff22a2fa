import QueryGenDriver
import QueryGenTestSupport
import SQLiteCore
import Testing

@testable import QueryGenDatabase

@Suite struct `The schema` {
  @Test func `is shown in its state after the last migration`() throws {
    let workspace = try Workspace.library()
    let schema = workspace.driver.projectSchema()
    #expect(schema.outcome.report == "")
    #expect(
      schema.sql == """
        -- Who writes.
        CREATE TABLE author (
          id INTEGER PRIMARY KEY,
          name TEXT NOT NULL
        );

        CREATE TABLE book (
          id INTEGER PRIMARY KEY,
          title TEXT NOT NULL, -- as on the cover
          "author_id" INTEGER REFERENCES "author" (id),
          price REAL DEFAULT 1.5
        );

        CREATE UNIQUE INDEX "by name" ON author (name);

        CREATE INDEX by_title ON book (title COLLATE nocase) WHERE title <> '';

        CREATE VIEW titles AS SELECT title, name FROM book JOIN "author" ON "author".id = book."author_id";

        CREATE VIRTUAL TABLE word USING fts5(text, content='');

        CREATE TRIGGER shout AFTER INSERT ON book BEGIN
          UPDATE book SET title = upper(title) WHERE id = new.id;
        END;

        """)
  }

  @Test func `equals the one that SQLite creates from the migrations`() throws {
    let workspace = try Workspace.library()
    let comparison = try SchemaComparison(
      workspace.driver.projectSchema(), database: workspace.database())
    #expect(comparison.steps == "")
    #expect(comparison.isEqual)
  }

  @Test func `is compared with a database, which is not changed`() throws {
    let workspace = try Workspace.library()
    let database = try workspace.database()
    try workspace.execute(
      "DROP INDEX by_title; ALTER TABLE author ADD COLUMN born INTEGER; CREATE TABLE other (a);",
      on: database)
    let comparison = try SchemaComparison(
      workspace.driver.projectSchema(), database: database)
    #expect(!comparison.isEqual)
    #expect(
      comparison.steps.contains("DROP TABLE \"other\"")
        || comparison.steps.contains("DROP TABLE other"), "\(comparison.steps)")
    #expect(comparison.steps.contains("by_title"))
    #expect(comparison.losses.count == 2)
    let again = try SchemaComparison(workspace.driver.projectSchema(), database: database)
    #expect(again == comparison)
  }

  @Test func `is reached without data loss if renamings are specified`() throws {
    let workspace = try Workspace.library()
    let database = try workspace.database()
    try workspace.execute(
      """
      DROP VIEW titles;
      ALTER TABLE book RENAME COLUMN price TO "the.price";
      ALTER TABLE author RENAME TO writer;
      ALTER TABLE writer RENAME COLUMN name TO full_name;
      """, on: database)
    let project = workspace.driver.projectSchema()
    #expect(try SchemaComparison(project, database: database).losses.isEmpty == false)
    let renamings = ["writer=author", "writer.full_name=name", "book.\"the.price\"=price"]
      .compactMap { Renaming($0) }
    #expect(renamings.count == 3)
    let comparison = try SchemaComparison(project, database: database, renamings: renamings)
    #expect(comparison.losses == [])
    #expect(comparison.steps.contains("RENAME"))
    #expect(throws: SQLiteError.self) {
      try SchemaComparison(
        project, database: database, renamings: [Renaming(old: "nobody", new: "author")])
    }
  }

  @Test func `accepts names of renamings in quotes`() {
    #expect(Renaming("\"a \"\"b=.\".c=\"d\"") == Renaming(table: "a \"b=.", old: "c", new: "d"))
  }

  @Test(arguments: [
    "", "=", "a", "a=", "=b", "a.b", "a.b.c=d", "a=b=c", "a=b.c", ".a=b", "\"a=b", "\"\"=b",
    "a\"b=c",
  ])
  func `rejects renamings with invalid syntax`(_ text: String) {
    #expect(Renaming(text) == nil)
  }

  @Test func `of a file that is not a database is an error`() throws {
    let workspace = try Workspace.library()
    try workspace.write(
      "no database, but longer than a header of a hundred bytes: "
        + String(repeating: "x", count: 100), to: "app.sqlite")
    #expect(throws: SQLiteError.self) {
      try SchemaComparison(
        workspace.driver.projectSchema(), database: workspace.path + "/app.sqlite")
    }
    #expect(throws: SQLiteError.self) {
      try SchemaComparison(
        workspace.driver.projectSchema(), database: workspace.path + "/none.sqlite")
    }
  }
}

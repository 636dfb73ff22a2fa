import QueryGenDriver
import QueryGenTestSupport
import SQLiteCore

@testable import QueryGenDatabase

extension Workspace {
  var driver: Driver { Driver(DriverOptions(path: path)) }

  /// Creates a database that has applied the project's migrations.
  func database(_ name: String = "app.sqlite") throws -> String {
    let connection = try Connection(path: "\(path)/\(name)")
    try connection.migrate(
      driver.projectSchema().migrations.map { Migration(name: $0.name, sql: SQL(unsafe: $0.sql)) })
    try connection.close()
    return "\(path)/\(name)"
  }

  /// Creates a database that has applied a project's migrations, with placeholders for its functions.
  func database(_ schema: ProjectSchema) throws -> String {
    let connection = try Connection(
      path: "\(path)/app.sqlite", configuration: .scratch(schema.declarations))
    try connection.migrate(
      schema.migrations.map { Migration(name: $0.name, sql: SQL(unsafe: $0.sql)) })
    try connection.close()
    return "\(path)/app.sqlite"
  }

  /// Runs SQL on a database.
  func execute(_ sql: String, on path: String) throws {
    let connection = try Connection(path: path)
    try connection.execute(SQL(unsafe: sql))
    try connection.close()
  }
}

extension Workspace {
  /// A project with a history: its migrations rename, add and drop tables and columns.
  static func library() throws -> Workspace {
    try Workspace([
      "Migrations/001_library.sql": """
      -- Who writes.
      CREATE TABLE IF NOT EXISTS main.writer (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE book (
        id INTEGER PRIMARY KEY, title TEXT NOT NULL, -- as on the cover
        writer INTEGER REFERENCES writer (id), waste TEXT
      );
      create index by_title on book (title collate nocase) where title <> '';
      CREATE VIEW titles AS SELECT title, name FROM book JOIN writer ON writer.id = book.writer;
      CREATE TRIGGER shout AFTER INSERT ON book BEGIN
        UPDATE book SET title = upper(title) WHERE id = new.id;
      END;
      CREATE TABLE gone (a);
      """,
      "Migrations/002_words.sql": """
      CREATE VIRTUAL TABLE word USING fts5(text, content='');
      ALTER TABLE writer RENAME TO author;
      ALTER TABLE book RENAME COLUMN writer TO author_id;
      ALTER TABLE book ADD COLUMN price REAL DEFAULT 1.5;
      ALTER TABLE book DROP COLUMN waste;
      CREATE UNIQUE INDEX "by name" ON author (name);
      DROP TABLE gone;
      """,
      "Queries/Book.sql": "books: SELECT * FROM book;\n",
    ])
  }
}

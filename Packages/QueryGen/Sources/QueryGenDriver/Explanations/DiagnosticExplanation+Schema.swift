extension DiagnosticExplanation {
  /// Diagnostics of statements that define and change tables.
  static let schema: [DiagnosticExplanation] = [
    DiagnosticExplanation(
      "broken-object", severity: .warning,
      summary: "A view or trigger refers to something that does not exist.",
      details: """
        SQLite creates the object, but statements that use it fail; after the last migration, it \
        is a warning. A query that uses the object, or an `ALTER TABLE` that breaks it, is an \
        error.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        CREATE VIEW titles AS SELECT titel FROM book;
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        CREATE VIEW titles AS SELECT title FROM book;
        """),
    DiagnosticExplanation(
      "duplicate-column",
      summary: "A table has two columns of the same name.",
      details: """
        SQLite ignores the case of ASCII letters in names.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, Title TEXT);
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, subtitle TEXT);
        """),
    DiagnosticExplanation(
      "fails-with-rows", severity: .warning,
      summary: "The migration fails if the table already contains rows.",
      details: """
        SQLite accepts the statement only for an empty table: in others, an added column that is \
        `NOT NULL` needs a default, and neither a computed default nor a `STORED` column is \
        possible. The migration works as intended if no database has rows in the table yet.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        -- Migrations/2.sql
        ALTER TABLE book ADD COLUMN pages INTEGER NOT NULL;
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        -- Migrations/2.sql
        ALTER TABLE book ADD COLUMN pages INTEGER NOT NULL DEFAULT 0;
        """),
    DiagnosticExplanation(
      "foreign-key", severity: .warning,
      summary: "A foreign key refers to columns that are missing or not unique.",
      details: """
        SQLite creates the table, but rejects inserts if foreign keys are enforced. It is an error \
        if the number of columns differs, or if the table itself lacks a column of the key.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE book (title TEXT NOT NULL, author INTEGER REFERENCES authors (id));
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE book (title TEXT NOT NULL, author INTEGER REFERENCES author (id));
        """),
    DiagnosticExplanation(
      "invalid-definition",
      summary: "The definition of a table, index or trigger contradicts itself.",
      details: """
        Examples are an index on a view, an `INSTEAD OF` trigger on a table, or an `rtree` table \
        with an odd number of coordinates. SQLite rejects the same definitions.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        CREATE VIEW titles AS SELECT title FROM book;
        CREATE INDEX title ON titles (title);
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        CREATE VIEW titles AS SELECT title FROM book;
        CREATE INDEX title ON book (title);
        """),
    DiagnosticExplanation(
      "non-constant-default",
      summary: "A default value depends on a column, a parameter or a subquery.",
      details: """
        An expression in parentheses may call functions, such as `(datetime('now'))`. For a value \
        from the same row, use a generated column or a trigger.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (title TEXT NOT NULL, sort_title TEXT DEFAULT (lower(title)));
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE book (title TEXT NOT NULL, sort_title TEXT AS (lower(title)));
        """),
    DiagnosticExplanation(
      "not-alterable",
      summary: "`ALTER TABLE` can't make this change.",
      details: """
        SQLite does not add columns that are `PRIMARY KEY` or `UNIQUE`, drop columns that an index \
        or constraint uses, or alter views and virtual tables. A unique index can be created \
        separately; other changes need a new table.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        -- Migrations/2.sql
        ALTER TABLE book ADD COLUMN isbn TEXT UNIQUE;
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        -- Migrations/2.sql
        ALTER TABLE book ADD COLUMN isbn TEXT;
        CREATE UNIQUE INDEX book_isbn ON book (isbn);
        """),
    DiagnosticExplanation(
      "primary-key",
      summary: "A table's primary key is missing, defined twice, or not possible.",
      details: """
        `WITHOUT ROWID` requires a primary key, `AUTOINCREMENT` requires `INTEGER PRIMARY KEY`, \
        and a generated column can't be a part of the key.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, isbn TEXT PRIMARY KEY);
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, isbn TEXT UNIQUE);
        """),
    DiagnosticExplanation(
      "strict-type",
      summary: "A column of a `STRICT` table has no type, or an unknown one.",
      details: """
        The types are `INT`, `INTEGER`, `REAL`, `TEXT`, `BLOB` and `ANY`. Dates and Booleans are \
        stored as one of them.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title VARCHAR(100) NOT NULL) STRICT;
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL) STRICT;
        """),
  ]
}

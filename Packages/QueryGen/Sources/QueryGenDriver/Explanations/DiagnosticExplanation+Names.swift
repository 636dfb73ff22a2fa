extension DiagnosticExplanation {
  /// Diagnostics of names that refer to nothing, or to several objects.
  static let names: [DiagnosticExplanation] = [
    DiagnosticExplanation(
      "already-exists",
      summary: "The name of a new object is in use.",
      details: """
        Tables, views and indexes must have different names, as must the common tables of a \
        `WITH`. With `IF NOT EXISTS`, SQLite leaves the existing object unchanged.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        -- Migrations/2.sql
        CREATE TABLE Book (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        -- Migrations/2.sql
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        """),
    DiagnosticExplanation(
      "ambiguous-column",
      summary: "Several tables of the statement have a column of this name.",
      details: """
        SQLite reports `ambiguous column name`. Write the name of the table or its alias before \
        the column.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE book (id INTEGER PRIMARY KEY, author INTEGER NOT NULL);
        -- Queries/Books.sql
        DEFINE QUERY books AS
        SELECT id, name FROM book JOIN author ON author.id = book.author;
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY books AS
        SELECT book.id, name FROM book JOIN author ON author.id = book.author;
        """),
    DiagnosticExplanation(
      "circular-reference",
      summary: "A view or a common table depends on itself.",
      details: """
        A common table may refer to itself only after `UNION` or `UNION ALL`. A view may not refer \
        to itself; SQLite reports this when the view is used.
        """,
      example: """
        -- Queries/Numbers.sql
        DEFINE QUERY numbers AS
        WITH n(i) AS (SELECT i + 1 FROM n WHERE i < 10) SELECT i FROM n;
        """,
      correction: """
        -- Queries/Numbers.sql
        DEFINE QUERY numbers AS
        WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT i FROM n;
        """),
    DiagnosticExplanation(
      "not-a-function",
      summary: "A table that is not a function has arguments.",
      details: """
        Functions that return tables, such as `json_each` and `generate_series`, and virtual \
        tables with hidden columns take arguments in `FROM`.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        -- Queries/Books.sql
        DEFINE QUERY book AS SELECT title FROM book(:id);
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY book AS SELECT title FROM book WHERE id = :id;
        """),
    DiagnosticExplanation(
      "reserved-name",
      summary: "A name begins with `sqlite_`.",
      details: """
        SQLite reserves these names for its own tables and indexes.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE sqlite_settings (key TEXT PRIMARY KEY, value TEXT);
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT);
        """),
    DiagnosticExplanation(
      "unknown-collation",
      summary: "No collation has this name.",
      details: """
        SQLite has `BINARY`, `NOCASE` and `RTRIM`. It accepts another name in a table's \
        definition, but statements that compare values with it fail.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        -- Queries/Books.sql
        DEFINE QUERY books AS SELECT * FROM book ORDER BY title COLLATE NO_CASE;
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY books AS SELECT * FROM book ORDER BY title COLLATE NOCASE;
        """),
    DiagnosticExplanation(
      "unknown-column",
      summary: "No table of the statement has a column of this name.",
      details: """
        SQLite reports `no such column`, but reads an unknown name in double quotes as text; \
        QueryGen rejects that too. A configured column that does not exist has the same error.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        -- Queries/Books.sql
        DEFINE QUERY titles AS SELECT titel FROM book;
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY titles AS SELECT title FROM book;
        """),
    DiagnosticExplanation(
      "unknown-database",
      summary: "No database has this name.",
      details: """
        The databases are `main`, `temp`, and those that the key `attach` of `querygen.yaml` names.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE library.book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE main.book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        """),
    DiagnosticExplanation(
      "unknown-function",
      summary: "SQLite has no built-in function of this name.",
      details: """
        Only functions that SQLite has in its usual configuration are known. Their availability \
        depends on the version in `querygen.yaml`.
        """,
      example: """
        -- Queries/Text.sql
        DEFINE QUERY shout AS SELECT uper(:text);
        """,
      correction: """
        -- Queries/Text.sql
        DEFINE QUERY shout AS SELECT upper(:text);
        """),
    DiagnosticExplanation(
      "unknown-module",
      summary: "No module for virtual tables has this name.",
      details: """
        The modules of SQLite's usual configuration are known, such as `fts5` and `rtree`. Others \
        must be registered by the program, and SQLite reports `no such module` without them.
        """,
      example: """
        -- Migrations/1.sql
        CREATE VIRTUAL TABLE page USING fts6 (body);
        """,
      correction: """
        -- Migrations/1.sql
        CREATE VIRTUAL TABLE page USING fts5 (body);
        """),
    DiagnosticExplanation(
      "unknown-object",
      summary: "No view, index, trigger or constraint has this name.",
      details: """
        The object may be missing, or have been dropped by an earlier migration. With `IF EXISTS`, \
        a missing object is not an error.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        CREATE INDEX book_title ON book (title);
        -- Migrations/2.sql
        DROP INDEX book_titles;
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        CREATE INDEX book_title ON book (title);
        -- Migrations/2.sql
        DROP INDEX book_title;
        """),
    DiagnosticExplanation(
      "unknown-table",
      summary: "No table, view or common table has this name.",
      details: """
        Queries are checked against the schema after the last migration, and each migration \
        against the tables that exist before it. SQLite reports `no such table`. A configured \
        table that does not exist has the same error.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        -- Queries/Books.sql
        DEFINE QUERY books AS SELECT * FROM books;
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY books AS SELECT * FROM book;
        """),
    DiagnosticExplanation(
      "unknown-window",
      summary: "No window of this name is defined in the `SELECT`.",
      details: """
        `OVER name` refers to a definition in the `WINDOW` clause of the same `SELECT`. SQLite \
        reports `no such window`.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE reading (day INTEGER PRIMARY KEY, value REAL NOT NULL);
        -- Queries/Readings.sql
        DEFINE QUERY sums AS
        SELECT day, sum(value) OVER days AS total FROM reading WINDOW by_day AS (ORDER BY day);
        """,
      correction: """
        -- Queries/Readings.sql
        DEFINE QUERY sums AS
        SELECT day, sum(value) OVER by_day AS total FROM reading WINDOW by_day AS (ORDER BY day);
        """),
  ]
}

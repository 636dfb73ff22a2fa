extension DiagnosticExplanation {
  /// Diagnostics of statements that SQLite prepares although they are likely mistakes.
  static let mistakes: [DiagnosticExplanation] = [
    DiagnosticExplanation(
      "constant-term",
      summary: "A parameter is a term of `ORDER BY` or `GROUP BY`.",
      details: """
        SQLite accepts the statement, but the parameter is a value, not the name of a column, and \
        is the same for every row. Declare the columns in an `order:` comment, or compare the \
        parameter in a `CASE`.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (title TEXT NOT NULL, year INTEGER NOT NULL);
        -- Queries/Books.sql
        DEFINE QUERY books AS SELECT * FROM book ORDER BY :column;
        """,
      correction: """
        -- Queries/Books.sql
        -- order: :column = title, year
        DEFINE QUERY books AS SELECT * FROM book ORDER BY :column;
        """),
    DiagnosticExplanation(
      "ignored-type", severity: .warning,
      summary: "SQLite ignores `AUTO_INCREMENT`, `IDENTITY` and `SERIAL` in a type.",
      details: """
        SQLite accepts the words as a part of the type's name, but the column gets no values. An \
        `INTEGER PRIMARY KEY` gets the next integer by itself.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id SERIAL PRIMARY KEY, title TEXT NOT NULL);
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        """),
    DiagnosticExplanation(
      "missing-escape", severity: .warning,
      summary: "A backslash in a `LIKE` pattern escapes nothing without `ESCAPE`.",
      details: #"""
        SQLite's `LIKE` has no default escape character, so `\%` matches a backslash and any text. \#
        If this is intended, specify another character, as in `ESCAPE '~'`.
        """#,
      example: #"""
        -- Migrations/1.sql
        CREATE TABLE offer (text TEXT NOT NULL);
        -- Queries/Offers.sql
        DEFINE QUERY discounts AS SELECT * FROM offer WHERE text LIKE '%50\%%';
        """#,
      correction: #"""
        -- Queries/Offers.sql
        DEFINE QUERY discounts AS SELECT * FROM offer WHERE text LIKE '%50\%%' ESCAPE '\';
        """#),
    DiagnosticExplanation(
      "missing-value",
      summary: "An `INSERT` has no value for a column that needs one.",
      details: """
        SQLite prepares the statement, but it always fails when it runs: the column is `NOT NULL` \
        and has no default. It is a warning if rows are skipped, as with `OR IGNORE`, or may not \
        exist, as with `INSERT … SELECT`.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER NOT NULL);
        -- Queries/Books.sql
        DEFINE QUERY addBook AS INSERT INTO book (title) VALUES (:title);
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY addBook AS INSERT INTO book (title, year) VALUES (:title, :year);
        """),
    DiagnosticExplanation(
      "null-argument", severity: .warning,
      summary: "A value that may be `NULL` is passed to a `NOT NULL` parameter or column.",
      details: """
        A `NULL` fails the statement. Add a condition that excludes it, replace it with \
        `coalesce`, or declare the parameter without `NOT NULL`. With `returns null on null \
        input`, the function is not called for `NULL`. For a column, only values are reported that are \
        missing from a row, a group or a `CASE`, and parameters that are nullable because of another \
        use, but no subqueries, no `OR IGNORE` and no triggers.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER);
        -- Queries/Books.sql
        -- function: century(year INTEGER NOT NULL) -> INTEGER NOT NULL
        DEFINE QUERY centuries AS SELECT century(year) AS century FROM book;
        """,
      correction: """
        -- Queries/Books.sql
        -- function: century(year INTEGER NOT NULL) -> INTEGER NOT NULL
        DEFINE QUERY centuries AS
        SELECT century(year) AS century FROM book WHERE year IS NOT NULL;
        """),
    DiagnosticExplanation(
      "null-comparison", severity: .warning,
      summary: "A comparison with `NULL` is never true.",
      details: """
        SQLite accepts the statement, but `x = NULL`, `x <> NULL` and `x IN (NULL)` are `NULL` for \
        every value, and `CASE x WHEN NULL` never matches. `IS NULL` and `IS NOT NULL` find \
        missing values. A condition that is intended to be false is written as `false`.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (title TEXT NOT NULL, year INTEGER);
        -- Queries/Books.sql
        DEFINE QUERY undated AS SELECT title FROM book WHERE year = NULL;
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY undated AS SELECT title FROM book WHERE year IS NULL;
        """),
    DiagnosticExplanation(
      "parameter-in-string", severity: .warning,
      summary: "The name of a parameter is inside a string.",
      details: """
        SQLite reads it as text, and the statement has no such parameter. Concatenate the parts \
        with `||`; a text with a colon that is intended can be concatenated as well: `':' || \
        'name'`.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (title TEXT NOT NULL);
        -- Queries/Books.sql
        DEFINE QUERY find AS SELECT * FROM book WHERE title LIKE '%:text%';
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY find AS SELECT * FROM book WHERE title LIKE '%' || :text || '%';
        """),
    DiagnosticExplanation(
      "several-rows", severity: .warning,
      summary: "A query with `:one` may return several rows.",
      details: """
        The conditions do not select one row by a unique key, and only the first row is returned. \
        If this is intended, add `LIMIT 1`.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        -- Queries/Books.sql
        -- name: newest :one
        SELECT * FROM book ORDER BY id DESC;
        """,
      correction: """
        -- Queries/Books.sql
        -- name: newest :one
        SELECT * FROM book ORDER BY id DESC LIMIT 1;
        """),
    DiagnosticExplanation(
      "unconstrained-join", severity: .warning,
      summary: "A join has no condition, and returns every combination of rows.",
      details: """
        SQLite accepts the statement. The condition is written after `ON`, `USING` or `WHERE`, and \
        involves both sides. If all combinations are intended, write `CROSS JOIN`.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE book (title TEXT NOT NULL, author INTEGER NOT NULL);
        -- Queries/Books.sql
        DEFINE QUERY books AS SELECT title, name FROM book JOIN author;
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY books AS SELECT title, name FROM book JOIN author ON author.id = book.author;
        """),
    DiagnosticExplanation(
      "ungrouped-column", severity: .warning,
      summary: "A column next to an aggregate is not determined by `GROUP BY`.",
      details: """
        SQLite returns its value from an arbitrary row of the group, except with exactly one \
        `min()` or `max()`, whose row it uses. Add the column to `GROUP BY`, or aggregate it. If \
        any value is good enough, write `min(title)`.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (author TEXT NOT NULL, title TEXT NOT NULL, pages INTEGER NOT NULL);
        -- Queries/Books.sql
        DEFINE QUERY pages AS SELECT author, title, sum(pages) AS total FROM book GROUP BY author;
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY pages AS SELECT author, sum(pages) AS total FROM book GROUP BY author;
        """),
    DiagnosticExplanation(
      "untrusted-function", severity: .warning,
      summary: "The schema calls a declared function that is not `innocuous`.",
      details: """
        Unless `Configuration.trustsSchema` is set, SQLite refuses the function in \
        views, triggers, constraints, indexes and generated columns, since anyone who \
        can write the file could call it. Declare a function without side effects as \
        `innocuous`.
        """,
      example: """
        -- Migrations/1.sql
        -- function: slug(title TEXT NOT NULL) -> TEXT NOT NULL deterministic
        CREATE TABLE book (title TEXT NOT NULL, slug TEXT NOT NULL AS (slug(title)));
        """,
      correction: """
        -- Migrations/1.sql
        -- function: slug(title TEXT NOT NULL) -> TEXT NOT NULL deterministic innocuous
        CREATE TABLE book (title TEXT NOT NULL, slug TEXT NOT NULL AS (slug(title)));
        """),
    DiagnosticExplanation(
      "unused-result", severity: .warning,
      summary: "A statement of a block returns rows that are not used.",
      details: """
        The result of a block is that of its last statement. Remove the statement, or \
        make it the last one.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER);
        -- Queries/Books.sql
        DEFINE QUERY move AS
        BEGIN
          SELECT title FROM book WHERE id = :id;
          UPDATE book SET year = :year WHERE id = :id;
        END;
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY move AS
        BEGIN
          UPDATE book SET year = :year WHERE id = :id;
          SELECT title FROM book WHERE id = :id;
        END;
        """),
  ]
}

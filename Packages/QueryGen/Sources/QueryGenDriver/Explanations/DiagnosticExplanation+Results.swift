extension DiagnosticExplanation {
  /// Diagnostics of expressions, calls and results.
  static let results: [DiagnosticExplanation] = [
    DiagnosticExplanation(
      "aggregate-misuse",
      summary: "An aggregate function is used before the rows are grouped.",
      details: """
        `WHERE` selects rows before they are grouped, and `HAVING` selects groups. An aggregate is \
        not possible in `WHERE`, `GROUP BY`, or another aggregate's arguments.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (author TEXT NOT NULL, pages INTEGER NOT NULL);
        -- Queries/Books.sql
        DEFINE QUERY prolific AS
        SELECT author FROM book WHERE count(*) > 3 GROUP BY author;
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY prolific AS
        SELECT author FROM book GROUP BY author HAVING count(*) > 3;
        """),
    DiagnosticExplanation(
      "argument-count",
      summary: "A function is called with the wrong number of arguments.",
      details: """
        The functions of SQLite have a fixed number of arguments or a range. `likelihood` also \
        requires a constant between 0.0 and 1.0.
        """,
      example: """
        -- Queries/Text.sql
        DEFINE QUERY rounded AS SELECT round(:price, 2, 1);
        """,
      correction: """
        -- Queries/Text.sql
        DEFINE QUERY rounded AS SELECT round(:price, 2);
        """),
    DiagnosticExplanation(
      "argument-type",
      summary: "An argument of a declared function has another type than its parameter.",
      details: """
        Arguments are read as columns are: a value of another type fails the statement \
        each time. Convert it with `CAST`, or declare the parameter's type differently.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER);
        -- Queries/Books.sql
        -- function: slug(title TEXT NOT NULL) -> TEXT NOT NULL
        DEFINE QUERY slugs AS SELECT slug(x'00') AS slug FROM book;
        """,
      correction: """
        -- Queries/Books.sql
        -- function: slug(title TEXT NOT NULL) -> TEXT NOT NULL
        DEFINE QUERY slugs AS SELECT slug(title) AS slug FROM book;
        """),
    DiagnosticExplanation(
      "column-count",
      summary: "The number of columns differs from the expected number.",
      details: """
        The parts of a `UNION` have the same number of columns, and a subquery that is a value has \
        one. The names after a view or a common table name all of its columns.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        CREATE TABLE draft (title TEXT NOT NULL);
        -- Queries/Titles.sql
        DEFINE QUERY titles AS SELECT id, title FROM book UNION ALL SELECT title FROM draft;
        """,
      correction: """
        -- Queries/Titles.sql
        DEFINE QUERY titles AS SELECT title FROM book UNION ALL SELECT title FROM draft;
        """),
    DiagnosticExplanation(
      "invalid-frame",
      summary: "A `RANGE` frame with an offset needs exactly one term in `ORDER BY`.",
      details: """
        The offset is added to that term's value. `ROWS` counts rows instead, with any order.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE reading (day INTEGER NOT NULL, hour INTEGER NOT NULL, value REAL NOT NULL);
        -- Queries/Readings.sql
        DEFINE QUERY sums AS
        SELECT day, sum(value) OVER (ORDER BY day, hour RANGE 2 PRECEDING) AS total FROM reading;
        """,
      correction: """
        -- Queries/Readings.sql
        DEFINE QUERY sums AS
        SELECT day, sum(value) OVER (ORDER BY day, hour ROWS 2 PRECEDING) AS total FROM reading;
        """),
    DiagnosticExplanation(
      "invalid-join",
      summary: "A column of `USING` is not in both tables, or `ON` uses a later table.",
      details: """
        `USING (name)` compares the columns of this name on both sides. An `ON` that uses tables \
        to its right is an error if one of the joins is an outer join.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE book (title TEXT NOT NULL, author INTEGER NOT NULL);
        -- Queries/Books.sql
        DEFINE QUERY books AS SELECT title, name FROM book JOIN author USING (author);
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY books AS SELECT title, name FROM book JOIN author ON author.id = book.author;
        """),
    DiagnosticExplanation(
      "order-term",
      summary: "A term of `ORDER BY` or `GROUP BY` matches no column of the result.",
      details: """
        A number is the position of a column of the result. After a `UNION`, each term of `ORDER \
        BY` must be a column of the result.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (title TEXT NOT NULL, year INTEGER NOT NULL);
        -- Queries/Books.sql
        DEFINE QUERY titles AS SELECT title FROM book ORDER BY 2;
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY titles AS SELECT title FROM book ORDER BY year;
        """),
    DiagnosticExplanation(
      "prohibited-here",
      summary: "A parameter, a subquery or a function is not allowed at this position.",
      details: """
        A schema must not depend on parameters, and an index, a `CHECK` or a generated column \
        depends only on its own row. A migration runs in its own transaction, and can't contain \
        `BEGIN` or `VACUUM`.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, author TEXT NOT NULL);
        CREATE VIEW books AS SELECT * FROM book WHERE author = :author;
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, author TEXT NOT NULL);
        -- Queries/Books.sql
        DEFINE QUERY books AS SELECT * FROM book WHERE author = :author;
        """),
    DiagnosticExplanation(
      "recursion-misuse",
      summary: "The recursive part of a common table can't be computed row by row.",
      details: """
        SQLite passes each row to the recursive part separately, so it may use the common table \
        only once, and no aggregate or window function. Aggregate the result instead.
        """,
      example: """
        -- Queries/Numbers.sql
        DEFINE QUERY sums AS
        WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT max(i) + 1 FROM n WHERE i < 10)
        SELECT i FROM n;
        """,
      correction: """
        -- Queries/Numbers.sql
        DEFINE QUERY sums AS
        WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 10)
        SELECT max(i) FROM n;
        """),
    DiagnosticExplanation(
      "row-value-misuse",
      summary: "A row of values is used as a single value, or compared with another width.",
      details: """
        A row such as `(x, y)` can be compared with a row of the same width, or assigned to \
        columns in `UPDATE`.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE tile (x INTEGER NOT NULL, y INTEGER NOT NULL, image BLOB NOT NULL);
        -- Queries/Tiles.sql
        DEFINE QUERY tile AS SELECT image FROM tile WHERE (x, y) = :place;
        """,
      correction: """
        -- Queries/Tiles.sql
        DEFINE QUERY tile AS SELECT image FROM tile WHERE (x, y) = (:x, :y);
        """),
    DiagnosticExplanation(
      "unsafe-function",
      summary: "A schema uses a function that SQLite runs only in statements.",
      details: """
        A view, a trigger, an index or a generated column of a database file from elsewhere could \
        otherwise do harm. Call the function in a query.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE extension (path TEXT NOT NULL, result AS (load_extension(path)));
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE extension (path TEXT NOT NULL);
        -- Queries/Extensions.sql
        DEFINE QUERY load AS SELECT load_extension(path) FROM extension;
        """),
    DiagnosticExplanation(
      "window-misuse",
      summary: "A window function has no `OVER`, or is not allowed at this position.",
      details: """
        Window functions are computed after `WHERE`, `GROUP BY` and `HAVING`, and are possible \
        only in the result and in `ORDER BY`. A subquery makes their values available to `WHERE`.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE reading (day INTEGER PRIMARY KEY, value REAL NOT NULL);
        -- Queries/Readings.sql
        DEFINE QUERY best AS
        SELECT day FROM reading WHERE rank() OVER (ORDER BY value DESC) <= 3;
        """,
      correction: """
        -- Queries/Readings.sql
        DEFINE QUERY best AS
        SELECT day FROM (SELECT day, rank() OVER (ORDER BY value DESC) AS place FROM reading)
        WHERE place <= 3;
        """),
  ]
}

extension DiagnosticExplanation {
  /// Diagnostics of statements that change rows.
  static let changes: [DiagnosticExplanation] = [
    DiagnosticExplanation(
      "generated-column",
      summary: "A generated column is written to, has a default, or depends on itself.",
      details: """
        SQLite computes its value from other columns of the same row. A table needs at least one \
        column that is not generated.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE line (price INTEGER NOT NULL, count INTEGER NOT NULL, total AS (price * count));
        -- Queries/Lines.sql
        DEFINE QUERY addLine AS INSERT INTO line (price, count, total) VALUES (:price, :count, :total);
        """,
      correction: """
        -- Queries/Lines.sql
        DEFINE QUERY addLine AS INSERT INTO line (price, count) VALUES (:price, :count);
        """),
    DiagnosticExplanation(
      "not-writable",
      summary: "The statement changes or drops something that SQLite does not let it change.",
      details: """
        A view without an `INSTEAD OF` trigger, and SQLite's own tables, are read-only. A view is \
        dropped with `DROP VIEW`, and the index of a `UNIQUE` constraint only with its table.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        CREATE VIEW titles AS SELECT title FROM book;
        -- Queries/Books.sql
        DEFINE QUERY remove AS DELETE FROM titles WHERE title = :title;
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY remove AS DELETE FROM book WHERE title = :title;
        """),
    DiagnosticExplanation(
      "order-without-limit",
      summary: "An `UPDATE` or `DELETE` has `ORDER BY` without `LIMIT`.",
      details: """
        The order decides only which rows are within the limit. SQLite reports an error as well.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE log (time INTEGER NOT NULL, text TEXT NOT NULL);
        -- Queries/Logs.sql
        DEFINE QUERY clean AS DELETE FROM log ORDER BY time;
        """,
      correction: """
        -- Queries/Logs.sql
        DEFINE QUERY clean AS DELETE FROM log ORDER BY time LIMIT 100;
        """),
    DiagnosticExplanation(
      "storage-mismatch", severity: .warning,
      summary: "A column would store the value as another type than its own.",
      details: """
        SQLite accepts the statement, and stores a value unchanged if it can't convert it to the \
        column's type, such as `1.5` in an `INTEGER` column. The generated Swift can't read it. \
        Convert the value with `CAST` or a function, or declare the column with the type of the \
        values.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE product (id INTEGER PRIMARY KEY, cents INTEGER NOT NULL);
        -- Queries/Products.sql
        DEFINE QUERY discount AS UPDATE product SET cents = cents * 0.9;
        """,
      correction: """
        -- Queries/Products.sql
        DEFINE QUERY discount AS UPDATE product SET cents = CAST(cents * 0.9 AS INTEGER);
        """),
    DiagnosticExplanation(
      "upsert-target",
      summary: "The columns after `ON CONFLICT` have no unique constraint.",
      details: """
        An upsert needs a `PRIMARY KEY`, `UNIQUE` or unique index on exactly these columns. Views \
        and virtual tables have no upsert.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE setting (name TEXT NOT NULL, value TEXT NOT NULL);
        -- Queries/Settings.sql
        DEFINE QUERY store AS
        INSERT INTO setting VALUES (:name, :value) ON CONFLICT (name) DO UPDATE SET value = excluded.value;
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE setting (name TEXT NOT NULL UNIQUE, value TEXT NOT NULL);
        """),
    DiagnosticExplanation(
      "value-count",
      summary: "The number of values differs from the number of columns.",
      details: """
        Without a list of columns, `INSERT` needs a value for each column of the table that is not \
        generated.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER);
        -- Queries/Books.sql
        DEFINE QUERY addBook AS INSERT INTO book VALUES (:title, :year);
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY addBook AS INSERT INTO book (title, year) VALUES (:title, :year);
        """),
  ]
}

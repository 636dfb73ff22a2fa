extension DiagnosticExplanation {
  /// Diagnostics of clauses and options that the grammar allows, but SQLite does not.
  static let clauses: [DiagnosticExplanation] = [
    DiagnosticExplanation(
      "ambiguous-upsert",
      summary: "`ON CONFLICT` follows the table of an `INSERT … SELECT` directly.",
      details: """
        SQLite reads this `ON` as the condition of a join, and reports a syntax error at `DO`. A \
        `WHERE true` before it ends the `FROM` clause.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE draft (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        -- Queries/Books.sql
        DEFINE QUERY publish AS
        INSERT INTO book SELECT * FROM draft ON CONFLICT DO NOTHING;
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY publish AS
        INSERT INTO book SELECT * FROM draft WHERE true ON CONFLICT DO NOTHING;
        """),
    DiagnosticExplanation(
      "clause-before-compound",
      summary: "`ORDER BY` or `LIMIT` precedes `UNION`, `INTERSECT` or `EXCEPT`.",
      details: """
        Both clauses apply to the whole result, and belong after its last part. To limit a single \
        part, use a subquery.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE draft (title TEXT NOT NULL);
        CREATE TABLE book (title TEXT NOT NULL);
        -- Queries/Titles.sql
        DEFINE QUERY titles AS
        SELECT title FROM draft ORDER BY title UNION ALL SELECT title FROM book;
        """,
      correction: """
        -- Queries/Titles.sql
        DEFINE QUERY titles AS
        SELECT title FROM draft UNION ALL SELECT title FROM book ORDER BY title;
        """),
    DiagnosticExplanation(
      "constraint-on-natural-join",
      summary: "A natural join has `ON` or `USING`.",
      details: """
        `NATURAL` already compares the columns that have the same name in both tables.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE author (author_id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE book (title TEXT NOT NULL, author_id INTEGER NOT NULL);
        -- Queries/Books.sql
        DEFINE QUERY books AS
        SELECT title, name FROM book NATURAL JOIN author USING (author_id);
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY books AS
        SELECT title, name FROM book JOIN author USING (author_id);
        """),
    DiagnosticExplanation(
      "constraint-without-join",
      summary: "`ON` or `USING` follows the first table, which is not joined to anything.",
      details: """
        Write a condition for a single table after `WHERE`. SQLite rejects the statement too.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        -- Queries/Books.sql
        DEFINE QUERY book AS SELECT title FROM book ON id = :id;
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY book AS SELECT title FROM book WHERE id = :id;
        """),
    DiagnosticExplanation(
      "indexing-in-trigger",
      summary: "An `UPDATE` or `DELETE` in a trigger has `INDEXED BY` or `NOT INDEXED`.",
      details: """
        SQLite allows these only for statements outside triggers, and chooses the index itself \
        here.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, author INTEGER NOT NULL);
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TRIGGER removed AFTER DELETE ON author BEGIN
          DELETE FROM book NOT INDEXED WHERE author = old.id;
        END;
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, author INTEGER NOT NULL);
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TRIGGER removed AFTER DELETE ON author BEGIN
          DELETE FROM book WHERE author = old.id;
        END;
        """),
    DiagnosticExplanation(
      "qualified-name-in-trigger",
      summary: "A statement in a trigger writes to a table with a schema name.",
      details: """
        A trigger writes only to tables of the database that contains it, so SQLite allows no \
        `main.` before the name.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        CREATE TABLE log (book INTEGER NOT NULL);
        CREATE TRIGGER logged AFTER INSERT ON book BEGIN
          INSERT INTO main.log VALUES (new.id);
        END;
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        CREATE TABLE log (book INTEGER NOT NULL);
        CREATE TRIGGER logged AFTER INSERT ON book BEGIN
          INSERT INTO log VALUES (new.id);
        END;
        """),
    DiagnosticExplanation(
      "returning-in-trigger",
      summary: "A statement in a trigger has `RETURNING`.",
      details: """
        A trigger returns no rows. The statement that causes it may have `RETURNING` instead.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        CREATE TABLE log (book INTEGER NOT NULL);
        CREATE TRIGGER logged AFTER INSERT ON book BEGIN
          INSERT INTO log VALUES (new.id) RETURNING book;
        END;
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        CREATE TABLE log (book INTEGER NOT NULL);
        CREATE TRIGGER logged AFTER INSERT ON book BEGIN
          INSERT INTO log VALUES (new.id);
        END;
        """),
    DiagnosticExplanation(
      "unknown-generated-storage",
      summary: "A generated column is neither `VIRTUAL` nor `STORED`.",
      details: """
        `VIRTUAL`, the default, computes the value whenever it is read; `STORED` computes it when \
        the row is written.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE line (price INTEGER, count INTEGER, total INTEGER AS (price * count) PERSISTED);
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE line (price INTEGER, count INTEGER, total INTEGER AS (price * count) STORED);
        """),
    DiagnosticExplanation(
      "unknown-join",
      summary: "The words before `JOIN` name no kind of join.",
      details: """
        SQLite has `INNER`, `CROSS`, `LEFT`, `RIGHT` and `FULL`, the latter three with or without \
        `OUTER`, and all with or without `NATURAL`. Some combinations of them are contradictory.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE book (title TEXT NOT NULL, author INTEGER NOT NULL);
        -- Queries/Books.sql
        DEFINE QUERY books AS
        SELECT title, name FROM book INNER OUTER JOIN author ON author.id = book.author;
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY books AS
        SELECT title, name FROM book LEFT OUTER JOIN author ON author.id = book.author;
        """),
    DiagnosticExplanation(
      "unknown-table-option",
      summary: "A table has an option other than `STRICT` and `WITHOUT ROWID`.",
      details: """
        SQLite has no storage engines, character sets or tablespaces to choose for a table.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL) WITHOUT OIDS;
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL) STRICT;
        """),
    DiagnosticExplanation(
      "unsupported-frame",
      summary: "The frame of a window ends before it starts.",
      details: """
        The bounds follow the order `UNBOUNDED PRECEDING`, `n PRECEDING`, `CURRENT ROW`, `n \
        FOLLOWING`, `UNBOUNDED FOLLOWING`.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE reading (day INTEGER PRIMARY KEY, value REAL NOT NULL);
        -- Queries/Readings.sql
        DEFINE QUERY sums AS
        SELECT day, sum(value) OVER (ORDER BY day ROWS BETWEEN CURRENT ROW AND 2 PRECEDING) AS total
        FROM reading;
        """,
      correction: """
        -- Queries/Readings.sql
        DEFINE QUERY sums AS
        SELECT day, sum(value) OVER (ORDER BY day ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS total
        FROM reading;
        """),
  ]
}

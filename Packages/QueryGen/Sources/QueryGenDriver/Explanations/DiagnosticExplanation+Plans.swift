extension DiagnosticExplanation {
  /// Diagnostics that only `check --plans` and editors show.
  static let plans: [DiagnosticExplanation] = [
    DiagnosticExplanation(
      "automatic-index", severity: .warning,
      summary: "SQLite builds an index of a table each time the statement runs.",
      details: """
        No index supports the condition of a join. The index that SQLite builds is \
        discarded after the statement. Create it in a migration.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER);
        -- Queries/Books.sql
        DEFINE QUERY namesakes AS SELECT name, year FROM author JOIN book ON title = name;
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER);
        CREATE INDEX book_title ON book (title);
        """),
    DiagnosticExplanation(
      "cartesian-join", severity: .warning,
      summary: "No condition connects the tables of a join.",
      details: """
        The result has a row for every combination of rows. If this is intended, write \
        `CROSS JOIN`.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE book (
          id INTEGER PRIMARY KEY, title TEXT NOT NULL,
          author INTEGER NOT NULL REFERENCES author (id)
        );
        CREATE INDEX book_author ON book (author);
        -- Queries/Books.sql
        DEFINE QUERY books AS SELECT name, title FROM author, book;
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY books AS SELECT name, title FROM author JOIN book ON book.author = author.id;
        """),
    DiagnosticExplanation(
      "changed-plan", severity: .warning,
      summary: "The plan of a query differs from the one in `plans.lock`.",
      details: """
        The schema, the query or the statistics have changed since the plans were \
        locked. If the new plan is as good, run `querygen check --plans --lock`.
        """),
    DiagnosticExplanation(
      "full-scan", severity: .warning,
      summary: "A query reads all rows of a large table.",
      details: """
        The table has more than 10,000 rows, according to the statistics or the \
        configuration, and no index supports the conditions. If all rows are needed, \
        write `-- plan: allow full-scan` above the query.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE event (id INTEGER PRIMARY KEY, kind TEXT NOT NULL);
        -- Queries/Books.sql
        DEFINE QUERY events AS SELECT * FROM event WHERE kind = :kind;
        # querygen.yaml
        plans: { rows: { event: 1000000 } }
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE event (id INTEGER PRIMARY KEY, kind TEXT NOT NULL);
        CREATE INDEX event_kind ON event (kind);
        """),
    DiagnosticExplanation(
      "function-on-indexed-column", severity: .warning,
      summary: "A computation prevents the use of a column's index.",
      details: """
        SQLite uses an index only if the column itself is compared. Change the other \
        side of the comparison, or create an index on the expression.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, isbn TEXT NOT NULL UNIQUE);
        -- Queries/Books.sql
        DEFINE QUERY find AS SELECT * FROM book WHERE upper(isbn) = :isbn;
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY find AS SELECT * FROM book WHERE isbn = :isbn;
        """),
    DiagnosticExplanation(
      "like-without-index", severity: .warning,
      summary: "A pattern is compared with every row.",
      details: """
        SQLite uses an index for `LIKE` if its collation is `NOCASE`, for `GLOB` if it \
        is `BINARY`, and in both cases if the pattern begins with fixed text. For words \
        within a text, use a full-text table.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER);
        -- Queries/Books.sql
        DEFINE QUERY find AS SELECT * FROM book WHERE title LIKE :prefix;
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER);
        CREATE INDEX book_title ON book (title COLLATE NOCASE);
        """),
    DiagnosticExplanation(
      "limit-without-order", severity: .warning,
      summary: "`LIMIT` returns arbitrary rows, since there is no `ORDER BY`.",
      details: """
        Without an order, the rows depend on the plan, which changes with indexes, \
        statistics and the version of SQLite. If any rows are good enough, write `-- \
        plan: allow limit-without-order` above the query.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER);
        -- Queries/Books.sql
        DEFINE QUERY some AS SELECT * FROM book LIMIT 10;
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY some AS SELECT * FROM book ORDER BY id LIMIT 10;
        """),
    DiagnosticExplanation(
      "offset-paging", severity: .warning,
      summary: "`OFFSET` reads the rows that it skips.",
      details: """
        Later pages take longer, and a row that is inserted meanwhile shifts all pages. \
        Begin after the last row of the previous page instead.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER);
        -- Queries/Books.sql
        DEFINE QUERY page AS SELECT * FROM book ORDER BY id LIMIT 20 OFFSET :skipped;
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY page AS SELECT * FROM book WHERE id > :last ORDER BY id LIMIT 20;
        """),
    DiagnosticExplanation(
      "scan-in-join", severity: .warning,
      summary: "All rows of a table are read for each row of another table.",
      details: """
        The time is proportional to the product of both numbers of rows. An index that \
        begins with the compared column avoids it.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER);
        -- Queries/Books.sql
        DEFINE QUERY later AS SELECT name, title FROM author JOIN book ON title > name;
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER);
        CREATE INDEX book_title ON book (title);
        """),
    DiagnosticExplanation(
      "sort-without-index", severity: .warning,
      summary: "SQLite sorts the rows in a temporary B-tree.",
      details: """
        It is needed for `ORDER BY`, `GROUP BY` or `DISTINCT` if no index has the order, \
        and all rows are sorted before the first one is returned. If there are always \
        few rows, write `-- plan: allow sort-without-index` above the query.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER);
        -- Queries/Books.sql
        DEFINE QUERY books AS SELECT * FROM book ORDER BY year;
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER);
        CREATE INDEX book_year ON book (year);
        """),
    DiagnosticExplanation(
      "unindexed-foreign-key", severity: .warning,
      summary: "No index begins with the columns of a foreign key.",
      details: """
        When a row of the parent table is deleted or its key changes, SQLite reads all \
        rows of this table.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE book (
          id INTEGER PRIMARY KEY, title TEXT NOT NULL,
          author INTEGER NOT NULL REFERENCES author (id)
        );
        -- Queries/Books.sql
        DEFINE QUERY book AS SELECT * FROM book WHERE id = :id;
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE book (
          id INTEGER PRIMARY KEY, title TEXT NOT NULL,
          author INTEGER NOT NULL REFERENCES author (id)
        );
        CREATE INDEX book_author ON book (author);
        """),
    DiagnosticExplanation(
      "unknown-plan", severity: .warning,
      summary: "The plans of a query or of the project can't be determined.",
      details: """
        SQLite, as linked with the command, refuses a migration or the query, or the \
        file with statistics can't be read. The message is SQLite's.
        """),
    DiagnosticExplanation(
      "unneeded-allowance", severity: .warning,
      summary: "A comment allows a finding that does not exist.",
      details: """
        The plan is no longer reported, or the rule belongs to another statement. Remove \
        the comment, so that it does not hide a later finding.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER);
        -- Queries/Books.sql
        -- plan: allow full-scan
        DEFINE QUERY book AS SELECT * FROM book WHERE id = :id;
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY book AS SELECT * FROM book WHERE id = :id;
        """),
    DiagnosticExplanation(
      "unused-index", severity: .warning,
      summary: "No query and no constraint uses an index.",
      details: """
        An index takes space, and time for each write. If it is used by statements \
        outside of the project, write `-- plan: allow unused-index` above `CREATE \
        INDEX`.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER);
        CREATE INDEX book_year ON book (year);
        -- Queries/Books.sql
        DEFINE QUERY book AS SELECT * FROM book WHERE id = :id;
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER);
        """),
  ]
}

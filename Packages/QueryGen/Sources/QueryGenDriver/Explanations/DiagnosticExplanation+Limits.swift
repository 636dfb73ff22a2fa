extension DiagnosticExplanation {
  /// Diagnostics of statements and files that exceed a limit.
  static let limits: [DiagnosticExplanation] = [
    DiagnosticExplanation(
      "expression-too-deep",
      summary: "An expression has more than 1,000 operators within each other.",
      details: """
        This is SQLite's limit. Long chains of `OR` with `=` can be written as `IN (…)`, which has \
        no such limit.
        """),
    DiagnosticExplanation(
      "hex-number-too-large",
      summary: "A hexadecimal number has more than 64 bits.",
      details: """
        SQLite stores integers in 64 bits. A longer sequence of bytes is a blob, such as \
        `x'00FF'`.
        """,
      example: """
        -- Queries/Numbers.sql
        DEFINE QUERY key AS SELECT 0x00112233445566778899;
        """,
      correction: """
        -- Queries/Numbers.sql
        DEFINE QUERY key AS SELECT x'00112233445566778899';
        """),
    DiagnosticExplanation(
      "invalid-parameter",
      summary: "A parameter without a number follows the highest number.",
      details: """
        A `?` has the number after the highest one before it, which must not exceed 250,000. Names \
        avoid such gaps.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        -- Queries/Books.sql
        DEFINE QUERY book AS SELECT * FROM book WHERE id = ?250000 AND title = ?;
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY book AS SELECT * FROM book WHERE id = :id AND title = :title;
        """),
    DiagnosticExplanation(
      "nesting-too-deep",
      summary: "Parentheses, calls or subqueries are nested too deeply.",
      details: """
        SQLite's parser has a stack of limited size, and QueryGen resolves subqueries within each \
        other up to a depth of about 100. Move the inner queries to common tables or views.
        """),
    DiagnosticExplanation(
      "parameter-number-out-of-range",
      summary: "The number of a parameter is not between 1 and 250,000.",
      details: """
        SQLite counts parameters from 1, and up to 32,766 unless it was compiled with another \
        limit. A named parameter such as `:id` needs no number, and is better named in Swift.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        -- Queries/Books.sql
        DEFINE QUERY book AS SELECT * FROM book WHERE id = ?0;
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY book AS SELECT * FROM book WHERE id = ?1;
        """),
    DiagnosticExplanation(
      "text-too-long",
      summary: "A file is longer than 1,000,000,000 bytes.",
      details: """
        This is the maximum length of a statement for SQLite. Files of data are better read by the \
        program and inserted with a query.
        """),
    DiagnosticExplanation(
      "too-complex",
      summary: "A statement joins more than 64 tables, or has too many columns or selects.",
      details: """
        SQLite has the same limits: 64 tables in a join, and 2,000 columns in a result. Divide the \
        statement, or select fewer columns.
        """),
    DiagnosticExplanation(
      "too-many-arguments",
      summary: "A call has more than 127 arguments.",
      details: """
        This is SQLite's limit for all functions. A JSON array with `json_each` takes any number \
        of values.
        """),
    DiagnosticExplanation(
      "too-many-arms",
      summary: "A compound `SELECT` has more than 500 parts.",
      details: """
        This is SQLite's limit for `UNION`, `INTERSECT` and `EXCEPT`. Rows of constants can be \
        written as `VALUES`, which has no such limit.
        """),
    DiagnosticExplanation(
      "too-many-errors",
      summary: "A file has more errors than are shown.",
      details: """
        At most 100 errors are shown for each file. Fix these; the next run reports the others.
        """),
    DiagnosticExplanation(
      "too-many-sources",
      summary: "A `FROM` clause has more than 200 tables and subqueries.",
      details: """
        SQLite's parser stops there. A join has an even lower limit, of 64 tables.
        """),
  ]
}

extension DiagnosticExplanation {
  /// Diagnostics of named queries and annotations.
  static let queries: [DiagnosticExplanation] = [
    DiagnosticExplanation(
      "colliding-query-names",
      summary: "Two queries have different names in SQL, but the same one in Swift.",
      details: """
        `snake_case` becomes `camelCase` in Swift. Rename a query, or configure its name in \
        `querygen.yaml`.
        """,
      example: """
        -- Queries/Sums.sql
        DEFINE QUERY small_sum AS SELECT 1 + 1;
        DEFINE QUERY smallSum AS SELECT 1 + 2;
        """,
      correction: """
        -- Queries/Sums.sql
        DEFINE QUERY small_sum AS SELECT 1 + 1;
        DEFINE QUERY large_sum AS SELECT 1 + 2;
        """),
    DiagnosticExplanation(
      "duplicate-declaration",
      summary: "A function, collation or module is declared twice.",
      details: """
        A declaration applies to the whole project, and is written once, in any SQL file \
        or in `querygen.yaml`.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER);
        -- Queries/Books.sql
        -- function: slug(title TEXT NOT NULL) -> TEXT NOT NULL
        -- function: slug(title TEXT) -> TEXT
        DEFINE QUERY slugs AS SELECT slug(title) AS slug FROM book;
        """,
      correction: """
        -- Queries/Books.sql
        -- function: slug(title TEXT NOT NULL) -> TEXT NOT NULL
        DEFINE QUERY slugs AS SELECT slug(title) AS slug FROM book;
        """),
    DiagnosticExplanation(
      "duplicate-query",
      summary: "Two queries have the same name.",
      details: """
        Names are unique in all files of a project, since each query is a property of the \
        database.
        """,
      example: """
        -- Queries/Sums.sql
        DEFINE QUERY sum AS SELECT 1 + 1;
        DEFINE QUERY sum AS SELECT 1 + 2;
        """,
      correction: """
        -- Queries/Sums.sql
        DEFINE QUERY sum AS SELECT 1 + 1;
        DEFINE QUERY otherSum AS SELECT 1 + 2;
        """),
    DiagnosticExplanation(
      "empty-query",
      summary: "A query has a name, but no statement.",
      details: """
        The next name or the end of the file follows directly.
        """,
      example: """
        -- Queries/Sums.sql
        -- name: sum :one
        """,
      correction: """
        -- Queries/Sums.sql
        -- name: sum :one
        SELECT 1 + 1;
        """),
    DiagnosticExplanation(
      "malformed-annotation",
      summary: "An annotation in a comment can't be applied.",
      details: """
        Annotations are comments such as `-- if :name`, `-- order: :sort = name`, `-- filter:`, \
        `-- nest:` and `-- AS Type`. In the comment of a column, it is a warning. SQLite ignores \
        all comments, so that a misspelled annotation would have no effect.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        -- Queries/Books.sql
        DEFINE QUERY find AS
        SELECT * FROM book
        WHERE id > 0
          -- if :titel
          AND title LIKE :title;
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY find AS
        SELECT * FROM book
        WHERE id > 0
          -- if :title
          AND title LIKE :title;
        """),
    DiagnosticExplanation(
      "malformed-declaration",
      summary: "A declaration of a function, collation or module is malformed.",
      details: """
        SQLite ignores the comment. A function is declared as `name(parameter TYPE, …) \
        -> TYPE`, followed by its properties.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER);
        -- Queries/Books.sql
        -- function: slug(title TEXT NOT NULL) TEXT NOT NULL
        DEFINE QUERY titles AS SELECT title FROM book;
        """,
      correction: """
        -- Queries/Books.sql
        -- function: slug(title TEXT NOT NULL) -> TEXT NOT NULL
        DEFINE QUERY titles AS SELECT title FROM book;
        """),
    DiagnosticExplanation(
      "malformed-query-header",
      summary: "A comment that begins with `name:` is not the header of a query.",
      details: """
        The header consists of the query's name and optionally the kind of result, such as \
        `:many`, `:one` or `:exec`. SQLite ignores all comments; write a plain comment in other \
        words.
        """,
      example: """
        -- Queries/Sums.sql
        -- name: sum :single
        SELECT 1 + 1;
        """,
      correction: """
        -- Queries/Sums.sql
        -- name: sum :one
        SELECT 1 + 1;
        """),
    DiagnosticExplanation(
      "mixed-parameter",
      summary: "A parameter is a list at one place, and a value at another.",
      details: """
        `IN :ids`, which SQLite itself does not have, accepts a list; a list can't be compared \
        with `=`. The elements of a list have the same number of values everywhere.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, author INTEGER NOT NULL);
        -- Queries/Books.sql
        DEFINE QUERY books AS SELECT * FROM book WHERE id IN :ids OR author = :ids;
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY books AS SELECT * FROM book WHERE id IN :ids OR author = :author;
        """),
    DiagnosticExplanation(
      "unnamed-query",
      summary: "A statement in a query file has no name.",
      details: """
        The name is written as `DEFINE QUERY name AS`, `name:` or `-- name: name :many`.
        """,
      example: """
        -- Queries/Sums.sql
        SELECT 1 + 1 AS sum;
        """,
      correction: """
        -- Queries/Sums.sql
        DEFINE QUERY sum AS SELECT 1 + 1 AS sum;
        """),
    DiagnosticExplanation(
      "unusable-list",
      summary: "A list of nested rows contains columns that it can't contain.",
      details: """
        `nest:` names columns or tables of the result. At least one column must not be in a list, \
        and a list of several columns needs a name.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE book (title TEXT NOT NULL, year INTEGER NOT NULL, author INTEGER NOT NULL);
        -- Queries/Books.sql
        -- nest: title, year
        DEFINE QUERY authors AS
        SELECT name, title, year FROM author JOIN book ON book.author = author.id;
        """,
      correction: """
        -- Queries/Books.sql
        -- nest: title, year AS books
        DEFINE QUERY authors AS
        SELECT name, title, year FROM author JOIN book ON book.author = author.id;
        """),
    DiagnosticExplanation(
      "unusable-query-name",
      summary: "The name of a query contains no letter.",
      details: """
        It becomes a property in Swift, which can't be named with digits and signs only.
        """,
      example: """
        -- Queries/Sums.sql
        DEFINE QUERY "1+1" AS SELECT 1 + 1;
        """,
      correction: """
        -- Queries/Sums.sql
        DEFINE QUERY sum AS SELECT 1 + 1;
        """),
  ]
}

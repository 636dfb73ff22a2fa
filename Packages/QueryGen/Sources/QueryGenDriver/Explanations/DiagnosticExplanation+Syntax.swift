extension DiagnosticExplanation {
  /// Diagnostics of the lexer and the parser.
  static let syntax: [DiagnosticExplanation] = [
    DiagnosticExplanation(
      "malformed-blob",
      summary: "A blob contains something other than pairs of hexadecimal digits.",
      details: """
        Each byte has two digits, so their number is even.
        """,
      example: """
        -- Queries/Images.sql
        DEFINE QUERY signature AS SELECT x'89504E4' AS bytes;
        """,
      correction: """
        -- Queries/Images.sql
        DEFINE QUERY signature AS SELECT x'89504E47' AS bytes;
        """),
    DiagnosticExplanation(
      "malformed-number",
      summary: "A number is followed directly by a letter.",
      details: """
        A name that begins with a digit must be put in double quotes. SQLite reports an \
        `unrecognized token`.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE 2fa (user INTEGER PRIMARY KEY, secret BLOB NOT NULL);
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE "2fa" (user INTEGER PRIMARY KEY, secret BLOB NOT NULL);
        """),
    DiagnosticExplanation(
      "malformed-parameter",
      summary: "A parameter has no name after its first character.",
      details: """
        `:`, `@` and `$` are followed by a name, without a space. A parameter without a name is a \
        `?`.
        """,
      example: """
        -- Queries/Sums.sql
        DEFINE QUERY sum AS SELECT 1 + : AS result;
        """,
      correction: """
        -- Queries/Sums.sql
        DEFINE QUERY sum AS SELECT 1 + :amount AS result;
        """),
    DiagnosticExplanation(
      "missing-semicolon",
      summary: "The `;` between two statements is missing.",
      details: """
        The error is at the end of the first statement. SQLite reports a syntax error at the first \
        word of the second one.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL)
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        """),
    DiagnosticExplanation(
      "newer-than-target",
      summary: "The feature requires a newer version of SQLite than the project's.",
      details: """
        SQL is checked for SQLite 3.40, unless `sqlite` in `querygen.yaml` specifies another \
        version. An older version reports an error. Specify a newer version only if every device \
        of the app's users has it.
        """,
      example: """
        -- Queries/Text.sql
        DEFINE QUERY joined AS SELECT concat('a', 'b');
        """,
      correction: """
        -- Queries/Text.sql
        DEFINE QUERY joined AS SELECT 'a' || 'b';
        """),
    DiagnosticExplanation(
      "other-dialect",
      summary: "The syntax or function belongs to another database.",
      details: """
        The message names the equivalent in SQLite. It is a warning for `:name::type`, which \
        SQLite reads as a single parameter.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        -- Queries/Books.sql
        DEFINE QUERY find AS SELECT * FROM book WHERE title ILIKE :title;
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY find AS SELECT * FROM book WHERE title LIKE :title;
        """),
    DiagnosticExplanation(
      "unexpected-character",
      summary: "SQL has no use for this character.",
      details: """
        Operators of other languages, such as `^` for powers, do not exist in SQLite. Letters \
        beyond ASCII are allowed in names.
        """,
      example: """
        -- Queries/Sums.sql
        DEFINE QUERY percentage AS SELECT 50 ^ 2;
        """,
      correction: """
        -- Queries/Sums.sql
        DEFINE QUERY percentage AS SELECT pow(50, 2);
        """),
    DiagnosticExplanation(
      "unexpected-end",
      summary: "The text ends in the middle of a statement or an annotation.",
      details: """
        A parenthesis may be open, or the last clause incomplete. SQLite reports `incomplete \
        input`.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE product (
          id INTEGER PRIMARY KEY,
          name TEXT NOT NULL
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE product (
          id INTEGER PRIMARY KEY,
          name TEXT NOT NULL
        );
        """),
    DiagnosticExplanation(
      "unexpected-token",
      summary: "A word or sign is not allowed at this position.",
      details: """
        The message names the expected words. SQLite reports a syntax error at the same position. \
        If the word is a keyword that is meant as a name, put it in double quotes.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE product (id INTEGER PRIMARY KEY, group TEXT);
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE product (id INTEGER PRIMARY KEY, "group" TEXT);
        """),
    DiagnosticExplanation(
      "unterminated-name",
      summary: "A quoted name has no closing quote.",
      details: """
        Names are quoted with `"name"`, `[name]` or backticks. Without the closing quote, the name \
        would continue to the end of the file.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE product (id INTEGER PRIMARY KEY, "unit price REAL);
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE product (id INTEGER PRIMARY KEY, "unit price" REAL);
        """),
    DiagnosticExplanation(
      "unterminated-string",
      summary: "A string has no closing quote.",
      details: """
        Without the quote, the string would continue to the end of the file. Inside a string, a \
        quote is written twice: `'it''s'`.
        """,
      example: """
        -- Queries/Greetings.sql
        DEFINE QUERY greeting AS SELECT 'It''s late;
        """,
      correction: """
        -- Queries/Greetings.sql
        DEFINE QUERY greeting AS SELECT 'It''s late';
        """),
  ]
}

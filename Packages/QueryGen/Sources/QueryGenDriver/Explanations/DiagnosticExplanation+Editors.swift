extension DiagnosticExplanation {
  /// Diagnostics that only the language server shows.
  static let editors: [DiagnosticExplanation] = [
    DiagnosticExplanation(
      "no-project", severity: .warning,
      summary: "A file belongs to no QueryGen project.",
      details: """
        The file is checked against an empty schema. A project is a folder with `Migrations` or \
        `querygen.yaml`; the language server finds projects in the folders that are open in the \
        editor.
        """),
    DiagnosticExplanation(
      "unused-alias", severity: .warning,
      summary: "The alias of a table is not used.",
      details: """
        SQLite accepts the statement. Editors show the name dimmed.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        -- Queries/Books.sql
        DEFINE QUERY titles AS SELECT title FROM book AS b;
        """,
      correction: """
        -- Queries/Books.sql
        DEFINE QUERY titles AS SELECT title FROM book;
        """),
    DiagnosticExplanation(
      "unused-common-table", severity: .warning,
      summary: "A common table is not used.",
      details: """
        SQLite accepts the statement, and does not compute the common table. Editors show the name \
        dimmed.
        """,
      example: """
        -- Queries/Sums.sql
        DEFINE QUERY sum AS WITH one AS (SELECT 1) SELECT 1 + 1;
        """,
      correction: """
        -- Queries/Sums.sql
        DEFINE QUERY sum AS SELECT 1 + 1;
        """),
    DiagnosticExplanation(
      "unused-window", severity: .warning,
      summary: "A window is not used.",
      details: """
        SQLite accepts the statement. Editors show the name dimmed.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE reading (day INTEGER PRIMARY KEY, value REAL NOT NULL);
        -- Queries/Readings.sql
        DEFINE QUERY days AS SELECT day FROM reading WINDOW by_day AS (ORDER BY day);
        """,
      correction: """
        -- Queries/Readings.sql
        DEFINE QUERY days AS SELECT day FROM reading;
        """),
  ]
}

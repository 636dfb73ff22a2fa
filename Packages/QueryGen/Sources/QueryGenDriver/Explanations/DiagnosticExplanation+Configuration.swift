extension DiagnosticExplanation {
  /// Diagnostics of `querygen.yaml`.
  static let configuration: [DiagnosticExplanation] = [
    DiagnosticExplanation(
      "colliding-chosen-names",
      summary: "Two types have the same name in the configuration.",
      details: """
        Names that QueryGen chooses itself are changed if they are in use, but configured names \
        are used unchanged.
        """,
      example: """
        # querygen.yaml
        tables: { book: { name: Item }, film: { name: Item } }
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        CREATE TABLE film (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        """,
      correction: """
        # querygen.yaml
        tables: { book: { name: Book }, film: { name: Film } }
        """),
    DiagnosticExplanation(
      "colliding-types",
      summary: "Two databases of a target generate types with the same name.",
      details: """
        The generated code of all databases of a target is in one module. Set `database`, or a \
        name for a table or a query, in the `querygen.yaml` of one of them.
        """,
      example: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        # Archive/querygen.yaml
        database: Archive
        -- Archive/Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        """,
      correction: """
        # Archive/querygen.yaml
        database: Archive
        tables: { book: { name: ArchivedBook } }
        -- Archive/Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        """),
    DiagnosticExplanation(
      "duplicate-key",
      summary: "The configuration contains a key twice.",
      details: """
        Only one of the values could apply.
        """,
      example: """
        # querygen.yaml
        access: public
        access: internal
        """,
      correction: """
        # querygen.yaml
        access: public
        """),
    DiagnosticExplanation(
      "invalid-configuration",
      summary: "The value of a key has the wrong type.",
      details: """
        The message states the expected value. With the build plugin, `path` and `folders` are not \
        possible.
        """,
      example: """
        # querygen.yaml
        codable: yes
        """,
      correction: """
        # querygen.yaml
        codable: true
        """),
    DiagnosticExplanation(
      "malformed-yaml",
      summary: "`querygen.yaml` is not in the supported subset of YAML.",
      details: """
        The subset has mappings, sequences and strings, and `[a, b]` and `{a: b}` on one line. \
        Anchors, tags, tabs and multi-line strings are rejected.
        """,
      example: """
        # querygen.yaml
        access: public
          codable: true
        """,
      correction: """
        # querygen.yaml
        access: public
        codable: true
        """),
    DiagnosticExplanation(
      "not-codable",
      summary: "A struct must be `Codable`, but a column may contain any value.",
      details: """
        A column without a type in the schema is a `SQLiteValue` in Swift, which is not `Codable`. \
        Specify a type for the column, or set `codable: false` for the table or the query.
        """,
      example: """
        # querygen.yaml
        codable: true
        -- Migrations/1.sql
        CREATE TABLE setting (name TEXT PRIMARY KEY NOT NULL, value);
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE setting (name TEXT PRIMARY KEY NOT NULL, value TEXT);
        """),
    DiagnosticExplanation(
      "unattachable-database",
      summary: "A database can't be attached to another.",
      details: """
        A view or trigger of an attached database must not name its own tables with `main.`, since \
        SQLite can't read such a schema under another name. The migrations of the attached database \
        must have no errors, and functions that both databases declare must be equal. With the \
        build plugin, an attached database is one of the same target.
        """,
      example: """
        # querygen.yaml
        attach: { archive: Archive }
        # Archive/querygen.yaml
        database: Archive
        -- Archive/Migrations/1.sql
        CREATE TABLE page (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
        CREATE VIEW pages AS SELECT text FROM main.page;
        """,
      correction: """
        # Archive/querygen.yaml
        database: Archive
        -- Archive/Migrations/1.sql
        CREATE TABLE page (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
        CREATE VIEW pages AS SELECT text FROM page;
        """),
    DiagnosticExplanation(
      "unknown-key",
      summary: "The configuration has no such key or choice.",
      details: """
        Otherwise a misspelled key would have no effect. The message names the nearest key, or all \
        of them.
        """,
      example: """
        # querygen.yaml
        codeable: true
        """,
      correction: """
        # querygen.yaml
        codable: true
        """),
    DiagnosticExplanation(
      "unknown-parameter",
      summary: "The configuration names a parameter that the query does not have.",
      details: """
        Names are written without the first character, as in Swift.
        """,
      example: """
        # querygen.yaml
        queries: { after: { parameters: { dat: Date } } }
        imports: [Foundation]
        -- Migrations/1.sql
        CREATE TABLE event (title TEXT NOT NULL, date INTEGER NOT NULL);
        -- Queries/Events.sql
        DEFINE QUERY after AS SELECT title FROM event WHERE date > :date;
        """,
      correction: """
        # querygen.yaml
        queries: { after: { parameters: { date: Date } } }
        imports: [Foundation]
        """),
    DiagnosticExplanation(
      "unknown-query",
      summary: "The configuration names a query that does not exist.",
      details: """
        Its options would have no effect. Names are written as in SQL.
        """,
      example: """
        # querygen.yaml
        queries: { sums: { row: Sum } }
        -- Queries/Sums.sql
        DEFINE QUERY sum AS SELECT 1 AS a, 2 AS b;
        """,
      correction: """
        # querygen.yaml
        queries: { sum: { row: Sum } }
        """),
    DiagnosticExplanation(
      "unusable-chosen-name",
      summary: "A configured name is not possible for a Swift type or property.",
      details: """
        It must be an identifier that is not a keyword and not a type of Swift or Holt, and a \
        property's name must not be in use.
        """,
      example: """
        # querygen.yaml
        tables: { book: { name: String } }
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        """,
      correction: """
        # querygen.yaml
        tables: { book: { name: Volume } }
        """),
    DiagnosticExplanation(
      "unusable-database-name",
      summary: "The name of the database type is not possible in Swift.",
      details: """
        It must be an identifier that is not a keyword and not a type of Swift or Holt. It is the \
        value of `database` in `querygen.yaml`, or of `--database-name`.
        """,
      example: """
        # querygen.yaml
        database: Database
        """,
      correction: """
        # querygen.yaml
        database: Library
        """),
  ]
}

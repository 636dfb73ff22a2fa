extension DiagnosticExplanation {
  /// Diagnostics of files, folders and the lock of migrations.
  static let files: [DiagnosticExplanation] = [
    DiagnosticExplanation(
      "changed-migration",
      summary: "A released migration was edited.",
      details: """
        Databases that have applied it would differ from new ones. Revert the edit, and make the \
        change in a new migration; if it was never released, remove its line from \
        `migrations.lock`.
        """,
      example: """
        # Migrations/migrations.lock
        6a2596c90d57ce2b 1
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER);
        """,
      correction: """
        # Migrations/migrations.lock
        6a2596c90d57ce2b 1
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        -- Migrations/2.sql
        ALTER TABLE book ADD COLUMN year INTEGER;
        """),
    DiagnosticExplanation(
      "colliding-files",
      summary: "Two query files would generate the same Swift file.",
      details: """
        `a/b.sql` and `a-b.sql` both become `a-b.queries.swift`. Letter case is ignored, as on \
        many disks.
        """,
      example: """
        -- Queries/books/sums.sql
        DEFINE QUERY sum AS SELECT 1 + 1;
        -- Queries/books-sums.sql
        DEFINE QUERY otherSum AS SELECT 1 + 2;
        """,
      correction: """
        -- Queries/books/sums.sql
        DEFINE QUERY sum AS SELECT 1 + 1;
        -- Queries/books-other.sql
        DEFINE QUERY otherSum AS SELECT 1 + 2;
        """),
    DiagnosticExplanation(
      "duplicate-migration",
      summary: "Two migrations have the same number.",
      details: """
        Their order would depend on the rest of their names. This often happens when two branches \
        each add a migration; give the newer one a higher number.
        """,
      example: """
        -- Migrations/1_books.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        -- Migrations/1_authors.sql
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        """,
      correction: """
        -- Migrations/1_books.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        -- Migrations/2_authors.sql
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        """),
    DiagnosticExplanation(
      "early-migration", severity: .warning,
      summary: "A new migration precedes a released one.",
      details: """
        Databases that have applied the later migration would skip this one, or apply it in \
        another order than new databases. Give it the highest number.
        """,
      example: """
        # Migrations/migrations.lock
        6a2596c90d57ce2b 2
        -- Migrations/1.sql
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        -- Migrations/2.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        """,
      correction: """
        # Migrations/migrations.lock
        6a2596c90d57ce2b 2
        -- Migrations/2.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        -- Migrations/3.sql
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        """),
    DiagnosticExplanation(
      "ignored-pragma", severity: .warning,
      summary: "A `PRAGMA` in a migration has no effect.",
      details: """
        SQLite ignores some settings inside of a transaction, and others once a table exists, without \
        an error: `foreign_keys`, `journal_mode`, `page_size`, `auto_vacuum` and `encoding`. \
        `Configuration` sets the first two for each connection. `PRAGMA synchronous` and \
        `PRAGMA wal_checkpoint` fail, and are errors.
        """,
      example: """
        -- Migrations/1.sql
        PRAGMA foreign_keys = OFF;
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        """,
      correction: """
        -- Migrations/1.sql
        PRAGMA defer_foreign_keys = ON;
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        """),
    DiagnosticExplanation(
      "invalid-migration-name",
      summary: "The name of a new migration contains unusable characters.",
      details: """
        `querygen migrations add` accepts letters, digits, spaces, `_` and `-`, up to 100 bytes. \
        The name becomes a part of the file's name.
        """),
    DiagnosticExplanation(
      "invalid-utf8",
      summary: "A file contains bytes that are not valid UTF-8.",
      details: """
        SQLite stores and compares text as UTF-8. Convert the file, for example with `iconv -f \
        latin1 -t utf-8`.
        """),
    DiagnosticExplanation(
      "malformed-lock",
      summary: "A line of `migrations.lock` has no checksum or no name.",
      details: """
        The file is written by `querygen migrations`. After a merge conflict, keep the lines of \
        both sides, or remove the damaged line and run `querygen migrations lock`.
        """,
      example: """
        # Migrations/migrations.lock
        <<<<<<< HEAD
        6a2596c90d57ce2b 1
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        """,
      correction: """
        # Migrations/migrations.lock
        6a2596c90d57ce2b 1
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        """),
    DiagnosticExplanation(
      "misplaced-migration",
      summary: "A migration is in a subfolder of the migrations.",
      details: """
        All migrations are in one folder, so that their order is evident from their names. Query \
        files may be in subfolders.
        """,
      example: """
        -- Migrations/2024/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        """,
      correction: """
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        """),
    DiagnosticExplanation(
      "missing-folder",
      summary: "The project, its migrations or its queries have no folder.",
      details: """
        By default, the folders are named `Migrations` and `Queries`. An empty folder is not an \
        error.
        """,
      example: """
        # querygen.yaml
        folders: { migrations: Schema }
        """,
      correction: """
        # querygen.yaml
        folders: { migrations: Migrations }
        """),
    DiagnosticExplanation(
      "missing-migration",
      summary: "The file of a released migration is missing.",
      details: """
        Databases may have applied it, and new ones must apply it too. Restore the file with its \
        name; if it was never released, remove its line from `migrations.lock`.
        """,
      example: """
        # Migrations/migrations.lock
        6a2596c90d57ce2b 1_books
        -- Migrations/1.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        """,
      correction: """
        # Migrations/migrations.lock
        6a2596c90d57ce2b 1_books
        -- Migrations/1_books.sql
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        """),
    DiagnosticExplanation(
      "not-temporary",
      summary: "A script in `Temporary` does not create a temporary object.",
      details: """
        Each connection runs these scripts when it is opened, also those that only read. The scripts \
        create temporary tables, views, triggers and indexes; anything else belongs into a migration.
        """,
      example: """
        -- Temporary/1.sql
        CREATE TABLE basket (book INTEGER PRIMARY KEY);
        """,
      correction: """
        -- Temporary/1.sql
        CREATE TEMP TABLE basket (book INTEGER PRIMARY KEY);
        """),
    DiagnosticExplanation(
      "rejected-statement",
      summary: "A PostgreSQL server rejects a migration or a query.",
      details: """
        The message is the server's. `querygen-postgresql` applies each migration in a transaction of a scratch \
        database, and describes each query without running it.
        """),
    DiagnosticExplanation(
      "stale-description",
      summary: "The description of a query by a PostgreSQL server is missing or out of date.",
      details: """
        Code for PostgreSQL is generated from `Queries/postgresql.json`, which `querygen-postgresql generate` writes \
        with a server. Run it again after a change of migrations or queries; white space and comments don't matter.
        """),
    DiagnosticExplanation(
      "unreadable-file",
      summary: "A file can't be read.",
      details: """
        The message contains the system's reason, such as a missing permission, or a symbolic link \
        to a file that does not exist.
        """),
    DiagnosticExplanation(
      "unreadable-folder",
      summary: "A folder can't be read.",
      details: """
        The message contains the system's reason, such as a missing permission.
        """),
    DiagnosticExplanation(
      "unwritable-file",
      summary: "A file can't be written or removed.",
      details: """
        The message contains the system's reason, such as a missing permission or a full disk.
        """),
  ]
}

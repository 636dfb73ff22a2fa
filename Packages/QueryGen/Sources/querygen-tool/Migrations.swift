import ArgumentParser
import QueryGenDatabase
import QueryGenDriver

/// `querygen migrations`
struct Migrations: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Adds, locks and verifies migrations.",
    discussion: """
      Migrations/migrations.lock contains the checksums of released migrations, which must not \
      change. Editing one is an error in every command and every build; white space, comments, and \
      letter case outside of quotes may change.
      """,
    subcommands: [Add.self, Lock.self, Verify.self])

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Creates the file of a new migration, and locks the existing ones.",
      discussion: """
        The file's number follows the last one; if the numbers are timestamps, it is the current \
        time. To change a migration that was not released after all, remove its line from \
        migrations.lock.

        \(ExitCodes.help)
        """)

    @OptionGroup var project: ProjectOptions

    @Argument(
      help: ArgumentHelp("A short description of the migration.", valueName: "name"))
    var name: [String]

    func run() throws {
      let added = Driver(project.driverOptions()).addMigration(
        named: name.joined(separator: " "))
      try added.finish()
      for name in added.locked { print("locked \(name)") }
      for path in added.written { print("wrote \(path)") }
    }
  }

  struct Lock: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Locks all migrations, before a release.", discussion: ExitCodes.help)

    @OptionGroup var project: ProjectOptions

    func run() throws {
      let locked = Driver(project.driverOptions()).lockMigrations()
      try locked.finish()
      for name in locked.locked { print("locked \(name)") }
      if locked.locked.isEmpty { print("all migrations are already locked") }
    }
  }

  struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Runs the migrations in SQLite, on an empty database or on a copy of one.",
      discussion: """
        The resulting schema must equal the one that querygen derives from the files. The \
        migrations that a database has applied must match the files, in order; the first \
        difference is reported. The database itself is only read.

        \(ExitCodes.help)
        """)

    @OptionGroup var project: ProjectOptions

    @Argument(
      help: ArgumentHelp("The database file. By default an empty one.", valueName: "database"),
      completion: .file())
    var database: String?

    func run() throws {
      let schema = Driver(project.driverOptions()).projectSchema()
      try schema.outcome.finish("no migration was run")
      let report = MigrationReplay(schema).run(database: database)
      for fault in report.faults { StandardStreams.error("\(fault)\n") }
      guard report.faults.isEmpty else { throw ExitCode(1) }
      if let database {
        print("\(database) has applied \(report.applied.count) of \(schema.migrations.count)")
      }
      print("SQLite ran \(report.replayed.count) migrations: no errors")
    }
  }
}

/// `querygen schema`
struct Schema: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows the schema that the migrations create, or compares it with a database's.",
    subcommands: [Show.self, Diff.self], defaultSubcommand: Show.self)

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints the schema after the last migration as SQL.",
      discussion: ExitCodes.help)

    @OptionGroup var project: ProjectOptions

    func run() throws {
      let schema = Driver(project.driverOptions()).projectSchema()
      try schema.outcome.finish("the schema could not be determined")
      StandardStreams.output(schema.sql)
    }
  }

  struct Diff: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints the SQL that changes a database's schema to that of the migrations.",
      discussion: """
        The database is only read. White space, comments, letter case and quotes around names are \
        ignored, as is the table in which Holt records the applied migrations.

        Exit codes: 0 if the schemas are equal, 1 if they differ or can't be read, 64 if the \
        command line is invalid.
        """)

    @OptionGroup var project: ProjectOptions

    @Argument(
      help: ArgumentHelp("The database file.", valueName: "database"), completion: .file())
    var database: String

    @Option(
      name: .customLong("renamed"), parsing: .singleValue,
      help: ArgumentHelp(
        "A table or a column that was renamed: people=person, person.mail=email.",
        valueName: "old=new"),
      transform: { text in
        guard let renaming = Renaming(text) else {
          throw ValidationError("'\(text)' does not have the form old=new or table.old=new.")
        }
        return renaming
      })
    var renamings: [Renaming] = []

    func run() throws {
      let schema = Driver(project.driverOptions()).projectSchema()
      try schema.outcome.finish("the schema could not be determined")
      let comparison: SchemaComparison
      do {
        comparison = try SchemaComparison(
          schema, database: database, renamings: renamings)
      } catch {
        StandardStreams.error("\(database): error: \(error)\n")
        throw ExitCode(1)
      }
      guard !comparison.isEqual else {
        return print("\(database) has the schema of the migrations")
      }
      StandardStreams.output(comparison.steps)
      for loss in comparison.losses { StandardStreams.error("this would lose \(loss)\n") }
      throw ExitCode(1)
    }
  }
}

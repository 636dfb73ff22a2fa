import ArgumentParser
import QueryGenDatabase
import QueryGenDriver

/// `querygen migrations`
struct Migrations: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Adds migrations, locks those that were released, and tries them on a database.",
    discussion: """
      Migrations/migrations.lock has the checksums of the migrations that may not change any more. An \
      edited one is an error of every command and of every build from then on; space, comments, and \
      letter case outside of quotes may change.
      """,
    subcommands: [Add.self, Lock.self, Verify.self])

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Makes the file of a new migration, and locks those before it.",
      discussion: """
        The file's number is the one after the last; where the numbers are times, it is the time. To \
        change a migration that was not released after all, take its line out of migrations.lock.

        \(ExitCodes.help)
        """)

    @OptionGroup var project: ProjectOptions

    @Argument(
      help: ArgumentHelp("What the migration does, in a few words.", valueName: "name"))
    var name: [String]

    func run() throws {
      let added = Driver(project.driverOptions()).addMigration(
        named: name.joined(separator: " "))
      try added.outcome.finish()
      for name in added.locked { print("locked \(name)") }
      if let path = added.path { print("wrote \(path)") }
    }
  }

  struct Lock: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Locks all migrations, before a release.", discussion: ExitCodes.help)

    @OptionGroup var project: ProjectOptions

    func run() throws {
      let locked = Driver(project.driverOptions()).lockMigrations()
      try locked.outcome.finish()
      for name in locked.locked { print("locked \(name)") }
      if locked.locked.isEmpty { print("all migrations were locked before") }
    }
  }

  struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Has SQLite run the migrations, on an empty file or on a copy of a database.",
      discussion: """
        Afterwards the schema must be the one that querygen understands. A database must have gone \
        through what the files say, in their order; the first migration that differs is named. The \
        database itself is only read.

        \(ExitCodes.help)
        """)

    @OptionGroup var project: ProjectOptions

    @Argument(
      help: ArgumentHelp("The database file. By default an empty one.", valueName: "database"),
      completion: .file())
    var database: String?

    func run() throws {
      let schema = Driver(project.driverOptions()).projectSchema()
      try schema.outcome.finish("nothing was run")
      let report = MigrationReplay(schema).run(database: database)
      for fault in report.faults { Standard.error("\(fault)\n") }
      guard report.faults.isEmpty else { throw ExitCode(1) }
      if let database {
        print("\(database) has gone through \(report.applied.count) of \(schema.migrations.count)")
      }
      print("SQLite ran \(report.replayed.count) migrations: no errors")
    }
  }
}

/// `querygen schema`
struct Schema: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows the schema that the migrations make, or compares it with a database's.",
    subcommands: [Show.self, Diff.self], defaultSubcommand: Show.self)

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints the schema after the last migration as SQL.",
      discussion: ExitCodes.help)

    @OptionGroup var project: ProjectOptions

    func run() throws {
      let schema = Driver(project.driverOptions()).projectSchema()
      try schema.outcome.finish("the schema is not known")
      Standard.output(schema.sql)
    }
  }

  struct Diff: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints the SQL that leads from a database's schema to that of the migrations.",
      discussion: """
        The database is only read. Space, comments, letter case and quotes around names do not count, \
        and neither does the list of migrations that Holt keeps in a database.

        Exit codes: 0 where both schemas are the same, 1 where they differ or can't be read, 64 where \
        the command itself is wrong.
        """)

    @OptionGroup var project: ProjectOptions

    @Argument(
      help: ArgumentHelp("The database file.", valueName: "database"), completion: .file())
    var database: String

    @Option(
      name: .customLong("renamed"), parsing: .singleValue,
      help: ArgumentHelp(
        "What has another name now, a table or a column: people=person, person.mail=email.",
        valueName: "old=new"),
      transform: { text in
        guard let renaming = Renaming(text) else {
          throw ValidationError("'\(text)' is not old=new, and not table.old=new.")
        }
        return renaming
      })
    var renamings: [Renaming] = []

    func run() throws {
      let schema = Driver(project.driverOptions()).projectSchema()
      try schema.outcome.finish("the schema is not known")
      let comparison: SchemaComparison
      do {
        comparison = try SchemaComparison(
          schema, database: database, renamings: renamings)
      } catch {
        Standard.error("\(database): error: \(error)\n")
        throw ExitCode(1)
      }
      guard !comparison.isEqual else {
        return print("\(database) has the schema of the migrations")
      }
      Standard.output(comparison.steps)
      for loss in comparison.losses { Standard.error("this would lose \(loss)\n") }
      throw ExitCode(1)
    }
  }
}

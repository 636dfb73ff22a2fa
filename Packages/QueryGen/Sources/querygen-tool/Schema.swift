import ArgumentParser
import QueryGenDatabase
import QueryGenDriver

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

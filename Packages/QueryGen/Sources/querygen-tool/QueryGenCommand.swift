import ArgumentParser

/// The `querygen` command.
@main
struct QueryGenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "querygen",
    abstract: "Makes typed Swift of plain SQL.",
    discussion: """
      A project is a folder with Migrations/*.sql, which make the schema, and Queries/**/*.sql, whose \
      named queries are checked against it. querygen.yaml in it says what else is wanted; "querygen \
      init" makes one to begin with. What the command says counts before what the file says.
      """,
    version: "0.1.0",
    subcommands: [
      Generate.self, Check.self, Format.self, Schema.self, Migrations.self, Init.self,
      ConformanceCommand.self,
    ],
    defaultSubcommand: Generate.self)
}

import ArgumentParser
import Foundation
import QueryGenDriver

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

/// What every command takes.
struct ProjectOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The folder that holds Migrations, Queries and querygen.yaml. By default the current one.",
      valueName: "folder"), completion: .directory)
  var path: String?

  @Option(
    name: [.customShort("c"), .customLong("config")],
    help: ArgumentHelp(
      "The configuration, where it is not querygen.yaml in the folder.", valueName: "file"),
    completion: .file(extensions: ["yaml"]))
  var configuration: String?

  @Flag(inversion: .prefixedNo, help: "Show colours. By default in a terminal.")
  var color: Bool?

  func driverOptions() -> DriverOptions {
    DriverOptions(
      path: path, configuration: configuration, usesColor: color ?? Self.isTerminal)
  }

  /// Whether errors are read by a person; `NO_COLOR` is what people set who want none.
  private static var isTerminal: Bool {
    let environment = ProcessInfo.processInfo.environment
    return isatty(STDERR_FILENO) == 1 && environment["NO_COLOR", default: ""].isEmpty
      && environment["TERM"] != "dumb"
  }
}

/// What commands take that make Swift, or check what would be made.
struct GenerationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The name of the generated database type. By default DB.", valueName: "name"))
  var databaseName: String?

  @Option(help: "Who can use the generated declarations. By default internal.")
  var access: AccessOption?

  @Option(
    name: .customLong("import"),
    help: ArgumentHelp(
      "The module that generated code imports. By default QueryGen.", valueName: "module"))
  var runtimeModule: String?

  func apply(to options: inout DriverOptions) {
    options.databaseName = databaseName
    options.access = access?.access
    options.runtimeModule = runtimeModule
  }
}

/// The values of `--access`.
enum AccessOption: String, CaseIterable, ExpressibleByArgument {
  case `internal`
  case `package`
  case `public`

  var access: DriverOptions.Access {
    switch self {
    case .internal: .internal
    case .package: .package
    case .public: .public
    }
  }
}

/// What the commands end with, as their help says.
enum ExitCodes {
  static let help = """
    Exit codes: 0 where there is no error (warnings are none), 1 where there is one, 64 where the \
    command itself is wrong.
    """
}

extension Driver.Outcome {
  /// Shows what is wrong, if anything is, and ends the process with its code.
  func finish(_ consequence: String = "nothing was written") throws {
    Standard.error(report)
    guard exitCode == 0 else {
      let errors = errorCount == 1 ? "1 error" : "\(errorCount) errors"
      Standard.error("\(errors); \(consequence)\n")
      throw ExitCode(exitCode)
    }
  }

  /// What was understood, in a few words.
  var summary: String {
    let tables = tableCount == 1 ? "1 table" : "\(tableCount) tables"
    let queries = queryCount == 1 ? "1 query" : "\(queryCount) queries"
    return "\(tables), \(queries)"
  }
}

/// The process's streams.
enum Standard {
  static func error(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
  static func output(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}

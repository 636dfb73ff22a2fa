import ArgumentParser
import Foundation
import QueryGenDriver

/// The `querygen` command.
@main
struct QueryGenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "querygen",
    abstract: "Generates type-safe Swift code from plain SQL.",
    discussion: """
      A project is a folder with Migrations/*.sql, which create the schema, and Queries/**/*.sql, \
      whose named queries are checked against it. Its querygen.yaml contains further options, over \
      which those of the command take precedence. "querygen init" creates a sample project.
      """,
    version: "0.1.0",
    subcommands: [
      Generate.self, Check.self, Explain.self, Format.self, Schema.self, Migrations.self,
      Init.self, ConformanceCommand.self, LanguageServerCommand.self, Watch.self,
    ],
    defaultSubcommand: Generate.self)
}

/// The options of every command.
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
      "The configuration, if it is not querygen.yaml in the folder.", valueName: "file"),
    completion: .file(extensions: ["yaml"]))
  var configuration: String?

  @Flag(inversion: .prefixedNo, help: "Show colors. By default in a terminal.")
  var color: Bool?

  func driverOptions() -> DriverOptions {
    DriverOptions(
      path: path, configuration: configuration, usesColor: color ?? Self.isTerminal)
  }

  /// Indicates whether standard error is a terminal that supports colors, and `NO_COLOR` is not
  /// set.
  private static var isTerminal: Bool {
    let environment = ProcessInfo.processInfo.environment
    return isatty(STDERR_FILENO) == 1 && environment["NO_COLOR", default: ""].isEmpty
      && environment["TERM"] != "dumb"
  }
}

/// The options of commands that generate Swift, or that check the generated code.
struct GenerationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The name of the generated database type. By default DB.", valueName: "name"))
  var databaseName: String?

  @Option(help: "The access level of the generated declarations. By default internal.")
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

/// The exit codes, as described in the commands' help.
enum ExitCodes {
  static let help = """
    Exit codes: 0 if there are no errors (warnings are not errors), 1 if there are, 64 if the \
    command line is invalid.
    """
}

extension Driver.Outcome {
  /// Prints the report, and exits if there are errors.
  func finish(_ consequence: String = "nothing was written") throws {
    StandardStreams.error(report)
    guard exitCode == 0 else {
      let errors = errorCount == 1 ? "1 error" : "\(errorCount) errors"
      StandardStreams.error("\(errors); \(consequence)\n")
      throw ExitCode(exitCode)
    }
  }

  /// A short summary of the analyzed tables and queries.
  var summary: String {
    let tables = tableCount == 1 ? "1 table" : "\(tableCount) tables"
    let queries = queryCount == 1 ? "1 query" : "\(queryCount) queries"
    return "\(tables), \(queries)"
  }
}

/// The process's streams.
enum StandardStreams {
  static func error(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
  static func output(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}

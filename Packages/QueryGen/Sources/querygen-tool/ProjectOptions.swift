import ArgumentParser
import Foundation
import QueryGenDriver

/// What every command takes.
struct ProjectOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The folder that holds Migrations and Queries.", valueName: "folder"))
  var path = "."

  @Option(help: ArgumentHelp("The name of the generated database type.", valueName: "name"))
  var databaseName = "DB"

  @Option(help: "Who can use the generated declarations.")
  var access = AccessOption.internal

  @Option(
    name: .customLong("import"),
    help: ArgumentHelp("The module that generated code imports.", valueName: "module"))
  var runtimeModule = "QueryGen"

  @Flag(inversion: .prefixedNo, help: "Show colours. By default in a terminal.")
  var color: Bool?

  func driverOptions(output: String? = nil) -> DriverOptions {
    DriverOptions(
      path: path, output: output, databaseName: databaseName, access: access.access,
      runtimeModule: runtimeModule, usesColor: color ?? Self.isTerminal)
  }

  /// Whether errors are read by a person; `NO_COLOR` is what people set who want none.
  private static var isTerminal: Bool {
    let environment = ProcessInfo.processInfo.environment
    return isatty(STDERR_FILENO) == 1 && environment["NO_COLOR", default: ""].isEmpty
      && environment["TERM"] != "dumb"
  }
}

/// The values of `--access`.
enum AccessOption: String, CaseIterable, ExpressibleByArgument {
  case `internal`
  case `public`

  var access: DriverOptions.Access {
    switch self {
    case .internal: .internal
    case .public: .public
    }
  }
}

extension Driver.Outcome {
  /// Shows what is wrong, if anything is, and ends the process with its code.
  func finish() throws {
    FileHandle.standardError.write(Data(report.utf8))
    guard exitCode == 0 else {
      let errors = errorCount == 1 ? "1 error" : "\(errorCount) errors"
      FileHandle.standardError.write(Data("\(errors); nothing was written\n".utf8))
      throw ExitCode(exitCode)
    }
  }
}

import ArgumentParser
import Foundation
import PostgreSQL
import QueryGenDescriber
import QueryGenDriver

/// The `querygen-postgresql` command.
@main
struct QueryGenPostgreSQLCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "querygen-postgresql",
    abstract: "Lets a PostgreSQL server describe the queries of QueryGen's projects.",
    discussion: """
      Databases with "engine: postgresql" in querygen.yaml are described by a server: it applies \
      the migrations to a scratch database, and reports the types of the queries, which are \
      written to Queries/postgresql.json. Without a server, "querygen generate" and the build \
      plugin use this file.
      """,
    version: "0.1.0",
    subcommands: [Generate.self, Check.self],
    defaultSubcommand: Generate.self)
}

/// The options of all commands.
struct ServerOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The folder that holds Migrations, Queries and querygen.yaml. By default the current one.",
      valueName: "folder"), completion: .directory)
  var path: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The server: postgres://user:password@host:port/database. By default the environment variable QUERYGEN_SERVER.",
      valueName: "url"))
  var server: String?

  @Flag(inversion: .prefixedNo, help: "Show colors. By default in a terminal.")
  var color: Bool?

  var usesColor: Bool {
    let environment = ProcessInfo.processInfo.environment
    return color
      ?? (isatty(STDERR_FILENO) == 1 && environment["NO_COLOR", default: ""].isEmpty
        && environment["TERM"] != "dumb")
  }

  func describer() throws -> ProjectDescriber {
    guard let url = server ?? ProcessInfo.processInfo.environment["QUERYGEN_SERVER"], !url.isEmpty
    else {
      throw ValidationError("no server: use --server or the environment variable QUERYGEN_SERVER")
    }
    do {
      return ProjectDescriber(try PostgreSQLConfiguration(url: url))
    } catch {
      throw ValidationError("the URL of the server can't be used: \(error.message)")
    }
  }

  /// Returns the databases for PostgreSQL; there is at least one.
  func projects() throws -> [PostgreSQLProject] {
    let projects = Driver(DriverOptions(path: path, usesColor: usesColor)).postgreSQLProjects()
    guard !projects.isEmpty else {
      throw ValidationError(
        "no database with \"engine: postgresql\" in the querygen.yaml of \(path ?? "this folder")")
    }
    return projects
  }

  /// Describes a project, or exits if there are errors.
  func describe(
    _ project: inout PostgreSQLProject, with describer: ProjectDescriber
  ) async throws -> PostgreSQLDescription {
    let description: PostgreSQLDescription?
    do {
      description = try await describer.describe(&project)
    } catch let error as PostgreSQLError {
      printError("error: the server can't describe the project: \(error.message)\n")
      throw ExitCode(1)
    }
    let outcome = project.outcome(usesColor: usesColor)
    printError(outcome.report)
    guard let description, outcome.errorCount == 0 else {
      let errors = outcome.errorCount == 1 ? "1 error" : "\(outcome.errorCount) errors"
      printError("\(errors); nothing was written\n")
      throw ExitCode(1)
    }
    return description
  }

  func printError(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

/// `querygen-postgresql generate`
struct Generate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Describes the queries, and generates the Swift code.",
    discussion: """
      If there is an error, no file is changed.

      Exit codes: 0 if there are no errors, 1 if there are, 64 if the command line is invalid.
      """)

  @OptionGroup var options: ServerOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The folder to write to. By default Generated, next to Migrations.", valueName: "folder"),
    completion: .directory)
  var output: String?

  @Flag(help: "Only write the descriptions, for a target that uses the build plugin.")
  var describeOnly = false

  func run() async throws {
    let describer = try options.describer()
    for var project in try options.projects() {
      let description = try await options.describe(&project, with: describer)
      do {
        let isWritten = try project.write(description)
        print(
          isWritten
            ? "wrote \(project.descriptionPath)" : "\(project.descriptionPath) is up to date")
      } catch let error as FileFailure {
        options.printError("\(error.path): error: \(error.message)\n")
        throw ExitCode(1)
      }
    }
    guard !describeOnly else { return }
    var driverOptions = DriverOptions(path: options.path, usesColor: options.usesColor)
    driverOptions.output = output
    let outcome = Driver(driverOptions).generate()
    options.printError(outcome.report)
    guard outcome.exitCode == 0 else { throw ExitCode(outcome.exitCode) }
    for name in outcome.written { print("wrote \(outcome.output)/\(name)") }
    for name in outcome.removed { print("removed \(outcome.output)/\(name)") }
    if outcome.written.isEmpty, outcome.removed.isEmpty { print("\(outcome.output) is up to date") }
  }
}

/// `querygen-postgresql check`
struct Check: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Verifies that the descriptions are those of a server, without writing files.",
    discussion: """
      Exit codes: 0 if all descriptions are current, 1 if one is not or if there are errors, 64 if \
      the command line is invalid.
      """)

  @OptionGroup var options: ServerOptions

  func run() async throws {
    let describer = try options.describer()
    var errorCount = 0
    for var project in try options.projects() {
      let description = try await options.describe(&project, with: describer)
      let differences = project.differences(from: description)
      for difference in differences {
        project.reportStale(difference.message, inQuery: difference.query)
      }
      let outcome = project.outcome(usesColor: options.usesColor)
      options.printError(outcome.report)
      errorCount += outcome.errorCount
      if differences.isEmpty {
        let count = project.queries.count
        print(
          "\(project.descriptionPath) is current: \(count) \(count == 1 ? "query" : "queries")")
      }
    }
    guard errorCount == 0 else { throw ExitCode(1) }
  }
}

public import ArgumentParser
import Foundation
import Providers
import Terminal

/// The `holt` command.
public struct HoltCommand: AsyncParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "holt",
    abstract:
      "Queries, converts, draws, compares and watches SQLite, PostgreSQL, SPON, JSON, XML and CSV data.",
    discussion: """
      Every file format is queried with SQLite's SQL:

        holt query "SELECT country, count(*) FROM towns GROUP BY country" towns.json
        holt query "SELECT * FROM orders JOIN towns USING (town)" orders.csv towns.json
        holt convert towns.json towns.sqlite
        holt schema app.sqlite --format svg > app.svg
        holt diff old.sqlite new.sqlite --data
        holt watch "SELECT count(*) FROM job" app.sqlite
        holt copy app.sqlite postgres://app@db.example.org/app

      Exit codes: 0 on success; 1 if diff finds a difference or check finds an error; 2 if an \
      error occurred; 64 if the command line is invalid; 141 if the reader of the output has \
      closed it. Errors are written to standard error, as JSON with --json.

      Completions for a shell: holt --generate-completion-script zsh
      """,
    version: "0.1.0",
    subcommands: [
      Query.self, Convert.self, Copy.self, Schema.self, Diff.self, Migrate.self, Watch.self,
      Check.self, Bench.self, Summarize.self, Shell.self,
    ])

  public init() {}

  /// Parses the command line, runs the command, and exits the process if an error occurs.
  public static func start() async {
    StandardStream.ignoreBrokenPipeSignal()
    _ = InterruptHandlers.shared.handle {
      SourceSession.FileWriting.removeTemporaryFiles()
      return false
    }
    let command: any ParsableCommand
    do {
      command = try parseAsRoot()
    } catch {
      end(byParsing: error)
    }
    do {
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        var command = command
        try command.run()
      }
    } catch {
      end(by: error, of: command)
    }
  }

  /// Reports an error of the command line and exits the process.
  private static func end(byParsing error: any Error) -> Never {
    let arguments = CommandLine.arguments
    guard arguments.contains(where: { $0.contains("postgres") }),
      exitCode(for: error) != .success
    else { exit(withError: error) }
    // The parser's message contains arguments, which can have a password.
    StandardStream.error.write(
      ServerAddress.redacted(fullMessage(for: error), arguments: arguments) + "\n")
    Foundation.exit(exitCode(for: error).rawValue)
  }

  /// Reports an error and exits the process.
  private static func end(by error: any Error, of command: any ParsableCommand) -> Never {
    if error is BrokenPipe { Foundation.exit(141) }
    // The argument parser throws help requests as errors, too.
    switch exitCode(for: error) {
    case .success, .validationFailure: end(byParsing: error)
    case let code where error is ExitCode: Foundation.exit(code.rawValue)
    default:
      let reporting = command as? any ReportingCommand
      let failure = Failure(error, sqlFile: reporting?.sqlFile)
      let text =
        reporting?.wantsJSON ?? false
        ? failure.json
        : failure.text(showingColor: StandardStream.error.showsColor(.auto))
      // The path that an error shows can be a URL with a password.
      StandardStream.error.write(
        ServerAddress.redacted(text, arguments: CommandLine.arguments))
      Foundation.exit(ExitCode.error.rawValue)
    }
  }
}

extension ExitCode {
  /// `diff` found a difference, or `check` found an error.
  static let found = ExitCode(1)
  /// An error occurred.
  static let error = ExitCode(2)
}

/// A command that reports its errors as text or as JSON.
protocol ReportingCommand {
  var wantsJSON: Bool { get }
  /// The file that contains the command's SQL; `nil`, the default, if there is none.
  var sqlFile: String? { get }
}

extension ReportingCommand {
  var sqlFile: String? { nil }
}

public import ArgumentParser
import Foundation
import Terminal

/// The `holt` command.
public struct HoltCommand: AsyncParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "holt",
    abstract: "Asks, converts, draws, compares and watches data: SQLite, SPON, JSON, XML and CSV.",
    discussion: """
      SQL is SQLite's, whatever the files are:

        holt query "SELECT country, count(*) FROM towns GROUP BY country" towns.json
        holt query "SELECT * FROM orders JOIN towns USING (town)" orders.csv towns.json
        holt convert towns.json towns.sqlite
        holt schema app.sqlite --format svg > app.svg
        holt diff old.sqlite new.sqlite --data
        holt watch "SELECT count(*) FROM job" app.sqlite

      Exit codes: 0 where all is done; 1 where diff finds a difference, or check a fault; 2 \
      where something failed; 64 where the command \
      itself is wrong; 141 where nobody reads the output any more. Errors go to the standard \
      error, in JSON with --json.

      Completions for a shell: holt --generate-completion-script zsh
      """,
    version: "0.1.0",
    subcommands: [
      Query.self, Convert.self, Copy.self, Schema.self, Diff.self, Migrate.self, Watch.self,
      Check.self, Bench.self,
    ])

  public init() {}

  /// Runs what the command line says, and ends the process.
  public static func start() async {
    StandardStream.ignoreBrokenPipeSignal()
    let command: any ParsableCommand
    do {
      command = try parseAsRoot()
    } catch {
      exit(withError: error)
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

  /// Says what failed, and ends the process.
  private static func end(by error: any Error, of command: any ParsableCommand) -> Never {
    if error is BrokenPipe { Foundation.exit(141) }
    // Help is an error to the parser of arguments, too.
    switch exitCode(for: error) {
    case .success, .validationFailure: exit(withError: error)
    case let code where error is ExitCode: Foundation.exit(code.rawValue)
    default:
      let failure = Failure(error, sqlFile: (command as? any SQLCommand)?.sqlFile)
      let inJSON = (command as? any JSONCommand)?.wantsJSON ?? false
      StandardStream.error.write(
        inJSON
          ? failure.json
          : failure.text(showingColor: StandardStream.error.showsColor(.auto)))
      Foundation.exit(ExitStatus.failure)
    }
  }
}

/// What the process ends with.
enum ExitStatus {
  /// A comparison has found a difference, or a check a fault.
  static let found: Int32 = 1
  /// Something failed.
  static let failure: Int32 = 2
}

/// A command that tells its errors in JSON, if asked to.
protocol JSONCommand { var wantsJSON: Bool { get } }

/// A command whose SQL may stand in a file.
protocol SQLCommand { var sqlFile: String? { get } }

import ArgumentParser
import Foundation
import Providers
import Router
import SQLiteCore
import Terminal

/// A command-line app for notes with full-text search.
@main
struct NotesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "notes",
    abstract: "Manages notes with tags and full-text search.",
    discussion: """
        notes add "Shopping" --body "Milk, bread" --tag home
        notes search milk
        notes watch --tag home

      Exit codes: 0 on success; 1 if a search has no results; 2 if an error occurred; 64 if the command line \
      is invalid; 141 if the reader of the output has closed it.
      """,
    subcommands: [
      Add.self, List.self, Show.self, Edit.self, TagCommand.self, Search.self, Delete.self,
      Undelete.self, Purge.self, Export.self, Import.self, Watch.self, Stats.self, Tour.self,
    ])

  static func main() async {
    StandardStream.ignoreBrokenPipeSignal()
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      end(by: error)
    }
  }

  private static func end(by error: any Error) -> Never {
    if error is BrokenPipe { Foundation.exit(141) }
    // The argument parser throws help requests as errors, too.
    switch exitCode(for: error) {
    case .success, .validationFailure: exit(withError: error)
    case let code where error is ExitCode: Foundation.exit(code.rawValue)
    default:
      StandardStream.error.write("notes: \(line(for: error))\n")
      Foundation.exit(2)
    }
  }

  /// Returns the error's message on one line.
  static func line(for error: any Error) -> String {
    let text =
      switch error {
      case let error as SQLiteError: error.message
      case let error as RouterError: error.message
      case let error as CocoaError: error.localizedDescription
      default: "\(error)"
      }
    return text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

import ArgumentParser
import Foundation
import Providers
import Router
import SQLiteCore
import Terminal

/// Notes in a database, found by their words.
@main
struct NotesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "notes",
    abstract: "Keeps notes, with tags, and finds them by their words.",
    discussion: """
        notes add "Shopping" --body "Milk, bread" --tag home
        notes search milk
        notes watch --tag home

      Exit codes: 0 where all is done; 1 where a search finds nothing; 2 where something failed; 64 where the \
      command itself is wrong; 141 where nobody reads the output any more.
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
    // Help is an error to the parser of arguments, too.
    switch exitCode(for: error) {
    case .success, .validationFailure: exit(withError: error)
    case let code where error is ExitCode: Foundation.exit(code.rawValue)
    default:
      StandardStream.error.write("notes: \(line(for: error))\n")
      Foundation.exit(2)
    }
  }

  /// An error in one line.
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

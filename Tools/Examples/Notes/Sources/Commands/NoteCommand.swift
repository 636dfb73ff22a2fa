import ArgumentParser
import Foundation
import Observe
import QueryGen
import SQLiteCore
import Terminal

/// The environment of a command: the notes and the output.
struct NotesSession: Sendable {
  var notebook: Notebook
  var pages = NotePages()
  /// A Boolean value that indicates whether updated lists are redrawn in place.
  var isTerminal = false
  var write: @Sendable (String) throws -> Void

  /// Writes a line of text.
  func say(_ text: String) throws { try write(text + "\n") }

  /// Writes text to standard output.
  ///
  /// - Throws: `BrokenPipe` if the reader has closed the pipe.
  @Sendable static func writeToStandardOutput(_ text: String) throws {
    let output = Output()
    output.write(text)
    try output.finish()
  }
}

/// A command on notes, which runs in any session.
protocol NoteCommand: AsyncParsableCommand {
  var options: NotebookOptions { get }
  /// The command's access to the database file.
  static var access: NoteAccess { get }

  func run(in session: NotesSession) async throws
}

enum NoteAccess {
  /// Read-only access. A missing file is not created.
  case reading
  /// Write access. A missing file is created.
  case writing
  /// Observes changes, including changes by other processes.
  case following
}

/// The options of all commands.
struct NotebookOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The notes file. By default, NOTES_FILE or notes/notes.sqlite in the user's data folder.",
      valueName: "path"))
  var file: String?

  /// The file given by the option, by the environment, or the default file.
  var path: String {
    let environment = ProcessInfo.processInfo.environment
    if let path = file ?? environment["NOTES_FILE"], !path.isEmpty { return path }
    let data = environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 }
    return (data ?? NSHomeDirectory() + "/.local/share") + "/notes/notes.sqlite"
  }
}

extension NoteCommand {
  static var access: NoteAccess { .writing }

  func run() async throws {
    let db = try await open()
    defer { db.database.close() }
    if Self.access == .following { try await db.database.startObserving(.watched) }
    let output = StandardStream.output
    try await run(
      in: NotesSession(
        notebook: Notebook(db),
        pages: NotePages(
          isPainted: output.showsColor(.auto), width: output.isTerminal ? output.columns : 80),
        isTerminal: output.isTerminal, write: NotesSession.writeToStandardOutput))
  }

  private func open() async throws -> DB {
    let path = options.path
    if Self.access == .reading, !FileManager.default.fileExists(atPath: path) {
      return try DB(configuration: .notes)
    }
    try FileManager.default.createDirectory(
      at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
    return try await DB.open(path: path, configuration: .notes)
  }
}

extension Configuration {
  /// The configuration required by the triggers that update the FTS5 index.
  static var notes: Configuration {
    var configuration = Configuration()
    configuration.trustsSchema = true
    return configuration
  }
}

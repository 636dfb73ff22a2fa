import ArgumentParser
import Foundation
import Observe
import QueryGen
import SQLiteCore
import Terminal

/// What a command runs with: the notes, and where it writes.
struct NotesSession: Sendable {
  var notebook: Notebook
  var pages = NotePages()
  /// Whether what follows changes is drawn over itself.
  var isTerminal = false
  var write: @Sendable (String) throws -> Void

  /// Says what there is to say.
  func say(_ text: String) throws { try write(text + "\n") }

  /// - Throws: `BrokenPipe` where nobody reads any more.
  @Sendable static func writeToStandardOutput(_ text: String) throws {
    let output = Output()
    output.write(text)
    try output.finish()
  }
}

/// A command on notes: it is parsed from a line, and runs with whatever notes it is given.
protocol NoteCommand: AsyncParsableCommand {
  var options: NotebookOptions { get }
  /// What it does with the database's file.
  static var access: NoteAccess { get }

  func run(in session: NotesSession) async throws
}

enum NoteAccess {
  /// It reads: where there is no file, none is made.
  case reading
  /// It writes: where there is no file, one is made.
  case writing
  /// It follows what others write, in other processes too.
  case following
}

/// The options of all commands.
struct NotebookOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file of the notes; by default NOTES_FILE, or notes/notes.sqlite where this system keeps data.",
      valueName: "path"))
  var file: String?

  /// The file, by this command, the environment or custom.
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
  /// As the notes' triggers need it, which write an index of FTS5.
  static var notes: Configuration {
    var configuration = Configuration()
    configuration.trustsSchema = true
    return configuration
  }
}

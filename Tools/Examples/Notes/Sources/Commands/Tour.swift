import ArgumentParser
import QueryGen
import SQLiteCore
import Terminal

/// `notes tour`
struct Tour: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Demonstrates the commands with notes in memory.")

  func run() async throws {
    let db = try DB(configuration: .notes)
    defer { db.database.close() }
    try await run(
      in: NotesSession(
        notebook: Notebook(db),
        pages: NotePages(isPainted: StandardStream.output.showsColor(.auto)),
        write: NotesSession.writeToStandardOutput))
  }

  /// Parses and runs each line as if it had been typed.
  func run(in session: NotesSession) async throws {
    for line in Self.lines { try await run(line, in: session) }
    try await watch(in: session)
    try session.say("\nRun notes --help for more.")
  }

  static let lines: [[String]] = [
    ["add", "Shopping", "--body", "Milk, bread, and crème fraîche for the soup", "--tag", "home"],
    [
      "add", "Leek soup", "--body", "Fry the leeks in butter. No milk!", "-t", "home", "-t",
      "cooking",
    ],
    ["add", "Book a train", "--body", "To Lyon, before Friday"],
    ["tag", "3", "travel", "work"],
    ["edit", "3", "--append", "A seat at the window"],
    ["list"],
    ["show", "3"],
    ["search", "creme fr"],
    ["search", "milk -bread"],
    ["delete", "1"],
    ["list", "--tag", "home"],
    ["undelete", "1"],
    ["stats"],
  ]

  private func run(_ line: [String], in session: NotesSession) async throws {
    try session.say("\n$ notes \(line.map(Self.quoted).joined(separator: " "))")
    let command = try NotesCommand.parseAsRoot(line)
    guard let command = command as? any NoteCommand else { return }
    try await command.run(in: session)
  }

  /// Watches the list while a note is added.
  private func watch(in session: NotesSession) async throws {
    try session.say("\n$ notes watch &")
    let (shown, continuation) = AsyncStream.makeStream(of: Void.self)
    var watching = session
    watching.write = { text in
      try session.write(text)
      continuation.yield()
    }
    let watched = watching
    async let end: Void = Self.watchTwice(in: watched)
    // Waits for the first list before adding the note.
    for await _ in shown { break }
    try await run(["add", "Call Ada", "--tag", "home"], in: session)
    try await end
  }

  private static func watchTwice(in session: NotesSession) async throws {
    try await Watch.parse(["--count", "2"]).run(in: session)
  }

  private static func quoted(_ word: String) -> String {
    word.contains { $0 == " " || $0 == "!" } ? "'\(word)'" : word
  }
}

import ArgumentParser
import QueryGen

/// `notes export`
struct Export: NoteCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes notes to a JSON, SPON, XML or CSV file. The extension selects the format.")
  static let access = NoteAccess.reading

  @Argument(help: "The file.", completion: .file()) var path: String
  @Option(name: .shortAndLong, help: ArgumentHelp("Only notes with this tag.", valueName: "tag"))
  var tag: String?
  @Flag(help: "Replace an existing file.") var replace = false
  @OptionGroup var options: NotebookOptions

  func run(in session: NotesSession) async throws {
    let file = try NoteFile(path)
    let name = try tag.flatMap { try Tags.names([$0]).first }
    let notes = try await session.notebook.noteList.execute(
      .init(deleted: false, tag: name, limit: -1))
    try file.write(notes, replacing: replace)
    try session.say("wrote \(NotePages.count(notes.count, "note")) to \(path)")
  }
}

/// `notes import`
struct Import: NoteCommand {
  static let configuration = CommandConfiguration(
    abstract: "Imports notes from a JSON, SPON, XML or CSV file in one transaction.",
    discussion: """
      The file must contain exactly one table with a column named title. The columns body, tags, created and edited \
      are optional. Existing notes are skipped, so a file can be imported twice.
      """)

  @Argument(help: "The file.", completion: .file()) var path: String
  @OptionGroup var options: NotebookOptions

  func run(in session: NotesSession) async throws {
    let notes = try NoteFile(path).read()
    let count = try await session.notebook.add(notes)
    let rest = notes.count - count
    try session.say(
      "added \(NotePages.count(count, "note"))" + (rest > 0 ? ", skipped \(rest)" : ""))
  }
}

import ArgumentParser
import QueryGen
import Terminal

/// How many notes are shown, and which.
struct Selection: ParsableArguments {
  @Option(name: .shortAndLong, help: ArgumentHelp("Only those with this tag.", valueName: "tag"))
  var tag: String?
  @Option(name: .shortAndLong, help: ArgumentHelp("As many at most.", valueName: "n"))
  var limit = 20

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit is at least 1") }
  }

  /// The tag as the database has it.
  var tagName: String? {
    get throws { try tag.flatMap { try Tags.names([$0]).first } }
  }
}

/// `notes list`
struct List: NoteCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists notes, the one that was edited last first.")
  static let access = NoteAccess.reading

  @OptionGroup var selection: Selection
  @Flag(help: "Those that are deleted.") var deleted = false
  @OptionGroup var options: NotebookOptions

  func run(in session: NotesSession) async throws {
    let notes = try await session.notebook.noteList.execute(
      deleted: deleted, tag: try selection.tagName, limit: selection.limit)
    try session.write(session.pages.list(notes))
  }
}

/// `notes show`
struct Show: NoteCommand {
  static let configuration = CommandConfiguration(abstract: "Shows a note in full.")
  static let access = NoteAccess.reading

  @Argument(help: "The note's number.") var id: Int
  @OptionGroup var options: NotebookOptions

  func run(in session: NotesSession) async throws {
    try session.write(session.pages.page(try await session.notebook.note(id)))
  }
}

/// `notes search`
struct Search: NoteCommand {
  static let configuration = CommandConfiguration(
    abstract: "Finds notes by words, the best first.",
    discussion: """
      Each word has to be there, in any spelling of accents and case; the last one may go on: milk bre \
      finds milk and bread. Where the text has "a phrase", a -word that must not be there, or an or \
      between words, it is read as for a search on the web. Nothing that is typed is an error.

      Exit codes: 0 where notes were found, 1 where none were.
      """)
  static let access = NoteAccess.reading

  @Argument(help: "What to look for.") var words: [String]
  @OptionGroup var selection: Selection
  @OptionGroup var options: NotebookOptions

  func run(in session: NotesSession) async throws {
    let found = try await session.notebook.search(
      words.joined(separator: " "), tag: try selection.tagName, limit: selection.limit)
    if found.isEmpty { throw ExitCode(1) }
    try session.write(session.pages.found(found))
  }
}

/// `notes stats`
struct Stats: NoteCommand {
  static let configuration = CommandConfiguration(
    abstract: "Says how many notes there are, of which tags and months.")
  static let access = NoteAccess.reading

  @OptionGroup var options: NotebookOptions

  func run(in session: NotesSession) async throws {
    let notebook = session.notebook
    try session.write(
      session.pages.stats(
        try await notebook.noteStats.execute(), try await notebook.tagCounts.execute(),
        try await notebook.notesByMonth.execute(12)))
  }
}

/// `notes watch`
struct Watch: NoteCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows the list, and shows it anew when any process has changed it.",
    discussion: """
      In a terminal the list is drawn in place. Otherwise each one is written below the last, with an empty line \
      between them. Ctrl-C ends it.
      """)
  static let access = NoteAccess.following

  @OptionGroup var selection: Selection
  @Option(help: ArgumentHelp("End after as many lists.", valueName: "n")) var count: Int?
  @OptionGroup var options: NotebookOptions

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count is at least 1") }
  }

  func run(in session: NotesSession) async throws {
    let lists = session.notebook.noteList.observe(
      deleted: false, tag: try selection.tagName, limit: selection.limit)
    let count = count
    defer { if session.isTerminal { LiveScreen.end() } }
    try await InterruptHandlers.shared.cancelling {
      var (shown, last): (Int, [TaggedNote]?) = (0, nil)
      for try await notes in lists where notes != last {
        last = notes
        let page = session.pages.list(notes)
        if session.isTerminal {
          let end = TerminalStyle.dim("Ctrl-C ends", if: session.pages.isPainted)
          try LiveScreen.draw("\(page)\n\(end)\n", isFirst: shown == 0)
        } else {
          try session.write(shown == 0 ? page : "\n\(page)")
        }
        shown += 1
        if shown == count { return }
      }
    }
  }
}

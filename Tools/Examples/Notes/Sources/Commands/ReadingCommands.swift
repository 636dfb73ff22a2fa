import ArgumentParser
import QueryGen
import Terminal

/// The options that select notes.
struct Selection: ParsableArguments {
  @Option(name: .shortAndLong, help: ArgumentHelp("Only notes with this tag.", valueName: "tag"))
  var tag: String?
  @Option(name: .shortAndLong, help: ArgumentHelp("The maximum number of notes.", valueName: "n"))
  var limit = 20

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit must be at least 1") }
  }

  /// The tag's normalized name.
  var tagName: String? {
    get throws { try tag.flatMap { try Tags.names([$0]).first } }
  }
}

/// `notes list`
struct List: NoteCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists notes, the most recently edited first.")
  static let access = NoteAccess.reading

  @OptionGroup var selection: Selection
  @Flag(help: "Lists deleted notes instead.") var deleted = false
  @Option(help: "The order of the notes.") var sort = NoteListOrder.Key.edited
  @Flag(help: "Reverses the order.") var reversed = false
  @OptionGroup var options: NotebookOptions

  func run(in session: NotesSession) async throws {
    let notes = try await session.notebook.noteList.execute(
      .init(
        deleted: deleted, tag: try selection.tagName, order: [order], limit: selection.limit))
    try session.write(session.pages.list(notes))
  }

  private var order: NoteListOrder {
    let declared = sort.expression.direction
    let opposite: Queries.Direction = declared == .ascending ? .descending : .ascending
    return NoteListOrder(sort, reversed ? opposite : declared)
  }
}

extension NoteListOrder.Key: ExpressibleByArgument {}

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
    abstract: "Searches notes by words, the best matches first.",
    discussion: """
      All words must match, regardless of accents and case. The last word is matched as a prefix: milk bre \
      finds milk and bread. A text with "a phrase", an excluded -word, or the word or is interpreted like a \
      web search. Any text is valid input.

      Exit codes: 0 if notes were found, 1 if not.
      """)
  static let access = NoteAccess.reading

  @Argument(help: "The words to search for.") var words: [String]
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
    abstract: "Shows the number of notes, by tag and by month.")
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
    abstract: "Shows the list, and updates it when any process changes it.",
    discussion: """
      In a terminal, the list is redrawn in place. Otherwise each list is written below the previous one, separated by \
      an empty line. Ctrl-C ends the command.
      """)
  static let access = NoteAccess.following

  @OptionGroup var selection: Selection
  @Option(help: ArgumentHelp("The number of lists after which to stop.", valueName: "n")) var count:
    Int?
  @OptionGroup var options: NotebookOptions

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count must be at least 1") }
  }

  func run(in session: NotesSession) async throws {
    let lists = session.notebook.noteList.observe(
      .init(deleted: false, tag: try selection.tagName, limit: selection.limit))
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

import ArgumentParser
import Foundation

/// `notes add`
struct Add: NoteCommand {
  static let configuration = CommandConfiguration(abstract: "Adds a note and prints its number.")

  @Argument(help: "The title.") var title: String
  @Option(name: .shortAndLong, help: "The text, or - to read it from standard input.")
  var body: String = ""
  @Option(name: .shortAndLong, help: ArgumentHelp("A tag. Can be repeated.", valueName: "tag"))
  var tag: [String] = []
  @OptionGroup var options: NotebookOptions

  func run(in session: NotesSession) async throws {
    let id = try await session.notebook.add(
      title: title, body: try Input.text(body), tags: tag)
    try session.say("added #\(id)")
  }
}

/// `notes edit`
struct Edit: NoteCommand {
  static let configuration = CommandConfiguration(
    abstract: "Changes a note's title or text, or appends to its text.")

  @Argument(help: "The note's number.") var id: Int
  @Option(help: "The new title.") var title: String?
  @Option(name: .shortAndLong, help: "The new text, or - to read it from standard input.")
  var body: String?
  @Option(help: "Lines to append to the text, or - to read them from standard input.")
  var append: String?
  @OptionGroup var options: NotebookOptions

  func validate() throws {
    if body != nil, append != nil { throw ValidationError("--body and --append can't be combined") }
  }

  func run(in session: NotesSession) async throws {
    var text = try body.map(Input.text)
    if let append {
      let old = try await session.notebook.note(id).note.body
      text = old + (old.isEmpty || old.hasSuffix("\n") ? "" : "\n") + (try Input.text(append))
    }
    try await session.notebook.edit(id, title: title, body: text)
    try session.say("edited #\(id)")
  }
}

/// `notes tag`
struct TagCommand: NoteCommand {
  static let configuration = CommandConfiguration(
    commandName: "tag", abstract: "Adds tags to a note and removes others.",
    usage: "notes tag <id> [<tag> ...] [--remove <tag> ...]")

  @Argument(help: "The note's number.") var id: Int
  @Argument(help: "The tags to add.") var tags: [String] = []
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("A tag to remove. Can be repeated.", valueName: "tag"))
  var remove: [String] = []
  @OptionGroup var options: NotebookOptions

  func validate() throws {
    if tags.isEmpty, remove.isEmpty {
      throw ValidationError("no tags given: pass tags to add or --remove")
    }
  }

  func run(in session: NotesSession) async throws {
    try await session.notebook.tag(id, adding: tags, removing: remove)
    let names = try await session.notebook.note(id).tags.map(\.name)
    try session.say("#\(id): \(names.isEmpty ? "no tags" : names.joined(separator: " "))")
  }
}

/// `notes delete`
struct Delete: NoteCommand {
  static let configuration = CommandConfiguration(
    abstract: "Deletes notes. They can be restored until they are purged.")

  @Argument(help: "The notes' numbers.") var ids: [Int]
  @OptionGroup var options: NotebookOptions

  func run(in session: NotesSession) async throws {
    try await session.notebook.delete(ids)
    try session.say("deleted \(ids.map { "#\($0)" }.joined(separator: " "))")
  }
}

/// `notes undelete`
struct Undelete: NoteCommand {
  static let configuration = CommandConfiguration(abstract: "Restores deleted notes.")

  @Argument(help: "The notes' numbers.") var ids: [Int]
  @OptionGroup var options: NotebookOptions

  func run(in session: NotesSession) async throws {
    try await session.notebook.undelete(ids)
    try session.say("restored \(ids.map { "#\($0)" }.joined(separator: " "))")
  }
}

/// `notes purge`
struct Purge: NoteCommand {
  static let configuration = CommandConfiguration(
    abstract: "Permanently removes notes that were deleted some time ago.")

  @Option(help: ArgumentHelp("The minimum number of days since the deletion.", valueName: "n"))
  var days = 30
  @OptionGroup var options: NotebookOptions

  func validate() throws {
    if days < 0 { throw ValidationError("--days must be at least 0") }
  }

  func run(in session: NotesSession) async throws {
    let count = try await session.notebook.purge(deletedFor: Double(days) * 86_400)
    try session.say("removed \(NotePages.count(count, "note"))")
  }
}

/// Text arguments of the command line.
private enum Input {
  /// Returns the argument, or the content of standard input if the argument is `-`.
  static func text(_ argument: String) throws -> String {
    guard argument == "-" else { return argument }
    let data = try FileHandle.standardInput.readToEnd() ?? Data()
    return String(decoding: data, as: UTF8.self)
  }
}

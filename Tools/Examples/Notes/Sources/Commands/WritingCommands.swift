import ArgumentParser
import Foundation

/// `notes add`
struct Add: NoteCommand {
  static let configuration = CommandConfiguration(abstract: "Adds a note, and says its number.")

  @Argument(help: "The title.") var title: String
  @Option(name: .shortAndLong, help: "The text; - reads it from the standard input.")
  var body: String = ""
  @Option(name: .shortAndLong, help: ArgumentHelp("A tag; may be given again.", valueName: "tag"))
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
    abstract: "Changes the title or the text of a note, or adds to its text.")

  @Argument(help: "The note's number.") var id: Int
  @Option(help: "The new title.") var title: String?
  @Option(name: .shortAndLong, help: "The new text; - reads it from the standard input.")
  var body: String?
  @Option(help: "Lines to be added to the text; - reads them from the standard input.")
  var append: String?
  @OptionGroup var options: NotebookOptions

  func validate() throws {
    if body != nil, append != nil { throw ValidationError("give --body or --append, not both") }
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
    commandName: "tag", abstract: "Gives tags to a note, and takes others from it.",
    usage: "notes tag <id> [<tag> ...] [--remove <tag> ...]")

  @Argument(help: "The note's number.") var id: Int
  @Argument(help: "The tags that it gets.") var tags: [String] = []
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("A tag that it loses; may be given again.", valueName: "tag"))
  var remove: [String] = []
  @OptionGroup var options: NotebookOptions

  func validate() throws {
    if tags.isEmpty, remove.isEmpty { throw ValidationError("say which tags") }
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
    abstract: "Deletes notes, which can be undone until they are purged.")

  @Argument(help: "The notes' numbers.") var ids: [Int]
  @OptionGroup var options: NotebookOptions

  func run(in session: NotesSession) async throws {
    try await session.notebook.delete(ids)
    try session.say("deleted \(ids.map { "#\($0)" }.joined(separator: " "))")
  }
}

/// `notes undelete`
struct Undelete: NoteCommand {
  static let configuration = CommandConfiguration(abstract: "Brings deleted notes back.")

  @Argument(help: "The notes' numbers.") var ids: [Int]
  @OptionGroup var options: NotebookOptions

  func run(in session: NotesSession) async throws {
    try await session.notebook.undelete(ids)
    try session.say("brought back \(ids.map { "#\($0)" }.joined(separator: " "))")
  }
}

/// `notes purge`
struct Purge: NoteCommand {
  static let configuration = CommandConfiguration(
    abstract: "Removes for good what was deleted some time ago.")

  @Option(help: ArgumentHelp("How many days ago, at least.", valueName: "n")) var days = 30
  @OptionGroup var options: NotebookOptions

  func validate() throws {
    if days < 0 { throw ValidationError("--days is 0 or more") }
  }

  func run(in session: NotesSession) async throws {
    let count = try await session.notebook.purge(deletedFor: Double(days) * 86_400)
    try session.say("removed \(NotePages.count(count, "note"))")
  }
}

/// What stands for a text on the command line.
private enum Input {
  /// The text itself, or the standard input in place of a `-`.
  static func text(_ argument: String) throws -> String {
    guard argument == "-" else { return argument }
    let data = try FileHandle.standardInput.readToEnd() ?? Data()
    return String(decoding: data, as: UTF8.self)
  }
}

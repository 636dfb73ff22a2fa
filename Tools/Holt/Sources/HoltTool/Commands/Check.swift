import ArgumentParser
import SQLiteCore
import Terminal

/// `holt check`
struct Check: ParsableCommand, JSONCommand {
  static let configuration = CommandConfiguration(
    abstract: "Looks for damage: in the file, its references, and its full-text indexes.",
    discussion: """
      Found are: what SQLite's integrity check finds; rows that refer to rows which are not \
      there, also rows of tables that link two others; \
      references to tables and columns that there are not; full-text indexes that do not fit \
      their texts. Nothing is changed.

      With --json each finding is a line: {"kind", "table", "rowid", "message"}; kind is \
      integrity, reference, link, schema or fullText.

      Exit codes: 0 where all is well, 1 where something was found, 2 where the file can't be \
      looked at.

      Example: holt check app.sqlite --json
      """)

  @Argument(help: "The database, or a file of any other kind.", completion: .file())
  var file: SourceArgument

  @Flag(help: "Leave out comparing indexes with their tables, which takes longest.")
  var quick = false

  @Option(help: "How many findings of each kind are told.")
  var limit = 100

  @Flag(help: "Write a line of JSON for each finding.")
  var json = false

  var wantsJSON: Bool { json }

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit is at least 1") }
  }

  func run() throws {
    let temporaryFiles = TemporaryFiles()
    let opened = try OpenedFile(file, format: nil, temporaryFiles: temporaryFiles, writes: false)
    let connection = try Connection(path: opened.database, configuration: .reading)
    var inspection = IntegrityInspection(connection, limit: limit, isQuick: quick)
    try inspection.run()
    try inspection.checkFullText(path: opened.database, isFile: opened.provider == nil)
    let out = Output()
    for finding in inspection.findings {
      out.write(json ? "\(finding.json)\n" : "\(finding.text)\n")
    }
    for note in inspection.notes { StandardStream.error.write("note: \(note)\n") }
    if inspection.findings.isEmpty, !json { out.write("\(file.path): no faults\n") }
    try out.finish()
    if !inspection.findings.isEmpty { throw ExitCode(ExitStatus.found) }
  }
}

import ArgumentParser
import SQLiteCore
import Terminal

/// `holt check`
struct Check: ParsableCommand, ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Checks the file, its foreign keys and its full-text indexes for errors.",
    discussion: """
      Reports errors found by SQLite's integrity check, rows that violate a foreign key \
      (including rows of join tables), foreign keys that reference missing tables or columns, \
      and full-text indexes that do not match their content. The file is not changed.

      With --json each finding is a line: {"kind", "table", "rowid", "message"}; kind is \
      integrity, reference, link, schema or fullText.

      Exit codes: 0 if no error was found, 1 if at least one was found, 2 if the file can't be \
      checked.

      Example: holt check app.sqlite --json
      """)

  @Argument(help: "The database, or a file in any other supported format.", completion: .file())
  var file: SourceArgument

  @Flag(help: "Skip the comparison of indexes with their tables, which takes the longest.")
  var quick = false

  @Option(help: "The maximum number of findings to report of each kind.")
  var limit = 100

  @Flag(help: "Write a line of JSON for each finding.")
  var json = false

  var wantsJSON: Bool { json }

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit must be at least 1") }
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
    if inspection.findings.isEmpty, !json { out.write("\(file.path): no errors found\n") }
    try out.finish()
    if !inspection.findings.isEmpty { throw ExitCode.found }
  }
}

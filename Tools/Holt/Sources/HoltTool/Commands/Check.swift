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
      texts that are not valid UTF-8, and full-text indexes that do not match their content. \
      The file is not changed, except that the transaction of a program that ended while it \
      was writing is rolled back.

      With --json each finding is a line: {"kind", "table", "rowid", "message"}; kind is \
      integrity, reference, link, schema, text or fullText. A text also has a "column".

      Exit codes: 0 if no error was found, 1 if at least one was found, 2 if the file can't be \
      checked.

      Example: holt check app.sqlite --json
      """)

  @Argument(help: "The database, or a file in any other supported format.", completion: .file())
  var file: SourceArgument

  @Flag(
    help: "Skip the checks that take the longest: of indexes against their tables, and of texts.")
  var quick = false

  @Option(help: "The maximum number of findings to report of each kind.")
  var limit = 100

  @Option(help: "The file's format. By default, it is detected.")
  var format: FileFormat?

  @OptionGroup(title: "Reading files") var input: InputOptions

  @Flag(help: "Write a line of JSON for each finding.")
  var json = false

  var wantsJSON: Bool { json }

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit must be at least 1") }
  }

  func run() throws {
    let temporaryFiles = TemporaryFiles()
    let opened = try OpenedFile(
      file, input.values(format: format), temporaryFiles: temporaryFiles, writes: false,
      checksDatabase: false)
    let (findings, notes) = try inspect(opened)
    let out = Output()
    for finding in findings {
      out.write(json ? "\(finding.json)\n" : "\(finding.text)\n")
    }
    for note in notes { StandardStream.error.write("note: \(note)\n") }
    if findings.isEmpty, !json { out.write("\(file.path): no errors found\n") }
    try out.finish()
    if !findings.isEmpty { throw ExitCode.found }
  }

  private func inspect(
    _ file: OpenedFile
  ) throws -> (findings: [IntegrityInspection.Finding], notes: [String]) {
    let connection: Connection
    do {
      connection = try DatabaseFile.open(file.database)
    } catch let error as SQLiteError where IntegrityInspection.isDamage(error) {
      let message = error.message.replacing("opening \(file.database): ", with: "")
      return ([IntegrityInspection.Finding(kind: .integrity, message: message)], [])
    }
    var inspection = IntegrityInspection(connection, limit: limit, isQuick: quick)
    try inspection.run()
    try inspection.checkFullText(path: file.database)
    return (inspection.findings, inspection.notes)
  }
}

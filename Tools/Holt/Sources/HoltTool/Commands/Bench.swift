import ArgumentParser
import SQLiteCore
import Terminal

/// `holt bench`
struct Bench: ParsableCommand, JSONCommand, SQLCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs a statement again and again, and tells its times and its plan.",
    discussion: """
      Told are the shortest, the middle and the 95th of 100 times, the rows of a second, how \
      SQLite means to run the statement, and what it \
      counted of one run: rows that a scan of a whole table went over, sorts, and rows of \
      indexes that were made for the run alone, each of which \
      may say that an index is missing. A statement that writes is undone after each run, and \
      its commit is not in its times.

      With --json: {"runs", "rows", "seconds": {"min", "median", "p95"}, "rowsPerSecond", \
      "counters": {…}, "plan": [step]}.

      Example: holt bench app.sqlite "SELECT * FROM user WHERE name = :n" --param n=Ada
      """)

  @Argument(help: "The database, or a file of any other kind.", completion: .file())
  var database: SourceArgument

  @Argument(help: ArgumentHelp("The statement.", valueName: "SQL"))
  var sql: String

  @OptionGroup var parameters: ParameterOptions

  @Option(
    help: ArgumentHelp(
      "How long it is run, in seconds, but three times at least.", valueName: "seconds"))
  var time = 1.0

  @Option(help: ArgumentHelp("How often it is run, in place of a time.", valueName: "n"))
  var runs: Int?

  @Flag(help: "Write JSON.")
  var json = false

  var wantsJSON: Bool { json }
  var sqlFile: String? { nil }

  func validate() throws {
    if let runs, runs < 1 { throw ValidationError("--runs is at least 1") }
    if !(time >= 0 && time <= 3_600) { throw ValidationError("--time is 3600 at most") }
  }

  func run() throws {
    let temporaryFiles = TemporaryFiles()
    let file = try OpenedFile(database, format: nil, temporaryFiles: temporaryFiles, writes: false)
    let reader = try Connection(path: file.database, configuration: .reading)
    let isReadOnly = try reader.prepare(SQL(unsafe: sql)).isReadOnly
    let connection =
      isReadOnly
      ? reader : try Connection(path: file.database, configuration: .writing(file.database))
    var measurement = try StatementMeasurement(connection, sql, parameters.values())
    let bar = ProgressBar("running")
    try measurement.run(times: runs, seconds: time) { done, total in bar.show(done, of: total) }
    bar.end()
    let out = Output()
    out.write(json ? "\(measurement.json)\n" : measurement.text)
    try out.finish()
  }
}

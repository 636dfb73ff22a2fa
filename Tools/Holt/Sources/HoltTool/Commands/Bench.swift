import ArgumentParser
import SQLiteCore
import Terminal

/// `holt bench`
struct Bench: ParsableCommand, ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs a statement repeatedly, and reports its timings and query plan.",
    discussion: """
      Reports the minimum, median and 95th percentile of the run times, the rows per second, \
      SQLite's query plan, and the counters of a single run: full table scan steps, sorts, and \
      rows inserted into automatic indexes. Any of these counters above zero may indicate a \
      missing index. A statement that writes is rolled back after each run, so the timings \
      exclude the commit.

      With --json: {"runs", "rows", "seconds": {"min", "median", "p95"}, "rowsPerSecond", \
      "counters": {…}, "plan": [step]}.

      Example: holt bench app.sqlite "SELECT * FROM user WHERE name = :n" --param n=Ada
      """)

  @Argument(help: "The database, or a file in any other supported format.", completion: .file())
  var database: SourceArgument

  @Argument(help: ArgumentHelp("The statement.", valueName: "SQL"))
  var sql: String

  @OptionGroup var parameters: ParameterOptions

  @Option(
    help: ArgumentHelp(
      "The duration in seconds. The statement runs at least three times.", valueName: "seconds"))
  var time = 1.0

  @Option(help: ArgumentHelp("The number of runs, instead of a duration.", valueName: "n"))
  var runs: Int?

  @Option(help: "The file's format. By default, it is detected.")
  var format: FileFormat?

  @OptionGroup(title: "Reading files") var input: InputOptions

  @Flag(help: "Write JSON.")
  var json = false

  var wantsJSON: Bool { json }

  func validate() throws {
    if let runs, runs < 1 { throw ValidationError("--runs must be at least 1") }
    if !(time >= 0 && time <= 3_600) { throw ValidationError("--time must be between 0 and 3600") }
  }

  func run() throws {
    let temporaryFiles = TemporaryFiles()
    let file = try OpenedFile(
      database, input.values(format: format), temporaryFiles: temporaryFiles, writes: false)
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

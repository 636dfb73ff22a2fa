import ArgumentParser
import Foundation
import QueryGenDatabase
import QueryGenDriver

/// `querygen check`
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Reports all errors and warnings, without generating Swift.",
    discussion: """
      With --json each diagnostic is a line of JSON on the standard output: {"identity", "severity": \
      "error" or "warning", "message", "file", "offset", "length", "line", "column", "notes": \
      [{"message", "offset", …}], "fix_its": [{"offset", "length", "line", "column", "replacement"}]}. \
      Offsets and lengths count bytes from 0, lines and columns from 1; they are null for a \
      diagnostic about a whole file or folder.

      With --plans, the migrations run in SQLite in memory, and the plan of each query is checked too. \
      Statements that read or sort many rows are warnings, with an index if one was shown to improve \
      the plan. The key "plans" of querygen.yaml names a database with statistics, and rules that are \
      not applied; "-- plan: allow RULE" above a query silences a rule. With --lock, the plans are \
      written to plans.lock, from which later plans must not differ.

      With --fix, the fix-its of errors are applied first: for example, misspelt names are \
      corrected. Released migrations are never changed.

      \(ExitCodes.help)
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var generation: GenerationOptions

  @Flag(help: "Print the diagnostics as lines of JSON.")
  var json = false

  @Flag(help: "Apply the fix-its of errors first.")
  var fix = false

  @Flag(help: "Check the plans of queries, too.")
  var plans = false

  @Flag(help: "Write the plans to plans.lock; with --plans.")
  var lock = false

  func validate() throws {
    if lock, !plans { throw ValidationError("--lock requires --plans") }
  }

  func run() throws {
    var options = project.driverOptions()
    generation.apply(to: &options)
    let driver = Driver(options)
    var fixed: Driver.Outcome?
    if fix {
      fixed = driver.fix()
      for file in fixed?.changed ?? [] { StandardStreams.error("changed \(file)\n") }
    }
    let outcome =
      plans
      ? driver.check(plans: DatabasePlanSession.init, locks: lock)
      : fixed ?? driver.check()
    for note in outcome.planNotes { StandardStreams.error("note: \(note)\n") }
    if json {
      for diagnostic in outcome.diagnostics { print(diagnostic.json) }
      throw ExitCode(outcome.exitCode)
    }
    try outcome.finish("analyzed \(outcome.summary)")
    print("\(outcome.summary): no errors")
    if plans { print("plans: \(outcome.planCount)") }
    for path in outcome.written { print("wrote \(path)") }
  }
}

/// `querygen format`
struct Format: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Formats SQL.",
    discussion: """
      Without files, formats all migrations and queries of the project; with -, formats the \
      standard input to the standard output. Only spaces, line endings and the letter case of \
      keywords change. The checksums of released migrations are not affected.

      Exit codes: 0 if everything is formatted, 1 if a file can't be parsed or, with --check, \
      is not formatted, 64 if the command line is invalid.
      """)

  @OptionGroup var project: ProjectOptions

  @Argument(
    help: ArgumentHelp("The files to format; - reads the standard input.", valueName: "file"),
    completion: .file(extensions: ["sql"]))
  var files: [String] = []

  @Flag(help: "Only list the files that are not formatted.")
  var check = false

  @Option(help: "The letter case of keywords. By default upper.")
  var keywords: KeywordOption?

  @Option(
    help: ArgumentHelp(
      "The maximum line length, from 40 to 1000. By default 100.", valueName: "columns"))
  var width: Int?

  @Option(
    help: ArgumentHelp(
      "The number of spaces per level, from 1 to 8. By default 2.", valueName: "spaces"))
  var indentation: Int?

  func validate() throws {
    if let width, !FormatOptions.widths.contains(width) {
      throw ValidationError("--width takes a number from 40 to 1000")
    }
    if let indentation, !FormatOptions.indentations.contains(indentation) {
      throw ValidationError("--indentation takes a number from 1 to 8")
    }
    if files.contains("-"), files.count > 1 {
      throw ValidationError("- can't be combined with other files")
    }
  }

  func run() throws {
    let driver = Driver(project.driverOptions())
    var choices = FormatOverrides()
    choices.keywords = keywords.flatMap { .init(rawValue: $0.rawValue) }
    choices.width = width
    choices.indentation = indentation
    if files == ["-"] {
      let input = [UInt8](FileHandle.standardInput.readDataToEndOfFile())
      let (outcome, text) = driver.format(input, choices)
      StandardStreams.error(outcome.report)
      guard let text else { throw ExitCode(1) }
      if check { throw ExitCode(text == input ? 0 : 1) }
      FileHandle.standardOutput.write(Data(text))
      return
    }
    let outcome = driver.format(files: files.isEmpty ? nil : files, choices, writes: !check)
    for file in outcome.changed { print(check ? "\(file) is not formatted" : "formatted \(file)") }
    StandardStreams.error(outcome.report)
    throw ExitCode(outcome.errorCount > 0 || check && !outcome.changed.isEmpty ? 1 : 0)
  }
}

/// The values of `--keywords`.
enum KeywordOption: String, CaseIterable, ExpressibleByArgument {
  case upper, lower, keep
}

/// `querygen conformance`
struct ConformanceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conformance",
    abstract: "Analyzes the statements of a file of cases, for comparison with SQLite.",
    discussion: """
      A case is a line of JSON: {"id", "schema_sql", "query_sql"}; with --schemas, "schema_id" may \
      replace "schema_sql". A result is a line of JSON on the standard output.
      """)

  @Argument(help: ArgumentHelp("The cases; - reads the standard input.", valueName: "file"))
  var cases: String

  @Option(
    help: ArgumentHelp(
      "Schemas that cases share: lines of {\"schema_id\", \"sql\"}.", valueName: "file"))
  var schemas: String?

  func run() throws {
    let conformance = Conformance()
    if let schemas {
      do {
        try conformance.addSchemas(read(schemas))
      } catch let error as Conformance.InvalidLine {
        throw ValidationError("\(schemas): \(error)")
      }
    }
    do {
      try conformance.answer(read(cases)) { print($0) }
    } catch let error as Conformance.InvalidLine {
      throw ValidationError("\(cases): \(error)")
    }
  }

  private func read(_ path: String) throws -> Data {
    guard path != "-" else { return FileHandle.standardInput.readDataToEndOfFile() }
    do {
      return try Data(contentsOf: URL(filePath: path))
    } catch {
      throw ValidationError("\(path) can't be read")
    }
  }
}

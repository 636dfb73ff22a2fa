import ArgumentParser
import QueryGenDriver

/// `querygen check`
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows every error and warning of every file, and writes no Swift.",
    discussion: """
      With --json each diagnostic is a line of JSON on the standard output: {"identity", "severity": \
      "error" or "warning", "message", "file", "offset", "length", "line", "column", "notes": \
      [{"message", "offset", …}], "fix_its": [{"offset", "length", "line", "column", "replacement"}]}. \
      Offsets and lengths count bytes from 0, lines and columns from 1; they are null for what \
      concerns a whole file or folder.

      With --fix the remedies that errors come with are applied first: names get their right \
      spelling, for example. Migrations that were released are never changed.

      \(ExitCodes.help)
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var generation: GenerationOptions

  @Flag(help: "Print the diagnostics as lines of JSON.")
  var json = false

  @Flag(help: "Apply the remedies that errors come with.")
  var fix = false

  func run() throws {
    var options = project.driverOptions()
    generation.apply(to: &options)
    let driver = Driver(options)
    var outcome: Driver.Outcome
    if fix {
      let fixed = driver.fix()
      for file in fixed.files { Standard.error("changed \(file)\n") }
      outcome = fixed.outcome
    } else {
      outcome = driver.check()
    }
    if json {
      for diagnostic in outcome.diagnostics { print(diagnostic.json) }
      throw ExitCode(outcome.exitCode)
    }
    try outcome.finish("\(outcome.summary) were understood")
    print("\(outcome.summary): no errors")
  }
}

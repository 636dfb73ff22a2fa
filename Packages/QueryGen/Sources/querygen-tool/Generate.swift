import ArgumentParser
import QueryGenDriver

/// `querygen generate`
struct Generate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Checks the SQL and writes the Swift.",
    discussion: """
      Where anything is wrong, what was generated earlier stays as it is.

      \(ExitCodes.help)
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var generation: GenerationOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The folder to write to. By default Generated, beside Migrations.", valueName: "folder"),
    completion: .directory)
  var output: String?

  func run() throws {
    var options = project.driverOptions()
    generation.apply(to: &options)
    options.output = output
    let outcome = Driver(options).generate()
    try outcome.finish()
    for name in outcome.written { print("wrote \(outcome.output)/\(name)") }
    for name in outcome.removed { print("removed \(outcome.output)/\(name)") }
    if outcome.written.isEmpty, outcome.removed.isEmpty {
      print("\(outcome.output) is up to date")
    }
  }
}

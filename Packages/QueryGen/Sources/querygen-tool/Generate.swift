import ArgumentParser
import QueryGenDriver

/// `querygen generate`
struct Generate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Checks the SQL and writes the Swift.",
    discussion: "Where anything is wrong, what was generated earlier stays as it is.")

  @OptionGroup var project: ProjectOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The folder to write to. By default Generated, beside Migrations.", valueName: "folder"))
  var output: String?

  func run() throws {
    let options = project.driverOptions(output: output)
    let outcome = Driver(options).generate()
    try outcome.finish()
    for name in outcome.written { print("wrote \(options.output)/\(name)") }
    for name in outcome.removed { print("removed \(options.output)/\(name)") }
    if outcome.written.isEmpty, outcome.removed.isEmpty {
      print("\(options.output) is up to date")
    }
  }
}

import ArgumentParser
import QueryGenDriver

/// `querygen check`
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Checks the SQL and writes nothing.")

  @OptionGroup var project: ProjectOptions

  func run() throws {
    let outcome = Driver(project.driverOptions()).check()
    try outcome.finish()
    let tables = outcome.tableCount == 1 ? "1 table" : "\(outcome.tableCount) tables"
    let queries = outcome.queryCount == 1 ? "1 query" : "\(outcome.queryCount) queries"
    print("\(tables), \(queries): no errors")
  }
}

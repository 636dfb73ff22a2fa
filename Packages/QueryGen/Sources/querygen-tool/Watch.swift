import ArgumentParser
import Foundation
import QueryGenDatabase
import QueryGenDriver
import QueryGenServer

/// `querygen watch`
struct Watch: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Checks the project and generates the Swift code again after every change.",
    discussion: """
      Prints the errors and warnings that have appeared or disappeared since the last change, and the \
      generated files that were written. With --json each of them is a line of JSON: a diagnostic \
      as in "querygen check --json" with {"event": "added" or "removed"}, or {"event": "generated", \
      "file"}.

      Ends with Control-C.
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var generation: GenerationOptions

  @Flag(help: "Print lines of JSON.")
  var json = false

  @Flag(help: "Check the plans of queries, too.")
  var plans = false

  @Flag(inversion: .prefixedNo, help: "Generate the Swift code.")
  var generate = true

  @Option(help: ArgumentHelp("The time between two looks at the files.", valueName: "seconds"))
  var interval: Double = 0.5

  func validate() throws {
    guard interval >= 0.05, interval <= 60 else {
      throw ValidationError("--interval takes a number from 0.05 to 60")
    }
  }

  func run() throws {
    var options = project.driverOptions()
    generation.apply(to: &options)
    var watcher = ProjectWatcher(
      options, generates: generate, makePlanSession: plans ? { DatabasePlanSession($0) } : nil)
    while true {
      for event in watcher.check() {
        StandardStreams.output((json ? event.json : event.text) + "\n")
      }
      Thread.sleep(forTimeInterval: interval)
    }
  }
}

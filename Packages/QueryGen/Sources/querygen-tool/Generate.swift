import ArgumentParser
import QueryGenDriver

/// `querygen generate`
struct Generate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Checks the SQL and generates the Swift code.",
    discussion: """
      If there is an error, the files that were generated earlier are not changed.

      \(ExitCodes.help)
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var generation: GenerationOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The folder to write to. By default Generated, next to Migrations.", valueName: "folder"),
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

/// `querygen init`
struct Init: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Creates a sample project: a migration, queries and a configuration.",
    discussion: """
      Existing files are not overwritten.

      \(ExitCodes.help)
      """)

  @Argument(
    help: ArgumentHelp(
      "The folder of a target, such as Sources/App. By default the current one.",
      valueName: "folder"), completion: .directory)
  var path: String = "."

  func run() throws {
    let begun = Driver(DriverOptions(path: path)).initializeProject()
    try begun.finish()
    for path in begun.written { print("wrote \(path)") }
    print(
      """

      In Package.swift, the target of this folder needs the library and the plugin:

        .target(
          name: "App",
          dependencies: [.product(name: "QueryGen", package: "holt")],
          plugins: [.plugin(name: "QueryGenPlugin", package: "holt")])

      Then, in Swift:

        import QueryGen

        let db = try DB(path: "app.sqlite")
        _ = try await db.addTodo.execute("Try it")
        for todo in try await db.openTodos.execute() { print(todo.title) }

      Without the plugin, `querygen generate` writes the Swift to Generated.
      """)
  }
}

internal import Foundation

/// An app that uses the build plugin, with a list of changes to build.
struct PluginApp {
  let root: URL

  /// A change to the app's files, with the expected result of the next build.
  struct Step {
    var name: String
    /// The new contents of files, or `nil` for a file to remove.
    var files: [String: String?]
    /// The expected output of the app, or `nil` if the build must fail.
    var output: String?
    /// The message that a failing build must print.
    var error = ""

    /// Applies the change and builds the app.
    ///
    /// - Returns: The fault, or `nil`.
    func run(in app: PluginApp) throws -> String? {
      for (path, text) in files.sorted(by: { $0.key < $1.key }) { try app.change(path, to: text) }
      let build = try Command.run([
        "swift", "build", "--package-path", app.root.path(percentEncoded: false),
        "--disable-dependency-cache",
      ])
      let printed = build.output + build.errors
      guard let output else {
        if build.status != 0, printed.contains(error) { return nil }
        return
          "\(name): expected the build to fail with \"\(error)\", got: \(printed.suffix(2_000))"
      }
      guard build.status == 0 else { return "\(name): does not build: \(printed.suffix(2_000))" }
      if printed.contains("warning:") { return "\(name): the build warns: \(printed)" }
      let run = try Command.run([
        app.root.appending(path: ".build/debug/app").path(percentEncoded: false)
      ])
      guard run.status == 0, run.output == output else {
        return "\(name): expected the output \(output), got \(run.output + run.errors)"
      }
      return nil
    }
  }

  private static let queries = """
    openTodos:
    SELECT id, title FROM todo ORDER BY id;

    addTodo:
    INSERT INTO todo (title) VALUES (:title) RETURNING id;

    """

  private static let main = """
    import QueryGen

    let db = try DB()
    _ = try await db.addTodo.execute("milk")
    for todo in try await db.openTodos.execute() { print(todo.id, todo.title) }

    """

  static let steps: [Step] = [
    Step(name: "the first build", files: [:], output: "1 milk\n"),
    Step(
      name: "a changed query",
      files: [
        "Queries/Todo.sql": queries.replacing("id, title", with: "id, upper(title) AS title")
      ],
      output: "1 MILK\n"),
    Step(
      name: "an added file of queries",
      files: [
        "Queries/more/Count.sql": "countTodos: SELECT count(*) FROM todo;\n",
        "main.swift": main + "print(try await db.countTodos.execute())\n",
      ], output: "1 MILK\n1\n"),
    Step(
      name: "an added migration",
      files: ["Migrations/002.sql": "INSERT INTO todo (title) VALUES ('bread');\n"],
      output: "1 BREAD\n2 MILK\n2\n"),
    Step(
      name: "a removed migration", files: ["Migrations/002.sql": nil],
      output: "1 MILK\n1\n"),
    Step(
      name: "a removed file of queries",
      files: ["Queries/more/Count.sql": nil, "main.swift": main], output: "1 MILK\n"),
    Step(
      name: "a faulty query",
      files: ["Queries/Todo.sql": queries.replacing("title FROM", with: "titel FROM")],
      output: nil, error: "Queries/Todo.sql:2:12: error: no such column: `titel`"),
    Step(name: "a mended query", files: ["Queries/Todo.sql": queries], output: "1 milk\n"),
    Step(
      name: "an added configuration",
      files: [
        "querygen.yaml": "database: Store\n", "main.swift": main.replacing("DB()", with: "Store()"),
      ], output: "1 milk\n"),
    Step(
      name: "a locked migration that is edited",
      files: ["Migrations/migrations.lock": "0123456789abcdef 001\n"],
      output: nil, error: "Migrations/001.sql:1:1: error: this migration was released"),
  ]

  func write(requiring requirement: String) throws {
    let manifest = """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "app",
        platforms: [.macOS(.v14)],
        dependencies: [\(requirement)],
        targets: [
          .executableTarget(
            name: "app", dependencies: [.product(name: "QueryGen", package: "holt")],
            plugins: [.plugin(name: "QueryGenPlugin", package: "holt")])
        ]
      )
      """
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    try Data(manifest.utf8).write(to: root.appending(path: "Package.swift"))
    try change("main.swift", to: Self.main)
    try change("Queries/Todo.sql", to: Self.queries)
    try change(
      "Migrations/001.sql",
      to: "CREATE TABLE todo (id INTEGER PRIMARY KEY, title TEXT NOT NULL);\n")
  }

  /// Writes a file of the target, or removes it.
  private func change(_ path: String, to text: String?) throws {
    let file = root.appending(path: "Sources/app/\(path)")
    guard let text else { return try FileManager.default.removeItem(at: file) }
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }
}

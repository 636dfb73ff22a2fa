import QueryGenDriver
import QueryGenTestSupport

extension Workspace {
  /// The sorted names of the generated files.
  var generated: [String] { names(in: "Generated") }

  var driver: Driver { Driver(DriverOptions(path: path)) }

  /// Returns a report without this folder's path.
  func report(_ outcome: Driver.Outcome) -> String { short(outcome.report) }
}

extension Workspace {
  /// Creates a project without errors.
  static func todo() throws -> Workspace {
    try Workspace([
      "Migrations/1.sql": """
      CREATE TABLE todo (
        id INTEGER,
        name TEXT NOT NULL,
        completedOn INTEGER
      )
      """,
      "Queries/Todo.sql": "DEFINE QUERY selectTodos AS\nSELECT * FROM todo;\n",
    ])
  }
}

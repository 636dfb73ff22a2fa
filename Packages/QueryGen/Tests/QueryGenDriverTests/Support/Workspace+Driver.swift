import QueryGenDriver
import QueryGenTestSupport

extension Workspace {
  /// The names of the generated files; sorted.
  var generated: [String] { names(in: "Generated") }

  var driver: Driver { Driver(DriverOptions(path: path)) }

  /// A report with this folder's path taken out of it.
  func report(_ outcome: Driver.Outcome) -> String { short(outcome.report) }
}

extension Workspace {
  /// A project without faults.
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
